// A workload on a fabric over time: who runs where and when, and how congestion lengthens it.
//
// A job's load on a link is what all levels of its traffic put on it, as if it were sent once (PFSim's view: the
// traffic of a running job lies on the links of its routes from its start to its end). Its slowdown is the largest load
// of all running jobs together on a link that it uses, over the largest load of its own: as `tailback jobs`
// has it for jobs of one level. A job that stretches works at 1 / (1 - c + c x slowdown) of the speed it has alone, c
// being its share of communication; others run for the time they are said to.
//
// At one time jobs end first, then jobs come, then waiting ones begin. Everything is a function of the seed.
#pragma once

#include "host/schedule/node_choice.hpp"
#include "host/schedule/queue.hpp"
#include "host/schedule/workload.hpp"
#include "host/search/places/place_problem.hpp"
#include "host/study/placement/placer.hpp"
#include "host/study/plan/study_plan.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tailback::schedule {

/// The ways between all adapters, node by node, for NodePolicy::search.
struct MachineWays {
    search::Ways ways;
    std::uint32_t adapters = 1;               ///< of every node
    std::vector<std::uint32_t> cost, number;  ///< by link of the ways: its cost; its number in the plan's problem
};
/// @throws InputError where nodes have different numbers of adapters, and where a pair has no route
std::shared_ptr<MachineWays const> ways_between_adapters(study::StudyPlan const& plan,
                                                         study::ComputeNodes const& nodes);

/// What jobs run on. All refer to what must outlive it.
struct Machine {
    study::StudyPlan const& plan;  ///< its routes and hosts, all of them; no flows
    study::ComputeNodes const& nodes;
    std::uint32_t ranks_per_node = 1;
    study::RailRule rail;
    std::vector<std::uint32_t> dims;               ///< of a grid, for orders of ranks that go by it; else empty
    std::shared_ptr<MachineWays const> ways = {};  ///< for NodePolicy::search, which must have them
};

struct SchedulePolicy {
    QueuePolicy queue = QueuePolicy::fcfs;
    NodePolicy nodes = NodePolicy::first;
};

/// What became of a job.
struct JobRecord {
    double start = 0, end = -1;  ///< seconds; before its start: it has not ended
    double slowdown = 1;         ///< mean over its time; 1 for jobs that send nothing
    double worst_slowdown = 1;
    std::uint64_t load = 0;            ///< its own largest load x cost on a link
    std::vector<std::uint32_t> nodes;  ///< in the order of its ranks
};

/// From an event to the next.
struct Moment {
    double time = 0;
    std::uint32_t running = 0, waiting = 0, busy_nodes = 0;
    std::uint64_t largest_load = 0;  ///< load x cost of the most loaded link
    double slowdown = 1;             ///< mean over the running jobs that send something; 1 where none does
};

struct ScheduleRun {
    std::vector<JobRecord> jobs;    ///< by place in the workload
    std::vector<Moment> moments;    ///< at every time at which something happened
    std::uint64_t undelivered = 0;  ///< flows of started jobs without a route
    bool interrupted = false;
};

/// @param stop asked at every event; true ends it there.
/// @param progress called with the number of jobs that have ended, at every event.
/// @throws InputError for a job of more nodes than the machine has, traffic that its ranks cannot have, and bytes whose
/// sums could pass 2^63.
ScheduleRun simulate(Machine const& machine, Workload const& workload, SchedulePolicy const& policy, std::uint64_t seed,
                     std::function<bool()> const& stop = {}, std::function<void(std::uint64_t)> const& progress = {});

}  // namespace tailback::schedule
