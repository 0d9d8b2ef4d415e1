// The search for tables as a whole: from several starts by rounds to the best, then by single entries.
#pragma once

#include "host/search/tables/moves.hpp"
#include "host/search/tables/rounds.hpp"
#include "host/search/tables/trim.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace tailback::search {

/// Budgets are whole steps, never the clock: the same budgets give the same trees with any number of threads.
struct SearchBudget {
    std::uint64_t rounds = 12;         ///< at most, of each start
    std::uint64_t moves = 0;           ///< of each descent
    std::uint64_t descents = 1;        ///< from the best start, each with its own draws; the best one counts
    std::uint64_t load_descents = 0;   ///< besides, by squares of loads, for trees of pairs whose largest load counts
    double heat = 0;                   ///< where descents begin: see Annealing, in units of the mean load of a link
    double cooling = 100;              ///< by how much it is colder at their end
    double most_collisions = 0.003;    ///< that the trim may add, as a part of those that are there; 0 = no trim
    bool trims_at_any_price = false;   ///< TrimWishes; every descent is trimmed then, and the lowest load counts
    std::uint64_t trims = UINT64_MAX;  ///< entries that it may change
    bool trims_permutation = false;    ///< the worst permutation, in place of the largest load
    std::uint64_t seed = 1;
    unsigned threads = 0;
    SharedSearch* shared = nullptr;  ///< with whom rounds and descents are shared, and what keeps them; null: nobody
};
struct SearchReport {
    std::size_t start = 0;                ///< which start it came from
    std::uint64_t rounds = 0, moves = 0;  ///< that were run: budgets of so many give the same
    std::uint64_t trimmed = 0;            ///< entries
    bool stopped = false;                 ///< somebody wished so
    bool stopped_before = false;          ///< also an earlier part, whose steps are not told
};

/// What the links of one switch with hosts have to carry at least, by the best division: loads times costs.
std::uint64_t least_possible_load(Trees const& trees);

/// Have nine in ten switches hosts, as those of direct networks do?
bool sits_everywhere(SwitchGraph const& graph);

/// What pays, by what networks are: annealing where hosts sit on every switch; trees have their gain from rounds.
/// @param for_load the largest load is what counts: some descents are by squares of loads
SearchBudget usual_budget(SwitchGraph const& graph, bool for_load = false);

/// The best trees along legal ways that were found, by TreesRank.
/// @param starts at least one, of the same targets; switches without a legal way are cut
Trees search_tables(std::vector<Trees> starts, LegalWays const& ways, SearchBudget const& budget, SearchReport& report);

/// Fewer lost pairs, then fewer collisions, then a lower largest load; of traffic the load first.
struct TreesRank {
    std::uint64_t lost = 0;
    WideCount objective = 0;
    std::uint64_t largest = 0;
    bool is_by_traffic = false;
    explicit TreesRank(Trees const& trees)
        : lost(trees.lost()),
          objective(trees.objective()),
          largest(trees.largest_priced_load()),
          is_by_traffic(trees.is_by_traffic()) {}
    bool operator==(TreesRank const&) const = default;
    bool operator<(TreesRank const& other) const {
        if (lost != other.lost) return lost < other.lost;
        if (is_by_traffic && largest != other.largest) return largest < other.largest;
        if (objective != other.objective) return objective < other.objective;
        return largest < other.largest;
    }
};

/// So many entries that rounds are what a search takes its time for; up to so many those of every start take none that
/// counts.
inline constexpr std::uint64_t entries_of_large_searches = 1'000'000;
inline bool is_large(Trees const& trees) { return trees.entries() > entries_of_large_searches; }

/// Where the largest load is what counts, that comes first.
bool is_lower(TreesRank const& a, TreesRank const& b, SearchBudget const& budget);

/// The hottest links lowered: to what is possible where that counts or entries are few, else near it, as the last
/// percents cost bandwidth. @return entries
std::uint64_t trim_load(Trees& trees, LegalWays const& legal, SearchBudget const& budget);

/// Where the largest load counts: moves that raise no largest load give the next trim other entries, so both in turns,
/// as long as that falls. @param start tables as they came, which few changes begin with @return entries
std::uint64_t lower_load_in_turns(Trees& best, std::optional<Trees> start, LegalWays const& legal,
                                  SearchBudget const& budget);

/// Calls `work(i)` for i = 0 .. count - 1, shared between threads.
template <class Work>
void in_parts(std::size_t count, unsigned threads, Work const& work) {
    kernels::FirstFailure failed;
    auto const several = static_cast<int>(std::min<std::size_t>(kernels::threads_to_use(threads), count));
#pragma omp parallel for schedule(dynamic, 1) num_threads(several)
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(count); ++i)
        failed.hold([&] { work(static_cast<std::size_t>(i)); });
    failed.rethrow();
}

}  // namespace tailback::search
