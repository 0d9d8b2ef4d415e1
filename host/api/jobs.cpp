#include "host/api/jobs.hpp"

#include "host/study/placement/hostlist.hpp"

#include <algorithm>
#include <map>
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

NodesOfJob nodes_of(PreparedJobs const& jobs, std::size_t job) {
    study::StudyPlan const& plan = jobs.plan();
    study::ComputeNodes const& nodes = *plan.study.placement.nodes->nodes;
    evaluation::Job const& one = jobs.jobs()[job];
    std::vector<model::Host> const hosts = plan.hosts_of_mapping(plan.study.sample.first_mapping);
    std::map<std::uint32_t, std::uint32_t> ranks;
    for (std::uint32_t r = 0; r < one.flows.ranks; ++r) ++ranks[nodes.node_of_host[hosts[one.first_rank + r].value]];
    NodesOfJob found;
    std::vector<std::string> names;
    for (auto const& [node, count] : ranks) {
        names.push_back(nodes.nodes[node].name);
        found.most_ranks = std::max(found.most_ranks, count);
    }
    found.names = study::fold_hostlist(names);
    return found;
}

}  // namespace tailback::api
