// Annealing of orders by swaps (Kirkpatrick, Gelatt, Vecchi, Science 1983), for any cost that tells what a swap
// changes.
#pragma once

#include "host/search/orders/order_search.hpp"
#include "kernels/cpu/stop.hpp"
#include "topologies/draws.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tailback::search {

/// Draws of -ln(u), u uniform on (0, 1]: by additions, multiplications and divisions alone, so that they are the same
/// on every machine.
class ExponentialDraws {
public:
    ExponentialDraws() {
        // ln(k + 1) - ln(k) = 2 artanh(1 / (2 k + 1))
        double sum = 0;
        for (std::size_t k = quantiles - 1; k > 0; --k) {
            double const x = 1.0 / double(2 * k + 1), square = x * x;
            double power = x, series = 0;
            for (int term = 1; term < 60; term += 2, power *= square) series += power / term;
            sum += 2 * series;
            of_[k - 1] = sum;
        }
        of_[quantiles - 1] = 0;
    }
    double operator()(std::uint32_t word) const { return of_[word % quantiles]; }

private:
    static constexpr std::size_t quantiles = 4096;
    std::array<double, quantiles> of_{};  ///< [k] = -ln((k + 1) / quantiles)
};

/// The swaps of one search: two units of ranks exchange their places.
class Swaps {
public:
    explicit Swaps(PlaceProblem const& problem) {
        std::uint32_t const together = problem.together;
        auto const open = problem.places() -
                          static_cast<std::uint32_t>(std::count(problem.closed.begin(), problem.closed.end(), true));
        for (std::uint32_t first = 0; first < open; first += together) {
            bool free = true;
            for (std::uint32_t r = first; r < first + together; ++r) free = free && !stays(problem, r);
            if (free) units_.push_back(first);
        }
        for (std::uint32_t const unit : units_) full_ += unit < problem.ranks;
    }
    /// Nothing can be swapped, or nothing that makes a difference.
    bool none() const { return units_.size() < 2 || full_ == 0; }
    /// First ranks of two units, not both of them empty.
    std::pair<std::uint32_t, std::uint32_t> draw(topologies::Draws& draws) const {
        std::uint32_t const a = draws.below(full_);
        std::uint32_t b = draws.below(static_cast<std::uint32_t>(units_.size()) - 1);
        b += b >= a;
        return {units_[a], units_[b]};
    }
    std::vector<std::uint32_t> const& units() const { return units_; }

    static bool stays(PlaceProblem const& problem, std::uint32_t rank) {
        return rank < problem.stays.size() && problem.stays[rank];
    }

private:
    std::vector<std::uint32_t> units_;  ///< first ranks of those that may move; of empty places last
    std::uint32_t full_ = 0;
};

/// What a search reports to.
struct SearchClock {
    kernels::StopWish wish;
    std::function<void(std::uint64_t)> moved;  ///< so many moves more
    std::uint64_t enough = 0;                  ///< no order costs less
};

/// @param cost with `double swap(a, b)` (what the swap of two units would change; nothing is changed yet), `take()`
/// (makes that swap), `Order order()`, `std::uint64_t exact()` (the cost that counts, from scratch, of the order as it
/// is) and `void sharpen(double done)` (called now and then, with the share of the moves that are done)
/// @return the best order seen where it was looked at
template <class Cost>
FoundOrder anneal(Cost& cost, Swaps const& swaps, std::uint64_t moves, topologies::Draws draws, double heat,
                  SearchClock const& clock) {
    FoundOrder best{cost.order(), cost.exact(), 0, false};
    if (swaps.none() || best.cost <= clock.enough) return best;
    static ExponentialDraws const exponential;
    constexpr std::uint64_t steps = 400, tried = 200, told_after = 1 << 17;  // moves, where a step has more
    cost.sharpen(0);
    double change = 0;
    for (std::uint64_t i = 0; i < tried; ++i) {
        auto const [a, b] = swaps.draw(draws);
        change += std::abs(cost.swap(a, b));
    }
    double temperature = heat * change / double(tried);
    double const cooling = 0.98;  // 400 steps: to 3 in 10,000
    for (std::uint64_t step = 0; step < steps && !clock.wish.asked(); ++step) {
        std::uint64_t const until = moves * (step + 1) / steps;
        std::uint64_t since = best.moves;
        for (; best.moves < until; ++best.moves) {
            auto const [a, b] = swaps.draw(draws);
            double const delta = cost.swap(a, b);
            if (delta <= 0 || delta < temperature * exponential(draws.next())) cost.take();
            if ((best.moves & 0xFFF) != 0) continue;
            if (clock.wish.asked()) break;
            if (best.moves - since >= told_after) clock.moved(best.moves - since), since = best.moves;
        }
        clock.moved(best.moves - since);
        temperature *= cooling;
        cost.sharpen(double(step + 1) / steps);
        if (std::uint64_t const exact = cost.exact(); exact < best.cost) best.cost = exact, best.order = cost.order();
        if (best.cost <= clock.enough) break;
    }
    best.stopped = clock.wish.asked();
    return best;
}

}  // namespace tailback::search
