// The hosts that ranks of a study may have, and how mappings put ranks there.
#pragma once

#include "host/study/plan/study_plan.hpp"

#include <vector>

namespace tailback::study {

/// Who may sit, in which order; resolves study.placement.ranks. @throws InputError
std::vector<model::Host> seat_hosts(model::Fabric const& fabric, Study& study);

/// What the kernels are to draw, from seats and flows that are there.
void describe_draws(StudyPlan& plan);

}  // namespace tailback::study
