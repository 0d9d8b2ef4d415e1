#include "host/formats/ibdiagnet2/private_tables.hpp"

#include "host/base/scanner.hpp"
#include "host/formats/read/lid_range.hpp"

#include <algorithm>
#include <set>

namespace tailback::formats {
namespace {

constexpr std::uint64_t most_level = 15, most_table = 255;

/// `rq:12 sl-plft:0:0, 1:1`; without either word, too.
bool take_port(base::Scanner scan, std::map<std::pair<model::Port, std::uint32_t>, std::uint32_t>& to) {
    std::uint64_t port = 0;
    if (scan.accept("rq:") || scan.accept("Port") || scan.accept("port")) scan.blanks();
    if (!scan.decimal(port) || port > most_ports) return false;
    scan.blanks();
    if (scan.accept(',')) scan.blanks();
    if (scan.accept("sl-plft:") || scan.accept(':')) scan.blanks();
    std::size_t pairs = 0;
    while (!scan.at_end()) {
        std::uint64_t level = 0, table = 0;
        if (!scan.decimal(level) || level > most_level || !scan.blanks().accept(':')) return false;
        if (!scan.blanks().decimal(table) || table > most_table) return false;
        to[{static_cast<model::Port>(port), static_cast<std::uint32_t>(level)}] = static_cast<std::uint32_t>(table);
        ++pairs;
        scan.blanks();
        if (scan.accept(',')) scan.blanks();
    }
    return pairs > 0;
}

}  // namespace

std::uint32_t PrivateTables::followed(model::Node node, bool& uniform) const {
    std::set<std::uint32_t> found;
    if (auto const at = table.find(node.value); at != table.end())
        for (auto const& [place, number] : at->second)
            if (place.second == 0) found.insert(number);
    uniform = found.size() < 2;
    return found.size() == 1 ? *found.begin() : 0;
}

PrivateTables read_private_tables(io::LineReader& lines, model::Network const& network,
                                  model::Disagreements& disagreements) {
    PrivateTables found;
    model::Node node;
    bool in_switch = false;
    for (std::string_view line; lines.next(line);) {
        base::Scanner scan(line);
        scan.blanks();
        std::string_view const text = scan.rest();
        if (text.empty() || text.front() == '#' || text.starts_with("File version") ||
            line.find_first_not_of("-= \t") == std::string_view::npos)
            continue;
        if (std::size_t const at = text.find("Switch 0x"); at != std::string_view::npos) {
            base::Scanner heading(text.substr(at + 9));
            std::uint64_t guid = 0;
            in_switch = true;
            node = heading.hex(guid) ? network.node_by_guid(guid) : model::Node{};
            if (!node.exists() || !network.is_switch(node)) {
                node = {};
                disagreements.note(diagnosis::Code::table_of_unknown_switch, lines.place(),
                                   "a map of private tables is of a switch that the topology does not have");
            } else {
                found.table[node.value];
            }
            continue;
        }
        if (!in_switch) continue;
        std::map<std::pair<model::Port, std::uint32_t>, std::uint32_t> port;
        if (!take_port(scan, port)) {
            disagreements.note(diagnosis::Code::line_not_understood, lines.place(),
                               "\"" + std::string(line.substr(0, 60)) + "\" is not a port of a .plft file");
            continue;
        }
        if (node.exists()) found.table[node.value].merge(port);
    }
    return found;
}

void compare_private_tables(model::Network const& network, PrivateTables const& map, TablesOfSwitch const& tables,
                            std::string const& file, model::Disagreements& disagreements) {
    static std::vector<std::uint32_t> const none;
    auto const note = [&](std::uint32_t node, model::Port port, std::string const& text) {
        disagreements.note(diagnosis::Code::private_tables_do_not_fit, {file, 0}, text, 1,
                           network.place_of(model::Node{node}, port));
    };
    for (auto const& [node, ports] : map.table) {
        auto const known = tables.find(node);
        std::vector<std::uint32_t> const& has = known != tables.end() ? known->second : none;
        std::map<std::uint32_t, std::pair<model::Port, std::uint32_t>> missing;  // the first place that names it
        std::set<std::uint32_t> named;
        for (auto const& [place, number] : ports) {
            named.insert(number);
            if (std::find(has.begin(), has.end(), number) == has.end()) missing.try_emplace(number, place);
        }
        for (auto const& [number, place] : missing)
            note(node, place.first,
                 "packets of service level " + std::to_string(place.second) + " that come here go by private table " +
                     std::to_string(number) + " (ibdiagnet2.plft), which the switch does not have (ibdiagnet2.far)");
        for (std::uint32_t const number : has)
            if (!named.contains(number))
                note(node, 0,
                     "no port takes private table " + std::to_string(number) +
                         " (ibdiagnet2.plft), which the switch has (ibdiagnet2.far)");
    }
    for (auto const& [node, has] : tables)
        if (!map.table.contains(node) && has.size() > 1)
            note(node, 0,
                 "it has " + std::to_string(has.size()) +
                     " private tables (ibdiagnet2.far), and nothing says which port takes which (ibdiagnet2.plft)");
}

}  // namespace tailback::formats
