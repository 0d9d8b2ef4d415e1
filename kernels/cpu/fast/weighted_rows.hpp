// Flows with weights over packed rows: the usual study, a few times as fast as by the kernel's body.
#pragma once

#include "kernels/executor.hpp"

#include <memory>

namespace tailback::kernels {

/// Null where it does not apply: routes that are not packed rows, failed pairs, links of several rates, sums of links,
/// lengths of routes, delays, drawn flows.
std::unique_ptr<Executor> make_weighted_rows_executor(Problem const& problem, unsigned threads);

}  // namespace tailback::kernels
