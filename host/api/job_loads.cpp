// What jobs put on links, and send between hosts, in their first mapping.
#include "host/api/jobs.hpp"
#include "host/base/error.hpp"
#include "host/evaluation/jobs/flow_loads.hpp"

#include <map>
#include <utility>

namespace tailback::api {

JobLoads link_loads(PreparedJobs const& jobs) {
    study::StudyPlan const& plan = jobs.plan();
    kernels::Problem const& problem = plan.problem;
    std::size_t const links = plan.fabric->network.links().size();
    JobLoads found{std::vector<std::uint64_t>(links), {}, 0};
    std::unique_ptr<evaluation::LoadCounter> const counter = evaluation::make_load_counter(problem);
    std::uint64_t const mapping = plan.study.sample.first_mapping;
    std::uint32_t const* const hosts =
        problem.placement.listed + (mapping - problem.placement.first_listed) * problem.placement.ranks;
    std::vector<evaluation::LinkLoad> loads;
    for (evaluation::Job const& job : jobs.jobs()) {
        found.of_job.emplace_back(links);
        evaluation::FlowFates fates;
        for (patterns::Level const& level : job.flows.levels) {
            counter->count(job.flows, level, hosts + job.first_rank,
                           {problem.seed, evaluation::random_stream(found.of_job.size() - 1), mapping}, fates, loads);
            for (evaluation::LinkLoad const& one : loads) {
                model::Link const link =
                    plan.link_of_index.empty() ? model::Link{one.link} : plan.link_of_index[one.link];
                if (!link.exists()) continue;
                found.of_job.back()[link.value] += one.load;
                found.total[link.value] += one.load;
            }
        }
        found.failed += fates.failed;
    }
    return found;
}

DrawnParts drawn_parts(PreparedJobs const& jobs) {
    study::Study const& study = jobs.plan().study;
    DrawnParts drawn{.nodes = study.placement.nodes && study.placement.nodes->draws};
    for (evaluation::Job const& job : jobs.jobs())
        for (patterns::Level const& level : job.flows.levels)
            if (!level.random.empty() && drawn.flows_of.empty()) drawn.flows_of = job.name;
    return drawn;
}

std::vector<evaluation::HostFlow> flows_between_hosts(PreparedJobs const& jobs) {
    DrawnParts const drawn = drawn_parts(jobs);
    if (drawn.nodes)
        throw base::InputError({}, "the nodes of the jobs are drawn", "every mapping has other flows between hosts",
                               "give each job nodes=.. and an order (mapping=block)");
    if (!drawn.flows_of.empty())
        throw base::InputError({}, "job \"" + drawn.flows_of + "\" draws flows in every mapping",
                               "what is sent has to be known", "give it another pattern, or traffic");
    study::StudyPlan const& plan = jobs.plan();
    kernels::PlacementView const& placement = plan.problem.placement;
    std::uint32_t const* const hosts =
        placement.listed + (plan.study.sample.first_mapping - placement.first_listed) * placement.ranks;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> sums;
    for (evaluation::Job const& job : jobs.jobs())
        for (patterns::Level const& level : job.flows.levels)
            for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f) {
                kernels::HostIndex const own{hosts[job.first_rank + job.flows.flows[f].source]},
                    to{hosts[job.first_rank + job.flows.flows[f].destination]};
                std::uint32_t const* const node = placement.nodes.node;
                if (own.value == to.value || (node != nullptr && node[own.value] == node[to.value])) continue;
                std::uint32_t const from = kernels::leaving_host(placement.nodes, own, to).value;
                sums[{plan.study_hosts[from].value, plan.study_hosts[to.value].value}] +=
                    job.flows.weights.empty() ? 1 : job.flows.weights[f];
            }
    std::vector<evaluation::HostFlow> flows;
    for (auto const& [pair, amount] : sums)
        flows.push_back({model::Host{pair.first}, model::Host{pair.second}, amount});
    return flows;
}

}  // namespace tailback::api
