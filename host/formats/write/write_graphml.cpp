// GraphML: the network as a directed multigraph for Gephi, igraph, networkx and yEd.
#include "host/base/numbers.hpp"
#include "host/formats/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace tailback::formats {
namespace {

constexpr char const* header = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="guid" for="node" attr.name="guid" attr.type="string"/>
  <key id="lid" for="node" attr.name="lid" attr.type="int"/>
  <key id="from_port" for="edge" attr.name="from_port" attr.type="int"/>
  <key id="to_port" for="edge" attr.name="to_port" attr.type="int"/>
  <key id="rate" for="edge" attr.name="rate" attr.type="string"/>
)";

std::string node_text(model::Network const& net, model::Node n) {
    model::NodeRecord const& node = net[n];
    char const* const kind = node.kind == model::NodeKind::switch_node ? "switch"
                             : node.kind == model::NodeKind::router    ? "router"
                                                                       : "host";
    std::string text = fmt::format("    <node id=\"n{}\"><data key=\"kind\">{}</data><data key=\"name\">{}</data>",
                                   n.value, kind, base::xml_text(node.name));
    if (node.guid != 0) text += fmt::format("<data key=\"guid\">0x{:016x}</data>", node.guid);
    model::Lid const lid = node.kind == model::NodeKind::switch_node ? node.lid
                           : net.hosts_of(n).empty()                 ? 0
                                                                     : net[net.hosts_of(n).front()].lid;
    if (lid != 0) text += fmt::format("<data key=\"lid\">{}</data>", lid);
    return text + "</node>\n";
}

std::string edge_text(model::Network const& net, std::size_t l, std::vector<std::uint64_t> const& load) {
    model::LinkRecord const& link = net[model::Link{l}];
    std::string text =
        fmt::format("    <edge id=\"e{}\" source=\"n{}\" target=\"n{}\"><data key=\"from_port\">{}</data>", l,
                    link.from.value, link.to.value, link.from_port);
    if (link.to_port != 0) text += fmt::format("<data key=\"to_port\">{}</data>", link.to_port);
    if (link.rate.stated()) text += fmt::format("<data key=\"rate\">{}</data>", link.rate.text());
    if (link.capacity > 0) text += fmt::format("<data key=\"capacity\">{}</data>", link.capacity);
    if (!load.empty()) text += fmt::format("<data key=\"load\">{}</data>", load[l]);
    return text + "</edge>\n";
}

}  // namespace

void write_graphml(std::ostream& out, model::Network const& network, std::vector<std::uint64_t> const& load) {
    out << header;
    if (std::ranges::any_of(network.links(), [](model::LinkRecord const& link) { return link.capacity > 0; }))
        out << "  <key id=\"capacity\" for=\"edge\" attr.name=\"capacity\" attr.type=\"int\"/>\n";
    if (!load.empty()) out << "  <key id=\"load\" for=\"edge\" attr.name=\"load\" attr.type=\"long\"/>\n";
    out << "  <graph id=\"network\" edgedefault=\"directed\">\n";
    for (std::size_t n = 0; n < network.nodes().size(); ++n) out << node_text(network, model::Node{n});
    for (std::size_t l = 0; l < network.links().size(); ++l) out << edge_text(network, l, load);
    out << "  </graph>\n</graphml>\n";
}

}  // namespace tailback::formats
