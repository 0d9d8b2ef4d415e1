#include "host/search/tables/search_tables.hpp"

#include "kernels/cpu/stop.hpp"
#include "kernels/cpu/threads.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace tailback::search {
namespace {

constexpr std::uint32_t polish_part = 0xFFFF'0000u;  // no descent has this number

/// What the links of one switch with hosts have to carry at least, by the best division: loads times costs.
std::uint64_t least_possible_load(Trees const& trees) {
    SwitchGraph const& graph = trees.graph();
    std::uint64_t const seats = graph.seats().size();
    std::uint64_t least = 0;
    for (std::uint32_t s = 0; s < graph.switches(); ++s) {
        double capacity = 0;  // in links of cost 1
        for (Arc const& arc : graph.arcs_of(s)) capacity += 1.0 / arc.cost;
        std::uint64_t const hosts = graph.hosts_at(s);
        if (capacity > 0)
            least = std::max(least, static_cast<std::uint64_t>(double(hosts * (seats - hosts)) / capacity));
    }
    return least;
}

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

/// Rounds until nothing changes, or the sum hardly falls.
std::uint64_t descend(Trees& trees, LegalWays const& legal, std::uint64_t most) {
    std::uint64_t rounds = 0;
    WideCount before = shared_squares(trees);
    while (rounds < most) {
        RoundChange const change = run_round(trees, legal);
        ++rounds;
        if (change.entries == 0 || !change.complete) break;
        WideCount const sum = shared_squares(trees);
        WideCount const fall = before - sum;
        if (rounds > 1 && fall < before / 20'000) break;
        before = sum;
    }
    return rounds;
}

}  // namespace

SearchBudget usual_budget(SwitchGraph const& graph) {
    std::uint32_t with_hosts = 0;
    for (std::uint32_t s = 0; s < graph.switches(); ++s) with_hosts += graph.hosts_at(s) > 0;
    bool const is_direct = 10 * with_hosts >= 9 * graph.switches();
    SearchBudget budget;
    if (graph.switches() > 500) {
        budget.polish = 200'000;
    } else if (is_direct) {
        budget.moves = 16'000'000;
        budget.descents = 2;
        budget.heat = 1;
    } else {
        budget.moves = 1'000'000;
        budget.heat = 0.1;
    }
    return budget;
}

Trees search_tables(std::vector<Trees> starts, LegalWays const& legal, SearchBudget const& budget,
                    SearchReport& report) {
    auto const stop = kernels::StopWish::now();
    std::size_t const count = starts.size();
    std::vector<std::optional<TreesRank>> ranks(count);
    std::vector<std::uint64_t> rounds(count);
    kernels::FirstFailure failed;
    auto const threads = static_cast<int>(std::min<std::size_t>(kernels::threads_to_use(budget.threads), count));
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(count); ++i) {
        auto const s = static_cast<std::size_t>(i);
        failed.hold([&] {
            kernels::StopWish::Scope const shared(stop);
            rounds[s] = descend(starts[s], legal, budget.rounds);
            ranks[s].emplace(starts[s]);
        });
    }
    failed.rethrow();
    report.start = 0;
    auto const is_better = [&](std::size_t a, std::size_t b) {  // of equal ones that which needed less change
        return *ranks[a] < *ranks[b] || (*ranks[a] == *ranks[b] && rounds[a] < rounds[b]);
    };
    for (std::size_t s = 1; s < count; ++s)
        if (is_better(s, report.start)) report.start = s;
    report.rounds = rounds[report.start];
    Trees best = std::move(starts[report.start]);
    starts.clear();
    if (budget.moves > 0 && !stop.asked()) {
        std::uint64_t const descents = std::max<std::uint64_t>(1, budget.descents);
        double const links = double(std::max<std::size_t>(1, best.loads().size()));
        double total = 0;
        for (std::uint64_t const load : best.loads()) total += double(load);
        double const hot = budget.heat * total / links;
        std::vector<std::optional<Trees>> found(descents);
        std::vector<std::optional<TreesRank>> found_ranks(descents);
        std::vector<std::uint64_t> tried(descents);
        auto const several =
            static_cast<int>(std::min<std::uint64_t>(kernels::threads_to_use(budget.threads), descents));
#pragma omp parallel for schedule(dynamic, 1) num_threads(several)
        for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(descents); ++i) {
            auto const n = static_cast<std::size_t>(i);
            failed.hold([&] {
                kernels::StopWish::Scope const shared(stop);
                found[n].emplace(best);
                MovableTrees movable(*found[n]);
                tried[n] =
                    anneal(movable, legal,
                           {budget.moves, hot, hot / budget.cooling, budget.seed, static_cast<std::uint32_t>(n)});
                found_ranks[n].emplace(*found[n]);
            });
        }
        failed.rethrow();
        std::size_t first = 0;
        for (std::size_t n = 1; n < descents; ++n)
            if (*found_ranks[n] < *found_ranks[first]) first = n;
        if (*found_ranks[first] < *ranks[report.start]) best = std::move(*found[first]);
        report.moves = tried[first];
    }
    if (budget.most_collisions > 0 && !stop.asked()) {
        MovableTrees movable(best);
        report.trimmed =
            trim(movable, legal, {least_possible_load(best), budget.trims, budget.most_collisions}).entries;
        if (report.trimmed > 0)
            report.polished = anneal(movable, legal,
                                     {.moves = budget.polish,
                                      .seed = budget.seed,
                                      .part = polish_part,
                                      .most_load = best.largest_priced_load()});
    }
    report.stopped = stop.asked();
    return best;
}

}  // namespace tailback::search
