// Several processes of one study (mpirun): they begin together or not at all.
#pragma once

#include "host/evaluation/processes/processes.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace tailback::commands {

/// For what several processes do not share: each would do, and write, the same. @param what it is (`tailback audit`)
/// @throws InputError where a launcher started several
void require_one_process(std::string const& what);

/// Runs `prepare` in every process; it returns what identifies the study. 0 when all of them are well and have the same
/// study before them; otherwise one of them has told why, and this is the exit code. A process alone lets exceptions
/// pass.
int prepare_together(evaluation::Processes const& processes, std::function<std::uint64_t()> const& prepare);

}  // namespace tailback::commands
