// What makes a study this one and no other: checkpoints and processes that share a study compare it.
#pragma once

#include "host/evaluation/column.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tailback::evaluation {

/// Names and values, one line each: two studies with the same give the same numbers for the same mapping. How many
/// mappings there are, and how they are run, is not in it.
std::vector<std::pair<std::string, std::string>> identity_of(std::span<Column const> columns);

}  // namespace tailback::evaluation
