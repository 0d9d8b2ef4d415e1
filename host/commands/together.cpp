#include "host/commands/together.hpp"

#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"

#include "host/base/error.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <span>

namespace tailback::commands {

void require_one_process(std::string const& what) {
    evaluation::Launch const launch = evaluation::launched_together();
    if (launch.count <= 1) return;
    throw base::InputError({}, what + " runs in one process",
                           fmt::format("{} were started together, as {} says", launch.count, launch.variable),
                           fmt::format("start it without mpirun or srun; where each process is to do work of its own, "
                                       "unset {} in front of it",
                                       launch.variable));
}

int prepare_together(evaluation::Processes const& processes, std::function<std::uint64_t()> const& prepare) {
    if (!processes.shared()) return prepare(), success;
    std::uint64_t identity = 0;
    std::exception_ptr failure;
    try {
        identity = prepare();
    } catch (...) {
        failure = std::current_exception();
    }
    std::uint64_t const place = processes.count() - processes.rank();
    std::uint64_t const first_failed = processes.largest(failure ? place : 0);
    int code = success;
    if (first_failed == place) {
        code = tell_failure(failure);
        if (!processes.leads())
            std::fprintf(stderr, "tailback: note: process %u of %u says so (counted from 0)\n", processes.rank(),
                         processes.count());
    }
    if (first_failed != 0) return static_cast<int>(processes.largest(static_cast<std::uint64_t>(code)));
    auto const all = processes.gather(std::span(&identity, 1));
    for (std::size_t r = 1; r < all.size() && code == success; ++r)
        if (all[r][0] != all[0][0]) {
            std::fprintf(stderr,
                         "tailback: process %zu has another network or study than process 0; give all of them the same "
                         "files, options and program\n",
                         r);
            code = bad_input;
        }
    return static_cast<int>(processes.largest(static_cast<std::uint64_t>(code)));
}

}  // namespace tailback::commands
