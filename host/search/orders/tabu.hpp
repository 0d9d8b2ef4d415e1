// Robust tabu search (Taillard, Parallel Computing 17, 1991) for quadratic assignment problems.
#pragma once

#include "host/search/orders/annealing.hpp"
#include "host/search/orders/distance_search.hpp"

#include <algorithm>
#include <array>

namespace tailback::search {

/// Above it the changes by all swaps, which are kept, are too many.
inline constexpr std::uint32_t most_places_of_tabu = 160;

/// Flows and distances of all pairs of ranks and empty places, in rows that a swap reads from end to end.
class DenseFlows {
public:
    DenseFlows(std::span<PlacedFlow const> flows, Distances const& distances, Order const& place)
        : n_(place.size()), of_{Rows(n_ * n_), Rows(n_ * n_)}, far_{Rows(n_ * n_), Rows(n_ * n_)} {
        for (PlacedFlow const& flow : flows) {
            auto const weight = static_cast<std::int64_t>(flow.weight);
            of_[0][flow.source * n_ + flow.destination] = of_[1][flow.destination * n_ + flow.source] = weight;
        }
        for (std::size_t a = 0; a < n_; ++a)
            for (std::size_t b = 0; b < n_; ++b)
                far_[0][a * n_ + b] = far_[1][b * n_ + a] = distances(place[a], place[b]);
        sides_ = of_[0] == of_[1] && far_[0] == far_[1] ? 1 : 2;
    }
    std::int64_t flow(std::size_t a, std::size_t b) const { return of_[0][a * n_ + b]; }
    std::int64_t distance(std::size_t a, std::size_t b) const { return far_[0][a * n_ + b]; }
    static bool pays(std::size_t flows, std::size_t places) {
        return places <= most_places_of_tabu && flows > places * places / 16;
    }
    /// What the swap of ranks a and b changes.
    std::int64_t change(std::size_t a, std::size_t b) const {
        std::int64_t sum = 0;
        for (std::size_t side = 0; side < sides_; ++side) {
            std::int64_t const *const fa = of_[side].data() + a * n_, *const fb = of_[side].data() + b * n_;
            std::int64_t const *const da = far_[side].data() + a * n_, *const db = far_[side].data() + b * n_;
            for (std::size_t k = 0; k < n_; ++k) sum += (fa[k] - fb[k]) * (db[k] - da[k]);
        }
        std::int64_t const ab = of_[0][a * n_ + b], ba = of_[0][b * n_ + a], there = far_[0][a * n_ + b],
                           back = far_[0][b * n_ + a];
        return sum * (sides_ == 1 ? 2 : 1) + 2 * (ab * there + ba * back) + (ab - ba) * (back - there);
    }
    void take(std::size_t a, std::size_t b) {
        for (Rows& rows : far_) {
            std::swap_ranges(rows.begin() + std::ptrdiff_t(a * n_), rows.begin() + std::ptrdiff_t((a + 1) * n_),
                             rows.begin() + std::ptrdiff_t(b * n_));
            for (std::size_t k = 0; k < n_; ++k) std::swap(rows[k * n_ + a], rows[k * n_ + b]);
        }
    }

private:
    using Rows = std::vector<std::int64_t>;
    std::size_t n_, sides_ = 2;  ///< 1: what is sent and got is the same, and so are the distances there and back
    std::array<Rows, 2> of_;     ///< [sent, got][rank][other]
    std::array<Rows, 2> far_;    ///< [there, back][rank][other]: of their places
};

/// @param units ranks that may be swapped; @param start a place for every rank, and behind them the empty places
/// @param moves swaps looked at: all of them in every iteration
FoundOrder search_by_tabu(std::span<PlacedFlow const> flows, Distances const& distances,
                          std::span<std::uint32_t const> units, Order const& start, std::uint32_t ranks,
                          std::uint64_t moves, topologies::Draws draws, SearchClock const& clock);

}  // namespace tailback::search
