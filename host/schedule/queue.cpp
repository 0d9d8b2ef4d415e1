#include "host/schedule/queue.hpp"

#include <algorithm>

namespace tailback::schedule {
namespace {

/// What the first job that does not fit is promised.
struct Reservation {
    double begins;
    std::uint32_t spare;  ///< nodes that it leaves free then
};

Reservation reserve(std::uint32_t nodes, std::vector<JobAtWork>& running, std::uint32_t free, double now) {
    for (JobAtWork& job : running) job.ends = std::max(job.ends, now);
    std::sort(running.begin(), running.end(), [](JobAtWork const& a, JobAtWork const& b) { return a.ends < b.ends; });
    for (std::size_t i = 0; i < running.size(); ++i) {
        free += running[i].nodes;
        if (free < nodes) continue;
        // Others that end at the same time leave more.
        for (std::size_t k = i + 1; k < running.size() && running[k].ends == running[i].ends; ++k)
            free += running[k].nodes;
        return {running[i].ends, free - nodes};
    }
    return {now, 0};  // it never fits; the workload is checked for that
}

}  // namespace

std::vector<std::size_t> jobs_to_start(QueuePolicy policy, std::vector<WaitingJob> const& waiting,
                                       std::vector<JobAtWork> running, std::uint32_t free_nodes, double now) {
    std::vector<std::size_t> starting;
    std::size_t at = 0;
    auto const start = [&](std::size_t place) {
        starting.push_back(place);
        free_nodes -= waiting[place].nodes;
        running.push_back({waiting[place].nodes, now + waiting[place].requested});
    };
    for (; at < waiting.size() && waiting[at].nodes <= free_nodes; ++at) start(at);
    if (policy == QueuePolicy::fcfs || at == waiting.size() || free_nodes == 0) return starting;
    Reservation first = reserve(waiting[at].nodes, running, free_nodes, now);
    for (std::size_t place = at + 1; place < waiting.size() && free_nodes > 0; ++place) {
        WaitingJob const& job = waiting[place];
        if (job.nodes > free_nodes) continue;
        bool const over_in_time = now + job.requested <= first.begins;
        if (!over_in_time && job.nodes > first.spare) continue;
        if (!over_in_time) first.spare -= job.nodes;
        start(place);
    }
    return starting;
}

}  // namespace tailback::schedule
