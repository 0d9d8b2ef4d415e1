// Writes service levels and virtual lanes in the forms that lane_maps.cpp and path_levels.cpp read.
#include "host/formats/lane_files.hpp"
#include "host/formats/write/identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace tailback {

void write_lane_maps(std::ostream& out, Network const& network, LaneMaps const* maps) {
    FabricIdentity const identity(network);
    check_fits_infiniband(network, identity);
    std::vector<Node> switches;
    for (std::size_t n = 0; n < network.nodes().size(); ++n)
        if (network[Node{n}].kind == NodeKind::switch_node) switches.push_back(Node{n});
    std::sort(switches.begin(), switches.end(), [&](Node a, Node b) { return identity.guid[a] < identity.guid[b]; });
    std::string text;
    std::vector<Port> ins, outs;
    for (Node const node : switches) {
        text = fmt::format(
            "Switch 0x{:016x}, base LID {}, \"{}\"\n#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n",
            identity.guid[node], identity.switch_lid[node], one_line(network[node].name));
        outs.clear();
        for (std::uint32_t k = 0; k < network.link_count(node); ++k)
            outs.push_back(network[Link{network.first_link(node).value + k}].from_port);
        std::sort(outs.begin(), outs.end());
        ins = outs;
        if (std::find(ins.begin(), ins.end(), Port{0}) == ins.end()) ins.insert(ins.begin(), 0);
        for (Port const in : ins)
            for (Port const port : outs) {
                LaneMap map;
                if (maps != nullptr) {
                    LaneMap const* const own = maps->find(node, in, port);
                    if (own == nullptr) continue;
                    map = *own;
                }
                text += fmt::format("{:<3} {:<3} :", in, port);
                for (unsigned level = 0; level < service_level_count; ++level)
                    text += fmt::format(" {:<2}", map.lane(level));
                text += '\n';
            }
        out << text;
    }
}

void write_service_levels(std::ostream& out, Network const& network, ServiceLevels const& levels) {
    FabricIdentity const identity(network);
    check_fits_infiniband(network, identity);
    std::string text;
    for (std::size_t d = 0; d < network.hosts().size(); ++d)
        for (Lid lid = identity.host_lid[Host{d}], i = 0; i < Lid{1} << network[Host{d}].lmc; ++i, ++lid) {
            std::span<std::uint16_t const> const known = levels.to(lid);
            text.clear();
            for (std::size_t s = 0; s < known.size(); ++s)
                if (s != d && known[s] != 0)
                    text += fmt::format("{} {} {}\n", identity.host_lid[Host{s}], lid, __builtin_ctz(known[s]));
            out << text;
        }
}

}  // namespace tailback
