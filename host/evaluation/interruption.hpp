// Signals as a wish: the first one asks to stop, another Ctrl-C or SIGTERM ends the program at once.
#pragma once

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace tailback::evaluation {

/// While this lives, the first of these signals is remembered and nothing more; a SIGINT or SIGTERM after it does what
/// it did before. Others may come any number of times, also afterwards: SIGXCPU does every second, SIGHUP by the shell
/// and by the terminal, and none of them asks for less than the first did. Signals that were ignored (nohup) stay so.
/// One at a time.
class Interruption {
public:
    explicit Interruption(std::initializer_list<int> signals);
    ~Interruption();
    Interruption(Interruption const&) = delete;
    Interruption& operator=(Interruption const&) = delete;

    /// The number of the signal that came; 0 = none.
    int signal() const;
    /// True from the first signal on.
    std::atomic<bool> const& wish() const;
};

}  // namespace tailback::evaluation
