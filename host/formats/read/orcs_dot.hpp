// ORCS's annotated dot from a text in memory; formats.hpp has the function that reads it from a file.
#pragma once

#include "host/model/disagreements.hpp"
#include "host/model/tables.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::formats {

/// As read_orcs_dot. `file` is what messages call the text.
model::Fabric parse_orcs_dot(std::string const& text, std::string const& file, model::Disagreements& disagreements);

/// The graph of `text` as Graphviz writes it, with `edge_id`, `congestion` (0..1: `sums` by edge id, scaled by the
/// largest) and a `color` from green to red on every edge. Edge ids are the link indices of parse_orcs_dot.
std::string dot_with_congestion(std::string const& text, std::string const& file,
                                std::vector<std::uint64_t> const& sums);

/// The longest text that is read: cgraph counts edges in 28 bits, and an edge takes 5 bytes at least.
inline constexpr std::size_t most_orcs_dot_bytes = std::size_t{1} << 30;

/// How an edge comment names several hosts: by any of these between them.
inline constexpr char const* orcs_comment_separators = ", \t\n";

}  // namespace tailback::formats
