#include "host/search/orders/tabu.hpp"

#include <algorithm>
#include <limits>

namespace tailback::search {
namespace {

/// What swaps change, all of them kept.
class SwapTable {
public:
    SwapTable(std::span<PlacedFlow const> flows, Distances const& distances, std::span<std::uint32_t const> units,
              Order const& start)
        : n_(start.size()), units_(units), place_(start), rows_(flows, distances, start), change_(n_ * n_) {
        for (std::size_t i = 0; i < units.size(); ++i)
            for (std::size_t j = i + 1; j < units.size(); ++j) change_[i * n_ + j] = rows_.change(units[i], units[j]);
    }
    std::int64_t change(std::size_t i, std::size_t j) const { return change_[i * n_ + j]; }
    Order const& order() const { return place_; }
    void take(std::size_t u, std::size_t v) {
        std::size_t const p = units_[u], q = units_[v];
        std::swap(place_[p], place_[q]);
        rows_.take(p, q);
        for (std::size_t i = 0; i < units_.size(); ++i)
            for (std::size_t j = i + 1; j < units_.size(); ++j) {
                if (i == u || i == v || j == u || j == v) change_[i * n_ + j] = rows_.change(units_[i], units_[j]);
                else change_[i * n_ + j] += update(p, q, units_[i], units_[j]);
            }
    }

private:
    std::int64_t f(std::size_t i, std::size_t j) const { return rows_.flow(i, j); }
    std::int64_t d(std::size_t i, std::size_t j) const { return rows_.distance(i, j); }
    /// How the change by a swap of i and j has changed with the swap of p and q, which is made.
    std::int64_t update(std::size_t p, std::size_t q, std::size_t i, std::size_t j) const {
        return (f(p, i) - f(p, j) + f(q, j) - f(q, i)) * (d(q, i) - d(q, j) + d(p, j) - d(p, i)) +
               (f(i, p) - f(j, p) + f(j, q) - f(i, q)) * (d(i, q) - d(j, q) + d(j, p) - d(i, p));
    }

    std::size_t n_;
    std::span<std::uint32_t const> units_;
    Order place_;
    DenseFlows rows_;
    std::vector<std::int64_t> change_;  ///< [unit i][unit j > i]
};

}  // namespace

FoundOrder search_by_tabu(std::span<PlacedFlow const> flows, Distances const& distances,
                          std::span<std::uint32_t const> units, Order const& start, std::uint32_t ranks,
                          std::uint64_t moves, topologies::Draws draws, SearchClock const& clock) {
    std::size_t const n = start.size(), m = units.size();
    FoundOrder best{{start.begin(), start.begin() + ranks}, cost_of(flows, distances, start), 0, false};
    std::uint64_t const each = std::uint64_t{m} * (m - std::min<std::size_t>(m, 1)) / 2;
    if (each == 0 || best.cost <= clock.enough) return best;
    SwapTable table(flows, distances, units, start);
    std::vector<std::uint64_t> until(m * n);  // [unit][place]: not there again before this iteration
    auto const shortest = static_cast<std::uint32_t>(std::max<std::size_t>(1, 9 * m / 10)),
               span = static_cast<std::uint32_t>(std::max<std::size_t>(1, m / 5 + 1));
    std::uint64_t const long_ago = std::uint64_t{m} * m * 3;
    std::int64_t cost = static_cast<std::int64_t>(best.cost);
    std::uint64_t told = 0;
    for (std::uint64_t iteration = 1; best.moves + each <= moves && best.cost > clock.enough; ++iteration) {
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        std::size_t bi = m, bj = m;
        bool is_aspired = false;
        Order const& place = table.order();
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = i + 1; j < m; ++j) {
                if (units[i] >= ranks && units[j] >= ranks) continue;  // two empty places
                std::uint64_t const i_there = until[i * n + place[units[j]]], j_there = until[j * n + place[units[i]]];
                std::int64_t const change = table.change(i, j);
                bool const is_tabu = i_there > iteration && j_there > iteration;
                bool const aspired = (i_there + long_ago < iteration && j_there + long_ago < iteration) ||
                                     (is_tabu && cost + change < static_cast<std::int64_t>(best.cost));
                if ((aspired && !is_aspired) || (aspired == is_aspired && (aspired || !is_tabu) && change < least)) {
                    bi = i, bj = j, least = change;
                    is_aspired = aspired;
                }
            }
        best.moves += each;
        if (bi < m) {
            std::uint32_t const pi = place[units[bi]], pj = place[units[bj]];
            cost += least;
            table.take(bi, bj);
            until[bi * n + pi] = iteration + shortest + draws.below(span);
            until[bj * n + pj] = iteration + shortest + draws.below(span);
            if (cost < static_cast<std::int64_t>(best.cost)) {
                best.cost = static_cast<std::uint64_t>(cost);
                best.order.assign(table.order().begin(), table.order().begin() + ranks);
            }
        }
        if (iteration % 64 == 0 || best.moves + each > moves) {
            clock.moved(best.moves - told);
            told = best.moves;
            if (clock.wish.asked()) {
                best.stopped = true;
                break;
            }
        }
    }
    return best;
}

}  // namespace tailback::search
