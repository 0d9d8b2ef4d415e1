#include "host/commands/visible_run.hpp"

#include "host/base/numbers.hpp"
#include "host/commands/messages.hpp"

#include <fmt/format.h>

#include <csignal>

namespace tailback::commands {

VisibleRun::VisibleRun(Work work, Stops stops) : total_(work.total) {
    if (work.is_shown) progress_.emplace(std::move(work.what), work.total, work.unit, work.before);
    if (stops == Stops::by_signals) interruption_.emplace({SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU});
    if (stops == Stops::by_signals_but_term) interruption_.emplace({SIGINT, SIGHUP, SIGUSR1, SIGXCPU});
}

void VisibleRun::end() {
    interruption_.reset();
    progress_.reset();
}

void VisibleRun::end(bool interrupted, std::uint64_t done) {
    end();
    if (interrupted && done == 0)
        tell("note", "interrupted before the first mappings were evaluated: there is nothing to report");
    else if (interrupted)
        tell("note", fmt::format("interrupted after {} of {} mappings: reporting on those", base::grouped(done),
                                 base::grouped(total_)));
}

std::string VisibleRun::counted_mappings(std::uint64_t mappings) {
    return base::counted(mappings, "mapping", "mappings");
}

void VisibleRun::tell_done(std::string const& what, double seconds, unsigned threads) {
    tell("done",
         fmt::format("{} in {} on {}", what, io::duration_text(seconds), base::counted(threads, "thread", "threads")));
}

}  // namespace tailback::commands
