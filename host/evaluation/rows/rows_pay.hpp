// Routes that are walked flow by flow, or all pairs of hosts first: which takes less.
#pragma once

#include "host/study/plan/study_plan.hpp"

#include <cstdint>

namespace tailback::evaluation {

/// Whether a study has so many flows that walking every pair of its hosts first, and keeping the routes as rows, takes
/// less time than walking flow by flow, and so few pairs that the rows may be kept. A goal may be reached long before
/// the most mappings.
/// @param lids rows of a pair: each of the destination's LIDs has its own
bool rows_pay(study::StudyPlan const& plan, std::uint32_t lids = 1);

}  // namespace tailback::evaluation
