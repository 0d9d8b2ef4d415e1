// Evaluates routes that are made destination by destination.
#pragma once

#include "host/study/plan/study_plan.hpp"
#include "kernels/executor.hpp"

#include <memory>

namespace tailback {

/// Runs the kernel on the CPU over routes found flow by flow; a batch of mappings costs one pass over all destinations.
/// `plan` has a fabric with tree_routes, and must outlive it. `threads` = 0: all cores.
std::unique_ptr<Executor> make_tree_executor(StudyPlan const& plan, unsigned threads);

}  // namespace tailback
