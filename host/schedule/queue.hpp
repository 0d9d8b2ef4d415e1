// Which waiting jobs begin now.
#pragma once

#include <cstdint>
#include <vector>

namespace tailback::schedule {

enum class QueuePolicy : std::uint8_t {
    fcfs,  ///< in the order of submission; who does not fit makes all behind wait
    easy   ///< a job behind may begin if that does not delay the first that waits, by the times that jobs asked for
           ///< (EASY backfilling: Lifka, "The ANL/IBM SP Scheduling System", JSSPP 1995)
};

/// As `--queue` and reports call it.
inline char const* name_of(QueuePolicy policy) { return policy == QueuePolicy::fcfs ? "fcfs" : "easy"; }

struct WaitingJob {
    std::uint32_t nodes;
    double requested;  ///< seconds
};

struct JobAtWork {
    std::uint32_t nodes;
    double ends;  ///< when the time that it asked for is over
};

/// @param waiting in the order of submission. @param running in any order. @return the places in `waiting` of those
/// that begin at `now`, ascending. Jobs that run longer than they asked for count as if they ended now.
std::vector<std::size_t> jobs_to_start(QueuePolicy policy, std::vector<WaitingJob> const& waiting,
                                       std::vector<JobAtWork> running, std::uint32_t free_nodes, double now);

}  // namespace tailback::schedule
