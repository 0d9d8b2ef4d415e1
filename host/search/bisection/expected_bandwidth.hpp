// The effective bisection bandwidth of a study by the formula that audits tell, where it is of that study.
#pragma once

#include "host/study/plan/study_plan.hpp"

namespace tailback::search {

/// What `hist_acc_band` of `bisect` is expected to be over all pairings of the study's hosts: docs/semantics.md.
/// @throws InputError where the formula is of other flows or other routes
double expected_bandwidth(study::StudyPlan const& plan);

}  // namespace tailback::search
