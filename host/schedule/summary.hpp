// What the schedule of one seed came to, in a few numbers.
#pragma once

#include "host/schedule/simulate.hpp"

namespace tailback::schedule {

/// What a schedule came to, for one seed.
struct ScheduleSummary {
    std::uint64_t seed = 0, jobs = 0;                     ///< that ended
    double makespan = 0;                                  ///< seconds from the first submission to the last end
    double utilisation = 0;                               ///< busy node-seconds over nodes x makespan
    double wait = 0, response = 0, bounded_slowdown = 0;  ///< means over jobs; see docs/schedule.md
    double longest_wait = 0;
    double slowdown = 1, worst_slowdown = 1;   ///< by congestion, over jobs that send something: mean, largest
    double largest_load = 0;                   ///< of any link at any time, x cost
    double load_mean = 0, load_deviation = 0;  ///< of the largest load, over time
    std::uint64_t most_waiting = 0, most_running = 0;
    std::uint64_t undelivered = 0;
};
ScheduleSummary summarise(Workload const& workload, ScheduleRun const& run, std::uint64_t seed, std::size_t nodes);

}  // namespace tailback::schedule
