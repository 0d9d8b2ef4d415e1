// Max-min rates of flows that come and go, and when they end: by one thread, in the whole units of kernels/sharing.
//
// What:  flows start and end in bulk; then `settle` shares anew what can have changed, and no more.
// Why so: rounds of progressive filling below some share are as before: where a flow has ended, below its rate, as its
//        links were no bottlenecks there and have more to share now; where one has started, below the least share that
//        a link of it can have, its capacity over all its flows. So only flows whose rate is not below that can change,
//        and of them those that hang together, by links of such flows, with the links that have changed. The rates are
//        those that all flows would get if they were shared from nothing, to the last unit.
//        Flows of rank 0 have the links for themselves, those of the next rank what is left, and so on: a rank whose
//        links have more or less left than before is shared anew as if flows had come or gone there.
#pragma once

#include "host/simulation/graph.hpp"
#include "kernels/sharing/max_min.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::simulation {

class FlowRates {
public:
    using Flow = std::uint32_t;  ///< number of a running flow; given again when it has ended

    struct Shape {
        std::uint32_t ranks = 1;  ///< one after the other
        bool by_weight = false;   ///< rates of one rank grow with weights; false: alike
    };

    /// Forgets all flows. @param capacity by link, in units of rates @param rate_without_link of flows without links
    void begin(std::span<std::uint64_t const> capacity, std::uint64_t rate_without_link, Shape shape);

    /// A flow begins now. @param links are kept by reference @param volume in units of rate x tick, not 0
    Flow start(std::span<std::uint32_t const> links, kernels::WideWord volume, std::uint32_t task, FlowClass treatment);
    bool has_news() const { return !started_.empty() || !ended_.empty(); }
    /// Finds the rates of all flows after those that started and ended `now`. Then `rate_changed(flow)` for each that
    /// has another.
    template <class Changed>
    void settle(Ticks now, Changed&& rate_changed) {
        share(now);
        for (Flow const flow : reached_flows_)
            if (flows_[flow].rate != flows_[flow].old_rate) rate_changed(flow);
        forget_ended();
    }

    /// When the next flow ends; the largest number where none runs.
    Ticks next_end();
    /// Ends the flows that end then: `ended(flow)` for each. Their numbers last until `settle`.
    template <class Ended>
    void end_those_of(Ticks now, Ended&& ended) {
        while (next_end() == now) {
            Flow const flow = heap_.front().flow;
            pop();
            flows_[flow].runs = false;
            ended_.push_back(flow);
            ended(flow);
        }
    }

    std::uint32_t task(Flow flow) const { return flows_[flow].task; }
    std::uint64_t rate(Flow flow) const { return flows_[flow].rate; }
    std::size_t running() const { return flows_.size() - free_.size() - ended_.size(); }

private:
    /// As in kernels/sharing: units of rate, or by weight units of 2^-64 for each 1 of weight.
    using Share = kernels::WideWord;
    static constexpr std::uint64_t is_open = ~std::uint64_t{0};
    static constexpr Share no_share = ~Share{0};
    static constexpr Ticks never = ~Ticks{0};
    /// Less than 2^-20 of the base rate is no rest of a link: rounding leaves less, and what is meant more.
    static constexpr unsigned negligible_bits = 20;

    struct Running {
        std::uint32_t const* links;
        std::uint32_t count, task, rank;
        std::uint64_t weight, rate, old_rate;
        Share share;
        kernels::WideWord left;
        Ticks since, end;
        bool runs;
    };
    struct End {
        Ticks time;
        Flow flow;
        bool operator>(End const& other) const { return time != other.time ? time > other.time : flow > other.flow; }
    };
    struct Link {
        std::uint64_t remaining, active;
        Share share;
        bool met, touched;
    };
    /// A link that a rank has more or less of than before, and the lesser of both.
    struct Changed {
        std::uint32_t link;
        std::uint64_t capacity;
    };

    void share(Ticks now);
    void meet_links(Running const& flow);
    void share_rank(std::uint32_t rank);
    Share take_off_and_put_on(std::uint32_t rank);
    void spread(std::uint32_t rank, Share threshold);
    void fill(std::uint32_t rank);
    void freeze();
    void hand_down(std::uint32_t rank);
    std::vector<Flow>& on(std::uint32_t rank, std::uint32_t link) { return on_[rank * capacity_.size() + link]; }
    std::uint64_t capacity(std::uint32_t rank, std::uint32_t link) const {
        return rank == 0 ? capacity_[link] : left_[(rank - 1) * capacity_.size() + link];
    }
    Share share_of(std::uint64_t remaining, std::uint64_t active) const {
        return shape_.by_weight ? kernels::fair_share<true>(remaining, active)
                                : kernels::fair_share<false>(remaining, active);
    }
    std::uint64_t rate_of(Share share, std::uint64_t weight) const {
        return shape_.by_weight ? kernels::rate_of_share<true>(share, weight) : static_cast<std::uint64_t>(share);
    }
    /// Of all flows of a rank on a link: their number, or their weights.
    std::uint64_t weight_on(std::uint32_t rank, std::uint32_t link);
    void find_end(Flow flow, Ticks now);
    void forget_ended();
    void pop();
    void drop_stale();
    bool is_stale(End const& end) const { return !flows_[end.flow].runs || flows_[end.flow].end != end.time; }

    std::span<std::uint64_t const> capacity_;
    std::uint64_t rate_without_link_ = 0;
    Shape shape_;
    std::vector<Running> flows_;
    std::vector<Flow> free_, started_, ended_;
    std::vector<End> heap_;  ///< the next first; may have entries that are not true any more
    std::vector<Link> links_;
    std::vector<std::vector<Flow>> on_;  ///< by rank and link
    std::vector<std::uint64_t> left_;    ///< by rank and link: what ranks behind it have
    // Of a call to settle.
    std::vector<std::uint32_t> reached_links_, open_, touched_;
    std::vector<Changed> changed_;  ///< for the rank that is next
    std::vector<Flow> reached_flows_, frozen_;
};

}  // namespace tailback::simulation
