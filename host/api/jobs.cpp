#include "host/api/jobs.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/study/flow_file.hpp"
#include "host/study/placement/hostlist.hpp"
#include "host/study/placement/node_finder.hpp"
#include "host/study/placement/node_mappings.hpp"
#include "host/study/placement/ranks_in_rows.hpp"
#include "host/study/traffic_flows.hpp"
#include "host/traffic/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace tailback::api {
namespace {

/// Names its job already.
struct JobError : base::InputError {
    JobError(JobRequest const& job, std::string const& problem, std::string const& why, std::string const& what_to_do)
        : InputError(job.place, problem, why, what_to_do) {}
};

/// Runs `work` for a job: an InputError of it that names no file says of which job it is, and where that is asked for.
template <class Work>
auto for_job(JobRequest const& job, Work&& work) {
    try {
        return work();
    } catch (JobError const&) {
        throw;
    } catch (base::InputError const& error) {
        if (!error.place().file.empty()) throw;
        throw base::InputError(job.place, of_job(job) + ": " + error.what(), "", "");
    }
}

void check_job(JobRequest const& job, std::set<std::string>& names) {
    if (!names.insert(job.name).second)
        throw JobError(job, "two jobs are called \"" + job.name.substr(0, 80) + "\"", "",
                       "give each a name of its own");
    if (job.pattern.empty() == job.traffic.empty())
        throw JobError(job, of_job(job) + (job.pattern.empty() ? " has no traffic" : " has two"),
                       "what its ranks send is a pattern or a file of traffic",
                       "give it one: traffic=FILE or pattern=NAME");
    if (!job.pattern.empty() && !job.pattern.starts_with("file:")) patterns::make_pattern_part(job.pattern, 0);
    std::string const& order = job.placement.order;
    if (!order.empty() && !order.starts_with("file:")) study::read_rank_order(order);
    if (!job.placement.rail.empty()) study::read_rail_rule(job.placement.rail);
}

void check_jobs(std::vector<JobRequest> const& jobs) {
    std::set<std::string> names;
    for (JobRequest const& job : jobs) for_job(job, [&] { check_job(job, names); });
}

/// The flows that a job's file lists; without ranks where it has a pattern.
patterns::FlowList listed_flows(JobRequest const& job, Listener const& listener) {
    if (job.pattern.starts_with("file:")) {
        std::string const path = job.pattern.substr(5);
        io::LineReader lines(io::open_source(path), path);
        return study::read_flows(lines);
    }
    if (job.traffic.empty()) return {};
    traffic::TrafficMatrix const matrix = traffic::read_traffic(job.traffic);
    std::vector<std::string> notes = matrix.notes;
    patterns::FlowList flows = study::flows_of(matrix, job.traffic, notes);
    for (std::string const& note : notes) listener.note(of_job(job) + ": " + note);
    for (std::string const& warning : matrix.warnings) listener.warn(of_job(job) + ": " + warning);
    return flows;
}

void set_priority(study::Timing& timing, std::string const& name, std::string const& words) {
    study::Priority const priority = study::read_priority(words);
    for (study::ClassPriority const& other : timing.priorities) {
        if (other.name != name) continue;
        if (other.priority == priority) return;
        throw base::InputError({}, "class " + name.substr(0, 80) + " has two priorities", "", "leave one out");
    }
    timing.priorities.push_back({name, priority});
}

}  // namespace

model::NamedFiles JobsRequest::named_files() const {
    model::NamedFiles files = network.named_files();
    for (JobRequest const& job : jobs) {
        if (job.pattern.starts_with("file:")) files.emplace_back("pattern", job.pattern.substr(5));
        files = with_named(files, {{"traffic", job.traffic}});
        files = with_named(files, job.placement.named_files());
    }
    if (adapters.starts_with("file:")) files.emplace_back("adapters", adapters.substr(5));
    return with_named(files, {{"groups", audit::file_of_groups(group_by)}});
}

namespace {

/// @param given of the job's own listing, 0 = none. @param shared of the job that it runs with. @throws InputError
std::uint32_t ranks_of(JobRequest const& job, std::uint32_t given, std::uint32_t shared,
                       study::JobPlacement const& placement) {
    std::uint32_t ranks = job.ranks != 0 ? job.ranks : given;
    bool const has_places = !job.placement.nodes.empty() || !placement.nodes.given.empty();
    if (ranks == 0 && !has_places && shared == 0)
        throw JobError(job, of_job(job) + " has no number of ranks", "a pattern has as many as it is given",
                       "add ranks=.. or nodes=..");
    if (ranks == 0) ranks = shared + (has_places ? study::slots_of(placement) : 0);
    if (ranks < shared)
        throw JobError(job, of_job(job) + " has fewer ranks than the one that it runs with",
                       fmt::format("{} for {}", ranks, shared), "give it at least as many");
    return ranks;
}

}  // namespace

PreparedJobs::PreparedJobs(JobsRequest request, Listener const& listener)
    : PreparedJobs(std::move(request), nullptr, listener) {}

PreparedJobs::PreparedJobs(JobsRequest request, std::shared_ptr<model::Fabric const> given, Listener const& listener)
    : request_(std::move(request)), fabric_(std::move(given)) {
    for (JobRequest const& job : request_.jobs) request_.timed |= !job.priority.empty();
    for (std::size_t j = 0; j < request_.jobs.size(); ++j) for_job(request_.jobs[j], [&] { return with(j); });
    check_jobs(request_.jobs);
    std::vector<patterns::FlowList> listed;
    for (JobRequest const& job : request_.jobs)
        listed.push_back(for_job(job, [&] { return listed_flows(job, listener); }));
    if (!fabric_) {
        FabricRequest wanted{.network = request_.network, .wanted = Wanted::flows, .names_nodes = true};
        if (!request_.group_by.empty()) wanted.network.form = RoutesForm::tables;  // groups are of kept links
        fabric_ = obtain_shared(wanted, listener);
    }
    groups_ = groups_of(*fabric_, request_.group_by);
    study::Study study;
    study.traffic.pattern = patterns::listed_pattern;
    study.sample.seed = request_.seed;
    study.sample.mappings = request_.mappings;
    study.sample.first_mapping = study.placement.first_listed = request_.first_mapping;
    study.measures.capacities = request_.capacities;
    study.placement.aggregation_nodes_are_hosts = request_.aggregation_nodes_are_hosts;
    study.measures.metrics = {study::Metric::sum_max_cong};
    study.files = request_.named_files();
    study::NodePlacement placed;
    placed.nodes = std::make_shared<study::ComputeNodes const>(study::find_compute_nodes(
        *fabric_, node_grouping(request_.adapters, request_.network.spec), request_.aggregation_nodes_are_hosts));
    placed.rail_aligned = request_.rail_aligned;
    leave_out_unknown(*placed.nodes, listed, listener);
    tell_adapters(*placed.nodes, listener);
    PlacementRequest chosen;
    chosen.adapters = request_.adapters;
    chosen.rail_aligned = request_.rail_aligned;
    for (JobRequest const& job : request_.jobs)
        if (!job.placement.rail.empty()) chosen.rail = job.placement.rail;
    if (std::string const idle = idle_adapter_options(chosen, *placed.nodes, *fabric_, request_.network.spec);
        !idle.empty() && listener.note)
        listener.note(idle + ": every compute node has one adapter");
    note_no_aggregation(fabric_->network, request_.aggregation_nodes_are_hosts, listener.note);
    std::vector<study::JobPlacement> placements;
    bool draws_flows = false;
    for (std::size_t j = 0; j < request_.jobs.size(); ++j) {
        JobRequest const& job = request_.jobs[j];
        std::uint32_t const shared = with(j) == none ? 0 : jobs_[with(j)].flows.ranks;
        study::JobPlacement placement =
            for_job(job, [&] { return read_job_placement(job.placement, *placed.nodes, fabric_->network); });
        for (std::string const& note : placement.nodes.notes)
            if (!job.runs) listener.note(of_job(job) + ": " + note);  // of those that run once for all
        use_adapters(j, *placed.nodes, placement);
        placement.name = job.name;
        placement.may_share = job.runs;
        std::uint32_t const ranks = for_job(job, [&] { return ranks_of(job, listed[j].ranks, shared, placement); });
        placement.ranks = ranks - shared;
        patterns::FlowList flows = for_job(job, [&] {
            if (listed[j].ranks > 0) return patterns::make_listed_pattern(listed[j], ranks);
            // What goes by nodes is made when it is known which ranks share them.
            if (patterns::goes_by_nodes(job.pattern)) return patterns::FlowList{.ranks = ranks};
            return patterns::make_pattern(job.pattern, ranks);
        });
        for (patterns::Level const& level : flows.levels) draws_flows |= !level.random.empty();
        jobs_.push_back({job.name, std::move(flows), study.placement.ranks});
        study.placement.ranks += ranks;
        if (placement.ranks > 0) placements.push_back(std::move(placement));
    }
    std::vector<std::uint32_t> own_ranks;
    for (std::size_t j = 0; j < jobs_.size(); ++j)
        own_ranks.push_back(jobs_[j].flows.ranks - (with(j) == none ? 0 : jobs_[with(j)].flows.ranks));
    study::Placer placer(*placed.nodes, fabric_->network, std::move(placements), grid_sizes(request_.network.spec),
                         study.sample.seed);
    placed.draws = placer.draws();
    if (!request_.mappings_given && !placed.draws && !draws_flows) study.sample.mappings = 1;
    study.placement.mapping = study::MappingKind::listed;
    std::vector<model::Host> const hosts =
        study::list_mappings(placer, study.sample.first_mapping, study.sample.mappings);
    study.placement.mapping_hosts = with_shared_hosts(hosts, own_ranks);
    for (std::size_t j = 0, first = 0; j < jobs_.size(); first += jobs_[j++].flows.ranks) {
        std::string const& pattern = request_.jobs[j].pattern;
        if (listed[j].ranks > 0 || !patterns::goes_by_nodes(pattern)) continue;
        patterns::NodesOfRanks const rows = study::ranks_in_rows(*placed.nodes, study.placement.mapping_hosts,
                                                                 study.placement.ranks, first, jobs_[j].flows.ranks);
        jobs_[j].flows =
            for_job(request_.jobs[j], [&] { return patterns::make_pattern(pattern, jobs_[j].flows.ranks, rows); });
        if (!jobs_[j].flows.note.empty()) listener.note(of_job(request_.jobs[j]) + ": " + jobs_[j].flows.note);
    }
    study.placement.nodes = std::move(placed);
    study.traffic.listed_flows.ranks = study.traffic.listed_flows.measured_ranks = study.placement.ranks;
    if (request_.timed) add_timing(study);
    plan_ = std::make_shared<study::StudyPlan const>(study::make_plan(*fabric_, study));
}

/// Running jobs go on with the nodes that the network has; of one node alone there is nothing to see.
void PreparedJobs::leave_out_unknown(study::ComputeNodes const& nodes, std::vector<patterns::FlowList>& listed,
                                     Listener const& listener) {
    study::NodeFinder finder(nodes, fabric_->network);
    std::vector<std::string> unknown, small;
    for (std::size_t j = 0; j < request_.jobs.size();) {
        JobRequest& job = request_.jobs[j];
        std::vector<std::string> here;
        std::vector<std::string> names;
        if (job.runs) names = study::expand_hostlist(job.placement.nodes);
        for (std::string const& name : names) {
            if (!finder.knows(name)) {
                unknown.push_back(name);
                continue;
            }
            for_job(job, [&] { return finder.find(name, job.place); });
            here.push_back(name);
        }
        if (!job.runs || here.size() > 1) {
            if (job.runs) job.placement.nodes = study::fold_hostlist(here);
            ++j;
            continue;
        }
        small.push_back(job.name);
        request_.jobs.erase(request_.jobs.begin() + std::ptrdiff_t(j));
        listed.erase(listed.begin() + std::ptrdiff_t(j));
    }
    if (listener.note)
        for (std::string const& note : finder.notes()) listener.note("of the nodes of running jobs " + note);
    if (!unknown.empty() && listener.note)
        listener.note("nodes of running jobs that the network does not have are left out: " +
                      study::fold_hostlist(unknown));
    if (!small.empty() && listener.note)
        listener.note("running jobs with fewer than two nodes of the network are left out: " +
                      fmt::format("{}", fmt::join(small, ", ")));
    if (request_.jobs.empty())
        throw base::InputError({}, "no running job has two nodes of the network", "", "give the fabric of these jobs");
}

void PreparedJobs::tell_adapters(study::ComputeNodes const& nodes, Listener const& listener) const {
    std::size_t most = 0;
    for (auto const& node : nodes.nodes) most = std::max(most, node.adapters.size());
    std::uint32_t least = UINT32_MAX;
    for (JobRequest const& job : request_.jobs)
        if (job.runs && job.placement.ranks_per_node > 0) least = std::min(least, job.placement.ranks_per_node);
    if (least < most && listener.note)
        listener.note(
            fmt::format("running jobs have {} on a node and use {} of its {} adapters (without "
                        "--ranks-per-node they use all)",
                        base::counted(least, "rank", "ranks"), least, most));
}

void PreparedJobs::use_adapters(std::size_t job, study::ComputeNodes const& nodes, study::JobPlacement& placement) {
    std::uint32_t& most = request_.jobs[job].placement.ranks_per_node;
    if (!request_.jobs[job].runs || most > 0) return;
    for (std::uint32_t const node : placement.nodes.nodes) {
        placement.nodes.slots.push_back(static_cast<std::uint32_t>(nodes.nodes[node].adapters.size()));
        most = std::max(most, placement.nodes.slots.back());
    }
}

std::size_t PreparedJobs::with(std::size_t job) const {
    if (request_.jobs[job].with.empty()) return none;
    for (std::size_t j = 0; j < job; ++j)
        if (request_.jobs[j].name == request_.jobs[job].with) return j;
    throw JobError(request_.jobs[job], of_job(request_.jobs[job]) + " runs with a job that is not there",
                   "\"" + request_.jobs[job].with.substr(0, 80) + "\" is not a job before it",
                   "name the other job first");
}

std::vector<model::Host> PreparedJobs::with_shared_hosts(std::vector<model::Host> const& hosts,
                                                         std::vector<std::uint32_t> const& own_ranks) const {
    std::size_t all = 0, own = 0;
    for (evaluation::Job const& job : jobs_) all += job.flows.ranks;
    for (std::uint32_t const ranks : own_ranks) own += ranks;
    if (all == own) return hosts;
    std::vector<model::Host> shared;
    shared.reserve(hosts.size() / std::max<std::size_t>(own, 1) * all);
    std::size_t next = 0;
    for (std::size_t mapping = 0; next < hosts.size(); ++mapping)
        for (std::size_t j = 0; j < jobs_.size(); ++j) {
            std::size_t const other = with(j);
            for (std::uint32_t r = 0; other != none && r < jobs_[other].flows.ranks; ++r)
                shared.push_back(shared[mapping * all + jobs_[other].first_rank + r]);
            for (std::uint32_t r = 0; r < own_ranks[j]; ++r) shared.push_back(hosts[next++]);
        }
    return shared;
}

void PreparedJobs::add_timing(study::Study& study) const {
    study.measures.timing = request_.timing;
    study.measures.metrics = {study::Metric::makespan};
    patterns::FlowList& all = study.traffic.listed_flows;
    all.class_names.clear();
    bool has_weights = false;
    for (evaluation::Job const& job : jobs_) {
        has_weights |= !job.flows.weights.empty();
        all.bytes_given |= job.flows.bytes_given;
    }
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
        JobRequest const& request = request_.jobs[j];
        patterns::FlowList const& flows = jobs_[j].flows;
        std::string const own = request.class_name.empty() ? request.name : request.class_name;
        if (!request.priority.empty())
            for_job(request, [&] { set_priority(study.measures.timing, own, request.priority); });
        std::vector<std::uint8_t> numbers;
        bool const of_one_class = !request.class_name.empty() || !request.priority.empty();
        for (std::string const& name : flows.class_names)
            numbers.push_back(
                patterns::class_number(all, of_one_class || name == patterns::application_class ? own : name));
        study.measures.timing.first_level_of_job.push_back(all.levels.size());
        for (patterns::Level level : flows.levels) {
            if (!level.random.empty() && (j > 1 || numbers.front() != 0))
                throw base::InputError({}, of_job(request) + " draws flows in every mapping",
                                       "of jobs whose times are simulated the first alone can",
                                       "name it first, or give it another pattern");
            level.first_flow += all.flows.size();
            for (std::uint32_t& rank : level.local_ranks) rank += jobs_[j].first_rank;
            for (patterns::RandomFlows& random : level.random) {
                random.first_rank += jobs_[j].first_rank;
                random.stream = static_cast<std::uint32_t>(j);
            }
            all.levels.push_back(std::move(level));
        }
        for (std::size_t f = 0; f < flows.flows.size(); ++f) {
            all.flows.push_back(
                {flows.flows[f].source + jobs_[j].first_rank, flows.flows[f].destination + jobs_[j].first_rank});
            all.classes.push_back(numbers[flows.classes.empty() ? 0 : flows.classes[f]]);
            if (has_weights) all.weights.push_back(flows.weights.empty() ? 1 : flows.weights[f]);
        }
    }
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

}  // namespace tailback::api
