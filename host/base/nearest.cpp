// Edit distance (Levenshtein, two neighbours exchanged count once) between what was typed and what there is, in either
// case; and words that mean the same elsewhere.
#include "host/base/nearest.hpp"

#include <algorithm>
#include <utility>

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

struct Synonym {
    char const *elsewhere, *here;
};
constexpr Synonym synonyms[] = {{"gpu", "cuda"}};

}  // namespace

std::string lower_case(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

std::string nearest_name(std::string const& typed, std::vector<std::string> const& names) {
    auto const distance = [&, lower = lower_case(typed)](std::string const& name) {
        return std::pair(edit_distance(lower, lower_case(name)), edit_distance(typed, name));
    };
    return *std::min_element(names.begin(), names.end(),
                             [&](std::string const& a, std::string const& b) { return distance(a) < distance(b); });
}

std::string meant_name(std::string const& typed, std::vector<std::string> const& names) {
    if (names.empty()) return "";
    std::string const lower = lower_case(typed);
    for (Synonym const& synonym : synonyms)
        if (lower == synonym.elsewhere && std::find(names.begin(), names.end(), synonym.here) != names.end())
            return synonym.here;
    std::string const nearest = nearest_name(typed, names);
    std::size_t const distance = edit_distance(lower, lower_case(nearest));
    return 3 * distance <= std::max<std::size_t>(nearest.size(), 3) ? nearest : "";
}

std::string nearest_hint(std::string const& typed, std::vector<std::string> const& names) {
    std::size_t const comma = typed.find(',');
    if (comma != typed.npos && std::find(names.begin(), names.end(), typed.substr(0, comma)) != names.end())
        return "\"" + typed.substr(comma + 1) + "\" stands behind \"" + typed.substr(0, comma) +
               "\": options of it begin with a colon, as NAME:option=value";
    std::string const meant = meant_name(typed, names);
    return meant.empty() ? "" : "the nearest is \"" + meant + "\"";
}

}  // namespace tailback::base
