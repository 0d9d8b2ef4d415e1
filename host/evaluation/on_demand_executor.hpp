// Evaluates routes that are made destination by destination.
#pragma once

#include "host/study/plan/study_plan.hpp"
#include "kernels/executor.hpp"

#include <functional>
#include <memory>

namespace tailback::evaluation {

/// Runs the kernel on the CPU over routes found flow by flow; a batch of mappings costs one pass over all destinations.
/// `plan` makes routes on demand, and must outlive it. `threads` = 0: all cores.
/// @param stop asked during a pass; true ends it by StoppedInBatch. None = never.
std::unique_ptr<kernels::Executor> make_tree_executor(study::StudyPlan const& plan, unsigned threads,
                                                      std::function<bool()> stop = nullptr);

/// Thrown by `evaluate` of such an executor before anything of the batch was counted.
struct StoppedInBatch {};

}  // namespace tailback::evaluation
