// Several jobs on one fabric, from words to a result.
#pragma once

#include "host/api/study.hpp"
#include "host/evaluation/jobs/jobs.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tailback::api {

/// One job, in the words in which it was asked for.
struct JobRequest {
    std::string name;
    base::SourceLocation place;               ///< where a file asks for it; no file: words do
    std::string pattern;                      ///< a pattern with its parameters, or `file:PATH`; empty: traffic
    std::string traffic;                      ///< a file of traffic
    std::string with;                         ///< another job, on whose hosts its first ranks run
    std::string class_name;                   ///< of its flows, where they have none of their own; empty: its name
    std::optional<study::Priority> priority;  ///< of that class; none: as all others
    std::uint32_t ranks = 0;                  ///< 0: as many as the traffic has, or as its nodes have slots
    PlacementRequest placement;
    /// It runs: it may share nodes with others, and nodes that the network does not have are left out, with a note.
    /// Without ranks_per_node its nodes have a rank for every adapter.
    bool runs = false;
};

/// `NAME:key=value,key=value,..` with the keys traffic, pattern, ranks, nodes, mapping, ranks-per-node, rail, with,
/// class, priority. A value goes on until the next of them. @throws InputError with the nearest key.
JobRequest read_job(std::string const& words);

/// Sets what a key says. @throws InputError for an unknown key and wrong values.
void set_job_key(JobRequest& job, std::string const& key, std::string const& value);

/// How messages call a job: `job "NAME"`.
std::string of_job(JobRequest const& job);

/// Jobs and the network that they are about.
struct JobsRequest {
    NetworkChoice network;
    std::vector<JobRequest> jobs;
    std::optional<study::NodeGroupingChoice> adapters;  ///< see PlacementRequest
    bool rail_aligned = false;
    std::uint64_t mappings = 1000, first_mapping = 0, seed = 1;
    bool mappings_given = false;
    model::CapacityKind capacities = model::CapacityKind::from_rates;
    bool aggregation_nodes_are_hosts = false;
    bool timed = false;    ///< times are simulated at max-min rates
    study::Timing timing;  ///< how
    std::string group_by;  ///< see audit::group_nodes; empty = none

    model::NamedFiles named_files() const;
};

/// Jobs on the nodes of a fabric.
struct PlacedJobs {
    JobsRequest request;  ///< without running jobs that are left out
    std::vector<evaluation::Job> jobs;
    study::Study study;  ///< of the ranks of all jobs, one after the other; with flows where times are simulated
};
/// @param obtain_fabric called once, when the jobs are checked and their files read
/// @throws InputError for anything wrong with the jobs or their files.
PlacedJobs place_jobs(JobsRequest request, std::function<model::Fabric const&(JobsRequest const&)> const& obtain_fabric,
                      Listener const& listener);

/// A network that was read or made and routed, and jobs placed on it.
class PreparedJobs {
public:
    /// @throws InputError for anything wrong with the request or its files.
    explicit PreparedJobs(JobsRequest request, Listener const& listener = {});
    /// The same on a network that is there already, whatever `request.network` says; null: as above.
    PreparedJobs(JobsRequest request, std::shared_ptr<model::Fabric const> fabric, Listener const& listener);

    study::StudyPlan const& plan() const { return *plan_; }
    std::vector<evaluation::Job> const& jobs() const { return placed_.jobs; }
    JobsRequest const& request() const { return placed_.request; }
    /// By which links that several jobs use are summed; null = by none.
    audit::NodeGroups const* groups() const { return groups_.get(); }

private:
    PlacedJobs placed_;
    std::shared_ptr<audit::NodeGroups const> groups_;
    std::shared_ptr<model::Fabric const> fabric_;  ///< the plan points to it
    std::shared_ptr<study::StudyPlan const> plan_;
};

/// Where the ranks of a job are in its first mapping: in all, unless it draws its nodes.
struct NodesOfJob {
    std::string names;             ///< of compute nodes, as a hostlist
    std::uint32_t most_ranks = 0;  ///< on one of them
};
NodesOfJob nodes_of(PreparedJobs const& jobs, std::size_t job);

/// What jobs put on links in their first mapping, all levels added up.
struct JobLoads {
    std::vector<std::uint64_t> total;                ///< by link: bytes, or flows of those that have none
    std::vector<std::vector<std::uint64_t>> of_job;  ///< [job][link]
    std::uint64_t failed = 0;                        ///< flows that are not delivered, and load nothing
};
JobLoads link_loads(PreparedJobs const& jobs);

/// What every mapping of the jobs has others of.
struct DrawnParts {
    bool nodes = false;    ///< or the order of ranks on them
    std::string flows_of;  ///< the first job that draws some; empty: none
};
DrawnParts drawn_parts(PreparedJobs const& jobs);

/// What the jobs send over the network, all levels added up: each pair of hosts once, in their order, with its bytes,
/// or flows where none have bytes. Not what stays within a compute node. @throws InputError where any are drawn
std::vector<evaluation::HostFlow> flows_between_hosts(PreparedJobs const& jobs);

}  // namespace tailback::api
