// ORCS's annotated dot from a text in memory; formats.hpp has the function that reads it from a file.
#pragma once

#include "host/disagreements.hpp"
#include "host/tables.hpp"

#include <string>

namespace tailback {

/// As read_orcs_dot. `file` is what messages call the text.
Fabric parse_orcs_dot(std::string const& text, std::string const& file, Disagreements& disagreements);

/// How an edge comment names several hosts: by any of these between them.
inline constexpr char const* orcs_comment_separators = ", \t\n";

}  // namespace tailback
