#include "host/search/tables/switch_order.hpp"

#include "host/io/progress.hpp"
#include "host/search/tables/rounds.hpp"
#include "topologies/draws.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>
#include <tuple>

namespace tailback::search {
namespace {

/// Lower is better; of trees that lose pairs it is infinite.
double height_of(Trees const& trees, std::uint64_t most_lost) {
    if (trees.lost() > most_lost) return INFINITY;
    double squares = 0;
    for (std::uint32_t a = 0; a < trees.loads().size(); ++a)
        squares += double(trees.load(a)) * double(trees.load(a)) * trees.cost(a);
    return 2 * std::log(double(std::max<std::uint64_t>(1, trees.largest_priced_load()))) +
           std::log(std::max(1.0, squares));
}

struct OrderState {
    Trees trees;
    std::vector<std::uint32_t> order;  // switches, the highest first
    double height;
};

std::vector<std::uint32_t> hops_from(SwitchGraph const& graph, std::vector<std::uint32_t> queue) {
    std::vector<std::uint32_t> hops(graph.switches(), SwitchGraph::none);
    for (std::uint32_t const start : queue) hops[start] = 0;
    for (std::size_t at = 0; at < queue.size(); ++at)
        for (Arc const& arc : graph.arcs_of(queue[at]))
            if (hops[arc.to] == SwitchGraph::none) {
                hops[arc.to] = hops[queue[at]] + 1;
                queue.push_back(arc.to);
            }
    return hops;
}

/// Places by these numbers, then those with more links first where that is asked for, then by GUID.
std::vector<std::uint32_t> placed(SwitchGraph const& graph, std::vector<std::uint32_t> const& depth, bool by_links) {
    std::vector<std::uint32_t> order(graph.switches()), place(graph.switches());
    std::iota(order.begin(), order.end(), 0u);
    auto const height = [&](std::uint32_t v) {
        return std::tuple(depth[v], by_links ? graph.arcs().size() - graph.arcs_of(v).size() : 0,
                          graph.network()[graph.node(v)].guid, v);
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return height(a) < height(b); });
    for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    return place;
}

void move_switch(std::vector<std::uint32_t>& order, topologies::Draws& draws) {
    auto const count = static_cast<std::uint32_t>(order.size());
    std::uint32_t const from = draws.below(count), to = draws.below(count);
    if (draws.below(2) == 0) std::swap(order[from], order[to]);
    else if (from < to) std::rotate(order.begin() + from, order.begin() + from + 1, order.begin() + to + 1);
    else std::rotate(order.begin() + to, order.begin() + from, order.begin() + from + 1);
}

/// A search of its own. It cools in cycles, each twice as long as the one before, as moves do.
class OrderDescent final : public SearchPart {
public:
    static constexpr std::uint64_t trials_of_a_step = 50;

    OrderDescent(Trees const& trees, std::vector<std::uint32_t> order, std::uint64_t seed, std::uint32_t part,
                 std::uint64_t trials)
        : now_{trees, std::move(order), height_of(trees, trees.lost())},
          best_(now_),
          most_lost_(trees.lost()),
          draws_(seed, topologies::BuildStream::switch_order, part),
          place_(trees.graph().switches()),
          trials_(trials) {}

    bool is_over() const override { return done_ >= trials_; }
    void step() override {
        for (std::uint64_t const end = std::min(done_ + trials_of_a_step, trials_); done_ < end; ++done_) try_one();
    }
    OrderState& best() { return best_; }

    void write(StateWords& words) const override {
        if (done_ == 0) return;
        words = {done_, in_cycle_, cycle_, draws_.position()};
        for (OrderState const* const state : {&now_, &best_}) {
            words.insert(words.end(), state->order.begin(), state->order.end());
            state->trees.write_arcs(words);
        }
    }
    void read(WordReader& words) override {
        if (words.is_empty()) return;
        done_ = words.next_to(trials_);
        in_cycle_ = words.next();
        cycle_ = words.next();
        if (cycle_ % first_cycle != 0 || !std::has_single_bit(cycle_ / first_cycle) || in_cycle_ > cycle_)
            throw UnfitWords("a number in it is too large");
        draws_.go_to(words.next());
        for (OrderState* const state : {&now_, &best_}) {
            auto const switches = static_cast<std::uint32_t>(place_.size());
            state->order = words.next_distinct(switches, switches);
            for (std::uint32_t i = 0; i < switches; ++i) place_[state->order[i]] = i;
            LegalWays const ways = LegalWays::by_order(state->trees.graph(), place_);
            state->trees.read_arcs(words, [&](std::uint32_t d, std::uint32_t, std::uint32_t arc) {
                return ways.allows(state->trees.targets()[d].at, arc);
            });
            state->height = height_of(state->trees, most_lost_);
        }
    }

private:
    static constexpr std::uint64_t first_cycle = 1000;

    void try_one() {
        if (in_cycle_ == cycle_) {
            in_cycle_ = 0;
            cycle_ *= 2;
        }
        double const heat = 0.05 * std::pow(0.01, double(in_cycle_++) / double(cycle_));
        OrderState next = now_;
        move_switch(next.order, draws_);
        for (std::uint32_t i = 0; i < place_.size(); ++i) place_[next.order[i]] = i;
        LegalWays const ways = LegalWays::by_order(now_.trees.graph(), place_);
        for (int round = 0; round < 2; ++round) run_round(next.trees, ways, Meetings::by_link);
        next.height = height_of(next.trees, most_lost_);
        double const worse = next.height - now_.height;
        if (worse > 0 && !(double(draws_.next()) < std::exp(-worse / heat) * 4294967296.0)) return;
        now_ = std::move(next);
        if (now_.height < best_.height) best_ = now_;
    }

    OrderState now_, best_;
    std::uint64_t most_lost_;
    topologies::Draws draws_;
    std::vector<std::uint32_t> place_;
    std::uint64_t in_cycle_ = 0, cycle_ = first_cycle, done_ = 0, trials_;
};

}  // namespace

std::vector<std::uint32_t> order_from_roots(SwitchGraph const& graph, std::span<std::uint32_t const> roots) {
    return placed(graph, hops_from(graph, {roots.begin(), roots.end()}), false);
}

std::vector<std::uint32_t> order_from_hosts(SwitchGraph const& graph) {
    std::vector<std::uint32_t> with_hosts;
    for (std::uint32_t s = 0; s < graph.switches(); ++s)
        if (graph.hosts_at(s) > 0) with_hosts.push_back(s);
    std::vector<std::uint32_t> hops = hops_from(graph, std::move(with_hosts));
    for (std::uint32_t& hop : hops) hop = SwitchGraph::none - (hop == SwitchGraph::none ? 0 : hop + 1);
    return placed(graph, hops, true);
}

std::vector<std::uint32_t> search_order(Trees& trees, std::vector<std::uint32_t> place, OrderBudget const& budget,
                                        std::uint64_t& tried) {
    if (budget.trials == 0 || place.empty()) return place;
    std::vector<std::uint32_t> order(place.size());
    for (std::uint32_t v = 0; v < place.size(); ++v) order[place[v]] = v;
    std::vector<std::unique_ptr<OrderDescent>> descents;
    std::vector<SearchPart*> parts;
    for (std::uint32_t n = 0; n < std::max<std::uint64_t>(1, budget.descents); ++n) {
        descents.push_back(std::make_unique<OrderDescent>(trees, order, budget.seed, n, budget.trials));
        parts.push_back(descents.back().get());
    }
    io::Progress progress("ordering switches", budget.trials, "trials");
    auto const trials_of = [&](PartsReport const& run) {
        return std::min(budget.trials, run.steps * OrderDescent::trials_of_a_step);
    };
    tried = trials_of(run_parts(parts, budget.shared, budget.threads, parts.size(),
                                [&](PartsReport const& run) { progress.show(trials_of(run)); }));
    OrderState* best = &descents.front()->best();
    for (auto const& one : descents)
        if (one->best().height < best->height) best = &one->best();
    for (std::uint32_t i = 0; i < best->order.size(); ++i) place[best->order[i]] = i;
    trees = std::move(best->trees);
    return place;
}

}  // namespace tailback::search
