// What the flows of a job put on links, where its ranks run.
#pragma once

#include "host/evaluation/adaptive/lid_paths.hpp"
#include "host/study/plan/study_plan.hpp"
#include "kernels/evaluate/problem.hpp"
#include "patterns/pattern.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace tailback::evaluation {

/// What a link (by index, see kernels::Problem) carries: bytes, or flows where none have bytes.
struct LinkLoad {
    std::uint32_t link;
    std::uint64_t load;
};

/// Numbers of flows.
struct FlowFates {
    std::uint64_t delivered = 0, failed = 0, local = 0, within_nodes = 0;
};

/// Where random flows come from: permutations of (seed, stream, number), see kernels/common/permutation.hpp.
struct FlowDraw {
    std::uint64_t seed = 1;
    std::uint32_t stream = 0;
    std::uint64_t number = 0;
};

/// Counts for one thread.
class LoadCounter {
public:
    virtual ~LoadCounter() = default;
    /// The loads of a level of `list`: each link with one once, in the order in which flows meet them.
    /// @param host_index by rank. @param loads is overwritten. @param fates is added to.
    virtual void count(patterns::FlowList const& list, patterns::Level const& level, std::uint32_t const* host_index,
                       FlowDraw const& draw, FlowFates& fates, std::vector<LinkLoad>& loads) = 0;
};

/// @param problem has routes and hosts; must outlive what is made.
std::unique_ptr<LoadCounter> make_load_counter(kernels::Problem const& problem);

/// What the spreading of flows over LIDs needs of a fabric, for all threads. The plan must outlive it.
struct SpreadPlan {
    /// @throws InputError where routes are no tables, or every host has one LID.
    SpreadPlan(study::StudyPlan const& plan, LidSpread spread);
    model::Forwarding forwarding;
    LidSpread spread;
    std::uint64_t parts = 1;                   ///< loads are in 1/parts
    std::vector<std::uint32_t> index_of_link;  ///< kernels::Problem's
};
/// Loads of flows that are spread over LIDs. The plans must outlive it.
std::unique_ptr<LoadCounter> make_load_counter(study::StudyPlan const& plan, SpreadPlan const& spread);

}  // namespace tailback::evaluation
