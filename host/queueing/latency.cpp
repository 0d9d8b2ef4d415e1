#include "host/queueing/latency.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/simulation/mapping_routes.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <numeric>

namespace tailback::queueing {
namespace {

constexpr std::size_t most_hot_links = 10;

/// What the latency of a route is made of: its links, and its service time in 1/denominator of that of a base link.
struct RouteCost {
    std::uint64_t links = 0, service = 0;
    auto operator<=>(RouteCost const&) const = default;
    RouteCost operator+(RouteCost const& other) const { return {links + other.links, service + other.service}; }
};
using Histogram = std::map<RouteCost, std::uint64_t>;

/// Adds to a histogram whose keys come many times in a row.
class Counter {
public:
    void add(RouteCost const& key) {
        if (at_ == nullptr || key != last_) at_ = &counts[last_ = key];
        ++*at_;
    }
    Histogram counts;

private:
    RouteCost last_;
    std::uint64_t* at_ = nullptr;
};

/// What one thread finds.
struct Found {
    Counter latencies, ping_pongs;
    std::uint64_t failed = 0;
    std::vector<std::uint64_t> pairs_on;  ///< by slot
};

/// Looks routes up for ranks that sit where the first mapping puts them.
template <class Routes>
class Walker {
public:
    Walker(study::StudyPlan const& plan, Routes const& routes, bool store_and_forward)
        : problem_(plan.problem),
          routes_(routes),
          sums_(store_and_forward),
          ranks_(problem_, routes, plan.study.sample.first_mapping) {}

    /// Calls visit(slot) for each link. @return none where the flow is not delivered
    template <class Visit>
    std::optional<RouteCost> walk(std::uint32_t source, std::uint32_t destination, Visit&& visit) {
        RouteCost cost;
        kernels::RankFlow const flow{0, kernels::Rank{source}, kernels::Rank{destination}};
        std::uint32_t const fate = ranks_.each_link(flow, [&](std::uint32_t slot) {
            std::uint64_t const service = problem_.routes.cost == nullptr ? 1 : problem_.routes.cost[slot];
            ++cost.links;
            cost.service = sums_ ? cost.service + service : std::max(cost.service, service);
            visit(slot);
        });
        if (fate != 0) return {};
        return cost;
    }

private:
    kernels::Problem const& problem_;
    Routes const& routes_;
    bool const sums_;
    simulation::PlacedRanks<Routes> ranks_;
};

/// All pairs of hosts.
template <class Routes>
std::vector<Found> walk_all_pairs(study::StudyPlan const& plan, Routes const& routes, LatencyQuestion const& question) {
    bool const sums = question.timing.switching == study::Switching::store_and_forward;
    std::uint32_t const ranks = plan.study.placement.ranks;
    auto const threads = std::min<unsigned>(kernels::threads_to_use(question.threads), ranks);
    std::vector<Found> found(std::max(threads, 1u));
    std::atomic<std::uint32_t> done = 0;
    kernels::NextOf next(ranks);
    kernels::in_threads(static_cast<unsigned>(found.size()), [&] {
        Found& mine = found[std::size_t(kernels::this_thread())];
        mine.pairs_on.resize(plan.problem.routes.slots);
        Walker<Routes> walker(plan, routes, sums);
        for (std::size_t s; next.take(s);) {
            auto const source = static_cast<std::uint32_t>(s);
            for (std::uint32_t d = source + 1; d < ranks; ++d) {
                auto const count = [&](std::uint32_t slot) { ++mine.pairs_on[slot]; };
                std::optional<RouteCost> const there = walker.walk(source, d, count),
                                               back = walker.walk(d, source, count);
                for (auto const& way : {there, back})
                    if (way) mine.latencies.add(*way);
                    else ++mine.failed;
                if (there && back) mine.ping_pongs.add(*there + *back);
            }
            ++done;
            if (kernels::this_thread() == 0 && question.progress) question.progress(done);
        }
    });
    return found;
}

/// What every link has of the traffic, where each sender injects 1.
struct Loads {
    std::vector<double> of_slot;
    double delivered = 0;           ///< of all that is injected
    double links = 0, service = 0;  ///< of the delivered, in proportion to what is injected
    std::uint64_t senders = 0;

    void add(double rate, RouteCost const& cost) {
        delivered += rate;
        links += rate * double(cost.links);
        service += rate * double(cost.service);
    }
};

Loads uniform_loads(study::StudyPlan const& plan, std::vector<Found> const& found) {
    Loads loads{.of_slot = std::vector<double>(plan.problem.routes.slots)};
    loads.senders = plan.study.placement.ranks;
    double const rate = 1 / double(plan.study.placement.ranks - 1);
    std::vector<std::uint64_t> pairs(plan.problem.routes.slots);
    Histogram all;
    for (Found const& part : found) {
        for (std::size_t slot = 0; slot < pairs.size() && !part.pairs_on.empty(); ++slot)
            pairs[slot] += part.pairs_on[slot];
        for (auto const& [cost, count] : part.latencies.counts) all[cost] += count;
    }
    for (std::size_t slot = 0; slot < pairs.size(); ++slot) loads.of_slot[slot] = double(pairs[slot]) * rate;
    for (auto const& [cost, count] : all) loads.add(double(count) * rate, cost);
    return loads;
}

template <class Routes>
Loads loads_of_flows(study::StudyPlan const& plan, Routes const& routes, LatencyQuestion const& question) {
    Loads loads{.of_slot = std::vector<double>(plan.problem.routes.slots)};
    patterns::FlowList const& list = plan.flow_list;
    auto const weight = [&](std::size_t f) {
        return plan.problem.traffic.weights == nullptr ? 1 : double(list.weights[f]);
    };
    for (patterns::Level const& level : list.levels)
        if (!level.random.empty())
            throw base::InputError({}, "the flows of the pattern are drawn", "an estimate is of traffic that is known",
                                   "use --pattern all-to-all, which is what they come to on average");
    std::vector<double> sent(plan.study.placement.ranks);
    for (std::size_t f = 0; f < list.flows.size(); ++f) sent[list.flows[f].source] += weight(f);
    loads.senders = std::uint64_t(std::count_if(sent.begin(), sent.end(), [](double w) { return w > 0; }));
    Walker<Routes> walker(plan, routes, question.timing.switching == study::Switching::store_and_forward);
    for (std::size_t f = 0; f < list.flows.size(); ++f) {
        auto const [source, destination] = list.flows[f];
        double const rate = weight(f) / sent[source];
        auto const cost = walker.walk(source, destination, [](std::uint32_t) {});
        if (!cost) continue;
        walker.walk(source, destination, [&](std::uint32_t slot) { loads.of_slot[slot] += rate; });
        loads.add(rate, *cost);
    }
    return loads;
}

/// From what was counted to times.
class Estimator {
public:
    Estimator(study::StudyPlan const& plan, LatencyQuestion const& question) : plan_(plan), question_(question) {
        estimate_.in_seconds = plan.base_rate_elevenths > 0;
        constexpr double bits_a_byte = 8, elevenths_of_gbps = 1e9 / 11;
        double const byte = estimate_.in_seconds ? bits_a_byte / (plan.base_rate_elevenths * elevenths_of_gbps) : 1;
        service_ = question.packet * byte;
        link_ = time_of(question.timing.link_latency, "--latency link=");
        switch_ = time_of(question.timing.switch_latency, "--latency switch=");
    }

    void take_pairs(std::vector<Found> const& found) {
        Histogram latencies, ping_pongs;
        for (Found const& part : found) {
            for (auto const& [cost, count] : part.latencies.counts) latencies[cost] += count;
            for (auto const& [cost, count] : part.ping_pongs.counts) ping_pongs[cost] += count;
            estimate_.failed += part.failed;
        }
        estimate_.pairs = std::uint64_t{plan_.study.placement.ranks} * (plan_.study.placement.ranks - 1);
        double switches = 0, delivered = 0;
        for (auto const& [cost, count] : latencies) {
            switches += double(cost.links - 1) * double(count);
            delivered += double(count);
        }
        estimate_.mean_switches = delivered > 0 ? switches / delivered : 0;
        estimate_.mean_latency = list(latencies, 1, estimate_.latencies);
        estimate_.mean_ping_pong = list(ping_pongs, 2, estimate_.ping_pongs);
    }

    LatencyEstimate take_loads(Loads const& loads) {
        if (loads.senders == 0)
            throw base::InputError({}, "no rank sends anything to another", "", "give traffic that has flows");
        if (loads.delivered == 0)
            throw base::InputError({}, "nothing of the traffic is delivered", "", "`tailback audit` says why");
        estimate_.senders = loads.senders;
        for (std::uint32_t slot = 0; slot < loads.of_slot.size(); ++slot)
            estimate_.largest_load = std::max(estimate_.largest_load, loads.of_slot[slot] * relative_service(slot));
        estimate_.saturation = 1 / estimate_.largest_load;
        estimate_.load = question_.load.value_or(estimate_.saturation / 2);
        if (estimate_.load >= estimate_.saturation)
            throw base::InputError({}, fmt::format("--load {:g} is not below saturation", estimate_.load),
                                   fmt::format("the hottest link is full at {:.6g}", estimate_.saturation),
                                   "give less, or leave it out");
        list_hottest(loads);
        for (double const share : {0.0, 0.1,  0.2,  0.3,  0.4,  0.5,  0.6,  0.7,  0.8,   0.85,
                                   0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995, 0.999}) {
            double const load = share * estimate_.saturation, wait = mean_wait(loads, load);
            double const idle = (loads.links * link_ + (loads.links - loads.delivered) * switch_ +
                                 loads.service / double(plan_.denominator) * service_) /
                                loads.delivered;
            estimate_.curve.push_back({share, load, wait, idle + wait});
        }
        return std::move(estimate_);
    }

private:
    double time_of(study::Duration const& duration, char const* option) const {
        if (!duration.is_zero() && duration.in_seconds != estimate_.in_seconds)
            throw base::InputError(
                {},
                std::string(option) + duration.text + " has " + (estimate_.in_seconds ? "no unit" : "no meaning here"),
                estimate_.in_seconds ? "times are in seconds here"
                                     : "the rates of the links are not known, so no time is known "
                                       "in seconds",
                estimate_.in_seconds ? "write 50ns, 1us, .."
                                     : "give a number without a unit: times what a link of the base "
                                       "rate takes for a byte");
        return duration.value;
    }
    /// Service time over that of a base link.
    double relative_service(std::uint32_t slot) const {
        return plan_.problem.routes.cost == nullptr
                   ? 1
                   : double(plan_.problem.routes.cost[slot]) / double(plan_.denominator);
    }
    /// Times that differ beyond the digits of a report are one. @param ways routes that a key is the sum of @return
    /// the mean, NaN of nothing
    double list(Histogram const& histogram, double ways, std::vector<std::pair<double, std::uint64_t>>& values) const {
        std::map<double, std::uint64_t> by_time;
        double sum = 0, count = 0;
        for (auto const& [cost, pairs] : histogram) {
            double const time = double(cost.links) * link_ + (double(cost.links) - ways) * switch_ +
                                double(cost.service) / double(plan_.denominator) * service_;
            by_time[base::rounded(time)] += pairs;
            sum += time * double(pairs);
            count += double(pairs);
        }
        values.assign(by_time.begin(), by_time.end());
        return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
    }
    double wait_at(Loads const& loads, std::uint32_t slot, double load) const {
        double const relative = relative_service(slot);
        return md1_wait(load * loads.of_slot[slot] * relative) * relative * service_;
    }
    /// Of a packet, over all links of its route: a link's wait counts as often as packets cross it.
    double mean_wait(Loads const& loads, double load) const {
        double sum = 0;
        for (std::uint32_t slot = 0; slot < loads.of_slot.size(); ++slot)
            if (loads.of_slot[slot] > 0) sum += loads.of_slot[slot] * wait_at(loads, slot, load);
        return sum / loads.delivered;
    }
    model::Link link_of(std::uint32_t slot) const {
        return plan_.link_of_index.empty() ? model::Link{slot} : plan_.link_of_index[slot];
    }
    void list_hottest(Loads const& loads) {
        std::vector<std::uint32_t> order(loads.of_slot.size());
        std::iota(order.begin(), order.end(), 0u);
        auto const busy = [&](std::uint32_t slot) { return loads.of_slot[slot] * relative_service(slot); };
        std::erase_if(order, [&](std::uint32_t slot) { return loads.of_slot[slot] == 0; });
        auto const is_inner = [&](std::uint32_t slot) { return plan_.fabric->between_switches(link_of(slot)); };
        if (std::any_of(order.begin(), order.end(), is_inner))
            std::erase_if(order, [&](std::uint32_t slot) { return !is_inner(slot); });
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return busy(a) > busy(b); });
        if (!order.empty() && is_inner(order.front())) estimate_.largest_between_switches = busy(order.front());
        order.resize(std::min(order.size(), most_hot_links));
        for (std::uint32_t const slot : order)
            estimate_.hottest.push_back({link_of(slot), loads.of_slot[slot], estimate_.load * busy(slot),
                                         wait_at(loads, slot, estimate_.load)});
    }

    study::StudyPlan const& plan_;
    LatencyQuestion const& question_;
    LatencyEstimate estimate_;
    double service_ = 0, link_ = 0, switch_ = 0;
};

}  // namespace

double md1_wait(double rho) { return rho / (2 * (1 - rho)); }

LatencyEstimate estimate_latency(study::StudyPlan const& plan, LatencyQuestion const& question) {
    if (plan.study.placement.ranks < 2)
        throw base::InputError({}, "there is no pair of hosts", "one host has nobody to send to", "use more hosts");
    Estimator estimator(plan, question);
    LatencyEstimate estimate;
    kernels::with_routes(plan.problem, [&]<class Routes>(Routes const& routes) {
        std::vector<Found> const found = walk_all_pairs(plan, routes, question);
        estimator.take_pairs(found);
        estimate = estimator.take_loads(question.uniform ? uniform_loads(plan, found)
                                                         : loads_of_flows(plan, routes, question));
    });
    return estimate;
}

}  // namespace tailback::queueing
