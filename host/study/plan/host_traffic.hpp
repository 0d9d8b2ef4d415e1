// What hosts send each other in one mapping of a study.
#pragma once

#include "host/study/plan/study_plan.hpp"
#include "topologies/routing.hpp"

namespace tailback::study {

/// The bytes of all levels together (a flow without weight: 1), by pair of different hosts, in the order in which the
/// study's flows first name the pairs. @param mapping its number.
/// @throws InputError for patterns that draw their flows, and for sums beyond 64 bits.
topologies::HostTraffic host_traffic(StudyPlan const& plan, std::uint64_t mapping);

}  // namespace tailback::study
