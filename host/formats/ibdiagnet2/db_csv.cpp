// Reads ibdiagnet2.db_csv and opensm-smdb.dump: nodes, ports, cables and labels, by the names of their columns.
#include "host/formats/formats.hpp"
#include "host/formats/ibdiagnet2/sections.hpp"
#include "host/formats/read/lid_range.hpp"
#include "host/formats/read/port_states.hpp"
#include "host/formats/read/rate_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace tailback::formats {
namespace {

/// What PORTS says of a port.
struct PortRecord {
    model::Node node;
    model::Port port = 0;
    std::uint64_t guid = 0;
    model::Lid lid = 0;
    std::uint8_t lmc = 0;
    model::LinkRate rate;
    std::size_t line = 0;
    std::uint64_t state = 0;  ///< 1 Down, 2 Init, 3 Armed, 4 Active; 0 = not told
};

struct Cable {
    model::Node a, b;
    model::Port port_a = 0, port_b = 0;
};

/// opensm-smdb.dump: masks, or words (`4X`, `NDR`); what is neither is no rate.
model::LinkRate rate_in(std::string_view width, std::string_view speed) {
    CellNumber const wide = number_in(width), fast = number_in(speed);
    if (wide.kind == CellNumber::Kind::number && fast.kind == CellNumber::Kind::number)
        return rate_of_masks(wide.value, fast.value);
    std::string words = std::string(width) + std::string(speed);
    if (std::size_t const x = words.find('X'); x != std::string::npos && x < width.size()) words[x] = 'x';
    return model::parse_link_rate(words);
}

class DbCsvReader {
public:
    DbCsvReader(io::LineReader& lines, model::Disagreements& disagreements)
        : lines_(lines), disagreements_(disagreements), sections_(lines, disagreements) {}

    model::Network read() {
        while (sections_.next_section()) {
            if (sections_.name() == "NODES") read_nodes();
            else if (sections_.name() == "PORTS") read_ports();
            else if (sections_.name() == "SWITCHES") read_switches();
            else if (sections_.name() == "LINKS") read_links();
            else if (sections_.name() == "PORT_HIERARCHY_INFO") read_labels();
            else if (sections_.name() == "VPORTS") read_virtual_ports();
        }
        sections_.told_missing("NODES", unknown_nodes_);
        sections_.check_index();
        if (!seen_.contains("NODES") || !seen_.contains("LINKS"))
            throw base::InputError(
                {lines_.name(), 0},
                std::string("the file has no section ") + (seen_.contains("NODES") ? "LINKS" : "NODES"),
                "a network needs its nodes and its cables", "make the file again");
        if (!seen_.contains("PORTS"))
            note_missing(diagnosis::Code::section_missing, "section PORTS is missing: no LID and no rate is known");
        note_twins();
        add_switch_lids();
        if (!sections_.has_damage() && !is_smdb_) check_switches();
        check_states();
        add_hosts();
        add_links();
        for (auto const& [guid, port, lid] : virtual_ports_)
            if (model::Node const node = builder_.node_by_guid(guid); node.exists())
                builder_.add_virtual_lid({node, port, lid});
        for (auto const& [node, port, label] : labels_) builder_.set_port_label(node, port, label);
        return builder_.finish(disagreements_, lines_.name());
    }

private:
    /// Numbers of the columns of the present section, in the order of `names`; `A|B` is either.
    void columns(std::vector<char const*> const& names, std::vector<std::size_t>& at, std::size_t needed) {
        seen_.insert(sections_.name());
        at.clear();
        std::string missing;
        std::size_t missing_needed = 0;
        for (std::size_t i = 0; i < names.size(); ++i) {
            std::string_view const name = names[i], first = name.substr(0, name.find('|'));
            auto column = sections_.column(first);
            if (!column && first.size() < name.size()) column = sections_.column(name.substr(first.size() + 1));
            at.push_back(column.value_or(~std::size_t{0}));
            if (column || (is_smdb_ && i >= needed && first != "LID")) continue;  // whose columns are fewer
            missing += (missing.empty() ? "" : ", ") + std::string(first);
            missing_needed += i < needed;
        }
        if (missing_needed > 0)
            throw base::InputError(sections_.place(), "section " + sections_.name() + " has no column " + missing, "",
                                   "make the file again");
        if (!missing.empty())
            note_missing(diagnosis::Code::column_missing, "section " + sections_.name() + " has no column " + missing);
    }

    void note_missing(diagnosis::Code code, std::string const& text) {
        model::FabricPlace where{"the file", {}, 0, 0};
        disagreements_.note(code, sections_.place(), text, 1, where);
    }

    void odd(diagnosis::Code code, std::string const& text, model::FabricPlace const& where = {}) {
        sections_.told_row();
        disagreements_.note(code, sections_.place(), "section " + sections_.name() + ": " + text, 1, where);
    }

    std::uint64_t number(SectionRow const& row, std::size_t column, char const* name) {
        CellNumber const cell = number_in(row.text(column));
        if (cell.kind == CellNumber::Kind::odd)
            odd(diagnosis::Code::odd_number, std::string(name) + " is \"" +
                                                 std::string(row.text(column).substr(0, 40)) +
                                                 "\", which is not a number");
        return cell.value;
    }

    /// A row with fewer cells than its heading was cut; one with more has commas that nobody quoted. Where a cut row
    /// still names its node, what is missing there is no news.
    bool whole(SectionRow const& row, std::size_t guid_column) {
        if (row.cells() >= sections_.columns()) return true;
        model::FabricPlace where;
        if (std::uint64_t const guid = number_in(row.text(guid_column)).value; guid != 0) {
            told_guids_.insert(guid);
            if (model::Node const node = builder_.node_by_guid(guid); node.exists()) {
                where = builder_.place_of(node);
                where.nodes = {node};
            }
        }
        odd(diagnosis::Code::odd_row,
            "a row of " + std::to_string(row.cells()) + " cells, and the heading has " +
                std::to_string(sections_.columns()) + "; it is left out",
            where);
        return false;
    }

    void read_nodes() {
        std::vector<std::size_t> at;
        is_smdb_ = sections_.column("ExtNodeType").has_value();
        columns({"NodeGUID", "NodeType", "NodeDesc", "NumPorts", "SystemImageGUID", "PortGUID", "DeviceID", "VendorID"},
                at, 2);
        SectionRow row;
        while (sections_.next_row(row)) {
            if (!whole(row, at[0])) continue;
            model::NodeRecord node;
            node.guid = number(row, at[0], "NodeGUID");
            std::uint64_t const type = type_in(row.text(at[1]));
            if (node.guid == 0 || type < 1 || type > 3) {
                odd(diagnosis::Code::odd_row, "a node of GUID \"" + std::string(row.text(at[0])) + "\" and type \"" +
                                                  std::string(row.text(at[1])) + "\"; it is left out");
                continue;
            }
            node.kind = type == 1   ? model::NodeKind::adapter
                        : type == 2 ? model::NodeKind::switch_node
                                    : model::NodeKind::router;
            node.name = std::string(row.text(at[2]));
            node.ports = static_cast<model::Port>(std::min<std::uint64_t>(number(row, at[3], "NumPorts"), max_port));
            node.system_guid = number(row, at[4], "SystemImageGUID");
            std::uint64_t const port_guid = number(row, at[5], "PortGUID");
            if (type == 2) node.port_guid = port_guid;
            node.device = static_cast<std::uint32_t>(number(row, at[6], "DeviceID"));
            node.vendor = static_cast<std::uint32_t>(number(row, at[7], "VendorID"));
            if (model::Node const other = builder_.node_by_guid(node.guid); other.exists()) {
                sections_.told_row();
                twins_.try_emplace(other.value, Twin{sections_.place(), node.name, {}});
                continue;
            }
            guid_of_a_port_.push_back(port_guid);
            builder_.add_node(std::move(node), sections_.place());
        }
    }

    /// A second node of the GUID of another.
    struct Twin {
        base::SourceLocation place;
        std::string name;
        std::set<model::Lid> lids;  ///< of both
    };
    void note_twins() {
        for (auto const& [node, twin] : twins_) {
            model::FabricPlace where = builder_.place_of(model::Node{node});
            std::ranges::copy_if(twin.lids, std::back_inserter(where.lids), [](model::Lid lid) { return lid != 0; });
            disagreements_.note(diagnosis::Code::two_nodes_one_guid, twin.place,
                                builder_.describe(model::Node{node}) + " and \"" + twin.name +
                                    "\" have the same GUID; they are taken as one",
                                1, where);
        }
    }

    static std::uint64_t type_in(std::string_view cell) {
        if (cell == "CA" || cell == "HCA") return 1;
        if (cell == "SW" || cell == "Switch") return 2;
        if (cell == "RTR" || cell == "Router") return 3;
        return number_in(cell).value;
    }

    /// None where the cell is no port of a node that NODES has.
    model::Node node_in(SectionRow const& row, std::size_t guid_column, std::size_t port_column, model::Port& port) {
        std::uint64_t const guid = number(row, guid_column, "the node's GUID"),
                            told = number(row, port_column, "the port's number");
        model::Node const node = builder_.node_by_guid(guid);
        if (!node.exists()) {
            if (!told_guids_.insert(guid).second) return {};
            ++unknown_nodes_;
            odd(diagnosis::Code::row_of_unknown_node,
                "node \"" + std::string(row.text(guid_column)) + "\" is not in NODES; all its rows are left out");
        } else if (told > max_port) {
            odd(diagnosis::Code::odd_number, "port " + std::to_string(told) + " is out of range; the row is left out");
            return {};
        }
        port = static_cast<model::Port>(told);
        return node;
    }

    void read_ports() {
        std::vector<std::size_t> at;
        columns({"NodeGuid", "PortNum", "PortGuid", "LID", "LMC", "LinkWidthActv|LinkWidth", "LinkSpeedActv|LinkSpeed"},
                at, 2);
        auto const label = sections_.column("PortLabel"), state = sections_.column("PortState");
        SectionRow row;
        while (sections_.next_row(row)) {
            if (!whole(row, at[0])) continue;
            PortRecord port{.line = sections_.place().line};
            if (state) port.state = number_in(row.text(*state)).value;
            port.node = node_in(row, at[0], at[1], port.port);
            if (!port.node.exists()) continue;
            port.guid = number(row, at[2], "PortGuid");
            std::uint64_t const lid = number(row, at[3], "LID");
            if (lid == no_lid || lid <= model::max_unicast_lid) port.lid = lid == no_lid ? 0 : model::Lid(lid);
            else if (!is_switch(port.node) || odd_lids_.insert(port.node.value).second)
                disagreements_.note(diagnosis::Code::odd_lid, sections_.place(),
                                    "its LID is \"" + std::to_string(lid) + "\", which is none; it counts as none", 1,
                                    builder_.place_of(port.node, port.port));
            port.lmc = static_cast<std::uint8_t>(std::min<std::uint64_t>(number(row, at[4], "LMC"), 7));
            port.rate = is_smdb_ ? rate_in(row.text(at[5]), row.text(at[6])) : rate_in_masks(row, at[5], at[6], port);
            if (label && port.port != 0 && row.text(*label) != "N/A")
                labels_.emplace_back(port.node, port.port, std::string(row.text(*label)));
            if (!port_at_.emplace(key(port.node, port.port), ports_.size()).second) {
                if (auto const twin = twins_.find(port.node.value); twin != twins_.end()) {
                    twin->second.lids.insert({port.lid, ports_[port_at_.at(key(port.node, port.port))].lid});
                    continue;
                }
                odd(diagnosis::Code::odd_row, "a second row for port " + std::to_string(port.port) + " of " +
                                                  builder_.describe(port.node) + "; the first counts");
                continue;
            }
            ports_.push_back(port);
        }
    }

    model::LinkRate rate_in_masks(SectionRow const& row, std::size_t width_column, std::size_t speed_column,
                                  PortRecord const& port) {
        std::uint64_t const width = number(row, width_column, "LinkWidthActv"),
                            speed = number(row, speed_column, "LinkSpeedActv");
        model::LinkRate const rate = rate_of_masks(width, speed);
        if (!rate.stated() && width != 0 && speed != 0 && port.state > 1)
            disagreements_.note(diagnosis::Code::speed_unknown, sections_.place(),
                                fmt::format("its rate, width {} and speed {}, is none that is known; the link counts "
                                            "with the base rate",
                                            width, speed),
                                1, builder_.place_of(port.node, port.port));
        return rate;
    }

    void read_switches() {
        auto const guid = sections_.column("NodeGUID"), enhanced = sections_.column("ENP0"),
                   top = sections_.column("LinearFDBTop");
        SectionRow row;
        while (guid && sections_.next_row(row))
            if (model::Node const node = builder_.node_by_guid(number_in(row.text(*guid)).value); node.exists()) {
                of_switches_.insert(node.value);
                if (top)
                    builder_.nodes()[node].highest_lid = static_cast<model::Lid>(
                        std::min<std::uint64_t>(number_in(row.text(*top)).value, model::max_unicast_lid));
                if (enhanced) builder_.nodes()[node].enhanced_port0 = number_in(row.text(*enhanced)).value == 1;
            }
    }

    void read_links() {
        std::vector<std::size_t> at;
        columns({"NodeGuid1", "PortNum1", "NodeGuid2", "PortNum2"}, at, 4);
        SectionRow row;
        while (sections_.next_row(row)) {
            if (!whole(row, at[0])) continue;
            Cable cable;
            cable.a = node_in(row, at[0], at[1], cable.port_a);
            cable.b = cable.a.exists() ? node_in(row, at[2], at[3], cable.port_b) : model::Node{};
            if (cable.a.exists() && cable.b.exists() && cable.port_a != 0 && cable.port_b != 0)
                cables_.push_back(cable);
        }
    }

    /// Ports of virtual machines (SR-IOV): those that are not down have LIDs beside that of their port.
    void read_virtual_ports() {
        auto const guid = sections_.column("NodeGuid"), port = sections_.column("PortNum"),
                   lid = sections_.column("VPortLid"), state = sections_.column("VPortState");
        SectionRow row;
        while (guid && port && lid && sections_.next_row(row)) {
            if (!whole(row, *guid)) continue;
            std::uint64_t const own = number(row, *lid, "VPortLid"), at = number(row, *port, "PortNum");
            bool const is_down = state && number_in(row.text(*state)).value == 1;
            if (own == 0 || own > model::max_unicast_lid || at > max_port || is_down) continue;
            virtual_ports_.push_back({number(row, *guid, "NodeGuid"), static_cast<model::Port>(at), model::Lid(own)});
        }
    }

    /// Cage, port of the cage and split, as they are printed on the front; or a label where there is a column of that
    /// name.
    void read_labels() {
        auto const guid = sections_.column("NodeGUID"), number_at = sections_.column("PortNum");
        auto const label = sections_.column("PortLabel");
        std::vector<std::size_t> parts;
        for (char const* name : {"Cage", "Port", "Split"})
            if (auto const at = sections_.column(name)) parts.push_back(*at);
        SectionRow row;
        while (guid && number_at && sections_.next_row(row)) {
            model::Node const node = builder_.node_by_guid(number_in(row.text(*guid)).value);
            CellNumber const port = number_in(row.text(*number_at));
            if (!node.exists() || port.value == 0 || port.value > max_port) continue;
            std::string text(label ? row.text(*label) : std::string_view{});
            if (!label)
                for (std::size_t const part : parts)
                    if (number_in(row.text(part)).kind == CellNumber::Kind::number)
                        text += (text.empty() ? "" : "/") + std::string(row.text(part));
            if (text != "N/A") labels_.emplace_back(node, static_cast<model::Port>(port.value), std::move(text));
        }
    }

    /// A switch's LID stands at its port 0, or where that has no row, at all its ports.
    void add_switch_lids() {
        for (PortRecord const& port : ports_) {
            model::NodeRecord& node = builder_.nodes()[port.node];
            if (node.kind != model::NodeKind::switch_node || port.lid == 0) continue;
            if (port.port == 0 || node.lid == 0) node.lid = port.lid, node.lmc = port.port == 0 ? port.lmc : 0;
        }
    }

    /// Rows of sections that say different things of one node, or that one lacks. One note a node and kind.
    void check_switches() {
        std::map<std::uint32_t, std::vector<PortRecord const*>> rows;  // by node
        for (PortRecord const& port : ports_) rows[port.node.value].push_back(&port);
        std::map<std::uint32_t, std::set<model::Port>> without_row;
        for (Cable const& cable : cables_)
            for (auto const& [node, port] : {std::pair(cable.a, cable.port_a), std::pair(cable.b, cable.port_b)})
                if (rows.contains(node.value) && record_of(node, port) == nullptr && is_switch(node))
                    without_row[node.value].insert(port);
        for (auto const& [node, ports] : without_row)
            note_of(model::Node{node}, *ports.begin(),
                    std::string("its port has a cable and no row in section PORTS") +
                        (ports.size() > 1 ? "; so have " + std::to_string(ports.size() - 1) + " more of its ports"
                                          : std::string()));
        for (auto const& [node, of] : rows) {
            std::uint64_t const told = guid_of_a_port_[node];
            bool const knows_guids = std::ranges::any_of(of, [](PortRecord const* one) { return one->guid != 0; });
            if (told != 0 && knows_guids &&
                std::ranges::none_of(of, [&](PortRecord const* one) { return one->guid == told; }))
                note_of(model::Node{node}, 0, "section NODES tells a port GUID that none of its ports has in PORTS", 0,
                        diagnosis::Code::port_guid_told_twice);
            if (is_switch(model::Node{node})) check_lids(model::Node{node}, of);
        }
        if (of_switches_.empty()) return;
        for (std::size_t n = 0; n < guid_of_a_port_.size(); ++n)
            if (model::Node const node{n}; is_switch(node) && !of_switches_.contains(node.value))
                note_of(node, 0, "it has no row in section SWITCHES");
    }
    bool is_switch(model::Node node) { return builder_.nodes()[node].kind == model::NodeKind::switch_node; }
    /// All ports of a switch have its LID, and one port GUID.
    void check_lids(model::Node node, std::vector<PortRecord const*> const& rows) {
        PortRecord const* const lid = unlike_others(rows, builder_.nodes()[node].lid,
                                                    [](PortRecord const& one) { return std::uint64_t{one.lid}; });
        if (lid != nullptr)
            note_of(node, lid->port,
                    fmt::format("section PORTS tells LID {} at this port, and {} at the others of the switch", lid->lid,
                                builder_.nodes()[node].lid),
                    lid->line, diagnosis::Code::lid_told_twice);
        std::vector<std::uint64_t> guids;
        for (PortRecord const* const one : rows) guids.push_back(one->guid);
        std::ranges::nth_element(guids, guids.begin() + std::ptrdiff_t(guids.size() / 2));
        std::uint64_t const usual = guids[guids.size() / 2];
        PortRecord const* const guid = unlike_others(rows, usual, [](PortRecord const& one) { return one.guid; });
        if (guid != nullptr)
            note_of(node, guid->port,
                    fmt::format("section PORTS tells port GUID {:#018x} at this port, and {:#018x} at the others of "
                                "the switch",
                                guid->guid, usual),
                    guid->line, diagnosis::Code::port_guid_told_twice);
    }
    /// The first row of another value, where most rows have the usual one.
    template <class Value>
    static PortRecord const* unlike_others(std::vector<PortRecord const*> const& rows, std::uint64_t usual,
                                           Value value) {
        std::size_t alike = 0;
        PortRecord const* unlike = nullptr;
        for (PortRecord const* const one : rows)
            if (value(*one) == usual) ++alike;
            else if (value(*one) != 0 && unlike == nullptr) unlike = one;
        return 2 * alike > rows.size() ? unlike : nullptr;
    }
    /// Cables with an end that is not active carry nothing. One note a cable.
    void check_states() {
        auto const is_idle = [](PortRecord const* one) { return one != nullptr && one->state != 0 && one->state != 4; };
        auto const name = [](PortRecord const* one) {
            return one->state == 1   ? std::string("Down")
                   : one->state == 2 ? std::string("Init")
                   : one->state == 3 ? std::string("Armed")
                                     : fmt::format("{}", one->state);
        };
        for (Cable const& cable : cables_) {
            PortRecord const *a = record_of(cable.a, cable.port_a), *b = record_of(cable.b, cable.port_b);
            if (!is_idle(a)) std::swap(a, b);
            if (!is_idle(a)) continue;
            std::string more;
            if (is_idle(b))
                more = fmt::format("; the other end's is {} ({})", name(b), builder_.place_of(b->node, b->port).text);
            note_idle_port(disagreements_, {lines_.name(), a->line}, name(a), builder_.place_of(a->node, a->port),
                           more);
        }
    }
    void note_of(model::Node node, model::Port port, std::string const& text, std::size_t line = 0,
                 diagnosis::Code code = diagnosis::Code::row_missing) {
        disagreements_.note(code, {lines_.name(), line}, text, 1, builder_.place_of(node, port));
    }

    /// Every cabled port of an adapter, in the order of nodes; of one without a cable its first.
    void add_hosts() {
        std::vector<std::vector<model::Port>> cabled(builder_.nodes().size());
        for (Cable const& cable : cables_) {
            cabled[cable.a.value].push_back(cable.port_a);
            cabled[cable.b.value].push_back(cable.port_b);
        }
        for (std::size_t n = 0; n < cabled.size(); ++n) {
            if (builder_.nodes()[model::Node{n}].kind == model::NodeKind::switch_node) continue;
            std::vector<model::Port>& ports = cabled[n];
            if (ports.empty()) ports.push_back(1);
            std::sort(ports.begin(), ports.end());
            ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
            for (model::Port const port : ports) {
                model::HostRecord host{.node = model::Node{n}, .port = port};
                if (PortRecord const* record = record_of(model::Node{n}, port)) {
                    host.port_guid = record->guid;
                    host.lid = record->lid;
                    host.lmc = record->lmc;
                } else if (seen_.contains("PORTS") && !told_guids_.contains(builder_.nodes()[model::Node{n}].guid)) {
                    disagreements_.note(diagnosis::Code::row_missing, {lines_.name(), 0},
                                        "its port has a cable and no row in section PORTS", 1,
                                        explaining(model::Node{n}, port));
                }
                builder_.add_host(host);
            }
        }
    }

    model::FabricPlace explaining(model::Node node, model::Port port) {
        model::FabricPlace where = builder_.place_of(node, port);
        where.nodes = {node};
        return where;
    }

    void add_links() {
        for (Cable const& cable : cables_) {
            PortRecord const *a = record_of(cable.a, cable.port_a), *b = record_of(cable.b, cable.port_b);
            model::LinkRate const rate_a = a ? a->rate : model::LinkRate{}, rate_b = b ? b->rate : model::LinkRate{};
            builder_.add_link({.from = cable.a,
                               .from_port = cable.port_a,
                               .to = cable.b,
                               .to_port = cable.port_b,
                               .rate = rate_a.stated() ? rate_a : rate_b});
            if (cable.a == cable.b && cable.port_a == cable.port_b) continue;
            builder_.add_link({.from = cable.b,
                               .from_port = cable.port_b,
                               .to = cable.a,
                               .to_port = cable.port_a,
                               .rate = rate_b.stated() ? rate_b : rate_a});
        }
    }

    PortRecord const* record_of(model::Node node, model::Port port) const {
        auto const at = port_at_.find(key(node, port));
        return at == port_at_.end() ? nullptr : &ports_[at->second];
    }
    static std::uint64_t key(model::Node node, model::Port port) { return std::uint64_t{node.value} << 8 | port; }

    struct Label {
        model::Node node;
        model::Port port;
        std::string text;
        Label(model::Node n, model::Port p, std::string t) : node(n), port(p), text(std::move(t)) {}
    };

    io::LineReader& lines_;
    model::Disagreements& disagreements_;
    SectionReader sections_;
    model::NetworkBuilder builder_;
    std::unordered_set<std::string> seen_;  // sections
    std::vector<PortRecord> ports_;
    std::unordered_map<std::uint64_t, std::size_t> port_at_;  // (node, port)
    std::vector<Cable> cables_;
    std::vector<Label> labels_;
    struct VirtualPort {
        std::uint64_t guid = 0;  ///< of its node
        model::Port port = 0;
        model::Lid lid = 0;
    };
    std::vector<VirtualPort> virtual_ports_;
    std::unordered_set<std::uint32_t> odd_lids_;    // switches with one, told once
    std::map<std::uint32_t, Twin> twins_;           // by node
    std::unordered_set<std::uint64_t> told_guids_;  // of nodes with a damaged row, or with none in NODES
    std::vector<std::uint64_t> guid_of_a_port_;     // [node] by NODES
    std::set<std::uint32_t> of_switches_;           // nodes with a row in SWITCHES
    std::uint64_t unknown_nodes_ = 0;
    bool is_smdb_ = false;
};

}  // namespace

model::Network read_db_csv(io::LineReader& lines, model::Disagreements& disagreements) {
    return DbCsvReader(lines, disagreements).read();
}

}  // namespace tailback::formats
