// Crossbar, star, and any graph from an edge list.
#include "host/base/error.hpp"
#include "host/io/line_reader.hpp"
#include "topologies/families/families.hpp"
#include "topologies/families/parameters.hpp"
#include "topologies/layout.hpp"

#include <fmt/format.h>

#include <charconv>
#include <unordered_map>

namespace tailback::topologies {
namespace {

Topology make_crossbar(Arguments const& a) {
    Layout layout(a, {a.number("hosts"), 1, a.number("hosts")});
    layout.attach_hosts(a.number("hosts"));
    Topology topology;
    topology.network = layout.finish();
    return topology;
}

Topology make_star(Arguments const& a) {
    std::uint32_t const n = a.number("n"), hosts = a.number("hosts");
    std::uint64_t const all = capped_product(n, hosts);
    Layout layout(a, {all, n + std::uint64_t{1}, all + n});
    layout.attach_hosts(hosts);
    layout.name(layout.switch_at(n), "Shub");
    for (std::uint32_t s = 0; s < n; ++s) layout.cable(layout.switch_at(s), hosts + 1, layout.switch_at(n), s + 1);
    Topology topology;
    topology.network = layout.finish();
    return topology;
}

constexpr std::uint32_t most_cables_of_a_line = 10'000;
constexpr std::size_t most_cables = std::size_t{1} << 27;

/// One edge a line: two names and, if more than one, the number of parallel cables. `#` begins a comment.
class EdgeList {
public:
    explicit EdgeList(std::string const& path) {
        io::LineReader lines(io::open_source(path), path);
        std::string_view line;
        while (lines.next(line)) read(line, lines.place());
        if (names.empty())
            throw base::InputError(lines.place(), "the edge list is empty", "", "write two names of switches a line");
    }

    std::vector<std::string> names;  ///< of switches, in order of appearance
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;

private:
    void read(std::string_view line, base::SourceLocation const& place) {
        std::vector<std::string> words;
        for (std::size_t at = 0; at < line.size() && line[at] != '#';) {
            std::size_t const end = std::min(line.find_first_of(" \t#", at), line.size());
            if (end > at) words.emplace_back(line.substr(at, end - at));
            at = end + (end < line.size() && line[end] != '#' ? 1 : 0);
        }
        if (words.empty()) return;
        std::uint32_t cables = 1;
        if (words.size() == 3) {
            auto const [end, error] = std::from_chars(words[2].data(), words[2].data() + words[2].size(), cables);
            if (error != std::errc{} || end != words[2].data() + words[2].size() || cables == 0 ||
                cables > most_cables_of_a_line)
                throw base::InputError(place, "\"" + words[2] + "\" is not a number of cables", "",
                                       "write 1 to 10000, or leave it out");
        }
        if (words.size() != 2 && words.size() != 3)
            throw base::InputError(
                place, fmt::format("{} word{} in a line of the edge list", words.size(), words.size() == 1 ? "" : "s"),
                "", "write two names of switches and, if more than one, how many cables join them");
        if (words[0] == words[1])
            throw base::InputError(place, "\"" + words[0] + "\" is joined to itself", "", "leave the line out");
        if (edges.size() + cables > most_cables)
            throw base::InputError(place, "more than 2^27 cables", "", "use a smaller graph");
        std::uint32_t const a = number_of(words[0]), b = number_of(words[1]);
        for (std::uint32_t k = 0; k < cables; ++k) edges.emplace_back(a, b);
    }
    std::uint32_t number_of(std::string const& name) {
        auto const [at, is_new] = index_.try_emplace(name, static_cast<std::uint32_t>(names.size()));
        if (is_new) names.push_back(name);
        return at->second;
    }

    std::unordered_map<std::string, std::uint32_t> index_;
};

Topology make_edge_list(Arguments const& a) {
    EdgeList const list(a.word("file"));
    std::uint32_t const hosts = a.number("hosts");
    std::uint64_t const all = capped_product(list.names.size(), hosts);
    Layout layout(a, {all, list.names.size(), capped_sum(all, list.edges.size())});
    layout.attach_hosts(hosts);
    for (std::uint32_t s = 0; s < layout.switches(); ++s) layout.name(layout.switch_at(s), "S" + list.names[s]);
    PortsInOrder ports(layout, hosts);
    for (auto const& [x, y] : list.edges) ports.cable(x, y);
    Topology topology;
    topology.network = layout.finish();
    return topology;
}

}  // namespace

Family crossbar_family() {
    return {"crossbar",    "one switch", "hosts; 1 switch", {number_parameter("hosts", "hosts on it", 1, 65000)},
            "crossbar:64", make_crossbar};
}

Family star_family() {
    return {"star",
            "switches around a hub",
            "switches n+1; hosts on each but the hub",
            {number_parameter("n", "switches around the hub", 1, 65000), hosts_parameter("each of them")},
            "star:n=8,hosts=4",
            make_star};
}

Family edge_list_family() {
    return {"edge-list",
            "any graph of switches from a file: a line has two names and, if more than one, the number of cables; # "
            "begins a comment",
            "switches as named; hosts each",
            {{.name = "file", .kind = ParameterKind::file, .summary = "the file (no comma in its name)"},
             hosts_parameter()},
            "edge-list:graph.txt,hosts=2",
            make_edge_list};
}

}  // namespace tailback::topologies
