#include "host/search/orders/spectral_bound.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace tailback::search {
namespace {

constexpr std::uint32_t most_ranks_of_cut = 256;

/// Ascending, each at most its true value: by rotations (Jacobi 1846), less what is left beside the diagonal.
std::vector<double> least_eigenvalues(std::vector<double>& a, std::size_t n) {
    double trace = 0, rest = 0;
    for (std::size_t i = 0; i < n; ++i) trace += a[i * n + i];
    for (int sweep = 0; sweep < 30; ++sweep) {
        rest = 0;
        for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) rest += 2 * a[p * n + q] * a[p * n + q];
        if (std::sqrt(rest) <= 1e-12 * trace) break;
        for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) {
                double const off = a[p * n + q];
                if (off == 0) continue;
                double const theta = (a[q * n + q] - a[p * n + p]) / (2 * off);
                double const t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                double const c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (std::size_t k = 0; k < n; ++k) {
                    double const x = a[k * n + p], y = a[k * n + q];
                    a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
                }
                for (std::size_t k = 0; k < n; ++k) {
                    double const x = a[p * n + k], y = a[q * n + k];
                    a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
                }
            }
    }
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(std::max(0.0, a[i * n + i] - std::sqrt(rest) - 1e-11 * trace));
    std::sort(values.begin(), values.end());
    return values;
}

}  // namespace

std::uint64_t least_cut(std::span<PlacedFlow const> flows, std::uint32_t ranks, std::span<std::uint32_t const> group) {
    if (ranks > most_ranks_of_cut || flows.empty()) return 0;
    std::size_t const n = ranks;
    std::vector<double> laplacian(n * n);
    for (PlacedFlow const& flow : flows) {
        auto const weight = double(flow.weight);
        std::size_t const a = flow.source, b = flow.destination;
        laplacian[a * n + a] += weight, laplacian[b * n + b] += weight;
        laplacian[a * n + b] -= weight, laplacian[b * n + a] -= weight;
    }
    std::map<std::uint32_t, std::uint32_t> places;
    for (std::uint32_t const one : group) ++places[one];
    std::vector<std::uint32_t> sizes;
    for (auto const& [one, size] : places) sizes.push_back(size);
    std::sort(sizes.begin(), sizes.end(), std::greater());
    std::vector<double> const values = least_eigenvalues(laplacian, n);
    double sum = 0;
    std::uint32_t left = ranks;
    for (std::size_t i = 0; i < sizes.size() && left > 0; ++i) {
        std::uint32_t const size = std::min(sizes[i], left);
        sum += size * values[i];
        left -= size;
    }
    return static_cast<std::uint64_t>(std::ceil(std::max(0.0, sum / 2 * (1 - 1e-9) - 1e-6)));
}

}  // namespace tailback::search
