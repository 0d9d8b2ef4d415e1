// What kernels need to know to share links among flows (kernels/sharing), and what is refused before it could pass 64
// bits.
#pragma once

#include "host/study/plan/study_plan.hpp"

#include <cstdint>
#include <vector>

namespace tailback::study {

/// The product of small factors, at most `limit` and not far below it, that divides by as many numbers as may be: first
/// the least common multiple of 1, 2, 3, .., then more of 2, 3, 5 and 7. Fractions that flows get are whole numbers of
/// 1/unit then, as far as 64 bits reach.
std::uint64_t unit_of_fractions(std::uint64_t limit);

/// Needs flows and weights alone. @throws InputError where the flows are too large for the times that are asked for,
/// whatever the routes are.
void refuse_times_beforehand(StudyPlan const& plan);

/// Fills Problem::sharing and StudyPlan::longest_time, where metrics ask for rates. Needs costs, flows and weights.
/// @return capacities by slot, which the caller keeps; none where all are the base rate.
/// @throws InputError where times, in 1/1024 of the smallest flow, could pass 2^61, and for metrics that do not go
/// together.
std::vector<std::uint64_t> describe_sharing(StudyPlan& plan);

}  // namespace tailback::study
