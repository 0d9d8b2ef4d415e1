// Evaluates routes that are made destination by destination.
#pragma once

#include "host/study/plan/study_plan.hpp"
#include "kernels/executor.hpp"

#include <memory>

namespace tailback {

/// No routes are kept for the study: only `make_tree_executor` evaluates it.
bool makes_routes_on_demand(StudyPlan const& plan);

/// Runs the kernel on the CPU over routes found flow by flow; a batch of mappings costs one pass over all destinations.
/// `plan` makes routes on demand, and must outlive it. `threads` = 0: all cores.
std::unique_ptr<Executor> make_tree_executor(StudyPlan const& plan, unsigned threads);

}  // namespace tailback
