#include "host/evaluation/adaptive/level_flows.hpp"

#include "host/study/placement/compute_nodes.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/cpu/fast/team.hpp"

namespace tailback::evaluation {

void LevelFlows::place(std::uint64_t mapping) {
    mapping_ = mapping;
    local = within_nodes = 0;
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
            if (drawn_[r] == r) ++local;
            else add(random.first_rank + r, random.first_rank + drawn_[r], 1);
    }
}

bool LevelFlows::is_within_node(model::Host from, model::Host to) const {
    if (from == to) return true;
    if (!plan_.study.placement.nodes) return false;
    auto const& node = plan_.study.placement.nodes->nodes->node_of_host;
    return node[from.value] == node[to.value];
}

void LevelFlows::add(std::uint32_t source, std::uint32_t destination, std::uint64_t weight) {
    model::Host const from = hosts_[source], to = hosts_[destination];
    if (is_within_node(from, to)) {
        within_nodes += weight;
        return;
    }
    flows.push_back({from, to, weight, std::uint64_t{number_on_host_[source]} << 32 | number_on_host_[destination]});
    ranks.push_back({source, destination});
}

}  // namespace tailback::evaluation
