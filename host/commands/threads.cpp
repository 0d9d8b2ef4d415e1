#include "host/commands/threads.hpp"

#include "host/base/numbers.hpp"
#include "host/commands/messages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <sys/resource.h>

namespace tailback::commands {
namespace {

/// Of a limited address space threads leave half to the work.
bool memory_is_limited() {
    struct rlimit limit {};
    return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

unsigned grant(unsigned wanted) {
    unsigned const asked = kernels::threads_to_use(wanted);
    unsigned granted = kernels::granted_threads(asked);
    if (granted < asked && memory_is_limited()) granted = std::max(1u, granted / 2);
    if (granted < asked)
        tell("warning", fmt::format("the system has room for {} of {} (limits of processes or of memory: ulimit -u, "
                                    "ulimit -v); working with {}",
                                    granted, base::counted(asked, "thread", "threads"), granted));
    return granted;
}

}  // namespace

Threads::Threads(unsigned wanted) : limit_(grant(wanted)) {}

}  // namespace tailback::commands
