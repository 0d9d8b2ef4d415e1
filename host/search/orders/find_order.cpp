#include "host/search/orders/find_order.hpp"

#include "host/base/memory.hpp"
#include "host/search/orders/bisection.hpp"
#include "host/search/orders/every_order.hpp"
#include "host/search/orders/load_search.hpp"
#include "host/search/orders/spectral_bound.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>

namespace tailback::search {
namespace {

constexpr std::uint64_t usual_moves_by_time = 10'000'000;
constexpr std::uint32_t links_of_hosts = 2;  // of a way: its first and its last

Distances distances_of(PlaceProblem const& problem, OrderGoal goal) {
    switch (goal) {
        case OrderGoal::leaf_bytes: return distances_by_leaving(problem.ways, links_of_hosts);
        case OrderGoal::rack_bytes: return distances_by_group(problem.rack, problem.node);
        case OrderGoal::node_bytes: return distances_by_group(problem.node, problem.node);
        default: return distances_by_links(problem.ways, links_of_hosts);
    }
}

}  // namespace

char const* name_of(OrderGoal goal) {
    constexpr char const* names[] = {"time", "load",     "hop-bytes",       "leaf-bytes", "rack-bytes", "node-bytes",
                                     "rate", "makespan", "completion-time", "adaptive",   "hash"};
    return names[std::size_t(goal)];
}

std::uint64_t effort_of(OrderGoal goal, std::uint32_t draws) {
    if (goal == OrderGoal::makespan || goal == OrderGoal::completion_time) return 20;
    return goal == OrderGoal::rate ? 5 : goal == OrderGoal::hash ? 2 * std::uint64_t{draws} : 4;
}

std::uint64_t usual_moves(PlaceProblem const& problem, OrderGoal goal, std::uint32_t draws) {
    if (is_distance(goal)) return 100'000'000;
    return usual_moves_by_time + (is_scored(goal) ? usual_evaluations(problem, effort_of(goal, draws)) : 0);
}

OrderJudge::OrderJudge(PlaceProblem const& problem, OrderGoal goal, OrderScore score)
    : problem_(problem), score_(std::move(score)), is_timed_(goal == OrderGoal::time || goal == OrderGoal::load) {
    if (is_scored(goal)) return;
    if (goal == OrderGoal::load && problem.levels.size() > 1) {
        united_ = problem;
        united_->levels = {all_in_one(problem.levels)};
    }
    if (is_timed_) return;
    base::require_memory("distances between places", std::uint64_t{4} * problem.places() * problem.places(),
                         "give fewer nodes");
    flows_ = all_in_one(problem.levels).flows;
    distances_ = distances_of(problem, goal);
}

std::uint64_t OrderJudge::operator()(Order const& order) const {
    if (score_.of) return score_.of(order);
    return is_timed_ ? time_of(timed(), order) : cost_of(flows_, *distances_, order);
}

std::uint64_t OrderJudge::bound() const {
    if (score_.of) return score_.bound;
    if (is_timed_) return least_time(timed());
    GroupsApart const groups = groups_apart(*distances_);
    return std::max(least_distance_cost(problem_, *distances_),
                    groups.between * least_cut(flows_, problem_.ranks, groups.of_place));
}

FoundOrder OrderJudge::best_of(std::span<Order const> orders) const {
    FoundOrder best;
    for (Order const& order : orders)
        if (std::uint64_t const cost = (*this)(order); best.order.empty() || cost < best.cost)
            best.order = order, best.cost = cost;
    return best;
}

FoundOrder OrderJudge::search(std::vector<Order> starts, OrderSearchOptions const& options) const {
    FoundOrder best = best_of(starts);
    if (best.cost <= options.enough) return best;
    auto const stop = kernels::StopWish::now();
    std::uint64_t const few = std::min(options.moves, usual_evaluations(problem_, score_.of ? score_.effort : 1));
    best.moves = each_order(problem_, starts.front(), few, [&](Order const& order) {
        if (std::uint64_t const cost = (*this)(order); cost < best.cost) best.order = order, best.cost = cost;
        return !stop.asked();
    });
    best.stopped = best.moves > 0 && is_asked_anywhere(options.shared, stop.asked());
    best.is_proven = best.moves > 0 && !best.stopped;
    if (best.moves > 0) return best;
    if (score_.of) return search_scored(std::move(starts), best, options);
    return is_timed_ ? search_timed(std::move(starts), options) : search_near(problem_, *distances_, starts, options);
}

FoundOrder OrderJudge::search_timed(std::vector<Order> starts, OrderSearchOptions const& options) const {
    OrderSearchOptions near = options, timed_options = options;
    near.moves = options.moves / 5;
    near.enough = 0;
    FoundOrder const first = search_near(problem_, distances_by_links(problem_.ways, links_of_hosts), starts, near);
    timed_options.moves = options.moves - std::min(options.moves, first.moves);
    if (options.progress) timed_options.progress = [&](std::uint64_t done) { options.progress(first.moves + done); };
    starts.push_back(first.order);
    FoundOrder found = search_times(timed(), starts, timed_options);
    found.moves += first.moves;
    found.stopped = found.stopped || first.stopped;
    return found;
}

FoundOrder OrderJudge::search_scored(std::vector<Order> starts, FoundOrder best,
                                     OrderSearchOptions const& options) const {
    PlaceProblem short_time = problem_;
    if (!score_.levels.empty()) short_time.levels = score_.levels;
    OrderJudge const near(short_time, OrderGoal::time);
    OrderSearchOptions first = options, then = options;
    std::uint64_t const evaluated = evaluations_of(problem_, score_.effort, options.moves, usual_moves_by_time);
    first.moves = options.moves - evaluated;
    first.enough = near.bound();
    FoundOrder const beside = near.search(starts, first);
    starts.push_back(beside.order);
    if (beside.stopped) {
        best = best_of(starts);
        best.moves = beside.moves;
        best.stopped = true;
        return best;
    }
    then.moves = options.moves - beside.moves;
    if (beside.moves < first.moves) then.moves = std::min(then.moves, evaluated);
    if (options.progress) then.progress = [&](std::uint64_t done) { options.progress(beside.moves + done); };
    FoundOrder found = search_scores(problem_, score_, starts, then);
    found.moves += beside.moves;
    return found;
}

}  // namespace tailback::search
