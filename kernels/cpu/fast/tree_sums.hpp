// Routes by arithmetic on trees of two or three levels, as sums: row (source, destination) = part of the source + part
// of the destination for every pair whose way leads over the top. Two tables of a few bytes a host take the place of
// the divisions that each pair would cost; pairs below the top are computed. What the parts are follows from TreeWay
// term by term.
#pragma once

#include "kernels/cpu/fast/finder_tables.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <cstring>
#include <utility>
#include <vector>

namespace tailback::stages {

/// Can this problem's rows be had as sums? Either source or destination alone must choose the way up.
inline bool is_tree_of_sums(Problem const& p) {
    return p.form == RouteForm::tree && (p.tree.height == 2 || p.tree.height == 3) &&
           p.tree.up_by_source + p.tree.up_by_destination == 1;
}

template <class Slot>
class ByTreeSum {
    using Rows = RouteRows<Slot, 4>;

public:
    using Row = typename Rows::Kept;
    static constexpr bool fetches = false;

    ByTreeSum(Problem const& p, FinderTables& tables) : rows_(p), way_(p), host_(p.group) {
        TreeView const& tree = p.tree;
        std::vector<Row> sources(p.seats), destinations(p.seats);
        std::vector<std::uint32_t> top(p.seats);  // its subtree of the top switches
        for (std::uint32_t seat = 0; seat < p.seats; ++seat) {
            std::uint32_t const host = host_[seat];
            Slot from[4] = {}, to[4] = {};
            if (tree.height == 2) to[2] = to[3] = static_cast<Slot>(p.inner);
            std::uint32_t subtree = host;
            for (std::uint32_t level = 1; level < tree.height; ++level) {
                subtree = tree.children[level - 1].quotient(subtree);
                Divisor const twins = tree.twins[level], parents = tree.parents[level];
                std::uint32_t const round = twins.quotient(host), u = twins.remainder(host, round);
                std::uint32_t const chosen = u * parents.by + parents.remainder(round, parents.quotient(round));
                std::uint32_t const up = 2 * (level - 1), down = up + 1, base = subtree * twins.by * parents.by;
                from[up] = static_cast<Slot>(tree.first_up[level] + base + tree.up_by_source * chosen);
                from[down] = static_cast<Slot>(tree.up_by_source * chosen);
                to[up] = static_cast<Slot>(tree.up_by_destination * chosen);
                to[down] = static_cast<Slot>(tree.first_down[level] + base + tree.up_by_destination * chosen);
            }
            std::memcpy(&sources[seat], from, sizeof from);
            std::memcpy(&destinations[seat], to, sizeof to);
            top[seat] = subtree;
        }
        source_ = tables.keep(std::move(sources));
        destination_ = tables.keep(std::move(destinations));
        top_ = tables.keep(std::move(top));
    }

    Row find(std::uint32_t source, std::uint32_t destination) const {
        if (top_[source] == top_[destination]) return below_the_top(source, destination);
        Row row;
        for (std::uint32_t w = 0; w < Rows::words; ++w)
            row.word[w] = source_[source].word[w] + destination_[destination].word[w];  // no slot carries over
        return row;
    }
    void ask(std::uint32_t, std::uint32_t) const {}
    Row empty_row() const { return rows_.empty(); }
    template <class Visit>
    void each(Row const& row, Visit&& visit) const {
        rows_.each(row, visit);
    }

private:
    Row below_the_top(std::uint32_t source, std::uint32_t destination) const {
        Slot slots[4];
        find_padded(way_, host_[source], host_[destination], rows_.inner, slots);
        Row row;
        std::memcpy(&row, slots, sizeof slots);
        return row;
    }

    Rows rows_;
    TreeWay way_;
    std::uint32_t const* host_;
    Row const *source_, *destination_;  ///< by seat
    std::uint32_t const* top_;          ///< by seat: its subtree of the top switches
};

}  // namespace tailback::stages
