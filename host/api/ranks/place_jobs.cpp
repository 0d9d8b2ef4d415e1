// Jobs on the nodes of a fabric: who sits where, and what each sends.
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

void set_priority(study::Timing& timing, std::string const& name, study::Priority const& priority) {
    for (study::ClassPriority const& other : timing.priorities) {
        if (other.name != name) continue;
        if (other.priority == priority) return;
        throw base::InputError({}, "class " + name.substr(0, 80) + " has two priorities", "", "leave one out");
    }
    timing.priorities.push_back({name, priority});
}

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

/// Jobs whose files are read, on the way to the nodes of a fabric.
class JobPlacer {
public:
    /// Checks the jobs and reads what they list. @throws InputError
    JobPlacer(JobsRequest request, Listener const& listener);
    JobsRequest const& request() const { return request_; }
    /// Once. @throws InputError
    PlacedJobs place(model::Fabric const& fabric);

private:
    static constexpr std::size_t none = ~std::size_t{0};
    /// The job on whose hosts this one's first ranks run, or none. @throws InputError for one that is not before it
    std::size_t with(std::size_t job) const;
    std::uint32_t ranks_shared_by(std::size_t job) const {
        return with(job) == none ? 0 : jobs_[with(job)].flows.ranks;
    }
    void find_nodes(model::Fabric const& fabric);
    void leave_out_unknown(model::Network const& network);
    /// Tells where ranks of running jobs leave adapters of their nodes without any.
    void tell_adapters() const;
    void tell_idle_options(model::Fabric const& fabric) const;
    /// The nodes and flows of a job; those before it have theirs.
    void add_job(std::size_t job, model::Network const& network);
    /// A running job that does not say how many ranks its nodes have has one for every adapter.
    void use_adapters(std::size_t job, study::JobPlacement& placement);
    /// Lists the hosts of all ranks, mapping by mapping.
    void list_hosts(model::Network const& network);
    /// Hosts of all ranks, mapping by mapping, from those of each job's own.
    std::vector<model::Host> with_shared_hosts(std::vector<model::Host> const& hosts,
                                               std::vector<std::uint32_t> const& own_ranks) const;
    /// The flows of patterns that go by which ranks share a node.
    void make_flows_by_nodes();
    /// The flows of all jobs one after the other, their classes, and what their levels wait for.
    void add_timing();
    void add_timed_flows(std::size_t job, bool has_weights);

    JobsRequest request_;
    Listener const& listener_;
    std::vector<patterns::FlowList> listed_;  ///< by job; without ranks where it has a pattern
    study::NodePlacement placed_;
    std::vector<study::JobPlacement> placements_;
    std::vector<evaluation::Job> jobs_;
    study::Study study_;
    bool draws_flows_ = false;
};

JobPlacer::JobPlacer(JobsRequest request, Listener const& listener)
    : request_(std::move(request)), listener_(listener) {
    for (JobRequest const& job : request_.jobs) request_.timed |= job.priority.has_value();
    for (std::size_t j = 0; j < request_.jobs.size(); ++j) for_job(request_.jobs[j], [&] { return with(j); });
    check_jobs(request_.jobs);
    for (JobRequest const& job : request_.jobs)
        listed_.push_back(for_job(job, [&] { return listed_flows(job, listener); }));
    study_.traffic.pattern = patterns::listed_pattern;
    study_.sample.seed = request_.seed;
    study_.sample.mappings = request_.mappings;
    study_.sample.first_mapping = study_.placement.first_listed = request_.first_mapping;
    study_.measures.capacities = request_.capacities;
    study_.placement.aggregation_nodes_are_hosts = request_.aggregation_nodes_are_hosts;
    study_.measures.metrics = {study::Metric::sum_max_cong};
    study_.files = request_.named_files();
}

PlacedJobs JobPlacer::place(model::Fabric const& fabric) {
    find_nodes(fabric);
    for (std::size_t j = 0; j < request_.jobs.size(); ++j) add_job(j, fabric.network);
    list_hosts(fabric.network);
    make_flows_by_nodes();
    study_.placement.nodes = std::move(placed_);
    study_.traffic.listed_flows.ranks = study_.traffic.listed_flows.measured_ranks = study_.placement.ranks;
    if (request_.timed) add_timing();
    return {std::move(request_), std::move(jobs_), std::move(study_)};
}

void JobPlacer::find_nodes(model::Fabric const& fabric) {
    placed_.nodes = std::make_shared<study::ComputeNodes const>(study::find_compute_nodes(
        fabric, node_grouping(request_.adapters, request_.network.spec), request_.aggregation_nodes_are_hosts));
    placed_.rail_aligned = request_.rail_aligned;
    leave_out_unknown(fabric.network);
    tell_adapters();
    tell_idle_options(fabric);
    note_no_aggregation(fabric.network, request_.aggregation_nodes_are_hosts, listener_.note);
}

void JobPlacer::tell_idle_options(model::Fabric const& fabric) const {
    PlacementRequest chosen;
    chosen.adapters = request_.adapters;
    chosen.rail_aligned = request_.rail_aligned;
    for (JobRequest const& job : request_.jobs)
        if (job.placement.rail) chosen.rail = job.placement.rail;
    std::string const idle = idle_adapter_options(chosen, *placed_.nodes, fabric, request_.network.spec);
    if (!idle.empty() && listener_.note) listener_.note(idle + ": every compute node has one adapter");
}

void JobPlacer::add_job(std::size_t j, model::Network const& network) {
    JobRequest const& job = request_.jobs[j];
    study::JobPlacement placement =
        for_job(job, [&] { return find_job_placement(job.placement, *placed_.nodes, network); });
    for (std::string const& note : placement.nodes.notes)
        if (!job.runs) listener_.note(of_job(job) + ": " + note);  // of those that run once for all
    use_adapters(j, placement);
    placement.name = job.name;
    placement.may_share = job.runs;
    std::uint32_t const shared = ranks_shared_by(j);
    std::uint32_t const ranks = for_job(job, [&] { return ranks_of(job, listed_[j].ranks, shared, placement); });
    placement.ranks = ranks - shared;
    placement.number = static_cast<std::uint32_t>(j);
    patterns::FlowList flows = for_job(job, [&] {
        if (listed_[j].ranks > 0) return patterns::make_listed_pattern(listed_[j], ranks);
        // What goes by nodes is made when it is known which ranks share them.
        if (patterns::goes_by_nodes(job.pattern)) return patterns::FlowList{.ranks = ranks};
        return patterns::make_pattern(job.pattern, ranks);
    });
    for (patterns::Level const& level : flows.levels) draws_flows_ |= !level.random.empty();
    jobs_.push_back({job.name, std::move(flows), study_.placement.ranks});
    study_.placement.ranks += ranks;
    if (placement.ranks > 0) placements_.push_back(std::move(placement));
}

void JobPlacer::list_hosts(model::Network const& network) {
    std::vector<std::uint32_t> own_ranks;
    for (std::size_t j = 0; j < jobs_.size(); ++j) own_ranks.push_back(jobs_[j].flows.ranks - ranks_shared_by(j));
    study::Placer placer(*placed_.nodes, network, std::move(placements_), grid_sizes(request_.network.spec),
                         study_.sample.seed);
    placed_.draws = placer.draws();
    if (!request_.mappings_given && !placed_.draws && !draws_flows_) study_.sample.mappings = 1;
    study_.placement.mapping = study::MappingKind::listed;
    study_.placement.mapping_hosts =
        with_shared_hosts(study::list_mappings(placer, study_.sample.first_mapping, study_.sample.mappings), own_ranks);
}

void JobPlacer::make_flows_by_nodes() {
    for (std::size_t j = 0, first = 0; j < jobs_.size(); first += jobs_[j++].flows.ranks) {
        std::string const& pattern = request_.jobs[j].pattern;
        if (listed_[j].ranks > 0 || !patterns::goes_by_nodes(pattern)) continue;
        patterns::NodesOfRanks const rows = study::ranks_in_rows(*placed_.nodes, study_.placement.mapping_hosts,
                                                                 study_.placement.ranks, first, jobs_[j].flows.ranks);
        jobs_[j].flows =
            for_job(request_.jobs[j], [&] { return patterns::make_pattern(pattern, jobs_[j].flows.ranks, rows); });
        if (!jobs_[j].flows.note.empty()) listener_.note(of_job(request_.jobs[j]) + ": " + jobs_[j].flows.note);
    }
}

/// Running jobs go on with the nodes that the network has; of one node alone there is nothing to see.
void JobPlacer::leave_out_unknown(model::Network const& network) {
    study::NodeFinder finder(*placed_.nodes, network);
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
        listed_.erase(listed_.begin() + std::ptrdiff_t(j));
    }
    if (listener_.note)
        for (std::string const& note : finder.notes()) listener_.note("of the nodes of running jobs " + note);
    if (!unknown.empty() && listener_.note)
        listener_.note("nodes of running jobs that the network does not have are left out: " +
                       study::fold_hostlist(unknown));
    if (!small.empty() && listener_.note)
        listener_.note("running jobs with fewer than two nodes of the network are left out: " +
                       fmt::format("{}", fmt::join(small, ", ")));
    if (request_.jobs.empty())
        throw base::InputError({}, "no running job has two nodes of the network", "", "give the fabric of these jobs");
}

void JobPlacer::tell_adapters() const {
    std::size_t most = 0;
    for (auto const& node : placed_.nodes->nodes) most = std::max(most, node.adapters.size());
    std::uint32_t least = UINT32_MAX;
    for (JobRequest const& job : request_.jobs)
        if (job.runs && job.placement.ranks_per_node > 0) least = std::min(least, job.placement.ranks_per_node);
    if (least < most && listener_.note)
        listener_.note(
            fmt::format("running jobs have {} on a node and use {} of its {} adapters (without "
                        "--ranks-per-node they use all)",
                        base::counted(least, "rank", "ranks"), least, most));
}

void JobPlacer::use_adapters(std::size_t job, study::JobPlacement& placement) {
    std::uint32_t& most = request_.jobs[job].placement.ranks_per_node;
    if (!request_.jobs[job].runs || most > 0) return;
    for (std::uint32_t const node : placement.nodes.nodes) {
        placement.nodes.slots.push_back(static_cast<std::uint32_t>(placed_.nodes->nodes[node].adapters.size()));
        most = std::max(most, placement.nodes.slots.back());
    }
}

std::size_t JobPlacer::with(std::size_t job) const {
    if (request_.jobs[job].with.empty()) return none;
    for (std::size_t j = 0; j < job; ++j)
        if (request_.jobs[j].name == request_.jobs[job].with) return j;
    throw JobError(request_.jobs[job], of_job(request_.jobs[job]) + " runs with a job that is not there",
                   "\"" + request_.jobs[job].with.substr(0, 80) + "\" is not a job before it",
                   "name the other job first");
}

std::vector<model::Host> JobPlacer::with_shared_hosts(std::vector<model::Host> const& hosts,
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

void JobPlacer::add_timing() {
    study_.measures.timing = request_.timing;
    study_.measures.metrics = {study::Metric::makespan};
    patterns::FlowList& all = study_.traffic.listed_flows;
    all.class_names.clear();
    bool has_weights = false;
    for (evaluation::Job const& job : jobs_) {
        has_weights |= !job.flows.weights.empty();
        all.bytes_given |= job.flows.bytes_given;
    }
    for (std::size_t j = 0; j < jobs_.size(); ++j) add_timed_flows(j, has_weights);
}

void JobPlacer::add_timed_flows(std::size_t j, bool has_weights) {
    JobRequest const& request = request_.jobs[j];
    patterns::FlowList const& flows = jobs_[j].flows;
    patterns::FlowList& all = study_.traffic.listed_flows;
    study::Timing& timing = study_.measures.timing;
    std::uint32_t const first_rank = jobs_[j].first_rank;
    std::string const own = request.class_name.empty() ? request.name : request.class_name;
    if (request.priority) for_job(request, [&] { set_priority(timing, own, *request.priority); });
    std::vector<std::uint8_t> numbers;
    bool const of_one_class = !request.class_name.empty() || request.priority;
    for (std::string const& name : flows.class_names)
        numbers.push_back(
            patterns::class_number(all, of_one_class || name == patterns::application_class ? own : name));
    timing.first_level_of_job.push_back(all.levels.size());
    for (patterns::Level level : flows.levels) {
        if (!level.random.empty() && (j > 1 || numbers.front() != 0))
            throw base::InputError({}, of_job(request) + " draws flows in every mapping",
                                   "of jobs whose times are simulated the first alone can",
                                   "name it first, or give it another pattern");
        level.first_flow += all.flows.size();
        for (std::uint32_t& rank : level.local_ranks) rank += first_rank;
        for (patterns::RandomFlows& random : level.random) {
            random.first_rank += first_rank;
            random.stream = static_cast<std::uint32_t>(j);
        }
        all.levels.push_back(std::move(level));
    }
    for (std::size_t f = 0; f < flows.flows.size(); ++f) {
        all.flows.push_back({flows.flows[f].source + first_rank, flows.flows[f].destination + first_rank});
        all.classes.push_back(numbers[flows.classes.empty() ? 0 : flows.classes[f]]);
        if (has_weights) all.weights.push_back(flows.weights.empty() ? 1 : flows.weights[f]);
    }
}

}  // namespace

PlacedJobs place_jobs(JobsRequest request, std::function<model::Fabric const&(JobsRequest const&)> const& obtain_fabric,
                      Listener const& listener) {
    JobPlacer placer(std::move(request), listener);
    return placer.place(obtain_fabric(placer.request()));
}

}  // namespace tailback::api
