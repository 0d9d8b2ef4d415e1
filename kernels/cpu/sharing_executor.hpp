// The CPU's executors for studies that want max-min rates.
#pragma once

#include "kernels/cpu/flow_routes.hpp"
#include "kernels/executor.hpp"

#include <memory>

namespace tailback::kernels {

/// Needs: the problem wants rates.
std::unique_ptr<Executor> make_sharing_executor(Problem const& problem, unsigned threads, MakeFinder const& finder,
                                                CpuVariant variant);

}  // namespace tailback::kernels
