#include "host/study/plan/seats.hpp"

#include "host/study/placement/compute_nodes.hpp"
#include "host/study/plan/plan_storage.hpp"

#include <algorithm>

namespace tailback::study {
namespace {

std::string count_of(std::size_t n, char const* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

/// As many seats as the study needs of those there are; resolves study.placement.ranks.
void fit_ranks(std::vector<model::Host>& study_hosts, Study& study) {
    if (study.placement.ranks == 0) study.placement.ranks = static_cast<std::uint32_t>(study_hosts.size());
    if (study.placement.ranks > study_hosts.size())
        throw base::InputError(
            {}, count_of(study.placement.ranks, "rank") + " do not fit on " + count_of(study_hosts.size(), "host"),
            "every rank needs a host of its own",
            study.traffic.pattern == patterns::listed_pattern
                ? "give the flows a network of more hosts"
                : "ask for at most " + std::to_string(study_hosts.size()) + " ranks, or 0 for all hosts");
    if (study.placement.subset != SubsetKind::random) study_hosts.resize(study.placement.ranks);
}

/// The hosts of a list of mappings, each once; where flows may leave by any adapter of a node, all of its adapters.
std::vector<model::Host> listed_hosts(model::Fabric const& fabric, Study const& study) {
    std::vector<model::Host> hosts;
    std::vector<bool> met(fabric.endpoints());
    auto const add = [&](model::Host host) {
        if (!met[host.value]) hosts.push_back(host);
        met[host.value] = true;
    };
    for (model::Host const host : study.placement.mapping_hosts) add(host);
    if (!study.placement.nodes || !study.placement.nodes->rail_aligned) return hosts;
    ComputeNodes const& nodes = *study.placement.nodes->nodes;
    for (std::size_t h = 0, count = hosts.size(); h < count; ++h)
        for (model::Host const adapter : nodes.nodes[nodes.node_of_host[hosts[h].value]].adapters) add(adapter);
    return hosts;
}

/// Does a mapping put two ranks on one node, or on two adapters of it?
bool ranks_share_nodes(Study const& study) {
    ComputeNodes const& nodes = *study.placement.nodes->nodes;
    std::vector<std::uint64_t> last(nodes.nodes.size(), UINT64_MAX);  // by node: the last mapping that has it
    for (std::size_t i = 0; i < study.placement.mapping_hosts.size(); ++i) {
        std::uint64_t const mapping = i / study.placement.ranks;
        std::uint64_t& of_node = last[nodes.node_of_host[study.placement.mapping_hosts[i].value]];
        if (of_node == mapping) return true;
        of_node = mapping;
    }
    return false;
}

/// Compute nodes by host index, where ranks share them. A host of every rank's own needs none: all stages take it.
void describe_nodes(StudyPlan& plan, std::vector<std::uint32_t> const& index_of_host) {
    Study const& study = plan.study;
    ComputeNodes const& nodes = *study.placement.nodes->nodes;
    StudyPlan::Storage& storage = *plan.storage;
    if (!study.placement.nodes->rail_aligned && !ranks_share_nodes(study)) return;
    std::vector<std::uint32_t> number(nodes.nodes.size(), ComputeNodes::none);
    std::uint32_t count = 0;
    for (model::Host const host : plan.study_hosts) {
        std::uint32_t& node = number[nodes.node_of_host[host.value]];
        if (node == ComputeNodes::none) node = count++;
        storage.node.push_back(node);
        storage.rail.push_back(nodes.rail_of_host[host.value]);
    }
    kernels::NodesView& view = plan.problem.placement.nodes;
    view.node = storage.node.data();
    if (!study.placement.nodes->rail_aligned) return;
    view.rails = nodes.rails;
    storage.aligned.assign(std::size_t{count} * nodes.rails, kernels::NodesView::none);
    for (model::Host const host : plan.study_hosts) {
        std::uint32_t const index = index_of_host[host.value];
        storage.aligned[std::size_t{storage.node[index]} * nodes.rails + storage.rail[index]] = index;
    }
    view.rail = storage.rail.data();
    view.aligned = storage.aligned.data();
}

}  // namespace

std::vector<model::Host> seat_hosts(model::Fabric const& fabric, Study& study) {
    std::vector<model::Host> study_hosts;
    if (study.placement.mapping == MappingKind::listed) {
        if (study.placement.ranks == 0 || study.placement.mapping_hosts.empty() ||
            study.placement.mapping_hosts.size() % study.placement.ranks != 0)
            throw base::InputError({}, "the list of mappings does not fit the number of ranks",
                                   count_of(study.placement.mapping_hosts.size(), "host") + " for " +
                                       count_of(study.placement.ranks, "rank"),
                                   "give one host per rank in every mapping");
        study_hosts = listed_hosts(fabric, study);
        std::uint64_t const listed =
            study.placement.first_listed + study.placement.mapping_hosts.size() / study.placement.ranks;
        if (study.sample.first_mapping >= listed)
            throw base::InputError({}, "there is no mapping " + std::to_string(study.sample.first_mapping),
                                   "the list has " + count_of(listed, "mapping"), "they are counted from 0");
        study.sample.mappings = std::min<std::uint64_t>(study.sample.mappings, listed - study.sample.first_mapping);
        return study_hosts;
    }
    switch (study.placement.subset) {
        case SubsetKind::listed: study_hosts = study.placement.subset_hosts; break;
        case SubsetKind::random:
            study_hosts = model::usable_hosts(fabric, study.placement.aggregation_nodes_are_hosts);
            break;
        case SubsetKind::linear_bfs:
            study_hosts = model::breadth_first_hosts(fabric, study.placement.aggregation_nodes_are_hosts);
            break;
    }
    if (study_hosts.empty())
        throw base::InputError({}, "there are no hosts to study",
                               "no adapter port of the network, or of the list, can take a rank",
                               "check the network file, or count aggregation nodes as hosts");
    fit_ranks(study_hosts, study);
    return study_hosts;
}

void describe_draws(StudyPlan& plan) {
    Study const& study = plan.study;
    kernels::Problem& problem = plan.problem;
    problem.seed = study.sample.seed;
    problem.placement.ranks = study.placement.ranks;
    problem.placement.study_hosts = static_cast<std::uint32_t>(plan.study_hosts.size());
    problem.placement.source = study.placement.mapping == MappingKind::random     ? kernels::MappingSource::random
                               : study.placement.mapping == MappingKind::identity ? kernels::MappingSource::identity
                                                                                  : kernels::MappingSource::listed;
    problem.placement.draw_subset =
        study.placement.mapping != MappingKind::listed && study.placement.subset == SubsetKind::random;
    if (study.placement.mapping != MappingKind::listed) return;
    std::vector<std::uint32_t>& listed = plan.storage->listed;
    std::vector<std::uint32_t> seat_of(plan.fabric->endpoints());
    for (std::size_t s = 0; s < plan.study_hosts.size(); ++s)
        seat_of[plan.study_hosts[s].value] = static_cast<std::uint32_t>(s);
    for (model::Host const host : study.placement.mapping_hosts) listed.push_back(seat_of[host.value]);
    problem.placement.listed = listed.data();
    problem.placement.first_listed = study.placement.first_listed;
    problem.placement.listed_mappings = listed.size() / study.placement.ranks;
    if (study.placement.nodes) describe_nodes(plan, seat_of);
}

}  // namespace tailback::study
