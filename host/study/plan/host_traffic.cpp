#include "host/study/plan/host_traffic.hpp"

#include "host/base/error.hpp"
#include "host/study/placement/compute_nodes.hpp"

#include <algorithm>
#include <unordered_map>

namespace tailback::study {

namespace {

/// Do both hosts belong to one compute node?
bool is_within_node(StudyPlan const& plan, model::Host a, model::Host b) {
    if (!plan.study.placement.nodes) return false;
    ComputeNodes const& nodes = *plan.study.placement.nodes->nodes;
    return nodes.node_of_host[a.value] == nodes.node_of_host[b.value];
}

}  // namespace

topologies::HostTraffic host_traffic(StudyPlan const& plan, std::uint64_t mapping) {
    patterns::FlowList const list = flows_of(plan.study);
    for (patterns::Level const& level : list.levels)
        if (!level.random.empty())
            throw base::InputError({}, "the pattern draws its flows", "they differ from mapping to mapping",
                                   "choose a routing that does not depend on the traffic");
    std::vector<model::Host> const host_of_rank = plan.hosts_of_mapping(mapping);
    std::unordered_map<std::uint64_t, std::size_t> at;
    topologies::HostTraffic traffic;
    for (std::size_t f = 0; f < list.flows.size(); ++f) {
        model::Host const source = host_of_rank[list.flows[f].source],
                          destination = host_of_rank[list.flows[f].destination];
        if (source == destination || is_within_node(plan, source, destination)) continue;
        std::uint64_t const pair = std::uint64_t{source.value} << 32 | destination.value;
        auto const [place, is_new] = at.try_emplace(pair, traffic.size());
        if (is_new) traffic.push_back({source, destination, 0});
        std::uint64_t& bytes = traffic[place->second].bytes;
        std::uint64_t const more = list.weights.empty() ? 1 : list.weights[f];
        if (more > INT64_MAX - bytes)
            throw base::InputError({}, "two hosts send each other more than 2^63 bytes", "", "give smaller sizes");
        bytes += more;
    }
    return traffic;
}

}  // namespace tailback::study
