// The handler touches nothing but lock-free atomics and the signals' own settings.
#include "host/evaluation/interruption.hpp"

#include "host/io/temporary_files.hpp"

#include <atomic>

namespace tailback::evaluation {
namespace {

constexpr int most_signals = 65;
std::atomic<int> caught{0};
std::atomic<bool> wished{false};
static_assert(std::atomic<bool>::is_always_lock_free);
static_assert(std::atomic<int>::is_always_lock_free);
struct sigaction before[most_signals];
bool ours[most_signals];

bool insists(int number) { return number == SIGINT || number == SIGTERM; }

extern "C" void remember(int number) {
    wished = true;
    int none = 0;
    if (caught.compare_exchange_strong(none, number) || !insists(number)) return;
    ::sigaction(number, &before[number], nullptr);
    ::raise(number);
}

}  // namespace

Interruption::Interruption(std::initializer_list<int> signals) {
    sigset_t waiting, as_before;  // one that comes to this thread meanwhile is heard as a wish
    sigemptyset(&waiting);
    for (int const number : signals) sigaddset(&waiting, number);
    ::pthread_sigmask(SIG_BLOCK, &waiting, &as_before);
    io::remove_on_signals();  // what the second signal does
    caught = 0, wished = false;
    for (int const number : signals) {
        if (number <= 0 || number >= most_signals || ::sigaction(number, nullptr, &before[number]) != 0) continue;
        if (before[number].sa_handler == SIG_IGN) continue;
        struct sigaction now {};
        now.sa_handler = remember;
        now.sa_flags = SA_RESTART;
        ours[number] = ::sigaction(number, &now, nullptr) == 0;
    }
    ::pthread_sigmask(SIG_SETMASK, &as_before, nullptr);
}

Interruption::~Interruption() {
    for (int number = 0; number < most_signals; ++number)
        if (ours[number] && insists(number)) {
            ::sigaction(number, &before[number], nullptr);
            ours[number] = false;
        }
}

int Interruption::signal() const { return caught; }

std::atomic<bool> const& Interruption::wish() const { return wished; }

}  // namespace tailback::evaluation
