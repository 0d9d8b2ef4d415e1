// What to do about jobs that disturb each other.
#include "host/base/numbers.hpp"
#include "host/report/jobs/jobs_report.hpp"

#include <fmt/format.h>

namespace tailback::report {

std::vector<result::NextStep> JobsReport::next_steps() const {
    if (evaluation::unlike_jobs(result)) return {};  // whose slowdown is the worst means nothing then
    constexpr double noticed = 1.05;                 // times as slow
    std::size_t most = jobs.size();
    double slowest = noticed;
    for (std::size_t j = 0; j < jobs.size() && j < elsewhere.size(); ++j) {
        evaluation::Distribution const& slowdown = result.jobs[j].slowdown;
        if (slowdown.count() == 0 || slowdown.mean() <= slowest) continue;
        most = j;
        slowest = slowdown.mean();
    }
    if (most == jobs.size() || elsewhere[most].empty()) return {};
    std::vector<std::string> command = elsewhere[most];
    command.insert(command.end(), {"--ranks", std::to_string(jobs[most].flows.ranks)});
    return {{fmt::format("find nodes beside the others for {}, which takes {} times as long with them",
                         base::printable(jobs[most].name), base::three_digits(slowest)),
             std::move(command)}};
}

}  // namespace tailback::report
