#include "host/search/tables/search_tables.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace tailback::search {
namespace {

constexpr double cheap_trim = 0.003;  // collisions that a trim may add wherever it ends, as a part; more to reach it

std::uint64_t trim_for(TrimWishes const& wishes, Trees& trees, LegalWays const& legal) {
    MovableTrees movable(trees);
    return trim(movable, legal, wishes);
}

/// Where the largest load counts: moves that lower collisions by link and raise no largest load, as far as that makes
/// tables better. @param turn which of several with one seed
void polish(Trees& best, LegalWays const& legal, SearchBudget const& budget, std::uint32_t turn) {
    constexpr std::uint32_t polish_part = 0xFFFF'0000u;  // no descent has this number
    Trees trees = best;
    MovableTrees movable(trees);
    Annealer moves(movable, legal,
                   {.seed = budget.seed, .part = polish_part + turn, .most_load = trees.largest_priced_load()});
    moves.run(best.graph().switches() <= 100 ? 1'000'000 : 200'000);
    if (is_lower(TreesRank(trees), TreesRank(best), budget)) best = std::move(trees);
}

/// Are all ways of these trees among the legal ones? Then a trim of some entries leaves them so.
bool keeps_to(Trees const& trees, LegalWays const& legal) {
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d)
        for (std::uint32_t v = 0; v < trees.graph().switches(); ++v)
            if (trees.weight(d, v) > 0 && !legal.allows(trees.targets()[d].at, trees.arc(d, v))) return false;
    return legal.slack() == 0;
}

/// Where the largest load counts: ways down that differ in where they begin and in which entries go first. None of them
/// ends lowest everywhere. @param start tables as they came, which few changes begin with @return entries
std::uint64_t lower_load(Trees& best, std::optional<Trees> start, LegalWays const& legal, SearchBudget const& budget) {
    struct Way {
        Trees trees;
        bool by_relief;
        std::uint64_t most_entries = UINT64_MAX;
        std::uint64_t entries = 0;
    };
    std::vector<Way> ways;
    ways.push_back({best, false});
    if (!is_large(best)) {
        ways.push_back({best, true});
        if (start && start->lost() == best.lost() && keeps_to(*start, legal))
            ways.push_back({std::move(*start), true, UINT64_MAX - 1});  // sparing at first, as few changes are
    }
    in_parts(ways.size(), budget.threads, [&](std::size_t i) {
        ways[i].entries = trim_for({.target = least_possible_load(ways[i].trees),
                                    .most_entries = ways[i].most_entries,
                                    .at_any_price = true,
                                    .by_relief = ways[i].by_relief,
                                    .most_collisions = budget.most_collisions},
                                   ways[i].trees, legal);
    });
    std::size_t lowest = 0;
    for (std::size_t i = 1; i < ways.size(); ++i)
        if (is_lower(TreesRank(ways[i].trees), TreesRank(ways[lowest].trees), budget)) lowest = i;
    best = std::move(ways[lowest].trees);
    return ways[lowest].entries;
}

}  // namespace

std::uint64_t least_possible_load(Trees const& trees) {
    SwitchGraph const& graph = trees.graph();
    std::uint64_t const seats = graph.seats().size();
    std::uint64_t least = 0;
    std::vector<std::uint64_t> out(graph.switches()), in(graph.switches());  // of each switch
    if (trees.is_by_traffic())
        for (std::uint32_t d = 0; d < trees.targets().size(); ++d)
            for (Sender const& sender : trees.senders_to(d))
                if (std::uint32_t const at = trees.targets()[d].at; sender.at != at) {
                    out[sender.at] += sender.amount;
                    in[at] += sender.amount;
                }
    for (std::uint32_t s = 0; s < graph.switches(); ++s) {
        double capacity = 0;  // in links of cost 1
        for (Arc const& arc : graph.arcs_of(s)) capacity += 1.0 / arc.cost;
        std::uint64_t const hosts = graph.hosts_at(s),
                            carried = trees.is_by_traffic() ? std::max(out[s], in[s]) : hosts * (seats - hosts);
        if (capacity > 0) least = std::max(least, static_cast<std::uint64_t>(double(carried) / capacity));
    }
    return least;
}

namespace {

/// Does a switch that hangs on one other alone have more hosts than cables, so that what is sent to some of them, each
/// by one of these, puts as much on one whatever the tables?
bool cannot_fall(Trees const& trees) {
    if (trees.is_by_traffic() || trees.lost() > 0) return false;
    SwitchGraph const& graph = trees.graph();
    std::uint64_t const largest = trees.largest_priced_load();
    std::vector<std::size_t> into(graph.switches());  // links
    for (Arc const& arc : graph.arcs()) ++into[arc.to];
    for (std::uint32_t s = 0; s < graph.switches(); ++s) {
        std::span<Arc const> const cables = graph.arcs_of(s);
        std::uint64_t const targets = trees.targets_at(s).size();
        bool const is_bundle =
            !cables.empty() && into[s] == cables.size() && std::ranges::all_of(cables, [&](Arc const& arc) {
                return arc.to == cables.front().to && arc.cost == cables.front().cost &&
                       arc.reverse != SwitchGraph::none && graph[arc.reverse].cost == arc.cost;
            });
        if (!is_bundle || targets == 0) continue;
        std::uint64_t const on_one = (targets + cables.size() - 1) / cables.size(),
                            each = trees.sent_to(trees.targets_at(s).front()) - graph.hosts_at(s);
        if (on_one * each * cables.front().cost >= largest) return true;
    }
    return false;
}

}  // namespace

std::uint64_t trim_load(Trees& trees, LegalWays const& legal, SearchBudget const& budget) {
    std::uint64_t const least = least_possible_load(trees);
    bool const is_low_enough_near = !budget.trims_at_any_price && budget.trims == UINT64_MAX;
    std::uint64_t const target = is_low_enough_near ? least + least * 3 / 100 : least;
    if (budget.most_collisions <= 0 || trees.largest_priced_load() <= target || cannot_fall(trees)) return 0;
    TrimWishes const all{.target = target,
                         .most_entries = budget.trims,
                         .at_any_price = budget.trims_at_any_price,
                         .most_collisions = budget.most_collisions};
    if (!is_low_enough_near) return trim_for(all, trees, legal);
    TrimWishes few = all;
    few.most_collisions = std::min(all.most_collisions, cheap_trim);
    few.most_to_target = all.most_collisions;
    return trim_for(few, trees, legal);
}

std::uint64_t lower_load_in_turns(Trees& best, std::optional<Trees> start, LegalWays const& legal,
                                  SearchBudget const& budget) {
    constexpr int most_turns = 4;
    std::uint64_t entries = lower_load(best, std::move(start), legal, budget);
    for (int turn = 0; turn < most_turns; ++turn) {
        std::uint64_t const before = best.largest_priced_load();
        polish(best, legal, budget, static_cast<std::uint32_t>(turn));
        if (before <= least_possible_load(best) || turn + 1 == most_turns) break;
        entries += lower_load(best, std::nullopt, legal, budget);
        if (best.largest_priced_load() >= before) break;
    }
    return entries;
}

}  // namespace tailback::search
