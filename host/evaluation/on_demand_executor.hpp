// Evaluates routes that are made destination by destination.
#pragma once

#include "host/study/plan/study_plan.hpp"
#include "kernels/executor.hpp"
#include "kernels/found_routes.hpp"

#include <functional>
#include <memory>

namespace tailback::evaluation {

/// Runs the kernel on the CPU over routes found flow by flow; a batch of mappings costs one pass over all destinations.
/// `plan` makes routes on demand, and must outlive it. `threads` = 0: all cores.
/// @param stop asked during a pass; true ends it by StoppedInBatch. None = never.
std::unique_ptr<kernels::Executor> make_tree_executor(study::StudyPlan const& plan, unsigned threads,
                                                      std::function<bool()> stop = nullptr);

/// Finds the routes of `count` mappings, batch by batch in their order; `visit` gets those of a batch, and how many
/// mappings it has. What it gets stays until it returns. `plan` makes routes on demand.
void each_found_batch(study::StudyPlan const& plan, unsigned threads, std::uint64_t first, std::uint64_t count,
                      std::function<void(kernels::FoundRoutes const&, std::uint64_t)> const& visit);

/// Thrown by `evaluate` of such an executor before anything of the batch was counted.
struct StoppedInBatch {};

}  // namespace tailback::evaluation
