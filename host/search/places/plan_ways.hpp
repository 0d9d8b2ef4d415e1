// The ways between the places of a study, as its routes have them.
#pragma once

#include "host/search/places/place_problem.hpp"
#include "host/study/plan/study_plan.hpp"

namespace tailback::search {

/// @param plan has a rank on every place
/// @param threads that follow ways; 0 = all cores. They change nothing but the time
/// @param cost, slots out: by link of the ways, its cost and the plan's number of it
/// @throws InputError where a pair of places is not delivered; kernels::Stopped
Ways ways_of(study::StudyPlan const& plan, unsigned threads, std::vector<std::uint32_t>& cost,
             std::vector<std::uint32_t>& slots);

}  // namespace tailback::search
