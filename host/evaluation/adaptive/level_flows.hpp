// The flows of a study's levels between hosts, for evaluations that are no kernels'.
#pragma once

#include "host/evaluation/adaptive/split_plan.hpp"
#include "host/study/plan/study_plan.hpp"

#include <vector>

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
    /// Of the mapping placed last, so far: drawn flows from a rank to itself, and weights of flows inside compute
    /// nodes.
    std::uint64_t local = 0, within_nodes = 0;

private:
    bool is_within_node(model::Host from, model::Host to) const;
    void add(std::uint32_t source, std::uint32_t destination, std::uint64_t weight);

    study::StudyPlan const& plan_;
    std::uint64_t mapping_ = 0;
    std::vector<model::Host> hosts_;
    std::vector<std::uint32_t> number_on_host_;  // by rank: how many before it are on its host
    std::vector<std::uint32_t> on_host_;         // by host: ranks there
    std::vector<std::uint32_t> drawn_, targets_;
};

}  // namespace tailback::evaluation
