// Ctrl-C as a wish: the first one asks to stop, the second ends the program at once.
#pragma once

#include <csignal>
#include <initializer_list>

namespace tailback {

/// While this lives, the first of these signals is remembered and nothing more; the next one does what it did before.
/// Signals that were ignored (nohup) stay so. One at a time.
class Interruption {
public:
    explicit Interruption(std::initializer_list<int> signals);
    ~Interruption();
    Interruption(Interruption const&) = delete;
    Interruption& operator=(Interruption const&) = delete;

    /// The number of the signal that came; 0 = none.
    int signal() const;
};

}  // namespace tailback
