// Runs a graph of dependencies on the routes of one mapping, event by event: flows share links max-min fairly, rates
// being found anew whenever some have started or ended. All that happens at one instant happens at once.
//
// A flow ends at the next whole tick, as in kernels/sharing/completion.hpp: levels with barriers give the times of the
// kernels, to the last bit.
#pragma once

#include "host/simulation/flow_rates.hpp"
#include "host/simulation/graph.hpp"
#include "host/simulation/pair_links.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace tailback::simulation {

/// What takes time beside bytes and computing.
struct Delays {
    Ticks link = 0;       ///< of every link of a route
    Ticks on_switch = 0;  ///< of every node between two of them
    bool store_and_forward = false;

    Ticks of_route(std::uint32_t links) const { return links == 0 ? 0 : links * link + (links - 1) * on_switch; }
};

Delays delays_of(study::StudyPlan const& plan);

/// `Watch` is told what happens:
///   started(flow, now), ended(flow, began, now) when a delivered flow begins, and when it has arrived;
///   rate(flow, rate, link, now): what it has from now on (0: it is sent), with store and forward on its n-th link;
///   computed(task, from, to).
template <class Watch>
class Engine {
public:
    /// All must outlive it.
    Engine(Graph const& graph, kernels::SharingView const& sharing, Delays const& delays, Watch& watch)
        : graph_(graph), sharing_(sharing), delays_(delays), watch_(watch) {
        for (std::uint32_t n = 0; n < graph.tasks.size(); ++n)
            if (graph.tasks[n].waits == 0) roots_.push_back(n);
        for (Graph::Edge const edge : graph.edges) any_starts_ |= Graph::waits_for(edge) == Done::started;
        shape_.by_weight = sharing.by_weight;
        for (FlowClass const& one : graph.treatment) {
            shape_.ranks = std::max(shape_.ranks, one.rank + 1);
            shape_.by_weight |= one.weight != 1;
        }
        waits_.resize(graph.tasks.size());
        began_.resize(graph.tasks.size());
        if (delays.store_and_forward) hop_.resize(graph.tasks.size());
    }

    /// @return when the last task has ended.
    Ticks run(PairLinks const& links) { return run(links, roots_); }
    /// The same of those tasks alone that `roots`, which wait for nothing, lead to.
    Ticks run(PairLinks const& links, std::span<std::uint32_t const> roots) {
        links_ = &links;
        for (std::size_t n = 0; n < waits_.size(); ++n) waits_[n] = graph_.tasks[n].waits;
        core_free_.assign(graph_.cores, 0);
        timed_.clear();
        rates_.begin(links.capacities(), sharing_.unit, shape_);
        ready_.assign(roots.begin(), roots.end());
        now_ = 0;
        kernels::StopWish const stop = kernels::StopWish::held();
        for (;;) {
            stop.heed();
            release_ready();
            if (rates_.has_news())
                rates_.settle(now_, [&](FlowRates::Flow flow) { tell_rate(rates_.task(flow), rates_.rate(flow)); });
            Ticks const next = std::min(rates_.next_end(), timed_.empty() ? ~Ticks{0} : timed_.front().time);
            if (next == ~Ticks{0}) return now_;
            now_ = next;
            rates_.end_those_of(now_, [&](FlowRates::Flow flow) { end_link(rates_.task(flow)); });
            while (!timed_.empty() && timed_.front().time == now_) happen(pop());
        }
    }

private:
    enum class What : std::uint8_t { starts, next_link, arrives, computed };
    struct Event {
        Ticks time;
        std::uint32_t task;
        What what;
        bool operator>(Event const& other) const { return time != other.time ? time > other.time : task > other.task; }
    };

    void at(Ticks time, std::uint32_t task, What what) {
        timed_.push_back({time, task, what});
        std::push_heap(timed_.begin(), timed_.end(), std::greater<>());
    }
    Event pop() {
        std::pop_heap(timed_.begin(), timed_.end(), std::greater<>());
        Event const event = timed_.back();
        timed_.pop_back();
        return event;
    }
    void happen(Event const& event) {
        switch (event.what) {
            case What::starts: return done(event.task, Done::started);
            case What::next_link: return enter_link(event.task);
            case What::arrives: return arrive(event.task);
            case What::computed: return end_computation(event.task);
        }
    }
    /// Those that wait for this of the task.
    void done(std::uint32_t task, Done what) {
        for (std::uint64_t e = graph_.first_edge[task]; e < graph_.first_edge[task + 1]; ++e) {
            Graph::Edge const edge = graph_.edges[e];
            if (Graph::waits_for(edge) == what && --waits_[Graph::target(edge)] == 0)
                ready_.push_back(Graph::target(edge));
        }
    }

    /// Releases what is ready, and what that makes ready at this instant. Computations on cores come last, one by one
    /// in the order of their numbers.
    void release_ready() {
        for (;;) {
            for (std::size_t i = 0; i < ready_.size(); ++i) {  // grows
                std::uint32_t const n = ready_[i];
                Task const& task = graph_.tasks[n];
                if (task.is_flow) {
                    start_flow(n, task);
                } else if (task.subject == none) {
                    compute(n, now_);
                } else {
                    computing_.push_back(n);
                    std::push_heap(computing_.begin(), computing_.end(), std::greater<>());
                }
            }
            ready_.clear();
            if (computing_.empty()) return;
            std::pop_heap(computing_.begin(), computing_.end(), std::greater<>());
            std::uint32_t const n = computing_.back();
            computing_.pop_back();
            compute(n, std::max(now_, core_free_[graph_.tasks[n].subject]));
        }
    }
    void compute(std::uint32_t n, Ticks from) {
        Task const& task = graph_.tasks[n];
        began_[n] = from;
        if (task.subject != none) core_free_[task.subject] = from + task.amount;
        if (any_starts_) {
            if (from == now_) done(n, Done::started);
            else at(from, n, What::starts);
        }
        if (from + task.amount == now_) end_computation(n);
        else at(from + task.amount, n, What::computed);
    }
    void end_computation(std::uint32_t n) {
        if (graph_.tasks[n].amount > 0) watch_.computed(n, began_[n], now_);
        done(n, Done::sent);
        done(n, Done::arrived);
    }

    void start_flow(std::uint32_t n, Task const& task) {
        FlowFate const fate = links_->fate(task.subject);
        began_[n] = now_;
        if (any_starts_) done(n, Done::started);
        watch_.started(n, fate, now_);
        if (fate != FlowFate::delivered) {
            done(n, Done::sent);
            return all_arrived(n);
        }
        if (delays_.store_and_forward) hop_[n] = 0;
        enter_link(n);
    }
    kernels::WideWord volume_of(Task const& task) const {
        return static_cast<kernels::WideWord>(task.amount * sharing_.time_unit) * sharing_.unit;
    }
    /// On all links of the route, or with store and forward on the next.
    void enter_link(std::uint32_t n) {
        Task const& task = graph_.tasks[n];
        if (task.amount == 0) return end_link(n);
        std::span<std::uint32_t const> links = links_->links(task.subject);
        if (delays_.store_and_forward && !links.empty()) links = links.subspan(hop_[n], 1);
        rates_.start(links, volume_of(task), n, treatment_of(n));
    }
    void tell_rate(std::uint32_t n, std::uint64_t rate) {
        watch_.rate(n, rate, delays_.store_and_forward ? hop_[n] : 0, now_);
    }
    void end_link(std::uint32_t n) {
        std::uint32_t const pair = graph_.tasks[n].subject;
        if (graph_.tasks[n].amount > 0) tell_rate(n, 0);
        if (!delays_.store_and_forward) {
            done(n, Done::sent);
            return arrive_after(n, delays_.of_route(links_->length(pair)));
        }
        if (hop_[n]++ == 0) done(n, Done::sent);
        if (hop_[n] >= links_->length(pair)) return arrive_after(n, links_->length(pair) == 0 ? 0 : delays_.link);
        Ticks const wait = delays_.link + delays_.on_switch;
        if (wait > 0) at(now_ + wait, n, What::next_link);
        else if (graph_.tasks[n].amount > 0) enter_link(n);
        else end_link(n);
    }
    void arrive_after(std::uint32_t n, Ticks delay) {
        if (delay == 0) arrive(n);
        else at(now_ + delay, n, What::arrives);
    }
    void arrive(std::uint32_t n) {
        watch_.ended(n, began_[n], now_);
        all_arrived(n);
    }
    /// For those that wait for a flow, and those that wait for whichever flow is drawn to their rank.
    void all_arrived(std::uint32_t n) {
        done(n, Done::arrived);
        std::uint32_t const pair = graph_.tasks[n].subject;
        if (graph_.pairs[pair].ends == none) return;
        std::uint32_t const rank = links_->destination(pair) - graph_.pairs[pair].first;
        std::uint32_t const end = graph_.drawn_ends[graph_.pairs[pair].ends + rank];
        if (end != none && --waits_[end] == 0) ready_.push_back(end);
    }
    FlowClass treatment_of(std::uint32_t n) const {
        FlowClass treatment = graph_.treatment.empty() ? FlowClass{}
                              : graph_.classes.empty() ? graph_.treatment.front()
                                                       : graph_.treatment[graph_.classes[n]];
        if (sharing_.by_weight) treatment.weight *= graph_.tasks[n].amount;
        return treatment;
    }

    Graph const& graph_;
    kernels::SharingView const& sharing_;
    Delays const delays_;
    Watch& watch_;
    PairLinks const* links_ = nullptr;
    bool any_starts_ = false;
    FlowRates rates_;
    FlowRates::Shape shape_;
    Ticks now_ = 0;
    std::vector<std::uint32_t> roots_, ready_;
    std::vector<std::uint32_t> computing_;    ///< what is ready and needs a core, the first in front
    std::vector<std::uint32_t> waits_, hop_;  ///< by task: what is to happen before; the link of its route it is on
    std::vector<Ticks> began_, core_free_;    ///< by task; by core
    std::vector<Event> timed_;                ///< the next first
};

}  // namespace tailback::simulation
