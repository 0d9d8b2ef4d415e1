#include "host/search/tables/search_tables.hpp"

#include "host/io/progress.hpp"
#include "host/search/tables/permutation_trim.hpp"
#include "kernels/cpu/stop.hpp"
#include "kernels/cpu/threads.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

namespace tailback::search {
namespace {

constexpr std::uint32_t polish_part = 0xFFFF'0000u;  // no descent has this number

/// What rounds lower: the sum over links of squared loads, less what each tree has to itself.
WideCount shared_squares(Trees const& trees) {
    WideCount sum = 0;
    for (std::uint32_t a = 0; a < trees.loads().size(); ++a)
        sum += WideCount(trees.load(a)) * trees.load(a) * trees.cost(a);
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d)
        for (std::uint32_t v = 0; v < trees.graph().switches(); ++v)
            if (std::uint64_t const own = trees.weight(d, v); own > 0)
                sum -= WideCount(own * own) * trees.cost(trees.arc(d, v));
    return sum;
}

/// A start on its way: rounds until nothing changes, or the sum hardly falls.
struct Rounds {
    explicit Rounds(Trees begun) : trees(std::move(begun)), squares(shared_squares(trees)) {}

    void go_on(LegalWays const& legal) {
        ++count;
        is_over = run_round(trees, legal) == 0;
        WideCount const now = shared_squares(trees), fall = squares - now;
        is_over = is_over || (count > 1 && fall < squares / 20'000);
        squares = now;
    }

    Trees trees;
    WideCount squares;
    std::uint64_t count = 0;
    bool is_over = false;
};

/// Moves from the best start, and what is their own.
struct MovesDescent {
    MovesDescent(Trees const& start, LegalWays const& legal, Annealing const& how)
        : trees(start), movable(trees), annealer(movable, legal, how) {}
    Trees trees;
    MovableTrees movable;
    Annealer annealer;
};

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

Trees after_rounds(std::vector<Trees> starts, LegalWays const& legal, SearchBudget const& budget,
                   SearchReport& report) {
    auto const stop = kernels::StopWish::now();
    std::vector<Rounds> all;
    for (Trees& start : starts) all.emplace_back(std::move(start));
    auto const goes_on = [](Rounds const& one) { return !one.is_over; };
    while (report.rounds < budget.rounds && !stop.asked() && std::any_of(all.begin(), all.end(), goes_on)) {
        ++report.rounds;
        in_parts(all.size(), budget.threads, [&](std::size_t i) {
            if (!all[i].is_over) all[i].go_on(legal);
        });
    }
    std::vector<std::optional<TreesRank>> ranks(all.size());
    in_parts(all.size(), budget.threads, [&](std::size_t i) { ranks[i].emplace(all[i].trees); });
    for (std::size_t s = 1; s < all.size(); ++s)  // of equal ones that which needed less change
        if (*ranks[s] < *ranks[report.start] ||
            (*ranks[s] == *ranks[report.start] && all[s].count < all[report.start].count))
            report.start = s;
    return std::move(all[report.start].trees);
}

void move_entries(Trees& best, LegalWays const& legal, SearchBudget const& budget, SearchReport& report) {
    auto const stop = kernels::StopWish::now();
    double const mean = best.loads().empty()
                            ? 0.0
                            : double(std::accumulate(best.loads().begin(), best.loads().end(), std::uint64_t{0})) /
                                  double(best.loads().size());
    std::vector<std::unique_ptr<MovesDescent>> descents(std::max<std::uint64_t>(1, budget.descents));
    in_parts(descents.size(), budget.threads, [&](std::size_t n) {
        descents[n] = std::make_unique<MovesDescent>(best, legal,
                                                     Annealing{budget.heat * mean, budget.heat * mean / budget.cooling,
                                                               budget.seed, static_cast<std::uint32_t>(n)});
    });
    constexpr std::uint64_t step = 250'000;  // between two looks at the wish to stop
    io::Progress progress("moving entries", budget.moves, "moves");
    while (report.moves < budget.moves && !stop.asked()) {
        std::uint64_t const more = std::min(step, budget.moves - report.moves);
        in_parts(descents.size(), budget.threads, [&](std::size_t n) { descents[n]->annealer.run(more); });
        progress.show(report.moves += more);
    }
    std::vector<std::optional<TreesRank>> ranks(descents.size());
    in_parts(descents.size(), budget.threads, [&](std::size_t n) {
        descents[n]->annealer.end();
        ranks[n].emplace(descents[n]->trees);
    });
    std::size_t first = 0;
    for (std::size_t n = 1; n < descents.size(); ++n)
        if (*ranks[n] < *ranks[first]) first = n;
    if (*ranks[first] < TreesRank(best)) best = std::move(descents[first]->trees);
}

/// Of trees with equally many lost pairs that with the lower worst permutation, then by rank.
bool is_lower_permutation(Trees const& a, Trees const& b) {
    if (a.lost() != b.lost()) return a.lost() < b.lost();
    std::uint32_t const of_a = worst_permutation_of(a), of_b = worst_permutation_of(b);
    return of_a != of_b ? of_a < of_b : TreesRank(a) < TreesRank(b);
}

std::uint64_t lower_permutation(Trees& trees, LegalWays const& legal, SearchBudget const& budget) {
    MovableTrees movable(trees);
    return trim_permutation(movable, legal, budget.trims);
}

}  // namespace

bool sits_everywhere(SwitchGraph const& graph) {
    std::uint32_t with = 0;
    for (std::uint32_t s = 0; s < graph.switches(); ++s) with += graph.hosts_at(s) > 0;
    return 10 * with >= 9 * graph.switches();
}

SearchBudget usual_budget(SwitchGraph const& graph) {
    bool const is_direct = sits_everywhere(graph);
    SearchBudget budget;
    budget.most_collisions = 0.002;
    if (is_direct && graph.switches() <= 500) {
        budget.moves = 14'000'000;
        budget.descents = 2;
        budget.heat = 1;
    } else if (graph.switches() <= 100) {
        budget.moves = 2'000'000;
        budget.heat = 0.1;
    } else {
        budget.polish = 200'000;
    }
    return budget;
}

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

Trees search_tables(std::vector<Trees> starts, LegalWays const& legal, SearchBudget const& budget,
                    SearchReport& report) {
    auto const stop = kernels::StopWish::now();
    std::optional<Trees> lowest;  // of the starts
    if (budget.trims_permutation)
        for (Trees const& start : starts)
            if (!lowest || is_lower_permutation(start, *lowest)) lowest = start;
    Trees best = after_rounds(std::move(starts), legal, budget, report);
    if (budget.moves > 0 && !stop.asked()) move_entries(best, legal, budget, report);
    report.stopped = stop.asked();
    if (lowest) {
        report.trimmed = lower_permutation(best, legal, budget);
        std::uint64_t const entries = lower_permutation(*lowest, legal, budget);
        if (!is_lower_permutation(*lowest, best)) return best;
        report.trimmed = entries;
        return std::move(*lowest);
    }
    std::uint64_t const least = least_possible_load(best);
    // Also of what was stopped: the same steps give the same trees.
    if (budget.most_collisions > 0 && best.largest_priced_load() > least) {
        MovableTrees movable(best);
        report.trimmed = trim(movable, legal,
                              {.target = least,
                               .most_entries = budget.trims,
                               .at_any_price = budget.trims_at_any_price,
                               .most_collisions = budget.most_collisions});
        if (report.trimmed > 0 && budget.polish > 0) {
            Annealer polish(movable, legal,
                            {.seed = budget.seed, .part = polish_part, .most_load = best.largest_priced_load()});
            polish.run(budget.polish);
        }
    }
    return best;
}

}  // namespace tailback::search
