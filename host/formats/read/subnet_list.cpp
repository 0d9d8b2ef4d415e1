// Reads opensm-subnet.lst and ibdiagnet.lst: a cable a line, both of its ends complete.
#include "host/base/scanner.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/read/lid_range.hpp"
#include "host/formats/read/port_states.hpp"
#include "host/formats/read/rate_words.hpp"
#include "host/formats/read/told_values.hpp"

#include <unordered_set>

namespace tailback::formats {
namespace {

struct End {
    model::NodeRecord node;
    std::uint64_t port_guid = 0;
    model::Lid lid = 0;
    model::Port port = 0;
    std::uint64_t told_lid = 0;
    bool odd_lid = false;
};

class SubnetListReader {
public:
    SubnetListReader(io::LineReader& lines, model::Disagreements& disagreements)
        : lines_(lines), disagreements_(disagreements) {}

    model::Network read() {
        std::string_view line;
        bool whole = true;
        while (lines_.next(line)) {
            base::Scanner scan(line);
            if (scan.blanks().at_end() || scan.rest().front() == '#') continue;
            whole = take(scan);
        }
        if (!lines_.terminated() && !whole)
            throw base::InputError(lines_.place(), "the list of cables is cut off", "its last line is incomplete",
                                   "make the file again");
        take_most_told(lids_, ToldValue::lid, lines_.name(), builder_, disagreements_);
        take_most_told(port_guids_, ToldValue::port_guid, lines_.name(), builder_, disagreements_);
        return builder_.finish(disagreements_, lines_.name());
    }

private:
    bool take(base::Scanner scan) {
        End left, right;
        if (!scan.accept('{') || !take_end(scan, left) || !scan.blanks().accept('{') || !take_end(scan, right) ||
            left.port == 0 || right.port == 0) {
            disagreements_.note(diagnosis::Code::line_not_understood, lines_.place(), "this is not a whole cable line");
            return false;
        }
        bool stated = false;
        base::Scanner log = scan;
        std::string_view const state = log.behind("LOG=") ? idle_state(log.rest()) : "";
        model::LinkRate const rate = take_rate(scan, stated);
        // OpenSM garbles vendor and device on the right-hand side; what a left-hand side said stays.
        model::Node const a = node_of(left, true);
        model::Node const b = node_of(right, false);
        builder_.add_link({.from = a, .from_port = left.port, .to = b, .to_port = right.port, .rate = rate});
        builder_.add_link({.from = b, .from_port = right.port, .to = a, .to_port = left.port, .rate = rate});
        if (!state.empty()) note_idle_port(disagreements_, lines_.place(), state, builder_.place_of(a, left.port));
        return stated;
    }

    /// `SW Ports:24 SystemGUID:.. NodeGUID:.. PortGUID:.. VenID:.. DevID:.. Rev:.. {name} LID:0004 PN:01 }`, numbers in
    /// hex.
    bool take_end(base::Scanner& scan, End& end) {
        scan.blanks();
        if (scan.accept("SW")) end.node.kind = model::NodeKind::switch_node;
        else if (scan.accept("CA")) end.node.kind = model::NodeKind::adapter;
        else if (scan.accept("Rt") || scan.accept("RT")) end.node.kind = model::NodeKind::router;
        else return false;
        scan.accept("-SM");
        std::uint64_t ports = 0, vendor = 0, device = 0, lid = 0, port = 0;
        std::string_view name;
        if (!field(scan, "Ports:", ports) || !field(scan, "SystemGUID:", end.node.system_guid) ||
            !field(scan, "NodeGUID:", end.node.guid) || !field(scan, "PortGUID:", end.port_guid) ||
            !field(scan, "VenID:", vendor) || !field(scan, "DevID:", device) || !scan.behind("{"))
            return false;
        std::size_t const name_end = scan.rest().find("} LID:");
        if (name_end == std::string_view::npos) return false;
        name = scan.rest().substr(0, name_end);
        if (!field(scan.skip(name_end), "LID:", lid) || !field(scan, "PN:", port) || !scan.blanks().accept('}'))
            return false;
        end.node.name = std::string(name);
        if (ports > max_port || port > max_port) return false;
        end.node.ports = static_cast<model::Port>(ports);
        end.node.vendor = static_cast<std::uint32_t>(vendor);
        end.node.device = static_cast<std::uint32_t>(device);
        end.odd_lid = lid != no_lid && lid > model::max_unicast_lid;
        end.lid = end.odd_lid || lid == no_lid ? 0 : static_cast<model::Lid>(lid);
        end.told_lid = lid;
        end.port = static_cast<model::Port>(port);
        if (end.node.kind == model::NodeKind::switch_node) {
            end.node.port_guid = end.port_guid;
            end.node.lid = end.lid;
        }
        return end.node.guid != 0;
    }

    static bool field(base::Scanner& scan, std::string_view label, std::uint64_t& value) {
        return scan.behind(label) && scan.hex(value);
    }

    model::Node node_of(End const& end, bool trusted) {
        model::Node node = builder_.node_by_guid(end.node.guid);
        if (!node.exists()) {
            node = builder_.add_node(end.node, lines_.place());
            trusted_.push_back(trusted);
        } else if (model::NodeRecord& known = builder_.nodes()[node]; known.kind != end.node.kind) {
            if (two_kinds_.insert(end.node.guid).second)
                disagreements_.note(diagnosis::Code::two_nodes_one_guid, lines_.place(),
                                    "one GUID for nodes of two kinds, \"" + known.name + "\" and \"" + end.node.name +
                                        "\"; the cables of both go to the first",
                                    1, builder_.place_of(node));
        } else if (trusted && !trusted_[node.value]) {
            known.vendor = end.node.vendor;
            known.device = end.node.device;
            trusted_[node.value] = true;
        }
        if (end.odd_lid && odd_.insert(std::uint64_t{node.value} << 8 | end.port).second)
            disagreements_.note(diagnosis::Code::odd_lid, lines_.place(),
                                "its LID is \"" + std::to_string(end.told_lid) + "\", which is none; it counts as none",
                                1,
                                builder_.place_of(node, end.node.kind == model::NodeKind::switch_node ? 0 : end.port));
        model::NodeKind const kind = builder_.nodes()[node].kind;
        if (kind == end.node.kind) {
            model::Port const port = kind == model::NodeKind::switch_node ? 0 : end.port;
            lids_.add(node, port, end.lid, lines_.place().line);
            port_guids_.add(node, port, end.port_guid, lines_.place().line);
        }
        if (kind != model::NodeKind::switch_node && has_host_.insert(std::uint64_t{node.value} << 8 | end.port).second)
            builder_.add_host({.node = node, .port = end.port, .port_guid = end.port_guid, .lid = end.lid});
        return node;
    }

    /// `PHY=4x LOG=ACT SPD=10`; `stated` tells whether the three are there.
    model::LinkRate take_rate(base::Scanner& scan, bool& stated) {
        model::LinkRate rate;
        std::uint64_t width = 0;
        if (!scan.behind("PHY=") || !scan.decimal(width) || !scan.behind("SPD=")) return rate;
        std::string_view word = scan.rest();
        word = word.substr(0, word.find_first_of(" \t"));
        stated = !word.empty();
        rate = rate_of_words(width, word);
        if (!rate.stated())
            disagreements_.note(
                diagnosis::Code::speed_unknown, lines_.place(),
                "width " + std::to_string(width) + "x and speed \"" + std::string(word) + "\" are unknown");
        return rate;
    }

    io::LineReader& lines_;
    model::Disagreements& disagreements_;
    model::NetworkBuilder builder_;
    std::vector<bool> trusted_;                         // by node: vendor and device come from a left-hand side
    std::unordered_set<std::uint64_t> has_host_, odd_;  // (node, port)
    std::unordered_set<std::uint64_t> two_kinds_;       // GUIDs
    ToldValues lids_, port_guids_;
};

}  // namespace

model::Network read_subnet_list(io::LineReader& lines, model::Disagreements& disagreements) {
    return SubnetListReader(lines, disagreements).read();
}

}  // namespace tailback::formats
