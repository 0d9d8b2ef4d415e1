// Routes that are walked when a mapping is placed, as rows: where they are a function of the pair of hosts, each pair
// is walked once, and whatever evaluates tables evaluates them, on any device.
#pragma once

#include "host/study/plan/study_plan.hpp"
#include "kernels/executor.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tailback::evaluation {

/// One thread's walks.
class PairWalk {
public:
    virtual ~PairWalk() = default;
    /// Appends the slots of a route between two seats, the links of its hosts included; of flows in parts those of one
    /// part after the other. False where there is no way.
    /// @param lid of the destination, counted from its first; below LidsOfMessages::most
    virtual bool append(kernels::HostIndex from, kernels::HostIndex to, std::uint32_t lid,
                        std::vector<std::uint32_t>& slots) = 0;
};
/// To which of a host's LIDs messages go, where that is not a function of the pair of hosts (kernels::MessageLids).
struct LidsOfMessages {
    std::uint32_t most = 1;
    std::vector<std::uint8_t> turn;  ///< empty: LIDs are drawn
    std::uint64_t seed = 0;
};
/// @param repeat of every mapping (study::StudyPlan::repeats), 0 ..: each has routes of its own
using MakePairWalk = std::function<std::unique_ptr<PairWalk>(std::uint64_t repeat)>;

/// Makes what evaluates a problem, whose rows are kept as long as it lives.
using MakeRowExecutor = std::function<std::unique_ptr<kernels::Executor>(kernels::Problem const&)>;

/// For a plan whose routes are found (study::RoutesFrom::finder): tallies and totals are those of walking flow by flow.
/// @param threads that walk; 0 = all cores
/// @return null where a route is longer than any row
/// @throws InputError where the rows do not fit in memory, and what `make` throws
std::unique_ptr<kernels::Executor> make_row_executor(study::StudyPlan const& plan, unsigned threads,
                                                     MakePairWalk const& make_walk, MakeRowExecutor const& make,
                                                     LidsOfMessages const& lids = {});

}  // namespace tailback::evaluation
