// Reads what `ibnetdiscover` prints and ibsim reads: a record per node, a line per cabled port, each cable from both
// ends.
#include "host/base/scanner.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/read/lid_range.hpp"

#include <unordered_map>
#include <unordered_set>

namespace tailback::formats {
namespace {

/// What the lines before a node line told about it.
struct Heading {
    std::uint64_t vendor = 0, device = 0, system_guid = 0, guid = 0, port_guid = 0;
    std::size_t line = 0;  ///< where it begins; 0 = not begun
};

/// The text behind `#`: `["lid" own "lmc" lmc] "name" tail`.
struct Remark {
    std::string_view before, name, tail;
    bool there = false;
};

/// The name goes from the first quote to the last: names hold quotes, blanks and `#` themselves.
Remark split_remark(std::string_view text) {
    Remark remark;
    std::size_t const hash = text.find('#');
    if (hash == std::string_view::npos) return remark;
    text.remove_prefix(hash + 1);
    std::size_t const first = text.find('"');
    std::size_t const last = text.rfind('"');
    if (first == std::string_view::npos || first == last) return remark;
    remark.before = text.substr(0, first);
    remark.name = text.substr(first + 1, last - first - 1);
    remark.tail = text.substr(last + 1);
    remark.there = true;
    return remark;
}

bool labelled(std::string_view text, std::string_view label, std::uint64_t& value) {
    base::Scanner scan(text);
    return scan.behind(label) && scan.blanks().decimal(value);
}

/// A cable end as its line states it.
struct PortLine {
    model::Node node;
    model::Port port = 0;
    std::uint32_t remote = 0;  ///< index of the remote id
    model::Port remote_port = 0;
    model::LinkRate rate;
    std::size_t line = 0;
};

/// A node id ("S-0002c90200400028") and what is known of its node.
struct Identity {
    model::Node node;  ///< none while it has no record of its own
    std::string id;
    std::string name;             ///< as a neighbour tells it
    model::Lid lid = 0;           ///< as a neighbour tells it
    std::size_t line = 0;         ///< where it was met first
    std::size_t record_line = 0;  ///< its node line; 0 while it has none
};

model::NodeKind kind_of_id(std::string_view id) {
    if (id.substr(0, 2) == "S-") return model::NodeKind::switch_node;
    return id.substr(0, 2) == "R-" ? model::NodeKind::router : model::NodeKind::adapter;
}

std::uint64_t guid_of_id(std::string_view id) {
    std::uint64_t guid = 0;
    if (id.size() != 18 || id[1] != '-') return 0;
    base::Scanner scan(id.substr(2));
    return scan.hex(guid) && scan.at_end() ? guid : 0;
}

class Reader {
public:
    Reader(io::LineReader& lines, model::Disagreements& disagreements) : lines_(lines), disagreements_(disagreements) {}

    model::Network read() {
        std::string_view line;
        bool understood = true;
        while (lines_.next(line)) understood = take(line);
        if (heading_.line != 0) throw cut_off({lines_.name(), heading_.line}, "a record starts here and never comes");
        if (!lines_.terminated() && !understood) throw cut_off(lines_.place(), "its last line is incomplete");
        add_missing_nodes();
        add_hosts_without_a_line();
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
        return true;
    }

    bool take_heading(base::Scanner& scan, std::uint64_t& value) {
        if (heading_.line == 0) heading_.line = lines_.place().line;
        return scan.accept("0x") && scan.hex(value);
    }

    bool unparsed(std::string_view what) {
        disagreements_.note(model::Disagreement::unparsed_line, lines_.place(), std::string(what));
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
        if (!scan.blanks().decimal(ports)) return !scan.at_end();  // a log line that begins with "Switch", "Can't", ...
        if (!scan.blanks().accept('"') || !scan.until('"', id) || id.empty())
            return unparsed("this is no whole node line");
        Remark const remark = split_remark(scan.rest());
        model::NodeRecord record{.kind = kind};
        record.ports = checked_port(ports, place);
        record.name = std::string(remark.there ? remark.name : id);
        record.guid = heading_.guid != 0 ? heading_.guid : guid_of_id(id);
        record.port_guid = heading_.port_guid;
        record.system_guid = heading_.system_guid;
        record.vendor = static_cast<std::uint32_t>(heading_.vendor);
        record.device = static_cast<std::uint32_t>(heading_.device);
        if (kind == model::NodeKind::switch_node) {
            std::uint64_t number = 0;
            if (labelled(remark.tail, " lid ", number)) record.lid = checked_lid(number, place);
            if (labelled(remark.tail, " lmc ", number)) record.lmc = checked_lmc(number, place);
            record.enhanced_port0 = remark.tail.find("enhanced port 0") != std::string_view::npos;
        }
        heading_ = {};
        std::uint32_t const at = identity(id);
        if (identities_[at].node.exists())
            throw base::InputError(place, "two nodes of the id \"" + std::string(id) + "\"", "an id names one node",
                                   "check whether two dumps were joined into one file");
        identities_[at].record_line = place.line;
        if (model::Node const other = builder_.node_by_guid(record.guid); other.exists()) {
            disagreements_.note(
                model::Disagreement::duplicate_guid, place,
                builder_.describe(other) + " and \"" + record.name + "\" have the same GUID; the second goes by its id",
                1, builder_.place_of(other));
            record.guid = guid_of_id(id);
            if (builder_.node_by_guid(record.guid).exists()) record.guid = 0;
        }
        current_ = identities_[at].node = builder_.add_node(std::move(record), place);
        return remark.there;
    }

    bool take_port(base::Scanner scan) {
        base::SourceLocation const place = lines_.place();
        PortLine cable{.node = current_, .line = place.line};
        std::uint64_t number = 0, own_guid = 0, remote_guid = 0;
        std::string_view id;
        if (!scan.blanks().decimal(number) || !scan.blanks().accept(']')) return false;
        if (!current_.exists()) return unparsed("a port line before the first node");
        cable.port = checked_port(number, place);
        skip_extended_port(scan);
        if (scan.blanks().accept('(')) {
            scan.hex(own_guid);
            scan.until(')', id);
        }
        if (!scan.blanks().accept('"') || !scan.until('"', id) || id.empty() || !scan.blanks().accept('[') ||
            !scan.blanks().decimal(number) || !scan.blanks().accept(']'))
            return unparsed("this is no whole port line");
        cable.remote_port = checked_port(number, place);
        if (cable.port == 0 || cable.remote_port == 0) return unparsed("a cable at port 0, which is the switch itself");
        cable.remote = identity(id);
        skip_extended_port(scan);
        if (scan.blanks().accept('(')) scan.hex(remote_guid);

        Remark const remark = split_remark(scan.rest());
        base::Scanner tail(remark.tail);
        std::uint64_t remote_lid = 0;
        if (tail.behind("lid ")) tail.decimal(remote_lid);
        take_rate(tail, cable, place);
        Identity& remote = identities_[cable.remote];
        if (remark.there && remote.name.empty()) remote.name = std::string(remark.name);
        model::Lid const checked_remote_lid = checked_lid(remote_lid, place);
        if (kind_of_id(id) == model::NodeKind::switch_node) remote.lid = checked_remote_lid;

        if (builder_.nodes()[current_].kind != model::NodeKind::switch_node) {
            std::uint64_t lid = 0, lmc = 0;
            labelled(remark.before, "lid ", lid);
            labelled(remark.before, "lmc ", lmc);
            if (has_host_.insert(key(current_, cable.port)).second)
                add_host({.node = current_,
                          .port = cable.port,
                          .port_guid = own_guid,
                          .lid = checked_lid(lid, place),
                          .lmc = checked_lmc(lmc, place)},
                         place.line);
        }
        if (kind_of_id(id) != model::NodeKind::switch_node)
            seen_by_neighbour_.push_back(
                {cable.remote, cable.remote_port, remote_guid, checked_remote_lid, place.line});
        cables_.push_back(cable);
        bool const as_full_as_others = remark.there >= remarks_seen_ && cable.rate.stated() >= rates_seen_;
        remarks_seen_ = remarks_seen_ || remark.there;
        rates_seen_ = rates_seen_ || cable.rate.stated();
        return as_full_as_others;
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
            disagreements_.note(model::Disagreement::unknown_speed, place,
                                "width and speed \"" + std::string(word) + "\" are unknown");
    }

    static std::uint64_t key(model::Node node, model::Port port) { return std::uint64_t{node.value} << 8 | port; }

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
        }
    }

    /// Adapter ports that only a neighbour tells of, and adapters without any cable.
    void add_hosts_without_a_line() {
        for (Neighbour const& seen : seen_by_neighbour_) {
            model::Node const node = identities_[seen.identity].node;
            if (builder_.nodes()[node].kind == model::NodeKind::switch_node) continue;
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
        for (std::size_t i = 0; i < listed; ++i) {
            PortLine const cable = cables_[i];
            model::Node const to = identities_[cable.remote].node;
            std::string const end =
                "the cable to port " + std::to_string(cable.remote_port) + " of \"" + builder_.nodes()[to].name + "\"";
            auto const [at, free] = cable_at_.emplace(key(to, cable.remote_port), cables_.size());
            if (free) {  // a cable has two ends, whoever lists it
                disagreements_.note(model::Disagreement::one_sided_cable, {lines_.name(), cable.line},
                                    end + " is not listed there; taken as plugged in", 1,
                                    builder_.place_of(to, cable.remote_port));
                cables_.push_back(
                    {to, cable.remote_port, identity_of[cable.node.value], cable.port, cable.rate, cable.line});
            } else if (PortLine const& other = cables_[at->second];
                       identities_[other.remote].node != cable.node || other.remote_port != cable.port) {
                example(model::Disagreement::one_sided_cable, cable.line,
                        end + " is another one by line " + std::to_string(other.line));
            }
        }
        for (PortLine const& cable : cables_)
            builder_.add_link({.from = cable.node,
                               .from_port = cable.port,
                               .to = identities_[cable.remote].node,
                               .to_port = cable.remote_port,
                               .rate = cable.rate});
    }

    /// The place for what `finish` is going to count, which knows no lines. In strict mode this is the error.
    void example(model::Disagreement kind, std::size_t line, std::string const& text) {
        disagreements_.note(kind, {lines_.name(), line}, text, 0);
    }

    void give_examples() {
        std::vector<model::Node> owners(std::size_t{model::max_unicast_lid} + 129);
        auto const own = [&](model::Node node, model::Lid lid, std::uint8_t lmc, std::size_t line) {
            for (model::Lid l = lid; lid != 0 && l < lid + (model::Lid{1} << lmc); ++l)
                if (owners[l].exists())
                    example(model::Disagreement::duplicate_lid, line,
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
                example(model::Disagreement::host_without_cable, host_lines_[h], port + " has no cable");
            else if (host.lid == 0)
                example(model::Disagreement::port_without_lid, host_lines_[h], port + " has no LID");
            own(host.node, host.lid, host.lmc, host_lines_[h]);
        }
    }

    struct Neighbour {
        std::uint32_t identity;
        model::Port port;
        std::uint64_t port_guid;
        model::Lid lid;
        std::size_t line;
    };

    io::LineReader& lines_;
    model::Disagreements& disagreements_;
    model::NetworkBuilder builder_;
    Heading heading_;
    model::Node current_;
    bool remarks_seen_ = false;
    bool rates_seen_ = false;
    std::unordered_map<std::string, std::uint32_t> by_id_;
    std::vector<Identity> identities_;
    std::vector<PortLine> cables_;
    std::unordered_map<std::uint64_t, std::size_t> cable_at_;  // (node, port) to its place in cables_
    std::vector<std::size_t> host_lines_;                      // by host
    std::vector<Neighbour> seen_by_neighbour_;
    std::unordered_set<std::uint64_t> has_host_;  // (node, port)
};

}  // namespace

model::Network read_ibnetdiscover(io::LineReader& lines, model::Disagreements& disagreements) {
    return Reader(lines, disagreements).read();
}

}  // namespace tailback::formats
