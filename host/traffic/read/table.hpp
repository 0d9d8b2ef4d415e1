// What edge lists and dense matrices have in common: comments, the number of ranks, a line of names.
#pragma once

#include <cstdint>
#include <string_view>

namespace tailback::traffic {

/// A blank line, or one that begins with `#`, `%` or `//`.
bool is_comment(std::string_view line);
/// `# matrix`: the lines behind it are rows of a dense matrix, also where they could be edges.
bool is_matrix_mark(std::string_view line);
/// `ranks N`, also behind a `#`.
bool is_rank_count(std::string_view line, std::uint64_t& count);
/// A line whose first field is a name, or empty: no number.
bool is_header(std::string_view line);

enum class TableKind : std::uint8_t { edge_list, dense, neither, ambiguous };

/// Edge list or dense matrix? @param head the first bytes of the file. @param whole they are all of it.
TableKind recognise_table(std::string_view head, bool whole);

}  // namespace tailback::traffic
