// Loads of flows that every switch divides equally among its candidate ports, in whole units.
#pragma once

#include "host/evaluation/adaptive/split_plan.hpp"

namespace tailback::evaluation {

/// What flows at once come to. Congestion of a flow = the largest load x cost of a link that a part of it uses, host
/// links included.
struct FlowLoads {
    std::vector<std::uint64_t> loads;       ///< by link, in 1/unit of a flow of weight 1
    std::vector<std::uint64_t> congestion;  ///< by flow, in 1/unit x 1/LinkCosts::denominator; 0 = not carried
    std::uint64_t failed = 0;               ///< flows that are not carried: a choice on their way fails
    /// The largest congestion of a flow.
    std::uint64_t largest() const;
};

/// One thread's work. The plan and the costs must outlive it.
class EqualSplit {
public:
    EqualSplit(SplitPlan const& plan, model::LinkCosts const& costs);

    /// Carries the flows of one level. Flows from an endpoint to itself must not be among them.
    /// @throws InputError where loads could pass 2^63.
    FlowLoads const& carry(std::span<HostFlow const> flows);
    /// Loads of every sender to every destination LID of the graph, by link, in 1/unit; host links included. `senders`
    /// without their flows to themselves.
    std::vector<std::uint64_t> all_pairs(std::span<model::Host const> senders, unsigned threads) const;

private:
    void sort_by_class(std::span<HostFlow const> flows);
    void start(HostFlow const& flow, std::uint32_t one, std::size_t number);
    void add_groups();
    void read_back(std::span<HostFlow const> flows, std::uint32_t one);
    void read_rows(std::uint32_t one);
    std::uint64_t cost(model::Link link) const { return costs_.cost.empty() ? 1 : costs_.cost[link.value]; }

    SplitPlan const& plan_;
    model::ChoiceGraph const& graph_;
    model::LinkCosts const& costs_;
    FlowLoads result_;
    std::vector<std::uint64_t> here_;      // by row: units that have come so far
    std::vector<std::uint64_t> by_group_;  // units on each of a group's ports
    std::vector<std::uint64_t> worst_group_, worst_row_;
    std::uint64_t worst_of_all_ = 0;
    std::vector<std::uint32_t> first_flow_, flow_order_;  // flows by class
    std::vector<SplitPlan::Step> reached_;
    std::vector<std::uint64_t> first_reached_;
};

}  // namespace tailback::evaluation
