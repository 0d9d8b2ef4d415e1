// The CPU's executor for an all-to-all whose flows are not listed.
#pragma once

#include "kernels/executor.hpp"

#include <memory>

namespace tailback::kernels {

/// Needs: the problem has an all-to-all.
std::unique_ptr<Executor> make_all_to_all_executor(Problem const& problem, unsigned threads);

}  // namespace tailback::kernels
