#include "host/search/bounds/load_bound.hpp"

#include "host/search/bounds/flow_graphs.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tailback::search {
namespace {

using Prices = std::vector<double>;

/// Whole numbers in the same proportions, so fine that rounding costs less than one part in 10^6.
std::vector<std::uint64_t> in_whole_numbers(Bundles const& bundles, Prices const& price, double bound, double demand) {
    double paid = 0;  // by the whole demand
    for (std::uint32_t b = 0; b < price.size(); ++b) paid += price[b] * bundles[b].capacity;
    double const mean = bound * paid / demand, fine = double(1 << 22) / mean;
    std::vector<std::uint64_t> whole(price.size());
    for (std::uint32_t b = 0; b < price.size(); ++b)
        whole[b] = static_cast<std::uint64_t>(std::min(price[b] * fine + 0.5, 1e15));
    std::uint64_t common = 0;
    for (std::uint64_t const one : whole) common = std::gcd(common, one);
    if (common > 1)
        for (std::uint64_t& one : whole) one /= common;
    return whole;
}

/// Prices that are nearly alike become alike (as they are in the optimum of regular networks), small ones nothing.
Prices simplified(Prices const& price, double alike, double nothing) {
    std::vector<std::uint32_t> order;
    double most = 0;
    for (double const one : price) most = std::max(most, one);
    Prices simple(price.size());
    for (std::uint32_t b = 0; b < price.size(); ++b)
        if (price[b] > nothing * most) order.push_back(b);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return price[a] != price[b] ? price[a] > price[b] : a < b; });
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        double sum = 0;
        while (end < order.size() && price[order[end]] * (1 + alike) >= price[order[begin]]) sum += price[order[end++]];
        for (std::size_t i = begin; i < end; ++i) simple[order[i]] = sum / double(end - begin);
    }
    return simple;
}

/// What leaves one switch, or what enters it: prices of 1 on the links of all that have the largest bound, which is
/// that of their prices together. 0 where nothing goes between switches.
double best_cuts(Bundles const& bundles, Demand const& demand, Prices& price) {
    std::uint32_t const switches = bundles.switches();
    std::vector<double> out(switches), in(switches), capacity_out(switches), capacity_in(switches);
    std::vector<std::uint32_t> links;
    for (std::uint32_t d = 0; d < switches; ++d) {
        if (demand.to(d).empty()) continue;
        bundles.nearest_first(d, links);
        for (Demand::Part const& part : demand.to(d))
            if (links[part.from] != SwitchGraph::none)
                out[part.from] += double(part.amount), in[d] += double(part.amount);
    }
    for (Bundle const& bundle : bundles.all())
        capacity_out[bundle.from] += bundle.capacity, capacity_in[bundle.to] += bundle.capacity;
    double best = 0;
    for (std::uint32_t s = 0; s < switches; ++s) {
        if (out[s] > 0) best = std::max(best, out[s] /= capacity_out[s]);
        if (in[s] > 0) best = std::max(best, in[s] /= capacity_in[s]);
    }
    double const nearly = best * (1 - 1e-12);
    price.assign(bundles.all().size(), 0);
    for (std::uint32_t b = 0; best > 0 && b < price.size(); ++b)
        price[b] = (out[bundles[b].from] >= nearly ? 1 : 0) + (in[bundles[b].to] >= nearly ? 1 : 0);
    return best;
}

class Search {
public:
    Search(Bundles const& bundles, Demand const& demand, BoundRoutes routes, LoadBoundLimits const& limits)
        : bundles_(bundles), demand_(demand), limits_(limits) {
        found_.routes = routes;
        for (Bundle const& bundle : bundles.all()) scale_.push_back(1 / bundle.capacity);
        for (std::uint32_t d = 0; d < bundles.switches(); ++d)
            if (!demand.to(d).empty()) destinations_.push_back(d);
    }

    LoadBound find() {
        bound_ = best_cuts(bundles_, demand_, best_);
        if (bound_ == 0) return found_;  // nothing to send between switches
        try_prices(Prices(scale_.size(), 1));
        if (fits()) found_.routes == BoundRoutes::shortest ? by_shortest() : by_any();
        found_.price = in_whole_numbers(bundles_, best_, bound_, double(demand_.total()));
        found_.sums = price_sums(bundles_, demand_, found_.routes, found_.price);
        found_.bound = found_.sums.bound();
        return std::move(found_);
    }

private:
    bool fits() {
        std::uint64_t ways = 0;
        flows_.reserve(destinations_.size());
        for (std::uint32_t const d : destinations_) {
            wish_.heed();
            flows_.push_back(shortest_ways(bundles_, demand_, d));
            ways += flows_.back().ways.size();
            if (ways > limits_.most_ways) return false;
        }
        return true;
    }

    void by_shortest() {
        DividedFlows divided(scale_, Prices(scale_.size()));
        for (FlowsToOne& one : flows_) divided.add(std::move(one));
        for (double const gap : {16 * limits_.gap, 4 * limits_.gap, limits_.gap}) {
            divided.solve({gap, limits_.most_steps / 3});
            take(divided);
            simplify(divided);
            if (found_.upper <= bound_ * (1 + limits_.gap)) break;
        }
    }
    /// Prices that the optimum of regular networks may have.
    void simplify(DividedFlows& divided) {
        auto const see = [&](Prices price) {
            wish_.heed();
            if (double const bound = divided.bound_of(price); bound > bound_ * (1 + 1e-9))
                bound_ = bound, best_ = std::move(price);
        };
        Prices const price = divided.best_price();
        see(price);
        for (double const nothing : {0.0, 0.001, 0.02, 0.3})
            for (double const alike : {0.003, 0.02, 0.1, 0.5}) {
                if (bound_ >= found_.upper * (1 - 1e-9)) return;
                see(simplified(price, alike, nothing));
            }
    }

    /// Rounds of a few sweeps each over ways by which prices fall; after each the ways follow the prices.
    void by_any() {
        double steepness = 0;
        std::uint64_t steps = 0;
        Prices last;
        while (steps < limits_.most_steps) {
            DividedFlows divided(scale_, Prices(scale_.size()));
            std::uint64_t ways = 0;
            for (FlowsToOne& one : flows_) ways += one.ways.size(), divided.add(std::move(one));
            divided.begin_at(steepness);
            divided.solve({0, 4 * (2 * ways + 1)});
            take(divided);
            steepness = divided.steepness();
            last = divided.price();
            raise_to(last, bound_ * 1e-7);
            std::vector<Prices> const away = try_prices(last);
            steps += 4 * 2 * ways + 8 * std::uint64_t(destinations_.size()) * scale_.size();
            if (found_.upper <= bound_ * (1 + limits_.gap)) break;
            for (std::size_t i = 0; i < destinations_.size(); ++i)
                flows_[i] = falling_ways(bundles_, demand_, destinations_[i], last, away[i], divided.all()[i]);
        }
        for (auto const& [nothing, alike] : {std::pair{0.0, 0.01}, {0.02, 0.1}, {0.3, 0.5}})
            if (bound_ < found_.upper * (1 - 1e-9)) try_prices(simplified(last, alike, nothing));
    }

    /// So that distances grow with every link. @param least part of the mean distance
    void raise_to(Prices& price, double part) const {
        double paid = 0;
        for (std::uint32_t b = 0; b < price.size(); ++b) paid += price[b] * bundles_[b].capacity;
        for (double& one : price) one = std::max(one, part * paid / double(demand_.total()));
    }

    void take(DividedFlows const& divided) {
        if (found_.upper != 0 && divided.upper() >= found_.upper) return;
        found_.upper = divided.upper();
        found_.load = divided.best_load();
    }

    /// Whatever the ways are that flows have now. Gives the distances to every destination.
    std::vector<Prices> try_prices(Prices const& price) {
        std::vector<Prices> all;
        double weighted = 0, paid = 0;
        for (std::uint32_t const d : destinations_) {
            wish_.heed();
            Prices away = priced_distances(bundles_, d, found_.routes, price);
            for (Demand::Part const& part : demand_.to(d))
                if (away[part.from] != std::numeric_limits<double>::max())
                    weighted += double(part.amount) * away[part.from];
            if (found_.routes == BoundRoutes::any) all.push_back(std::move(away));
        }
        for (std::uint32_t b = 0; b < price.size(); ++b) paid += price[b] * bundles_[b].capacity;
        if (weighted > bound_ * paid * (1 + 1e-12)) bound_ = weighted / paid, best_ = price;
        return all;
    }

    Bundles const& bundles_;
    Demand const& demand_;
    LoadBoundLimits const& limits_;
    kernels::StopWish const wish_ = kernels::StopWish::now();
    std::vector<double> scale_;  // by bundle
    std::vector<std::uint32_t> destinations_;
    std::vector<FlowsToOne> flows_;  // by place in destinations_
    Prices best_;
    double bound_ = 0;
    LoadBound found_;
};

}  // namespace

LoadBound find_load_bound(Bundles const& bundles, Demand const& demand, BoundRoutes routes,
                          LoadBoundLimits const& limits) {
    return Search(bundles, demand, routes, limits).find();
}

}  // namespace tailback::search
