// The flows of a study's levels between hosts, and what a mapping comes to, for evaluations that are no kernels'.
#pragma once

#include "host/evaluation/adaptive/bracket.hpp"

namespace tailback::evaluation {

/// The flows of a mapping's levels, between hosts.
class LevelFlows {
public:
    explicit LevelFlows(study::StudyPlan const& plan) : plan_(plan) {}

    struct Ranks {
        std::uint32_t source, destination;
    };
    void place(std::uint64_t mapping);
    /// Lists the flows of a level of the mapping placed last: `flows`, and whose they are: `ranks`.
    void list(patterns::Level const& level);

    std::vector<HostFlow> flows;
    std::vector<Ranks> ranks;

private:
    void add(std::uint32_t source, std::uint32_t destination, std::uint64_t weight);

    study::StudyPlan const& plan_;
    std::uint64_t mapping_ = 0;
    std::vector<model::Host> hosts_;
    std::vector<std::uint32_t> number_on_host_;  // by rank: how many before it are on its host
    std::vector<std::uint32_t> on_host_;         // by host: ranks there
    std::vector<std::uint32_t> drawn_, targets_;
};

/// The numbers of one mapping of one column, level after level.
class MappingNumbers {
public:
    MappingNumbers(std::uint32_t ranks, std::uint32_t measured) : measured_(measured), before_(ranks), after_(ranks) {}

    void begin() {
        std::fill(after_.begin(), after_.end(), 0);
        largest_ = lower_ = share_ = 0, delivered_ = 0;
    }
    /// @param congestion by flow, of flows of weight 1; 0 = not delivered
    template <class Congestion>
    void add_level(LevelFlows const& level, Congestion&& congestion) {
        before_ = after_;
        double largest = 0;
        for (std::size_t f = 0; f < level.flows.size(); ++f) {
            double const of_flow = congestion(f);
            if (of_flow == 0) continue;
            ++delivered_;
            share_ += double(level.flows[f].weight) / of_flow;
            largest = std::max(largest, of_flow);
            auto const [from, to] = level.ranks[f];
            if (from < measured_ && to < measured_) after_[to] = std::max(after_[to], before_[from] + of_flow);
        }
        largest_ += largest;
    }
    std::uint64_t delivered() const { return delivered_; }
    void add_lower(double bound) { lower_ += bound; }
    /// @param weight what one unit of weight is @param at where its numbers stand in the column
    void finish(std::uint64_t at, double weight, BracketColumn& column) const;

private:
    std::uint32_t measured_;
    std::vector<double> before_, after_;
    double largest_ = 0, lower_ = 0, share_ = 0;
    std::uint64_t delivered_ = 0;
};

}  // namespace tailback::evaluation
