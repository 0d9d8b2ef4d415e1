// What studies in columns side by side have in common.
#pragma once

#include "host/evaluation/adaptive/bracket.hpp"

#include <span>

namespace tailback::commands {

/// Of columns that were evaluated; warns where none delivers a flow.
int exit_code_of(std::span<evaluation::BracketColumn const> columns, bool was_interrupted);

}  // namespace tailback::commands
