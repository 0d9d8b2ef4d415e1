// The units in which kernels count what flows get.
#pragma once

#include "host/model/capacities.hpp"
#include "host/study/plan/study_plan.hpp"

namespace tailback::study {

/// The flows are those of one all-to-all, which kernels count without a list.
bool leaves_flows_unlisted(StudyPlan const& plan);

/// Bandwidth by congestion, in units as fine as the sum over a mapping leaves room for; of flows with weights, what
/// kernels need of these. @throws InputError where the largest congestion does not fit in 31 bits
void tabulate_shares(StudyPlan& plan, model::LinkCosts const& costs);

}  // namespace tailback::study
