#include "host/commands/threads.hpp"

#include "host/base/numbers.hpp"
#include "host/commands/messages.hpp"

#include <fmt/format.h>

namespace tailback::commands {
namespace {

unsigned grant(unsigned wanted) {
    unsigned const asked = kernels::threads_to_use(wanted), granted = kernels::granted_threads(asked);
    if (granted < asked)
        tell("warning", fmt::format("the system grants {} of {} (limits of processes or of memory: ulimit -u, "
                                    "ulimit -v); working with {}",
                                    granted, base::counted(asked, "thread", "threads"), granted));
    return granted;
}

}  // namespace

Threads::Threads(unsigned wanted) : limit_(grant(wanted)) {}

}  // namespace tailback::commands
