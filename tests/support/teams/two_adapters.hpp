// Ranks on nodes of two adapters, each a host.
#pragma once

#include "host/study/placement/compute_nodes.hpp"
#include "tests/support/rooms.hpp"

#include <memory>

namespace tailback {

/// Puts two ranks on each host, at random for each of so many mappings.
/// @param aligned flows leave by the adapter on the rail of their destination's
template <class Random>
void place_on_two_adapters(Study& study, std::uint32_t hosts, std::uint64_t mappings, bool aligned, Random& random) {
    study.placement.ranks = 2 * hosts;
    study.placement.mapping = MappingKind::listed;
    study.sample.mappings = mappings;
    for (std::uint64_t i = 0; i < mappings * study.placement.ranks; ++i)
        study.placement.mapping_hosts.emplace_back(random() % hosts);
    auto nodes = std::make_shared<ComputeNodes>();
    nodes->rails = 2;
    for (std::uint32_t h = 0; h < hosts; ++h) {
        if (h % 2 == 0) nodes->nodes.emplace_back();
        nodes->nodes.back().adapters.push_back(Host{h});
        nodes->node_of_host.push_back(h / 2);
        nodes->rail_of_host.push_back(h % 2);
    }
    study.placement.nodes.emplace();
    study.placement.nodes->nodes = nodes;
    study.placement.nodes->rail_aligned = aligned;
}

}  // namespace tailback
