// Writes service levels and virtual lanes in the forms that lane_maps.cpp and path_levels.cpp read.
#include "host/formats/lane_files.hpp"
#include "host/formats/write/identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace tailback::formats {

void write_lane_maps(std::ostream& out, model::Network const& network, model::LaneMaps const* maps) {
    FabricIdentity const identity(network);
    check_fits_infiniband(network, identity);
    std::vector<model::Node> switches;
    for (std::size_t n = 0; n < network.nodes().size(); ++n)
        if (network.is_switch(model::Node{n})) switches.push_back(model::Node{n});
    std::sort(switches.begin(), switches.end(),
              [&](model::Node a, model::Node b) { return identity.guid[a] < identity.guid[b]; });
    std::string text;
    std::vector<model::Port> ins, outs;
    for (model::Node const node : switches) {
        text = fmt::format(
            "Switch 0x{:016x}, base LID {}, \"{}\"\n#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n",
            identity.guid[node], identity.switch_lid[node], network[node].name);
        outs.clear();
        for (std::uint32_t k = 0; k < network.link_count(node); ++k)
            outs.push_back(network[model::Link{network.first_link(node).value + k}].from_port);
        std::sort(outs.begin(), outs.end());
        ins = outs;
        if (std::find(ins.begin(), ins.end(), model::Port{0}) == ins.end()) ins.insert(ins.begin(), 0);
        for (model::Port const in : ins)
            for (model::Port const port : outs) {
                model::LaneMap map;
                if (maps != nullptr) {
                    model::LaneMap const* const own = maps->find(node, in, port);
                    if (own == nullptr) continue;
                    map = *own;
                }
                text += fmt::format("{:<3} {:<3} :", in, port);
                for (unsigned level = 0; level < model::service_level_count; ++level)
                    text += fmt::format(" {:<2}", map.lane(level));
                text += '\n';
            }
        out << text;
    }
}

void write_service_levels(std::ostream& out, model::Network const& network, model::ServiceLevels const& levels) {
    FabricIdentity const identity(network);
    check_fits_infiniband(network, identity);
    std::string text;
    for (std::size_t d = 0; d < network.hosts().size(); ++d)
        for (model::Lid lid = identity.host_lid[model::Host{d}], i = 0;
             i < model::Lid{1} << network[model::Host{d}].lmc; ++i, ++lid) {
            std::span<std::uint16_t const> const known = levels.to(lid);
            text.clear();
            for (std::size_t s = 0; s < known.size(); ++s)
                if (s != d && known[s] != 0)
                    text += fmt::format("{} {} {}\n", identity.host_lid[model::Host{s}], lid, __builtin_ctz(known[s]));
            out << text;
        }
}

}  // namespace tailback::formats
