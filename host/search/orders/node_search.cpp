#include "host/search/orders/node_search.hpp"

#include "host/search/orders/every_order.hpp"
#include "host/search/orders/load_search.hpp"
#include "host/search/orders/scored_search.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace tailback::search {
namespace {

/// What the harm weighs beside the time, and the share of the moves (in twentieths) that is spent on it.
struct Weighing {
    double harm;
    std::uint64_t moves;
    bool of_harm_alone = false;
};
constexpr Weighing weighings[] = {{0, 12}, {0.7, 1}, {1, 2}, {1.4, 1}, {2, 1}, {4, 1}, {1, 2, true}};

/// The largest load x cost is what this weighing looks at: costs in steps of 1/2^16 of the largest.
PlaceProblem weighed(NodeProblem const& problem, Weighing const& by) {
    PlaceProblem weighed = problem.places;
    std::vector<double> cost;
    for (std::size_t link = 0; link < weighed.cost.size(); ++link) {
        double const harm = by.harm * problem.of[link];
        constexpr double hardly = 1.0 / 64;  // of two without harm the faster
        cost.push_back(double(weighed.cost[link]) * std::max(by.of_harm_alone ? hardly : 1, harm));
    }
    double const most = *std::max_element(cost.begin(), cost.end());
    for (std::size_t link = 0; link < cost.size(); ++link)
        weighed.cost[link] = static_cast<std::uint32_t>(std::lround(cost[link] / most * 0x1p16));
    return weighed;
}

/// Of the links that ways of this order begin and end with, the largest load x cost.
double busiest_end(PlaceProblem const& problem, Order const& order, std::vector<std::uint64_t> const& load) {
    double most = 0;
    for (PlacedFlow const& flow : problem.levels.front().flows)
        if (auto const way = problem.ways.way(order[flow.source], order[flow.destination]); !way.empty())
            for (std::uint32_t const link : {way.front(), way.back()})
                most = std::max(most, double(load[link]) * problem.cost[link]);
    return most;
}

/// By their time, the least first.
std::vector<FoundNodes> unbeaten(std::vector<FoundNodes> sets) {
    std::stable_sort(sets.begin(), sets.end(), [](FoundNodes const& a, FoundNodes const& b) {
        return std::pair(a.value.time, a.value.harm) < std::pair(b.value.time, b.value.harm);
    });
    constexpr double noticeable = 1e-9;
    std::vector<FoundNodes> best;
    for (FoundNodes& one : sets)
        if (best.empty() || one.value.harm < best.back().value.harm - noticeable) best.push_back(std::move(one));
    return best;
}

}  // namespace

NodeValue value_of(NodeProblem const& problem, Order const& order) {
    PlaceProblem const& places = problem.places;
    std::vector<std::uint64_t> load(places.cost.size());
    add_loads(places.ways, places.levels.front().flows, order, load);
    double const alone = busiest_end(places, order, load), slower = alone > 0 ? alone / problem.unit : 1;
    NodeValue value{.alone = slower};
    for (std::size_t link = 0; link < load.size(); ++link) {
        if (load[link] == 0) continue;
        std::uint64_t const other = places.background.empty() ? 0 : places.background[link];
        double const cost = places.cost[link];
        double const number = (double(load[link]) / slower + double(other)) * cost / problem.unit;
        value.time = std::max(value.time, number * slower);
        value.harm = std::max(value.harm, number * problem.of[link]);
    }
    return value;
}

std::vector<FoundNodes> best_in_both(std::vector<FoundNodes> sets) {
    std::vector<FoundNodes> best = unbeaten(std::move(sets));
    if (best.size() <= most_node_sets) return best;
    std::vector<FoundNodes> thinned;
    for (std::size_t k = 0; k < most_node_sets; ++k)
        thinned.push_back(std::move(best[k * (best.size() - 1) / (most_node_sets - 1)]));
    return thinned;
}

FoundNodeSets search_nodes(NodeProblem const& problem, std::span<Order const> starts,
                           OrderSearchOptions const& options) {
    FoundNodeSets result;
    for (Order const& start : starts) result.sets.push_back({start, value_of(problem, start)});
    auto const stop = kernels::StopWish::now();
    constexpr std::uint64_t effort = 2;  // of a value, beside a swap
    std::uint64_t const few = std::min(options.moves, usual_evaluations(problem.places, effort));
    result.moves = each_order(problem.places, starts.front(), few, [&](Order const& order) {
        result.sets.push_back({order, value_of(problem, order)});
        if (result.sets.size() > 1000) result.sets = unbeaten(std::move(result.sets));
        return !stop.asked();
    });
    if (result.moves > 0) {
        result.stopped = is_asked_anywhere(options.shared, stop.asked());
        result.is_proven = !result.stopped;
        result.sets = best_in_both(std::move(result.sets));
        return result;
    }
    std::uint64_t left = options.moves;
    for (std::size_t k = 0; k < std::size(weighings) && left > 0 && !result.stopped; ++k) {
        bool const harmless = k > 0 && result.sets.back().value.harm <= 1;  // then there is nothing to weigh
        PlaceProblem const places = weighed(problem, weighings[harmless ? 0 : k]);
        std::vector<std::pair<std::uint64_t, std::size_t>> times;  // the better it begins, the fewer moves it needs
        for (std::size_t i = 0; i < result.sets.size(); ++i)
            times.emplace_back(time_of(places, result.sets[i].order), i);
        std::sort(times.begin(), times.end());
        std::size_t const starts_of_it = k == 0 ? 1 : 2;  // the first cools longest
        std::vector<Order> from;
        for (std::size_t i = 0; i < std::min(starts_of_it, times.size()); ++i)
            from.push_back(result.sets[times[i].second].order);
        OrderSearchOptions part = options;
        part.moves = harmless || k + 1 == std::size(weighings) ? left : options.moves * weighings[k].moves / 20;
        left -= part.moves;
        part.seed = options.seed + k;
        std::uint64_t const before = result.moves;
        if (options.progress) part.progress = [&](std::uint64_t done) { options.progress(before + done); };
        FoundOrder found = search_times(places, from, part);
        result.moves += found.moves;
        result.stopped = found.stopped;
        NodeValue const value = value_of(problem, found.order);
        result.sets.push_back({std::move(found.order), value});
    }
    result.sets = best_in_both(std::move(result.sets));
    return result;
}

FoundNodes search_nodes_weighed(NodeProblem const& problem, double weight, std::span<Order const> starts,
                                OrderSearchOptions const& options) {
    FoundOrder found = search_times(weighed(problem, {weight, 0}), starts, options);
    NodeValue const value = value_of(problem, found.order);
    return {std::move(found.order), value};
}

double busiest_adapter(PlaceProblem const& problem) {
    std::uint32_t least = UINT32_MAX;
    for (std::uint32_t b = 0; b < problem.places(); ++b)
        for (auto const& way : {problem.ways.way(0, b), problem.ways.way(b, 0)})
            if (!way.empty()) least = std::min({least, problem.cost[way.front()], problem.cost[way.back()]});
    std::vector<PlacedFlow> const& flows = problem.levels.front().flows;
    Order order(problem.ranks);
    std::iota(order.begin(), order.end(), 0u);
    std::vector<std::uint64_t> load(problem.cost.size());
    add_loads(problem.ways, flows, order, load);
    std::uint64_t most = 0;
    for (PlacedFlow const& flow : flows)
        if (auto const way = problem.ways.way(flow.source, flow.destination); !way.empty())
            most = std::max({most, load[way.front()], load[way.back()]});
    return double(most) * least;
}

bool adapters_differ(PlaceProblem const& problem) {
    std::uint32_t least = UINT32_MAX, most = 0;
    for (std::uint32_t a = 0; a < problem.places(); ++a)
        for (std::uint32_t b : {a == 0 ? problem.places() - 1 : 0, problem.places() / 2})
            if (auto const way = problem.ways.way(a, b); !way.empty()) {
                least = std::min(least, problem.cost[way.front()]);
                most = std::max(most, problem.cost[way.front()]);
            }
    return least < most;
}

std::uint64_t links_of_flows(PlaceProblem const& problem) {
    std::uint64_t links = 1;
    for (PlacedFlow const& flow : problem.levels.front().flows)
        links += problem.ways.way(flow.source, flow.destination).size();
    return links;
}

std::uint64_t usual_node_moves(PlaceProblem const& problem) {
    std::uint64_t const links = links_of_flows(problem) * 8 * problem.together / problem.ranks + 1;  // of a swap
    return std::clamp<std::uint64_t>(1'200'000'000 / links, 10'000, 2'000'000);
}

}  // namespace tailback::search
