// Reads what `ibnetdiscover` prints and ibsim reads: a record per node, a line per cabled port, each cable from both
// ends.
#include "host/formats/formats.hpp"
#include "host/formats/ibnetdiscover/mistyped_ids.hpp"
#include "host/formats/ibnetdiscover/told_lids.hpp"
#include "host/formats/ibnetdiscover/words.hpp"
#include "host/formats/read/lid_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace tailback::formats {
namespace discover {

std::uint64_t guid_of_id(std::string_view id) {
    std::uint64_t guid = 0;
    if (id.size() != 18 || id[1] != '-') return 0;
    base::Scanner scan(id.substr(2));
    return scan.hex(guid) && scan.at_end() ? guid : 0;
}

namespace {

/// What the lines before a node line told about it.
struct Heading {
    std::uint64_t vendor = 0, device = 0, system_guid = 0, guid = 0, port_guid = 0;
    std::size_t line = 0;  ///< where it begins; 0 = not begun
    /// A director's: all its switches carry the GUID of the chassis, and their own behind it.
    bool of_chassis(std::uint64_t id) const { return guid != id && port_guid == id; }
    bool is_system() const { return guid == system_guid; }
};

model::NodeKind kind_of_id(std::string_view id) {
    if (id.substr(0, 2) == "S-") return model::NodeKind::switch_node;
    return id.substr(0, 2) == "R-" ? model::NodeKind::router : model::NodeKind::adapter;
}

class DiscoverReader {
public:
    DiscoverReader(io::LineReader& lines, model::Disagreements& disagreements)
        : lines_(lines), disagreements_(disagreements) {}

    model::Network read() {
        std::string_view line;
        bool understood = true;
        while (lines_.next(line)) understood = take(line);
        if (heading_.line != 0) throw cut_off({lines_.name(), heading_.line}, "a record starts here and never comes");
        if (!lines_.terminated() && !understood) throw cut_off(lines_.place(), "its last line is incomplete");
        unite_mistyped_ids();
        add_missing_nodes();
        note_twins();
        note_other_guids();
        add_hosts_without_a_line();
        compare_lids(builder_, identities_, seen_by_neighbour_, odd_lids_, lines_.name(), disagreements_);
        add_links();
        give_examples();
        return builder_.finish(disagreements_, lines_.name());
    }

private:
    static base::InputError cut_off(base::SourceLocation const& place, std::string const& why) {
        return base::InputError(place, "the topology is cut off", why, "make the file again");
    }

    /// False for what may be a record's line that was cut.
    bool take(std::string_view line) {
        base::Scanner scan(line);
        scan.blanks();
        if (scan.at_end()) strange_line_ = 0;
        if (scan.at_end() || scan.rest().front() == '#') return true;
        if (scan.accept('[')) return take_port(scan);
        if (scan.accept("Switch")) return take_node(scan, model::NodeKind::switch_node);
        if (scan.accept("Ca") || scan.accept("Hca")) return take_node(scan, model::NodeKind::adapter);
        if (scan.accept("Rt")) return take_node(scan, model::NodeKind::router);
        if (scan.accept("vendid=")) return take_heading(scan, heading_.vendor);
        if (scan.accept("devid=")) return take_heading(scan, heading_.device);
        if (scan.accept("sysimgguid=")) return take_heading(scan, heading_.system_guid);
        if (scan.accept("switchguid=") || scan.accept("caguid=") || scan.accept("rtguid=")) {
            heading_.guid = heading_.port_guid = 0;
            if (!take_heading(scan, heading_.guid)) return false;
            if (scan.accept('(')) scan.hex(heading_.port_guid);
            return true;
        }
        // Anything else is a chassis heading, a log line, a prompt, unless it begins as a record's line would.
        for (std::string_view const word :
             {"vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=", "Switch"})
            if (word.substr(0, scan.rest().size()) == scan.rest()) return false;
        bool const is_log = scan.accept("src/") || scan.accept("ibwarn") || scan.accept("iberror");
        if (!is_log && strange_line_ == 0) strange_line_ = lines_.place().line;
        return true;
    }

    bool take_heading(base::Scanner& scan, std::uint64_t& value) {
        if (heading_.line == 0) heading_.line = lines_.place().line;
        lost_ = false;
        return scan.accept("0x") && scan.hex(value);
    }

    bool unparsed(std::string_view what) {
        disagreements_.note(diagnosis::Code::line_not_understood, lines_.place(), std::string(what));
        return false;
    }

    std::uint32_t identity(std::string_view id) {
        auto const [at, is_new] = by_id_.emplace(std::string(id), std::uint32_t(identities_.size()));
        if (is_new) identities_.push_back({.id = std::string(id), .line = lines_.place().line});
        return at->second;
    }

    bool take_node(base::Scanner scan, model::NodeKind kind) {
        base::SourceLocation const place = lines_.place();
        std::uint64_t ports = 0;
        std::string_view id;
        strange_line_ = 0;
        if (!scan.blanks().decimal(ports)) return !scan.at_end();  // a log line that begins with "Switch", "Can't", ...
        if (!scan.blanks().accept('"') || !scan.until('"', id) || id.empty()) return lost_record();
        Remark const remark = split_remark(scan.rest());
        if (ports > max_port) {
            unparsed("a node of " + std::to_string(ports) + " ports; taken as many as are cabled");
            ports = 0;
        }
        model::NodeRecord record{.kind = kind};
        record.ports = static_cast<model::Port>(ports);
        record.name = std::string(remark.there ? remark.name : id);
        std::uint32_t const at = identity(id);
        Identity& known = identities_[at];
        if (!known.node.exists()) known.heading_guid = heading_.guid, known.heading_port_guid = heading_.port_guid;
        take_heading_into(record, guid_of_id(id), place);
        if (kind == model::NodeKind::switch_node) take_switch_lid(remark, record, known.odd_lid);
        if (known.node.exists()) {
            repeated_ = true;
            current_ = known.node;
            twins_.push_back({current_, place.line, known.record_line, record.name, std::string(id), {}});
            take_twins_lid(record.lid);
            return remark.there;
        }
        repeated_ = false;
        known.record_line = place.line;
        current_ = known.node = builder_.add_node(std::move(record), place);
        if (!known.odd_lid.empty()) odd_lids_.emplace(key(current_, 0), OddLid{known.odd_lid, place.line, {}});
        return remark.there;
    }

    /// What the lines before the node line say. The id is the node's GUID; where another is stated (not a chassis'),
    /// that is remembered for `note_other_guids`.
    void take_heading_into(model::NodeRecord& record, std::uint64_t id, base::SourceLocation const& place) {
        record.guid = id != 0 ? id : heading_.guid;
        if (builder_.node_by_guid(record.guid).exists() && id == 0) record.guid = 0;
        if (id != 0 && heading_.guid != 0 && heading_.guid != id)
            other_guids_.push_back({id, heading_.guid, place.line, heading_.of_chassis(id), heading_.is_system()});
        record.port_guid = heading_.port_guid;
        record.system_guid = heading_.system_guid;
        record.vendor = static_cast<std::uint32_t>(heading_.vendor);
        record.device = static_cast<std::uint32_t>(heading_.device);
        heading_ = {};
    }

    void take_switch_lid(Remark const& remark, model::NodeRecord& record, std::string& odd) {
        base::Scanner tail(remark.tail);
        LidWord const word = take_lid(tail);
        record.lid = word.lid;
        odd = word.odd;
        record.lmc = take_lmc(tail);
        record.enhanced_port0 = remark.tail.find("enhanced port 0") != std::string_view::npos;
    }

    std::uint8_t take_lmc(base::Scanner& scan) {
        std::uint64_t lmc = 0;
        if (!scan.behind("lmc") || !scan.blanks().decimal(lmc) || lmc <= 7) return static_cast<std::uint8_t>(lmc);
        unparsed("LMC " + std::to_string(lmc) + " is out of range (it has 3 bits) and counts as 0");
        return 0;
    }

    /// The ports that follow belong to nobody: what other records say of them counts. The lines above tell whose.
    bool lost_record() {
        disagreements_.note(diagnosis::Code::node_line_lost, lines_.place(),
                            "this is not a whole node line; its ports are taken from their other ends", 1,
                            {{}, {}, heading_.guid, 0});
        current_ = {};
        heading_ = {};
        lost_ = true;
        return false;
    }

    bool take_port(base::Scanner scan) {
        base::SourceLocation const place = lines_.place();
        if (heading_.line != 0) lost_record();
        if (strange_line_ != 0 && current_.exists())  // between port lines it is no log line and no chassis
            disagreements_.note(diagnosis::Code::line_not_understood, {lines_.name(), strange_line_},
                                "this is not a line of a record");
        strange_line_ = 0;
        PortLine cable{.node = current_, .line = place.line};
        std::uint64_t number = 0, remote_number = 0;
        std::string_view id;
        if (!scan.blanks().decimal(number) || !scan.blanks().accept(']')) return is_prompt(scan) || odd_port_line();
        if (!current_.exists()) return lost_ ? true : unparsed("a port line before the first node");
        bool const of_switch = builder_.nodes()[current_].kind == model::NodeKind::switch_node;
        skip_extended_port(scan);
        PortGroups const own = take_groups(scan, !of_switch);
        if (!scan.blanks().accept('"') || !scan.until('"', id) || id.empty() || !scan.blanks().accept('[') ||
            !scan.blanks().decimal(remote_number) || !scan.blanks().accept(']'))
            return unparsed("this is not a whole port line");
        if (number > max_port || remote_number > max_port)
            return unparsed("port number " + std::to_string(std::max(number, remote_number)) +
                            " is out of range (it has 8 bits); the line is left out");
        if (number == 0 || remote_number == 0) return unparsed("a cable at port 0, which is the switch itself");
        cable.port = static_cast<model::Port>(number);
        cable.remote_port = static_cast<model::Port>(remote_number);
        if (repeated_ && !ports_listed_.insert(key(current_, cable.port)).second) {
            base::Scanner before(split_remark(scan.rest()).before);
            if (!of_switch) take_twins_lid(take_lid(before).lid);
            return true;
        }
        ports_listed_.insert(key(current_, cable.port));
        cable.remote = identity(id);
        skip_extended_port(scan);
        bool const to_switch = kind_of_id(id) == model::NodeKind::switch_node;
        PortGroups const remote = take_groups(scan, !to_switch);
        builder_.set_port_label(current_, cable.port, own.label);
        return take_ends(cable, split_remark(scan.rest()), guid_in(own.guid), guid_in(remote.guid));
    }

    /// `[root@node ~]$`
    static bool is_prompt(base::Scanner const& scan) { return scan.rest().find('@') != std::string_view::npos; }

    /// Within a record that is damage, also where the lines around it are whole.
    bool odd_port_line() {
        return current_.exists() && lines_.terminated() ? unparsed("this is not a whole port line") : false;
    }

    /// The remark of a port line: LIDs of both ends, the rate. @return false where it has less than others
    bool take_ends(PortLine& cable, Remark const& remark, std::uint64_t own_guid, std::uint64_t remote_guid) {
        base::Scanner tail(remark.tail);
        LidWord const remote_lid = take_lid(tail);
        take_rate(tail, cable, lines_.place());
        Identity& remote = identities_[cable.remote];
        if (remark.there && remote.name.empty()) remote.name = std::string(remark.name);
        bool const to_switch = kind_of_id(remote.id) == model::NodeKind::switch_node;
        if (to_switch) remote.lid = remote_lid.lid;
        if (builder_.nodes()[current_].kind != model::NodeKind::switch_node &&
            has_host_.insert(key(current_, cable.port)).second) {
            base::Scanner before(remark.before);
            LidWord const lid = take_lid(before);
            std::uint8_t const lmc = take_lmc(before);
            add_host({.node = current_, .port = cable.port, .port_guid = own_guid, .lid = lid.lid, .lmc = lmc},
                     cable.line);
            if (!lid.odd.empty()) odd_lids_.emplace(key(current_, cable.port), OddLid{lid.odd, cable.line, {}});
        }
        if (remote_lid.told || !to_switch)
            seen_by_neighbour_.push_back({cable.remote, to_switch ? 0 : cable.remote_port, remote_guid, remote_lid.lid,
                                          cable.line, remote_lid.told, remote_lid.odd});
        cables_.push_back(cable);
        bool const as_full_as_others = remark.there >= remarks_seen_ && cable.rate.stated() >= rates_seen_;
        remarks_seen_ = remarks_seen_ || remark.there;
        rates_seen_ = rates_seen_ || cable.rate.stated();
        return as_full_as_others;
    }

    static std::uint64_t guid_in(std::string_view text) {
        std::uint64_t guid = 0;
        base::Scanner scan(text);
        return scan.hex(guid) ? guid : 0;
    }

    static void skip_extended_port(base::Scanner& scan) {
        std::string_view ignored;
        if (scan.blanks().accept("[ext")) scan.until(']', ignored);
    }

    /// `WxSPEED`, then perhaps `s=4 w=2 v=4`.
    void take_rate(base::Scanner& tail, PortLine& cable, base::SourceLocation const& place) {
        std::string_view word = tail.blanks().rest();
        word = word.substr(0, word.find_first_of(" \t"));
        if (word.empty()) return;
        cable.rate = model::parse_link_rate(word);
        if (!cable.rate.stated())
            disagreements_.note(diagnosis::Code::speed_unknown, place,
                                "width and speed \"" + std::string(word) + "\" are unknown");
    }

    /// References to both ids of a node become references to its record, under the id that counts.
    void unite_mistyped_ids() {
        std::vector<std::uint32_t> stays(identities_.size());
        std::iota(stays.begin(), stays.end(), 0u);
        for (MistypedId const& one : find_mistyped_ids(identities_, cables_)) {
            stays[one.nameless] = one.recorded;
            Identity& named = identities_[one.recorded];
            std::string const& other = identities_[one.nameless].id;
            model::Node const owner = builder_.node_by_guid(guid_of_id(other));
            if (one.record_is_wrong && (!owner.exists() || owner == named.node)) rename(named, other, one.cables);
            else note_mistyped(cables_[one.cable], one.cables, other, named.node);
        }
        std::vector<std::uint32_t> now(identities_.size());
        std::vector<Identity> kept;
        for (std::uint32_t i = 0; i < stays.size(); ++i)
            if (stays[i] == i) now[i] = static_cast<std::uint32_t>(kept.size()), kept.push_back(identities_[i]);
        identities_ = std::move(kept);
        for (PortLine& cable : cables_) cable.remote = now[stays[cable.remote]];
        for (Neighbour& seen : seen_by_neighbour_) seen.identity = now[stays[seen.identity]];
    }

    void note_mistyped(PortLine const& cable, std::size_t cables, std::string const& id, model::Node node) {
        disagreements_.note(
            diagnosis::Code::node_id_told_twice, {lines_.name(), cable.line},
            fmt::format("its cable leads to \"{}\" by {}, and to {} by the record of that one, which "
                        "counts",
                        id, cables == 1 ? "its line" : std::to_string(cables) + " lines", builder_.describe(node)),
            1, builder_.place_of(cable.node, cable.port));
    }

    void rename(Identity& named, std::string const& id, std::size_t cables) {
        std::erase_if(other_guids_, [&](OtherGuid const& stated) { return stated.id == guid_of_id(named.id); });
        builder_.set_guid(named.node, guid_of_id(id));
        if (builder_.nodes()[named.node].name == named.id) builder_.nodes()[named.node].name = id;
        disagreements_.note(diagnosis::Code::node_id_told_twice, {lines_.name(), named.record_line},
                            fmt::format("its own record has the id \"{}\", the {} it \"{}\", which counts", named.id,
                                        cables == 1 ? "line of its neighbour calls"
                                                    : std::to_string(cables) + " lines of its neighbours call",
                                        id),
                            1, builder_.place_of(named.node));
        named.id = id;
    }

    /// Nodes that neighbours name and that have no record: they did not answer when the file was made, or it was cut.
    void add_missing_nodes() {
        std::size_t const known = builder_.nodes().size();
        std::size_t missing = 0;
        for (Identity const& identity : identities_) missing += identity.node.exists() ? 0 : 1;
        if (missing > known)
            throw cut_off({lines_.name(), 0}, std::to_string(missing) + " nodes are named that have no record, " +
                                                  std::to_string(known) + " have one");
        for (Identity& identity : identities_) {
            if (identity.node.exists()) continue;
            base::SourceLocation const place{lines_.name(), identity.line};
            model::NodeRecord record{.kind = kind_of_id(identity.id),
                                     .name = identity.name.empty() ? identity.id : identity.name,
                                     .guid = guid_of_id(identity.id)};
            if (record.kind == model::NodeKind::switch_node) record.lid = identity.lid;
            // The id's GUID may be taken by a record under another id; then this one goes without.
            if (record.guid != 0 && builder_.node_by_guid(record.guid).exists()) record.guid = 0;
            identity.node = builder_.add_node(std::move(record), place);
            missing_.push_back(std::uint32_t(&identity - identities_.data()));
        }
    }

    /// A record that states a GUID beside its own id: that of another node, or of nobody. Of a chassis are those that
    /// several records state, or that are the system's.
    void note_other_guids() {
        std::unordered_map<std::uint64_t, std::size_t> times;
        for (OtherGuid const& stated : other_guids_) ++times[stated.guid];
        std::set<model::Node> without_record;  // of a mistyped id, which is told as such
        for (std::uint32_t const one : missing_) without_record.insert(identities_[one].node);
        for (OtherGuid const& stated : other_guids_) {
            model::Node const other = builder_.node_by_guid(stated.guid), own = builder_.node_by_guid(stated.id);
            if (without_record.contains(other)) continue;
            if (other.exists() && !stated.of_chassis)
                disagreements_.note(diagnosis::Code::two_nodes_one_guid, {lines_.name(), stated.line},
                                    builder_.describe(other) + " and \"" + builder_.nodes()[own].name +
                                        "\" have the same GUID; the second goes by its id",
                                    1, builder_.place_of(other));
            else if (!other.exists() && times[stated.guid] == 1 && !stated.of_system)
                disagreements_.note(
                    diagnosis::Code::node_id_told_twice, {lines_.name(), stated.line},
                    fmt::format("its GUID is {:#018x} before its record, and another by its id, which counts",
                                stated.guid),
                    1, builder_.place_of(own));
        }
    }

    void take_twins_lid(model::Lid lid) {
        if (lid != 0) twins_.back().lids.push_back(lid);
    }

    /// A second record of an id. Only the LIDs of the first are owned.
    void note_twins() {
        std::multimap<model::Node, model::Lid> owned;
        for (model::HostRecord const& host : builder_.hosts())
            if (!twins_.empty()) owned.emplace(host.node, host.lid);
        for (Twin const& twin : twins_) {
            model::FabricPlace where = explaining(twin.node);
            where.lids = twin.lids;
            for (auto [first, last] = owned.equal_range(twin.node); first != last; ++first)
                where.lids.push_back(first->second);
            disagreements_.note(diagnosis::Code::two_nodes_one_guid, {lines_.name(), twin.line},
                                fmt::format("\"{}\" has the id \"{}\" of line {}; its ports are taken to that node "
                                            "where they are free",
                                            twin.name, twin.id, twin.first_line),
                                1, where);
        }
    }

    /// The place of a node that explains what else is wrong with it.
    model::FabricPlace explaining(model::Node node) const {
        model::FabricPlace where = builder_.place_of(node);
        where.nodes = {node};
        return where;
    }

    /// Adapter ports that only a neighbour tells of, and adapters without any cable.
    void add_hosts_without_a_line() {
        for (Neighbour const& seen : seen_by_neighbour_) {
            model::Node const node = identities_[seen.identity].node;
            if (builder_.nodes()[node].kind == model::NodeKind::switch_node || seen.port == 0) continue;
            if (has_host_.insert(key(node, seen.port)).second)
                add_host({.node = node, .port = seen.port, .port_guid = seen.port_guid, .lid = seen.lid}, seen.line);
        }
        std::vector<std::size_t> line_of_node(builder_.nodes().size());
        for (Identity const& identity : identities_) line_of_node[identity.node.value] = identity.record_line;
        std::vector<bool> has(builder_.nodes().size());
        for (model::HostRecord const& host : builder_.hosts()) has[host.node.value] = true;
        for (std::size_t n = 0; n < has.size(); ++n)
            if (!has[n] && builder_.nodes()[model::Node{n}].kind != model::NodeKind::switch_node)
                add_host({.node = model::Node{n}, .port = 1}, line_of_node[n]);
    }

    void add_host(model::HostRecord record, std::size_t line) {
        builder_.add_host(std::move(record));
        host_lines_.push_back(line);
    }

    void add_links() {
        std::vector<std::uint32_t> identity_of(builder_.nodes().size());
        for (std::size_t i = 0; i < identities_.size(); ++i)
            identity_of[identities_[i].node.value] = static_cast<std::uint32_t>(i);
        for (std::size_t i = 0; i < cables_.size(); ++i) cable_at_.emplace(key(cables_[i].node, cables_[i].port), i);
        std::size_t const listed = cables_.size();
        std::unordered_map<model::Node, std::size_t, NodeHash> cables_of_missing;
        for (std::uint32_t const i : missing_) cables_of_missing.emplace(identities_[i].node, 0);
        for (std::size_t i = 0; i < listed; ++i) {
            PortLine const cable = cables_[i];
            model::Node const to = identities_[cable.remote].node;
            std::string const end =
                "the cable to port " + std::to_string(cable.remote_port) + " of \"" + builder_.nodes()[to].name + "\"";
            auto const [at, free] = cable_at_.emplace(key(to, cable.remote_port), cables_.size());
            if (free) {  // a cable has two ends, whoever lists it
                if (auto const record = cables_of_missing.find(to); record != cables_of_missing.end()) ++record->second;
                else
                    disagreements_.note(diagnosis::Code::cable_from_one_end, {lines_.name(), cable.line},
                                        end + " is not listed there; taken as plugged in", 1,
                                        builder_.place_of(to, cable.remote_port));
                cables_.push_back(
                    {to, cable.remote_port, identity_of[cable.node.value], cable.port, cable.rate, cable.line});
            } else if (PortLine const& other = cables_[at->second];
                       identities_[other.remote].node != cable.node || other.remote_port != cable.port) {
                example(diagnosis::Code::cable_ends_disagree, cable.line,
                        end + " is another one by line " + std::to_string(other.line));
            }
        }
        for (std::uint32_t const i : missing_) {
            std::size_t const cables = cables_of_missing[identities_[i].node];
            disagreements_.note(diagnosis::Code::node_without_record, {lines_.name(), identities_[i].line},
                                "it has no record of its own; its " +
                                    (cables == 1 ? std::string("cable is") : std::to_string(cables) + " cables are") +
                                    " taken from the other ends",
                                1, explaining(identities_[i].node));
        }
        for (PortLine const& cable : cables_)
            builder_.add_link({.from = cable.node,
                               .from_port = cable.port,
                               .to = identities_[cable.remote].node,
                               .to_port = cable.remote_port,
                               .rate = cable.rate});
    }

    /// The place for what `finish` is going to count, which knows no lines. In strict mode this is the error.
    void example(diagnosis::Code code, std::size_t line, std::string const& text) {
        disagreements_.note(code, {lines_.name(), line}, text, 0);
    }

    void give_examples() {
        std::vector<model::Node> owners(std::size_t{model::max_unicast_lid} + 129);
        auto const own = [&](model::Node node, model::Lid lid, std::uint8_t lmc, std::size_t line) {
            for (model::Lid l = lid; lid != 0 && l < lid + (model::Lid{1} << lmc); ++l)
                if (owners[l].exists())
                    example(diagnosis::Code::lid_owned_twice, line,
                            "LID " + std::to_string(l) + " is owned by \"" + builder_.nodes()[owners[l]].name +
                                "\" and by \"" + builder_.nodes()[node].name + "\"; the first counts");
                else owners[l] = node;
        };
        for (Identity const& identity : identities_)
            if (model::NodeRecord const& node = builder_.nodes()[identity.node];
                node.kind == model::NodeKind::switch_node)
                own(identity.node, node.lid, node.lmc, identity.record_line ? identity.record_line : identity.line);
        for (std::size_t h = 0; h < host_lines_.size(); ++h) {
            model::HostRecord const& host = builder_.hosts()[model::Host{h}];
            std::string const port =
                "port " + std::to_string(host.port) + " of \"" + builder_.nodes()[host.node].name + "\"";
            if (!cable_at_.contains(key(host.node, host.port)))
                example(diagnosis::Code::host_without_cable, host_lines_[h], port + " has no cable");
            else if (host.lid == 0 && !odd_lids_.contains(key(host.node, host.port)))
                example(diagnosis::Code::port_without_lid, host_lines_[h], port + " has no LID");
            own(host.node, host.lid, host.lmc, host_lines_[h]);
        }
    }

    struct Twin {
        model::Node node;
        std::size_t line, first_line;
        std::string name, id;
        std::vector<model::Lid> lids;
    };
    struct NodeHash {
        std::size_t operator()(model::Node node) const { return node.value; }
    };
    struct OtherGuid {
        std::uint64_t id, guid;
        std::size_t line;
        bool of_chassis, of_system;
    };

    io::LineReader& lines_;
    model::Disagreements& disagreements_;
    model::NetworkBuilder builder_;
    Heading heading_;
    model::Node current_;
    std::size_t strange_line_ = 0;  // what nothing explains, since the last empty line or node line
    bool repeated_ = false;         ///< the record's node has one already
    bool lost_ = false;             ///< the record's node line was damaged
    bool remarks_seen_ = false;
    bool rates_seen_ = false;
    std::unordered_map<std::string, std::uint32_t> by_id_;
    std::vector<Identity> identities_;
    std::vector<PortLine> cables_;
    std::unordered_map<std::uint64_t, std::size_t> cable_at_;  // (node, port) to its place in cables_
    std::vector<std::size_t> host_lines_;                      // by host
    std::vector<Neighbour> seen_by_neighbour_;
    std::unordered_set<std::uint64_t> has_host_, ports_listed_;  // (node, port)
    std::map<std::uint64_t, OddLid> odd_lids_;                   // (node, port), port 0 = a switch
    std::vector<std::uint32_t> missing_;                         // identities without a record
    std::vector<OtherGuid> other_guids_;
    std::vector<Twin> twins_;  ///< in the order of their lines
};

}  // namespace
}  // namespace discover

model::Network read_ibnetdiscover(io::LineReader& lines, model::Disagreements& disagreements) {
    return discover::DiscoverReader(lines, disagreements).read();
}

}  // namespace tailback::formats
