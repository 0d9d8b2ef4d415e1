#include "host/evaluation/adaptive/level_flows.hpp"

#include "host/study/placement/compute_nodes.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/cpu/team.hpp"

#include <limits>

namespace tailback::evaluation {

void LevelFlows::place(std::uint64_t mapping) {
    mapping_ = mapping;
    hosts_ = plan_.hosts_of_mapping(mapping);
    on_host_.assign(plan_.fabric->network.hosts().size(), 0);
    number_on_host_.clear();
    for (model::Host const host : hosts_) number_on_host_.push_back(on_host_[host.value]++);
}

void LevelFlows::list(patterns::Level const& level) {
    flows.clear(), ranks.clear();
    patterns::FlowList const& all = plan_.flow_list;
    for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f)
        add(all.flows[f].source, all.flows[f].destination, all.weights.empty() ? 1 : all.weights[f]);
    for (patterns::RandomFlows const& random : level.random) {
        drawn_.resize(std::size_t{random.ranks} + 4);
        targets_.resize(drawn_.size());
        kernels::CpuTeam team;
        auto const stream = static_cast<std::uint32_t>(kernels::Stream::first_pattern) + random.stream;
        kernels::draw_permutation(
            team, kernels::Draw{plan_.problem.seed, kernels::Stream{stream}, mapping_, random.ranks, random.ranks},
            targets_.data(), drawn_.data());
        for (std::uint32_t r = 0; r < random.ranks; ++r)
            if (drawn_[r] != r) add(random.first_rank + r, random.first_rank + drawn_[r], 1);
    }
}

void LevelFlows::add(std::uint32_t source, std::uint32_t destination, std::uint64_t weight) {
    model::Host const from = hosts_[source], to = hosts_[destination];
    if (from == to) return;
    if (plan_.study.placement.nodes) {
        auto const& node = plan_.study.placement.nodes->nodes->node_of_host;
        if (node[from.value] == node[to.value]) return;
    }
    flows.push_back({from, to, weight, std::uint64_t{number_on_host_[source]} << 32 | number_on_host_[destination]});
    ranks.push_back({source, destination});
}

void MappingNumbers::finish(std::uint64_t at, double weight, BracketColumn& column) const {
    column.bandwidth[at] = delivered_ > 0 ? share_ / double(delivered_) : std::numeric_limits<double>::quiet_NaN();
    column.largest[at] = largest_ * weight;
    double delay = 0;
    for (std::uint32_t r = 0; r < measured_; ++r) delay = std::max(delay, after_[r]);
    column.delay[at] = delay * weight;
    if (!column.lower.empty()) column.lower[at] = lower_ * weight;
}

}  // namespace tailback::evaluation
