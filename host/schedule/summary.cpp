#include "host/schedule/summary.hpp"

#include <algorithm>
#include <cmath>

namespace tailback::schedule {
namespace {

/// Jobs shorter than this count as so long in bounded slowdowns (Feitelson et al., JSSPP 1997).
constexpr double shortest_s = 10;

}  // namespace

ScheduleSummary summarise(Workload const& workload, ScheduleRun const& run, std::uint64_t seed, std::size_t nodes) {
    ScheduleSummary sum;
    sum.seed = seed;
    sum.undelivered = run.undelivered;
    double busy = 0;
    std::uint64_t sending = 0;
    sum.slowdown = 0;
    for (std::size_t j = 0; j < workload.size(); ++j) {
        JobRecord const& record = run.jobs[j];
        if (record.nodes.empty() || record.end < record.start) continue;
        double const wait = record.start - workload[j].submit, time = record.end - record.start;
        ++sum.jobs;
        sum.makespan = std::max(sum.makespan, record.end - workload.front().submit);
        sum.wait += wait;
        sum.longest_wait = std::max(sum.longest_wait, wait);
        sum.response += wait + time;
        sum.bounded_slowdown += std::max(1.0, (wait + time) / std::max(time, shortest_s));
        busy += time * double(record.nodes.size());
        if (record.load == 0) continue;
        ++sending;
        sum.slowdown += record.slowdown;
        sum.worst_slowdown = std::max(sum.worst_slowdown, record.worst_slowdown);
    }
    for (double* const mean : {&sum.wait, &sum.response, &sum.bounded_slowdown})
        *mean /= double(std::max<std::uint64_t>(sum.jobs, 1));
    sum.slowdown = sending > 0 ? sum.slowdown / double(sending) : 1;
    if (sum.makespan > 0) sum.utilisation = busy / (sum.makespan * double(nodes));
    double time = 0, square = 0;
    for (std::size_t i = 0; i < run.moments.size(); ++i) {
        Moment const& moment = run.moments[i];
        double const load = double(moment.largest_load);
        sum.largest_load = std::max(sum.largest_load, load);
        sum.most_waiting = std::max<std::uint64_t>(sum.most_waiting, moment.waiting);
        sum.most_running = std::max<std::uint64_t>(sum.most_running, moment.running);
        if (i + 1 == run.moments.size()) break;
        double const span = run.moments[i + 1].time - moment.time;
        time += span;
        sum.load_mean += load * span;
        square += load * load * span;
    }
    if (time > 0) {
        sum.load_mean /= time;
        sum.load_deviation = std::sqrt(std::max(0.0, square / time - sum.load_mean * sum.load_mean));
    }
    return sum;
}

}  // namespace tailback::schedule
