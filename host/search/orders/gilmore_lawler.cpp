#include "host/search/assignment.hpp"
#include "host/search/orders/distance_search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace tailback::search {
namespace {

constexpr std::uint32_t most_places_of_bound = 400;

/// [row]: what is in it but at the row's own place, sorted.
template <class At, class Compare>
std::vector<double> sorted_rows(std::size_t n, At const& at, Compare const& compare) {
    std::vector<double> rows(n * (n - 1));
    for (std::size_t i = 0; i < n; ++i) {
        auto const row = rows.begin() + static_cast<std::ptrdiff_t>(i * (n - 1));
        for (std::size_t j = 0, k = 0; j < n; ++j)
            if (j != i) row[static_cast<std::ptrdiff_t>(k++)] = at(i, j);
        std::sort(row, row + static_cast<std::ptrdiff_t>(n - 1), compare);
    }
    return rows;
}

}  // namespace

std::uint64_t least_distance_cost(PlaceProblem const& problem, Distances const& distances) {
    std::size_t const n = problem.places();
    if (n < 2 || n > most_places_of_bound) return 0;
    std::vector<double> flow(n * n);
    for (PlacedFlow const& one : all_in_one(problem.levels).flows)
        flow[one.source * n + one.destination] = double(one.weight);
    auto const distance = [&](std::size_t a, std::size_t b) {
        return double(distances(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)));
    };
    std::vector<double> weight(n * n);
    for (bool const out : {true, false}) {
        auto const flows = sorted_rows(
            n, [&](std::size_t i, std::size_t j) { return out ? flow[i * n + j] : flow[j * n + i]; }, std::greater<>());
        auto const ways = sorted_rows(
            n, [&](std::size_t a, std::size_t b) { return out ? distance(a, b) : distance(b, a); }, std::less<>());
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t a = 0; a < n; ++a) {
                double sum = 0;
                for (std::size_t k = 0; k + 1 < n; ++k) sum += flows[i * (n - 1) + k] * ways[a * (n - 1) + k];
                weight[i * n + a] -= sum / 2;  // every flow is one out and one in
            }
    }
    std::vector<std::uint32_t> chosen;
    double const least = -largest_assignment(weight, n, chosen);
    return static_cast<std::uint64_t>(std::max(0.0, std::ceil(least * (1 - 1e-12) - 1e-6)));
}

}  // namespace tailback::search
