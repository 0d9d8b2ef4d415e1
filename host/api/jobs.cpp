#include "host/api/jobs.hpp"

#include "host/study/placement/hostlist.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tailback::api {

model::NamedFiles JobsRequest::named_files() const {
    model::NamedFiles files = network.named_files();
    for (JobRequest const& job : jobs) {
        if (job.pattern.starts_with("file:")) files.emplace_back("pattern", job.pattern.substr(5));
        files = with_named(files, {{"traffic", job.traffic}});
        files = with_named(files, job.placement.named_files());
    }
    return with_named(files,
                      {{"adapters", adapters ? adapters->file : ""}, {"groups", audit::file_of_groups(group_by)}});
}

PreparedJobs::PreparedJobs(JobsRequest request, Listener const& listener)
    : PreparedJobs(std::move(request), nullptr, listener) {}

PreparedJobs::PreparedJobs(JobsRequest request, std::shared_ptr<model::Fabric const> fabric, Listener const& listener)
    : fabric_(std::move(fabric)) {
    auto const obtain_fabric = [&](JobsRequest const& jobs) -> model::Fabric const& {
        if (!fabric_) {
            FabricRequest wanted{.network = jobs.network, .wanted = Wanted::flows, .names_nodes = true};
            if (!jobs.group_by.empty()) wanted.network.form = RoutesForm::tables;  // groups are of kept links
            fabric_ = obtain_shared(wanted, listener);
        }
        groups_ = groups_of(*fabric_, jobs.group_by);
        return *fabric_;
    };
    placed_ = place_jobs(std::move(request), obtain_fabric, listener);
    plan_ = std::make_shared<study::StudyPlan const>(study::make_plan(*fabric_, placed_.study));
}

std::string fixed_nodes_of(PreparedJobs const& jobs, std::size_t job) {
    study::StudyPlan const& plan = jobs.plan();
    study::ComputeNodes const& nodes = *plan.study.placement.nodes->nodes;
    study::Sample const& sample = plan.study.sample;
    evaluation::Job const& one = jobs.jobs()[job];
    auto const in_mapping = [&](std::uint64_t mapping) {
        std::vector<model::Host> const hosts = plan.hosts_of_mapping(mapping);
        std::set<std::uint32_t> found;
        for (std::uint32_t r = 0; r < one.flows.ranks; ++r)
            found.insert(nodes.node_of_host[hosts[one.first_rank + r].value]);
        return found;
    };
    std::set<std::uint32_t> const first = in_mapping(sample.first_mapping);
    for (std::uint64_t m = 1; m < sample.mappings; ++m)
        if (in_mapping(sample.first_mapping + m) != first) return {};
    std::vector<std::string> names;
    for (std::uint32_t const node : first) names.push_back(nodes.nodes[node].name);
    return study::fold_hostlist(names);
}

std::uint32_t ranks_on_a_node(PreparedJobs const& jobs, std::size_t job) {
    study::StudyPlan const& plan = jobs.plan();
    study::ComputeNodes const& nodes = *plan.study.placement.nodes->nodes;
    evaluation::Job const& one = jobs.jobs()[job];
    std::vector<model::Host> const hosts = plan.hosts_of_mapping(plan.study.sample.first_mapping);
    std::map<std::uint32_t, std::uint32_t> ranks;
    std::uint32_t most = 0;
    for (std::uint32_t r = 0; r < one.flows.ranks; ++r)
        most = std::max(most, ++ranks[nodes.node_of_host[hosts[one.first_rank + r].value]]);
    return most;
}

}  // namespace tailback::api
