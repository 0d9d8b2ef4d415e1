// What jobs came to, as a report, and orders as files for launchers. What a report refers to must outlive it.
#pragma once

#include "host/api/jobs.hpp"
#include "host/report/jobs/jobs_report.hpp"
#include "host/study/plan/write_placement.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace tailback::api {

report::JobsReport make_report(PreparedJobs const& jobs, evaluation::JobsResult const& result,
                               evaluation::LidSpread spread);
/// A warning where slowdowns say little, as times of jobs are of other orders: of one with bytes beside one whose flows
/// have none, as a rule. Empty: they say something.
std::string unlike_times(std::vector<evaluation::Job> const& jobs, evaluation::JobsResult const& result);

/// Writes a mapping for a launcher, and warns where the form does not hold which adapters its ranks use.
void write_mapping(std::ostream& out, study::PlacementFile const& file, study::StudyPlan const& plan,
                   std::uint64_t mapping, TakeSentence const& warn);

}  // namespace tailback::api
