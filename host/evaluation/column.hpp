// A study that is evaluated beside others of the same mappings.
#pragma once

#include "host/study/plan/study_plan.hpp"
#include "kernels/executor.hpp"

#include <functional>
#include <memory>
#include <string>

namespace tailback::evaluation {

/// The plan must outlive it.
struct Column {
    study::StudyPlan const* plan = nullptr;
    /// Makes what evaluates it on so many threads; none: what the plan's routes and the choice of a device suggest.
    std::function<std::unique_ptr<kernels::Executor>(unsigned threads)> make_executor = nullptr;
    /// The same on a CUDA device; none: only the CPU can, unless `make_executor` is none, too.
    std::function<std::unique_ptr<kernels::Executor>()> make_cuda_executor = nullptr;
    std::string name = {};  ///< of one of several
    /// What its numbers depend on beside the plan: who goes on from a checkpoint compares it.
    std::string identity = {};

    /// A name with a blank is that of a part of another column.
    bool is_told() const { return name.find(' ') == std::string::npos; }
};

}  // namespace tailback::evaluation
