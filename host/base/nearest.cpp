// Edit distance (Levenshtein, two neighbours exchanged count once) between what was typed and what there is.
#include "host/base/nearest.hpp"

#include <algorithm>

namespace tailback::base {
namespace {

std::size_t edit_distance(std::string const& a, std::string const& b) {
    std::vector<std::size_t> row(b.size() + 1), above(row), before(row);  // of i, i - 1, i - 2
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before.swap(above);
        above.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row.back();
}

}  // namespace

std::string nearest_name(std::string const& typed, std::vector<std::string> const& names) {
    return *std::min_element(names.begin(), names.end(), [&](std::string const& a, std::string const& b) {
        return edit_distance(typed, a) < edit_distance(typed, b);
    });
}

std::string meant_name(std::string const& typed, std::vector<std::string> const& names) {
    if (names.empty()) return "";
    std::string const nearest = nearest_name(typed, names);
    return 3 * edit_distance(typed, nearest) <= std::max<std::size_t>(nearest.size(), 3) ? nearest : "";
}

std::string nearest_hint(std::string const& typed, std::vector<std::string> const& names) {
    std::string const meant = meant_name(typed, names);
    return meant.empty() ? "" : "the nearest is \"" + meant + "\"";
}

}  // namespace tailback::base
