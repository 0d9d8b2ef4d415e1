// Rows of words for a terminal.
#pragma once

#include "host/base/numbers.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace tailback::report {

using TextTable = std::vector<std::vector<std::string>>;

/// Columns as wide as they need, the first to the left, the others to the right; two blanks before each.
inline void write_table(std::ostream& out, TextTable const& table) {
    std::vector<std::size_t> widths;
    for (auto const& row : table)
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (c == widths.size()) widths.push_back(0);
            widths[c] = std::max(widths[c], base::columns(row[c]));
        }
    for (auto const& row : table) {
        std::string line = "  " + base::padded(row.front(), widths.front());
        for (std::size_t c = 1; c < row.size(); ++c) line += "  " + base::right_aligned(row[c], widths[c]);
        fmt::print(out, "{}\n", line);
    }
}

}  // namespace tailback::report
