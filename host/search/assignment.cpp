#include "host/search/assignment.hpp"

#include <algorithm>
#include <limits>

namespace tailback::search {

double largest_assignment(std::span<double const> weight, std::size_t n, std::vector<std::uint32_t>& chosen) {
    // Least cost of -weight, row after row by the shortest augmenting path; potentials keep reduced costs >= 0.
    constexpr double infinite = std::numeric_limits<double>::infinity();
    std::vector<double> row(n + 1), column(n + 1), least(n + 1);
    std::vector<std::size_t> row_of(n + 1), before(n + 1);  // from 1; 0 = none
    std::vector<std::uint8_t> done(n + 1);
    for (std::size_t i = 1; i <= n; ++i) {
        row_of[0] = i;
        std::size_t at = 0;
        std::fill(least.begin(), least.end(), infinite);
        std::fill(done.begin(), done.end(), 0);
        do {
            done[at] = 1;
            std::size_t const r = row_of[at];
            std::size_t next = 0;
            double step = infinite;
            for (std::size_t j = 1; j <= n; ++j) {
                if (done[j]) continue;
                double const reduced = -weight[(r - 1) * n + j - 1] - row[r] - column[j];
                if (reduced < least[j]) least[j] = reduced, before[j] = at;
                if (least[j] < step) step = least[j], next = j;
            }
            for (std::size_t j = 0; j <= n; ++j) {
                if (done[j]) row[row_of[j]] += step, column[j] -= step;
                else least[j] -= step;
            }
            at = next;
        } while (row_of[at] != 0);
        for (; at != 0; at = before[at]) row_of[at] = row_of[before[at]];
    }
    chosen.assign(n, 0);
    double sum = 0;
    for (std::size_t j = 1; j <= n; ++j) {
        chosen[row_of[j] - 1] = static_cast<std::uint32_t>(j - 1);
        sum += weight[(row_of[j] - 1) * n + j - 1];
    }
    return sum;
}

}  // namespace tailback::search
