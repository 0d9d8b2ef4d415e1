// The threads of a command: as many as were asked for, or as the system grants.
#pragma once

#include "kernels/cpu/machine/threads.hpp"

namespace tailback::commands {

/// While it lives, the command works with so many threads in everything it does. Warns once where the system grants
/// fewer.
class Threads {
public:
    /// @param wanted 0 = one for every core.
    explicit Threads(unsigned wanted);

private:
    kernels::ThreadLimit limit_;
};

/// Stacks that are too small end the program without a word: to be called before anything else.
/// @throws InputError where the limit of the system (ulimit -s), which threads take over, or that of OpenMP's threads
/// (OMP_STACKSIZE) is below what commands need.
void require_stacks();

}  // namespace tailback::commands
