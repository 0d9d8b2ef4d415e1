// Two runs of the same: the first finds the hottest links and the makespan, the second divides the time into parts.
#include "host/simulation/timeline.hpp"

#include "host/simulation/engine.hpp"
#include "host/simulation/mapping_routes.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <algorithm>
#include <numeric>

namespace tailback::simulation {
namespace {

constexpr std::size_t most_hot_links = 10;

/// What changes the rates of links is passed on, link by link.
class RatesOfLinks {
public:
    RatesOfLinks(Graph const& graph, bool store_and_forward)
        : graph_(graph), store_and_forward_(store_and_forward), rate_(graph.tasks.size()) {}

    void begin(PairLinks const& links) { links_ = &links; }
    PairLinks const& links() const { return *links_; }
    /// Calls change(link, by) for the links that the flow is on.
    template <class Change>
    void set(std::uint32_t task, std::uint64_t rate, std::uint32_t hop, Change&& change) {
        std::span<std::uint32_t const> links = links_->links(graph_.tasks[task].subject);
        if (store_and_forward_ && !links.empty()) links = links.subspan(hop, 1);
        auto const by = static_cast<std::int64_t>(rate - rate_[task]);
        rate_[task] = rate;
        for (std::uint32_t const link : links) change(link, by);
    }

private:
    Graph const& graph_;
    bool const store_and_forward_;
    PairLinks const* links_ = nullptr;
    std::vector<std::uint64_t> rate_;  ///< by task
};

/// Of the first run: what every link has carried.
class FirstRun {
public:
    FirstRun(Graph const& graph, bool store_and_forward) : rates_(graph, store_and_forward) {}
    void begin(PairLinks const& links) {
        rates_.begin(links);
        link_.assign(links.capacities().size(), {});
    }
    void started(std::uint32_t, FlowFate, Ticks) {}
    void ended(std::uint32_t, Ticks, Ticks) {}
    void computed(std::uint32_t, Ticks, Ticks) {}
    void rate(std::uint32_t task, std::uint64_t rate, std::uint32_t hop, Ticks now) {
        rates_.set(task, rate, hop, [&](std::uint32_t link, std::int64_t by) {
            Carried& carried = link_[link];
            carried.volume += static_cast<kernels::WideWord>(carried.rate) * (now - carried.since);
            carried.since = now;
            carried.rate += static_cast<std::uint64_t>(by);
        });
    }
    /// Mean utilisation by link.
    std::vector<double> utilisation(PairLinks const& links, Ticks makespan) const {
        std::vector<double> all;
        for (std::size_t l = 0; l < link_.size(); ++l)
            all.push_back(makespan == 0 ? 0
                                        : double(link_[l].volume) / (double(links.capacities()[l]) * double(makespan)));
        return all;
    }

private:
    struct Carried {
        std::uint64_t rate = 0;
        Ticks since = 0;
        kernels::WideWord volume = 0;
    };
    RatesOfLinks rates_;
    std::vector<Carried> link_;
};

/// A number that changes over time, as means over equal parts of it.
class Parts {
public:
    explicit Parts(Ticks makespan) : width_(double(makespan) / double(Timeline::parts)), means_(Timeline::parts) {}
    void change(double by, Ticks now) {
        add_until(now);
        value_ += by;
    }
    std::vector<double> take(Ticks end, double scale) {
        add_until(end);
        for (double& mean : means_) mean = width_ == 0 ? 0 : mean * scale / width_;
        return std::move(means_);
    }

private:
    void add_until(Ticks now) {
        if (now == since_) return;
        double const from = double(since_), to = double(now);
        since_ = now;
        if (value_ == 0) return;
        auto part = static_cast<std::size_t>(from / width_);
        for (; part < means_.size() && double(part) * width_ < to; ++part)
            means_[part] +=
                value_ * std::max(0.0, std::min(to, double(part + 1) * width_) - std::max(from, double(part) * width_));
    }
    double const width_;
    std::vector<double> means_;
    double value_ = 0;
    Ticks since_ = 0;
};

/// Of the second run: everything.
class SecondRun {
public:
    SecondRun(Graph const& graph, bool store_and_forward, std::vector<std::uint32_t> const& hottest, Ticks makespan)
        : graph_(graph),
          rates_(graph, store_and_forward),
          number_(graph.tasks.size(), none),
          running_(makespan),
          makespan_(makespan),
          hot_(hottest.size(), Parts(makespan)),
          hottest_(hottest) {
        timeline.flows.reserve(graph.flows);
    }
    void begin(PairLinks const& links) {
        rates_.begin(links);
        hot_of_link_.assign(links.capacities().size(), none);
        for (std::uint32_t h = 0; h < hottest_.size(); ++h) hot_of_link_[hottest_[h]] = h;
    }
    void started(std::uint32_t task, FlowFate fate, Ticks now) {
        Task const& flow = graph_.tasks[task];
        number_[task] = static_cast<std::uint32_t>(timeline.flows.size());
        timeline.flows.push_back({graph_.pairs[flow.subject].source, rates_.links().destination(flow.subject),
                                  flow.label, fate, flow.amount, now, now, now});
        if (fate == FlowFate::delivered) running_.change(1, now);
    }
    void ended(std::uint32_t task, Ticks, Ticks now) {
        timeline.flows[number_[task]].arrived = now;
        running_.change(-1, now);
    }
    void computed(std::uint32_t task, Ticks from, Ticks to) {
        timeline.computations.push_back({graph_.tasks[task].rank, graph_.tasks[task].label, from, to});
    }
    void rate(std::uint32_t task, std::uint64_t rate, std::uint32_t hop, Ticks now) {
        if (rate == 0 && hop == 0) timeline.flows[number_[task]].sent = now;
        rates_.set(task, rate, hop, [&](std::uint32_t link, std::int64_t by) {
            if (std::uint32_t const hot = hot_of_link_[link]; hot != none) hot_[hot].change(double(by), now);
        });
    }
    void conclude(PairLinks const& links) {
        timeline.running = running_.take(makespan_, 1);
        for (std::size_t h = 0; h < hot_.size(); ++h)
            timeline.hottest[h].by_part = hot_[h].take(makespan_, 1 / double(links.capacities()[hottest_[h]]));
    }

    Timeline timeline;

private:
    Graph const& graph_;
    RatesOfLinks rates_;
    std::vector<std::uint32_t> number_, hot_of_link_;  ///< by task its flow; by link
    Parts running_;
    Ticks const makespan_;
    std::vector<Parts> hot_;
    std::vector<std::uint32_t> const& hottest_;
};

std::vector<std::uint32_t> hottest_of(std::vector<double> const& utilisation) {
    std::vector<std::uint32_t> order(utilisation.size());
    std::iota(order.begin(), order.end(), 0u);
    std::erase_if(order, [&](std::uint32_t link) { return utilisation[link] == 0; });
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return utilisation[a] > utilisation[b]; });
    order.resize(std::min(order.size(), most_hot_links));
    return order;
}

template <class Routes>
Timeline run_twice(study::StudyPlan const& plan, Routes const& routes, Graph const& graph, std::uint64_t mapping) {
    Delays const delays = delays_of(plan);
    MappingRoutes<Routes> found(plan.problem, routes, graph, true);
    PairLinks const& links = found.find(mapping);
    FirstRun first(graph, delays.store_and_forward);
    first.begin(links);
    Ticks const makespan = Engine<FirstRun>(graph, plan.problem.measures.sharing, delays, first).run(links);
    std::vector<double> const utilisation = first.utilisation(links, makespan);
    std::vector<std::uint32_t> const hottest = hottest_of(utilisation);
    SecondRun second(graph, delays.store_and_forward, hottest, makespan);
    for (std::uint32_t const l : hottest) {
        std::uint32_t const slot = links.slot(l);
        model::Link const link = plan.link_of_index.empty() ? model::Link{slot} : plan.link_of_index[slot];
        second.timeline.hottest.push_back({.link = link, .mean = utilisation[l], .by_part = {}});
    }
    second.begin(links);
    Engine<SecondRun>(graph, plan.problem.measures.sharing, delays, second).run(links);
    second.conclude(links);
    second.timeline.makespan = makespan;
    return std::move(second.timeline);
}

}  // namespace

Timeline make_timeline(study::StudyPlan const& plan, std::uint64_t mapping) {
    Graph const graph = make_graph(plan);
    Timeline timeline;
    kernels::with_routes(plan.problem, [&](auto const& routes) { timeline = run_twice(plan, routes, graph, mapping); });
    timeline.mapping = mapping;
    timeline.by_levels = graph.by_levels;
    return timeline;
}

}  // namespace tailback::simulation
