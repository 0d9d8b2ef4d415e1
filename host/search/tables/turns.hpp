// Turns: two links that ways take one behind the other, and what trees put on them.
#pragma once

#include "host/search/tables/trees.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tailback::search {

/// Numbers of turns. A turn is a link between switches and one that leaves the switch it leads to. Those with the same
/// first link are neighbours, or those with the same second one, as of a tree.
class TurnNumbers {
public:
    enum class Rows { of_first, of_second };
    /// Of networks with more of them none is told apart: what is counted by turns is then counted by links alone.
    static constexpr std::uint64_t most = std::uint64_t{1} << 23;

    explicit TurnNumbers(SwitchGraph const& graph, Rows rows = Rows::of_first) {
        std::uint64_t all = 0;
        for (Arc const& arc : graph.arcs()) all += graph.arcs_of(arc.to).size();
        if (all > most) return;
        count_ = all;
        std::vector<std::uint32_t> into(graph.switches());  // arcs, so far
        for (Arc const& arc : graph.arcs()) as_first_.push_back(into[arc.to]++);
        std::uint32_t next = 0;
        for (std::uint32_t a = 0; a < graph.arcs().size(); ++a) {
            bool const by_first = rows == Rows::of_first;
            std::uint32_t const from = graph[a].from;
            as_second_.push_back(by_first ? a - graph.first_arc(from) : next);
            if (by_first) as_first_[a] = next;
            next += by_first ? static_cast<std::uint32_t>(graph.arcs_of(graph[a].to).size()) : into[from];
        }
    }
    std::size_t count() const { return count_; }
    std::size_t of(std::uint32_t arc, std::uint32_t then) const { return as_first_[arc] + as_second_[then]; }

private:
    std::vector<std::uint32_t> as_first_, as_second_;  // by arc: its part of the number of a turn
    std::size_t count_ = 0;
};

/// Calls `visit(arc, then, flows)` for every turn that the tree of a target carries something over.
template <class Visit>
void each_turn(Trees const& trees, std::uint32_t d, Visit&& visit) {
    std::uint32_t const at = trees.targets()[d].at;
    for (std::uint32_t v = 0; v < trees.graph().switches(); ++v)
        if (std::uint32_t const flows = trees.weight(d, v); flows > 0)
            if (std::uint32_t const arc = trees.arc(d, v); trees.head(arc) != at)
                visit(arc, trees.arc(d, trees.head(arc)), flows);
}

/// What trees carry over turns, times the lower cost of their two links: what two flows meet on both of them for.
/// Empty for traffic, where loads count and nobody asks who meets.
class TurnLoads {
public:
    explicit TurnLoads(Trees const& trees) : trees_(&trees), numbers_(trees.graph(), TurnNumbers::Rows::of_second) {
        if (trees.is_by_traffic()) return;
        for (Arc const& arc : trees.graph().arcs()) all_cost_one_ = all_cost_one_ && arc.cost == 1;
        load_.assign(numbers_.count(), 0);
        for (std::uint32_t d = 0; d < trees.targets().size() && !load_.empty(); ++d)
            each_turn(trees, d, [&](std::uint32_t arc, std::uint32_t then, std::uint32_t flows) {
                load_[numbers_.of(arc, then)] += flows;
            });
    }

    bool is_empty() const { return load_.empty(); }
    std::uint64_t priced(std::uint32_t arc, std::uint32_t then) const {
        return load_.empty() ? 0 : std::uint64_t{load_[numbers_.of(arc, then)]} * cost(arc, then);
    }
    std::uint32_t cost(std::uint32_t arc, std::uint32_t then) const {
        return all_cost_one_ ? 1 : std::min(trees_->cost(arc), trees_->cost(then));
    }
    /// More flows of one tree over a turn, or fewer.
    void add(std::uint32_t arc, std::uint32_t then, std::int64_t more) {
        if (!load_.empty())
            load_[numbers_.of(arc, then)] = static_cast<std::uint32_t>(load_[numbers_.of(arc, then)] + more);
    }

private:
    Trees const* trees_;
    TurnNumbers numbers_;
    bool all_cost_one_ = true;
    std::vector<std::uint32_t> load_;  // Trees takes no networks with more pairs
};

/// What rounds lower, twice: the sum over links of cost (R^2 - sum by target r^2), less the same over turns.
inline WideCount shared_squares(Trees const& trees) {
    TurnLoads const turns(trees);
    WideCount sum = 0;
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d) {
        for (std::uint32_t v = 0; v < trees.graph().switches(); ++v)
            if (std::uint64_t const own = trees.weight(d, v); own > 0) {
                std::uint32_t const arc = trees.arc(d, v);
                sum += WideCount(own) * (trees.load(arc) - own) * trees.cost(arc);
            }
        if (turns.is_empty()) continue;
        each_turn(trees, d, [&](std::uint32_t arc, std::uint32_t then, std::uint32_t flows) {
            sum -= WideCount(flows) * (turns.priced(arc, then) - std::uint64_t{flows} * turns.cost(arc, then));
        });
    }
    return sum;
}

}  // namespace tailback::search
