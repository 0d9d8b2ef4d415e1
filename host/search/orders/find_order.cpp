#include "host/search/orders/find_order.hpp"

#include "host/base/memory.hpp"
#include "host/search/orders/bisection.hpp"
#include "host/search/orders/distance_search.hpp"
#include "host/search/orders/load_search.hpp"
#include "host/search/orders/spectral_bound.hpp"

#include <algorithm>
#include <optional>

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
    switch (goal) {
        case OrderGoal::time: return "time";
        case OrderGoal::load: return "load";
        case OrderGoal::hop_bytes: return "hop-bytes";
        case OrderGoal::leaf_bytes: return "leaf-bytes";
        case OrderGoal::rack_bytes: return "rack-bytes";
        case OrderGoal::node_bytes: return "node-bytes";
        case OrderGoal::rate: return "rate";
        case OrderGoal::makespan: return "makespan";
        case OrderGoal::completion_time: return "completion-time";
        case OrderGoal::adaptive: return "adaptive";
        case OrderGoal::hash: return "hash";
    }
    return "";
}

std::uint64_t effort_of(OrderGoal goal, std::uint32_t draws) {
    if (goal == OrderGoal::makespan || goal == OrderGoal::completion_time) return 20;
    return goal == OrderGoal::rate ? 5 : goal == OrderGoal::hash ? 2 * std::uint64_t{draws} : 4;
}

std::uint64_t usual_moves(PlaceProblem const& problem, OrderGoal goal, std::uint32_t draws) {
    if (is_distance(goal)) return 100'000'000;
    return usual_moves_by_time + (is_scored(goal) ? usual_evaluations(problem, effort_of(goal, draws)) : 0);
}

struct OrderJudge::Parts {
    PlaceProblem const& problem;
    OrderScore score;
    std::optional<PlaceProblem> united;  ///< all levels in one, for the largest load
    std::vector<PlacedFlow> flows;       ///< of all levels, for distances
    std::optional<Distances> distances;
    std::vector<std::uint32_t> group;  ///< by place: what no distance of 0 leads out of; empty for hop-bytes
    bool is_timed = false;

    PlaceProblem const& timed() const { return united ? *united : problem; }
};

OrderJudge::OrderJudge(PlaceProblem const& problem, OrderGoal goal, OrderScore score)
    : parts_(new Parts{problem, std::move(score), {}, {}, {}, {}, false}) {
    if (is_scored(goal)) return;
    parts_->is_timed = goal == OrderGoal::time || goal == OrderGoal::load;
    if (goal == OrderGoal::load && problem.levels.size() > 1) {
        parts_->united = problem;
        parts_->united->levels = {all_in_one(problem.levels)};
    }
    if (parts_->is_timed) return;
    base::require_memory("distances between places", std::uint64_t{4} * problem.places() * problem.places(),
                         "give fewer nodes");
    parts_->flows = all_in_one(problem.levels).flows;
    parts_->distances = distances_of(problem, goal);
    if (goal != OrderGoal::hop_bytes) parts_->group = groups_apart(*parts_->distances);
}

OrderJudge::~OrderJudge() = default;

std::uint64_t OrderJudge::operator()(Order const& order) const {
    if (parts_->score.of) return parts_->score.of(order);
    return parts_->is_timed ? time_of(parts_->timed(), order) : cost_of(parts_->flows, *parts_->distances, order);
}

std::uint64_t OrderJudge::bound() const {
    if (parts_->score.of) return parts_->score.bound;
    if (parts_->is_timed) return least_time(parts_->timed());
    std::uint64_t const least = least_distance_cost(parts_->problem, *parts_->distances);
    if (parts_->group.empty()) return least;
    return std::max(least, least_cut(parts_->flows, parts_->problem.ranks, parts_->group));
}

FoundOrder OrderJudge::search(std::vector<Order> starts, OrderSearchOptions const& options) const {
    if (parts_->score.of) return search_scored(std::move(starts), options);
    if (!parts_->is_timed) return search_near(parts_->problem, *parts_->distances, starts, options);
    OrderSearchOptions near = options, timed = options;
    near.moves = options.moves / 5;
    near.enough = 0;
    std::size_t best = 0;
    for (std::size_t k = 1; k < starts.size(); ++k)
        if ((*this)(starts[k]) < (*this)(starts[best])) best = k;
    if (std::uint64_t const cost = (*this)(starts[best]); cost <= options.enough) return {starts[best], cost, 0, false};
    FoundOrder const first =
        search_near(parts_->problem, distances_by_links(parts_->problem.ways, links_of_hosts), starts, near);
    timed.moves = options.moves - std::min(options.moves, first.moves);
    if (options.progress) timed.progress = [&](std::uint64_t done) { options.progress(first.moves + done); };
    starts.push_back(first.order);
    FoundOrder found = search_times(parts_->timed(), starts, timed);
    found.moves += first.moves;
    found.stopped = found.stopped || first.stopped;
    return found;
}

FoundOrder OrderJudge::search_scored(std::vector<Order> starts, OrderSearchOptions const& options) const {
    OrderScore const& score = parts_->score;
    std::size_t best = 0;
    std::vector<std::uint64_t> costs;
    for (Order const& start : starts) costs.push_back(score.of(start));
    for (std::size_t k = 1; k < starts.size(); ++k)
        if (costs[k] < costs[best]) best = k;
    if (costs[best] <= options.enough) return {starts[best], costs[best], 0, false};
    PlaceProblem short_time = parts_->problem;
    if (!score.levels.empty()) short_time.levels = score.levels;
    OrderJudge const near(short_time, OrderGoal::time);
    OrderSearchOptions first = options, then = options;
    std::uint64_t const evaluated = evaluations_of(parts_->problem, score.effort, options.moves, usual_moves_by_time);
    first.moves = options.moves - evaluated;
    first.enough = near.bound();
    FoundOrder const beside = near.search(starts, first);
    if (beside.stopped) {
        std::uint64_t const cost = score.of(beside.order);
        return {cost < costs[best] ? beside.order : starts[best], std::min(cost, costs[best]), beside.moves, true};
    }
    starts.push_back(beside.order);
    then.moves = options.moves - beside.moves;
    if (beside.moves < first.moves) then.moves = std::min(then.moves, evaluated);
    if (options.progress) then.progress = [&](std::uint64_t done) { options.progress(beside.moves + done); };
    FoundOrder found = search_scores(parts_->problem, score, starts, then);
    found.moves += beside.moves;
    return found;
}

}  // namespace tailback::search
