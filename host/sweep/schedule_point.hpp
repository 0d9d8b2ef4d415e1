// Points of sweeps that are schedules.
#pragma once

#include "host/api/schedule.hpp"
#include "host/sweep/points.hpp"

namespace tailback::sweep {

std::shared_ptr<OtherPoint const> schedule_point(api::ScheduleRequest request);

}  // namespace tailback::sweep
