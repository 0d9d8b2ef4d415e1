#include "host/io/exit_guard.hpp"

#include "host/io/temporary_files.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <unistd.h>

namespace tailback::io {
namespace {

std::atomic<bool> guarded{false};
std::atomic<int> code_to_end_with{0};

void end_as_agreed() {
    if (!guarded) return;
    constexpr char text[] =
        "tailback: a library has ended the program (the reason is above; without threads or memory to be had it does "
        "so); give it more, or fewer threads\n";
    (void)!::write(STDERR_FILENO, text, std::strlen(text));
    remove_temporary_files();
    ::_exit(code_to_end_with);
}

}  // namespace

ExitGuard::ExitGuard(int code) {
    static std::once_flag once;
    std::call_once(once, [] { std::atexit(end_as_agreed); });
    code_to_end_with = code;
    guarded = true;
}

ExitGuard::~ExitGuard() { guarded = false; }

}  // namespace tailback::io
