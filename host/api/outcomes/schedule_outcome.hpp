// What schedules came to, as a report. What it refers to must outlive it.
#pragma once

#include "host/api/schedule.hpp"
#include "host/report/schedule/schedule_report.hpp"

#include <string>

namespace tailback::api {

/// @param queue, select the policies in the words in which they were asked for. @pre a seed is done
report::ScheduleReport make_report(PreparedSchedule const& prepared, ScheduleResult const& result,
                                   std::string const& queue, std::string const& select);

}  // namespace tailback::api
