// A network in Graphviz's language: levels as ranks, an edge a link, coloured by its load.
#include "host/base/numbers.hpp"
#include "host/report/pictures/fabric_picture.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <map>
#include <ostream>

namespace tailback::report {
namespace {

std::string quoted(std::string const& name) {
    std::string text = "\"";
    for (char const c : base::printable(name))
        text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return text + "\"";
}

}  // namespace

void write_fabric_dot(std::ostream& out, FabricPicture const& picture) {
    model::Network const& network = picture.network;
    out << "digraph fabric {\n  rankdir=BT;\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n"
           "  edge [fontname=\"sans-serif\", fontsize=8, arrowsize=0.4];\n"
           "  // colour: "
        << picture.unit << " over the link against the ideal of its stage (grey none, blue even, red twice and more)\n";
    std::map<std::uint32_t, std::vector<model::Node>> levels;
    for (std::size_t n = 0; n < network.nodes().size(); ++n) levels[picture.levels.of_node[n]].emplace_back(n);
    for (auto const& [level, nodes] : levels) {
        out << "  {" << (level == audit::Levels::unreached ? "" : " rank=same;") << "\n";
        for (model::Node const node : nodes)
            fmt::print(out, "    n{} [label={}{}];\n", node.value, quoted(network[node].name),
                       network.is_switch(node) ? ", style=filled, fillcolor=\"#eef3f8\"" : ", shape=ellipse");
        out << "  }\n";
    }
    for (std::size_t l = 0; l < network.links().size(); ++l) {
        model::LinkRecord const& link = network[model::Link{l}];
        double const ideal = picture.ideal[l];
        std::uint64_t const load = picture.load[l];
        double const amount = double(load) / double(picture.parts);
        std::string const tooltip = fmt::format("{} {}, port {} to port {}", amount, picture.unit,
                                                picture.network.port_name(link.from, link.from_port),
                                                picture.network.port_name(link.to, link.to_port));
        fmt::print(out, "  n{} -> n{} [color=\"{}\", penwidth={}, from_port={}, to_port={}, load={}, tooltip={}];\n",
                   link.from.value, link.to.value, load_colour(load, ideal),
                   ideal > 0 && double(load) > 1.5 * ideal ? 2 : 1, link.from_port, link.to_port, amount,
                   quoted(tooltip));
    }
    out << "}\n";
}

}  // namespace tailback::report
