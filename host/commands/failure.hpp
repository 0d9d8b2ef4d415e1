// What a thrown exception comes to: a message and an exit code.
#pragma once

#include <exception>

namespace tailback::commands {

/// Tells people on stderr what went wrong, if anything did; returns the ExitCode.
int tell_failure(std::exception_ptr const& failure);

}  // namespace tailback::commands
