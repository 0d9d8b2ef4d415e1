#include "host/search/tables/search_tables.hpp"

#include "host/io/progress.hpp"
#include "host/search/tables/permutation_trim.hpp"
#include "host/search/tables/turns.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

namespace tailback::search {
namespace {

/// By which part of them a round has to lower squares: the more a round costs, the more.
std::uint64_t least_worth(Trees const& trees) {
    return std::clamp<std::uint64_t>(2 * entries_of_large_searches * 1000 / std::max<std::uint64_t>(1, trees.entries()),
                                     1'000, 20'000);
}

/// A start on its way: rounds until nothing changes, or the sum hardly falls.
class Rounds final : public SearchPart {
public:
    Rounds(Trees begun, LegalWays const& legal, std::uint64_t most)
        : trees(std::move(begun)),
          legal_(legal),
          most_(most),
          squares_(shared_squares(trees)),
          worth_(least_worth(trees)) {}

    bool is_over() const override { return is_over_ || count >= most_; }
    void step() override {
        ++count;
        WideCount fall = 0;
        is_over_ = run_round(trees, legal_, Meetings::once, &fall) == 0;
        is_over_ = is_over_ || (count > 1 && fall < squares_ / worth_);
        squares_ -= fall;
    }
    void write(StateWords& words) const override {
        if (count == 0) return;
        words = {count, is_over_};
        trees.write_arcs(words);
    }
    void read(WordReader& words) override {
        if (words.is_empty()) return;
        count = words.next_to(most_);
        is_over_ = words.next_to(1) != 0;
        trees.read_arcs(words, [&](std::uint32_t d, std::uint32_t v, std::uint32_t arc) {
            return trees.targets()[d].stays ? trees.arc(d, v) == arc : legal_.allows(trees.targets()[d].at, arc);
        });
        squares_ = shared_squares(trees);
    }

    WideCount squares() const { return squares_; }  ///< what rounds make small
    void go_on_to(std::uint64_t most) { most_ = most; }

    Trees trees;
    std::uint64_t count = 0;

private:
    LegalWays const& legal_;
    std::uint64_t most_;
    WideCount squares_;
    std::uint64_t worth_;  // a round has to lower them by this part of them
    bool is_over_ = false;
};

/// Moves from the best start, and what is their own.
class MovesDescent final : public SearchPart {
public:
    static constexpr std::uint64_t moves_of_a_step = 250'000;

    MovesDescent(Trees const& start, LegalWays const& legal, Annealing const& how, std::uint64_t moves)
        : start_(start), legal_(legal), how_(how), moves_(moves), left_(moves) {}

    bool is_over() const override { return left_ == 0; }
    void step() override {
        if (!state_) state_ = std::make_unique<State>(start_, legal_, how_);
        std::uint64_t const more = std::min(moves_of_a_step, left_);
        state_->annealer.run(more);
        left_ -= more;
    }
    void write(StateWords& words) const override {
        if (!state_) return;
        words = {left_};
        state_->annealer.best().write_arcs(words);
        state_->annealer.write(words);
    }
    void read(WordReader& words) override {
        if (words.is_empty()) return;
        left_ = words.next_to(moves_);
        Trees best = start_;
        best.read_arcs(words, [&](std::uint32_t d, std::uint32_t v, std::uint32_t arc) {
            return legal_.allows(best.targets()[d].at, arc) || best.arc(d, v) == arc;
        });
        state_ = std::make_unique<State>(best, legal_, how_);
        state_->annealer.read(words);
    }
    /// Once: the best that it met.
    Trees take() {
        if (!state_) return start_;
        state_->annealer.end();
        return std::move(state_->trees);
    }

private:
    struct State {
        State(Trees const& start, LegalWays const& legal, Annealing const& how)
            : trees(start), movable(trees), annealer(movable, legal, how) {}
        Trees trees;
        MovableTrees movable;
        Annealer annealer;
    };
    Trees const& start_;
    LegalWays const& legal_;
    Annealing how_;
    std::uint64_t moves_, left_;
    std::unique_ptr<State> state_;
};

template <class Part>
std::vector<SearchPart*> as_parts(std::vector<std::unique_ptr<Part>> const& all) {
    std::vector<SearchPart*> parts;
    for (std::unique_ptr<Part> const& one : all) parts.push_back(one.get());
    return parts;
}

/// Of starts that have some rounds behind them those that may still be the best, in their order.
void keep_promising(std::vector<std::unique_ptr<Rounds>>& all, std::vector<std::size_t>& numbers) {
    std::uint64_t const entries = std::max<std::uint64_t>(1, all.front()->trees.entries()),
                        most = std::max<std::uint64_t>(1, entries_of_large_searches / entries);
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (all[a]->trees.lost() != all[b]->trees.lost()) return all[a]->trees.lost() < all[b]->trees.lost();
        return all[a]->squares() < all[b]->squares();
    });
    order.resize(std::min<std::size_t>(order.size(), most));
    std::sort(order.begin(), order.end());
    std::vector<std::unique_ptr<Rounds>> kept;
    for (std::size_t const k : order) {
        kept.push_back(std::move(all[k]));
        numbers.push_back(k);
    }
    all = std::move(kept);
}

Trees after_rounds(std::vector<Trees> starts, LegalWays const& legal, SearchBudget const& budget,
                   SearchReport& report) {
    constexpr std::uint64_t first_rounds = 2;
    std::vector<std::unique_ptr<Rounds>> all;
    for (Trees& start : starts)
        all.push_back(std::make_unique<Rounds>(std::move(start), legal, std::min(budget.rounds, first_rounds)));
    PartsReport run = run_parts(as_parts(all), budget.shared, budget.threads, all.size());
    report.rounds = run.steps;
    std::vector<std::size_t> numbers;
    keep_promising(all, numbers);
    if (!run.stopped && budget.rounds > first_rounds) {
        for (std::unique_ptr<Rounds> const& one : all) one->go_on_to(budget.rounds);
        run = run_parts(as_parts(all), budget.shared, budget.threads, all.size());
        report.rounds += run.steps;
    }
    report.stopped = run.stopped;
    std::vector<std::optional<TreesRank>> ranks(all.size());
    if (all.size() > 1) in_parts(all.size(), budget.threads, [&](std::size_t i) { ranks[i].emplace(all[i]->trees); });
    std::size_t best = 0;
    for (std::size_t s = 1; s < all.size(); ++s)  // of equal ones that which needed less change
        if (*ranks[s] < *ranks[best] || (*ranks[s] == *ranks[best] && all[s]->count < all[best]->count)) best = s;
    report.start = numbers[best];
    return std::move(all[best]->trees);
}

/// Meetings counted once, which single moves do not see: rounds until nothing changes. Not where routes may be longer,
/// which rounds do not make, and not where the largest load is what counts.
Trees with_last_rounds(Trees trees, LegalWays const& legal, SearchBudget const& budget) {
    if (trees.is_by_traffic() || budget.trims_at_any_price || legal.slack() > 0) return trees;
    for (std::uint64_t round = 0; round < budget.rounds; ++round)
        if (run_round(trees, legal) == 0) break;
    return trees;
}

/// What a descent came to.
struct Descended {
    Trees trees;
    std::uint64_t trimmed = 0;  ///< entries, where the largest load is what counts
    TreesRank rank;

    Descended(Trees found, LegalWays const& legal, SearchBudget const& budget)
        : trees(with_last_rounds(std::move(found), legal, budget)),
          trimmed(budget.trims_at_any_price ? trim_load(trees, legal, budget) : 0),
          rank(trees) {}
};

/// The same trees with pairs of hosts as traffic: moves then lower the squares of loads.
Trees by_squares(Trees const& trees) {
    std::vector<std::vector<Sender>> senders(trees.targets().size());
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d)
        for (Sender const& sender : trees.senders_to(d))
            if (sender.at != trees.targets()[d].at) senders[d].push_back(sender);
    Trees squares(trees.graph(), {trees.targets().begin(), trees.targets().end()}, std::move(senders));
    squares.take(trees);
    return squares;
}

/// The lowest of what the descents came to, and of their start.
void take_lowest(Trees& best, std::vector<std::unique_ptr<MovesDescent>> const& descents, LegalWays const& legal,
                 SearchBudget const& budget, SearchReport& report) {
    std::vector<std::optional<Descended>> found(descents.size() + 1);
    in_parts(found.size(), budget.threads, [&](std::size_t n) {
        Trees trees = best;  // of pairs, whatever the descent made small
        if (n > 0) trees.take(descents[n - 1]->take());
        found[n].emplace(std::move(trees), legal, budget);
    });
    std::size_t lowest = 0;
    for (std::size_t n = 1; n < found.size(); ++n)
        if (is_lower(found[n]->rank, found[lowest]->rank, budget)) lowest = n;
    best = std::move(found[lowest]->trees);
    report.trimmed = found[lowest]->trimmed;
}

void move_entries(Trees& best, LegalWays const& legal, SearchBudget const& budget, SearchReport& report) {
    double const mean = best.loads().empty()
                            ? 0.0
                            : double(std::accumulate(best.loads().begin(), best.loads().end(), std::uint64_t{0})) /
                                  double(best.loads().size());
    std::vector<std::unique_ptr<MovesDescent>> descents;
    std::optional<Trees> squares;
    if (budget.load_descents > 0 && !best.is_by_traffic()) squares.emplace(by_squares(best));
    std::uint64_t const usual = std::max<std::uint64_t>(1, budget.descents);
    for (std::uint32_t n = 0; n < usual + (squares ? budget.load_descents : 0); ++n)
        descents.push_back(std::make_unique<MovesDescent>(
            n < usual ? best : *squares, legal,
            Annealing{budget.heat * mean, budget.heat * mean / budget.cooling, budget.seed, n}, budget.moves));
    io::Progress progress("moving entries", budget.moves, "moves");
    auto const moves_of = [&](PartsReport const& run) {
        return std::min(budget.moves, run.steps * MovesDescent::moves_of_a_step);
    };
    PartsReport const run = run_parts(as_parts(descents), budget.shared, budget.threads, descents.size(),
                                      [&](PartsReport const& so_far) { progress.show(moves_of(so_far)); });
    report.moves = moves_of(run);
    report.stopped = run.stopped;
    take_lowest(best, descents, legal, budget, report);
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

bool is_lower(TreesRank const& a, TreesRank const& b, SearchBudget const& budget) {
    if (budget.trims_at_any_price && a.lost == b.lost && a.largest != b.largest) return a.largest < b.largest;
    return a < b;
}

bool sits_everywhere(SwitchGraph const& graph) {
    std::uint32_t with = 0;
    for (std::uint32_t s = 0; s < graph.switches(); ++s) with += graph.hosts_at(s) > 0;
    return 10 * with >= 9 * graph.switches();
}

SearchBudget usual_budget(SwitchGraph const& graph, bool for_load) {
    bool const is_direct = sits_everywhere(graph);
    SearchBudget budget;
    budget.most_collisions = 0.012;
    if (is_direct && graph.switches() <= 500) {
        budget.moves = 14'000'000;
        budget.descents = 2;
        budget.heat = 1;
    } else if (graph.switches() <= 100) {
        budget.moves = 2'000'000;
        budget.heat = 0.1;
    }
    if (for_load) budget.load_descents = is_direct ? 1 : 2;
    return budget;
}

Trees search_tables(std::vector<Trees> starts, LegalWays const& legal, SearchBudget const& budget,
                    SearchReport& report) {
    auto const stop = kernels::StopWish::now();
    std::optional<Trees> lowest;  // of the starts
    if (budget.trims_permutation)
        for (Trees const& start : starts)
            if (!lowest || is_lower_permutation(start, *lowest)) lowest = start;
    std::optional<Trees> start;
    if (budget.trims_at_any_price && !is_large(starts.front())) start = starts.front();
    Trees best = after_rounds(std::move(starts), legal, budget, report);
    if (budget.moves > 0 && !report.stopped) move_entries(best, legal, budget, report);
    report.stopped = is_asked_anywhere(budget.shared, report.stopped || stop.asked());
    if (lowest) {
        report.trimmed = lower_permutation(best, legal, budget);
        std::uint64_t const entries = lower_permutation(*lowest, legal, budget);
        if (!is_lower_permutation(*lowest, best)) return best;
        report.trimmed = entries;
        return std::move(*lowest);
    }
    // Also of what was stopped: the same steps give the same trees.
    report.trimmed += budget.trims_at_any_price ? lower_load_in_turns(best, std::move(start), legal, budget)
                                                : trim_load(best, legal, budget);
    return best;
}

}  // namespace tailback::search
