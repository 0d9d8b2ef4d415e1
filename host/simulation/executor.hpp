// Simulates the mappings of a study whose times need more than levels one after the other.
#pragma once

#include "host/simulation/graph.hpp"
#include "kernels/executor.hpp"

#include <memory>

namespace tailback::simulation {

/// Mappings are shared among threads; the graph is theirs in common. Tells times alone: of other metrics' numbers it
/// knows nothing. Needs: the plan's routes are at hand, and it wants times. @throws InputError as make_graph does.
std::unique_ptr<kernels::Executor> make_executor(study::StudyPlan const& plan, unsigned threads);
/// The same for other mappings than the plan's: `problem` is the plan's but for where its ranks are.
std::unique_ptr<kernels::Executor> make_executor(study::StudyPlan const& plan, kernels::Problem const& problem,
                                                 unsigned threads);

}  // namespace tailback::simulation
