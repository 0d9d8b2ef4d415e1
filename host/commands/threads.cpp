#include "host/commands/threads.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

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

constexpr std::uint64_t kib = 1024;
/// Small studies run with 48 KiB.
constexpr std::uint64_t least_stack = 256 * kib;

/// As OpenMP reads it: a number with B, K, M or G behind it, K without one, blanks between and around; none for
/// anything else, which OpenMP ignores.
std::optional<std::uint64_t> size_in(std::string_view text) {
    auto const skip_blanks = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size())); };
    skip_blanks();
    std::uint64_t number = 0, unit = kib;
    auto const [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (wrong != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    skip_blanks();
    if (!text.empty()) {
        switch (text.front() | 0x20) {
            case 'b': unit = 1; break;
            case 'k': unit = kib; break;
            case 'm': unit = kib * kib; break;
            case 'g': unit = kib * kib * kib; break;
            default: return std::nullopt;
        }
        text.remove_prefix(1);
        skip_blanks();
    }
    if (!text.empty()) return std::nullopt;
    return number > UINT64_MAX / unit ? UINT64_MAX : number * unit;
}

[[noreturn]] void refuse(std::string const& problem, std::string const& remedy) {
    throw base::InputError({}, problem, fmt::format("at least {} KiB are needed", least_stack / kib), remedy);
}

}  // namespace

Threads::Threads(unsigned wanted) : limit_(grant(wanted)) {}

void require_stacks() {
    struct rlimit limit {};
    if (::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < least_stack)
        refuse(fmt::format("the stack is limited to {} KiB", limit.rlim_cur / kib), "raise the limit: ulimit -s 1024");
    for (char const* const name : {"OMP_STACKSIZE", "GOMP_STACKSIZE"}) {
        char const* const value = std::getenv(name);
        if (value == nullptr) continue;
        if (std::optional<std::uint64_t> const size = size_in(value); size && *size < least_stack)
            refuse(fmt::format("{} gives threads a stack of {} KiB", name, *size / kib), "unset it, or set it to 1M");
    }
}

}  // namespace tailback::commands
