#include "host/commands/visible_run.hpp"

#include "host/base/numbers.hpp"
#include "host/commands/messages.hpp"

#include <fmt/format.h>

#include <csignal>

namespace tailback::commands {

VisibleRun::VisibleRun(std::uint64_t mappings) : mappings_(mappings) {
    progress_.emplace("evaluating", mappings, "mappings");
    interruption_.emplace({SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU});
}

void VisibleRun::end(bool interrupted, std::uint64_t done) {
    interruption_.reset();
    progress_.reset();
    if (interrupted && done == 0)
        tell("note", "interrupted before the first mappings were evaluated: there is nothing to report");
    else if (interrupted)
        tell("note", fmt::format("interrupted after {} of {} mappings: reporting on those", base::grouped(done),
                                 base::grouped(mappings_)));
}

void VisibleRun::tell_done(std::uint64_t mappings, std::string const& of, double seconds, unsigned threads) {
    tell("done", fmt::format("{}{} in {} s on {}", base::counted(mappings, "mapping", "mappings"), of,
                             base::three_digits(seconds), base::counted(threads, "thread", "threads")));
}

}  // namespace tailback::commands
