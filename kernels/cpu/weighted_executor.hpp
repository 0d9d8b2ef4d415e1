// The CPU's executors for flows with weights.
#pragma once

#include "kernels/executor.hpp"

#include <memory>

namespace tailback::kernels {

/// Needs: the problem has weights.
std::unique_ptr<Executor> make_weighted_executor(Problem const& problem, unsigned threads, CpuVariant variant);

}  // namespace tailback::kernels
