// Jobs over time, from a workload's file to what became of them, for any number of seeds.
#pragma once

#include "host/api/obtain.hpp"
#include "host/api/placement.hpp"
#include "host/schedule/drawn_value.hpp"
#include "host/schedule/simulate.hpp"
#include "host/schedule/summary.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback::api {

/// Jobs as a file has them: each given, or `count` of them drawn.
struct WorkloadEntry {
    std::string name;
    std::uint32_t count = 1;
    schedule::DrawnValue submit, nodes, seconds;
    std::optional<schedule::DrawnValue> requested, communication;
    bool repeats = false;    ///< `submit` is the time since the job of the entry before, or since 0
    bool stretches = false;  ///< congestion lengthens it
    std::vector<std::shared_ptr<schedule::JobTraffic const>> traffic;  ///< of several one is drawn; none: sends nothing
    study::RankOrder order;
    std::size_t line = 0;
};

struct WorkloadFile {
    std::vector<WorkloadEntry> entries;
    std::vector<std::string> files;  ///< that it names
    std::vector<std::string> notes;
    bool is_log = false;  ///< what another machine ran, in the Standard Workload Format
    bool draws() const;
    std::uint64_t jobs() const;  ///< of every seed
    bool has_bytes() const;      ///< some traffic has sizes: loads are in bytes, else in flows
};

/// Reads YAML with `jobs:`, a list of maps, or a file in the Standard Workload Format, as its content says.
/// @param ranks_per_node processors of a node, for the Standard Workload Format
/// @param pattern what jobs of that format send; empty: nothing
/// @throws InputError with file:line
WorkloadFile read_workload(std::string const& path, std::uint32_t ranks_per_node, std::string const& pattern);

/// The jobs of one seed, by submission. @throws InputError for more than 2^24 jobs
schedule::Workload draw_workload(WorkloadFile const& file, std::uint64_t seed);

struct ScheduleRequest {
    NetworkChoice network;
    std::string workload, pattern;
    schedule::SchedulePolicy policy;
    PlacementRequest placement;  ///< adapters, rail, ranks_per_node
    std::uint64_t seed = 1, seeds = 1;
    model::CapacityKind capacities = model::CapacityKind::from_rates;
    bool compares = false;  ///< where nodes are searched: the same with the other policies, too
};

/// The fabric of a schedule.
FabricRequest fabric_request(ScheduleRequest const& request);

/// A fabric with its nodes, and a workload for it.
class PreparedSchedule {
public:
    /// @throws InputError for anything wrong with the request or its files.
    explicit PreparedSchedule(ScheduleRequest request, Listener const& listener = {});
    /// @param fabric that of the request's network, where it is at hand
    PreparedSchedule(ScheduleRequest request, std::shared_ptr<model::Fabric const> fabric, Listener const& listener);
    std::shared_ptr<model::Fabric const> const& fabric() const { return fabric_; }
    ScheduleRequest const& request() const { return request_; }
    WorkloadFile const& workload() const { return workload_; }
    study::StudyPlan const& plan() const { return *plan_; }
    study::ComputeNodes const& nodes() const { return *plan_->study.placement.nodes->nodes; }
    schedule::Machine machine() const;

private:
    void leave_out_wide(Listener const& listener);

    ScheduleRequest request_;
    WorkloadFile workload_;
    std::shared_ptr<model::Fabric const> fabric_;
    std::shared_ptr<study::StudyPlan const> plan_;
    study::RailRule rail_;
    std::shared_ptr<schedule::MachineWays const> ways_;  ///< null: no policy searches
};

struct ScheduleResult {
    std::vector<schedule::ScheduleSummary> seeds;  ///< in order; fewer where it was interrupted
    /// [policy][seed]: where they were asked for, those of the policies before NodePolicy::search.
    std::vector<std::vector<schedule::ScheduleSummary>> others;
    schedule::Workload first_workload;  ///< of the first seed, and what became of it
    schedule::ScheduleRun first;
    bool interrupted = false;
    unsigned threads = 0;
    double seconds = 0;
};

/// @param threads 0 = all cores. @param stop, progress: see JobsOptions; of jobs that have ended, of all seeds
/// together.
ScheduleResult run_schedule(PreparedSchedule const& prepared, unsigned threads, std::function<bool()> const& stop,
                            std::function<void(std::uint64_t)> const& progress);

}  // namespace tailback::api
