// What equal splitting needs to know of a fabric's choices, once for any number of flows.
//
// A flow that meets a switch with k candidate ports is divided into k equal parts (the expectation of a uniform random
// choice for every packet). All flows towards one class of destinations flow through one graph without circles, so they
// are added up and divided once at every switch.
#pragma once

#include "host/model/capacities.hpp"
#include "host/model/routes/choice_graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::evaluation {

/// A flow between two endpoints, at the destination's base LID.
struct HostFlow {
    model::Host source, destination;
    std::uint64_t weight = 1;
    /// Of the connections between the two hosts, which one: each is hashed on its own. 0 where there is one.
    std::uint64_t connection = 0;
};

/// Rows in the order in which packets meet them, for every class, and the unit that loads are counted in. The graph
/// must outlive it.
class SplitPlan {
public:
    /// @param senders where packets come from @param threads 0 = all cores
    /// @throws InputError where it takes more memory than there is.
    SplitPlan(model::ChoiceGraph const& graph, std::span<model::Host const> senders, unsigned threads);

    struct Step {
        std::uint32_t row, group;
    };
    model::ChoiceGraph const& graph() const { return graph_; }
    /// Rows from which every choice delivers, each after all that send to it; groups or marks. Those whose options lead
    /// to the same rows stand together: what they send can be added up first.
    std::span<Step const> steps(std::uint32_t one) const {
        return {steps_.data() + first_step_[one], steps_.data() + first_step_[one + 1]};
    }
    /// A bit for every fate that some choice comes to (ChoiceWalk::fates); 0 = no packets are there.
    std::uint8_t fates(std::uint32_t one, std::uint32_t row) const {
        return fates_[std::size_t{one} * graph_.rows() + row];
    }
    /// A flow of weight 1 is so many units, which every division of it leaves whole, unless `error` says otherwise.
    std::uint64_t unit() const { return unit_; }
    /// Weights of 1 per destination class aside: a load may be off by so many flows of weight 1 at most. 0 = exact.
    double error() const { return error_; }

    /// Where the options of a group lead: rows, or `sink()` for arrivals.
    std::span<std::uint32_t const> targets(std::uint32_t group) const {
        return {targets_.data() + first_target_[group], targets_.data() + first_target_[group + 1]};
    }
    std::uint32_t sink() const { return graph_.rows(); }
    /// Equal for groups whose options lead to the same rows, in any order; below the number of groups. Marks: their
    /// own.
    std::uint32_t rows_after(std::uint32_t group) const {
        return model::ChoiceGraph::is_mark(group) ? group : rows_after_[group];
    }

private:
    void number_targets();
    void walk_classes(std::span<model::Host const> senders, unsigned threads);
    void find_unit();
    void bound_error();

    model::ChoiceGraph const& graph_;
    std::vector<std::uint64_t> first_step_;
    std::vector<Step> steps_;
    std::vector<std::uint8_t> fates_;  // [class][row]
    std::vector<std::uint32_t> first_target_, targets_, rows_after_;
    std::uint64_t unit_ = 1;
    double error_ = 0;
};

}  // namespace tailback::evaluation
