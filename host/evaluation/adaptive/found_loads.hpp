// Executors of plans whose loads are found (study::RoutesFrom::loads): equal division, the best division, its bound,
// and what a perfect hash comes to. What is given to them must outlive them.
#pragma once

#include "host/evaluation/adaptive/equal_split.hpp"
#include "host/evaluation/adaptive/optimal_split.hpp"
#include "host/evaluation/adaptive/walked_routes.hpp"
#include "kernels/executor.hpp"

#include <map>
#include <memory>
#include <mutex>

namespace tailback::evaluation {

/// Of a plan whose parts are the units of the division.
std::unique_ptr<kernels::Executor> make_equal_executor(study::StudyPlan const& plan, SplitPlan const& split,
                                                       model::LinkCosts const& costs, unsigned threads);

/// The same on a CUDA device. @throws DeviceError when there is none, memory does not suffice or sums could pass 2^63.
std::unique_ptr<kernels::Executor> make_cuda_equal_executor(study::StudyPlan const& plan, SplitPlan const& split,
                                                            model::LinkCosts const& costs);

/// What the optimum is found with, and the columns beside it: where one of them is better, it is what was found.
struct OptimumBeside {
    SplitPlan const& split;
    model::LinkCosts const& costs;
    model::ChoiceGraph const& fixed;  ///< of static entries
    HashedWays hash;
    std::uint64_t hash_draws = 1;
    double gap = 0.01;
};

/// Lower bounds of largest congestions, summed over the levels, as tallies of mappings: one column finds them, and
/// another tells.
class FoundBounds {
public:
    void put(std::uint64_t mapping, kernels::MappingTally const& tally);
    /// None: nobody has found it, or somebody has taken it.
    std::optional<kernels::MappingTally> take(std::uint64_t mapping);

private:
    std::mutex adding_;
    std::map<std::uint64_t, kernels::MappingTally> tallies_;
};

/// As fine a division of flows as leaves room for loads: what the best division is rounded to.
std::uint64_t parts_of_optimum(study::StudyPlan const& plan, model::LinkCosts const& costs);

std::unique_ptr<kernels::Executor> make_optimum_executor(study::StudyPlan const& plan, OptimumBeside const& beside,
                                                         FoundBounds& bounds, unsigned threads);
/// Its only number is sum_max_cong: no division comes to less.
std::unique_ptr<kernels::Executor> make_bound_executor(study::StudyPlan const& plan, OptimumBeside const& beside,
                                                       FoundBounds& bounds, unsigned threads);

/// Its only number is hist_acc_band, over all draws of the hash: exactly, where the law is known (hash_law.hpp); else
/// no flow counts as delivered.
std::unique_ptr<kernels::Executor> make_expected_executor(study::StudyPlan const& plan, HashedWays const& hash,
                                                          model::LinkCosts const& costs, unsigned threads);

}  // namespace tailback::evaluation
