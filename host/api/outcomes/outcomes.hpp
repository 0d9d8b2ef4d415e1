// What searches of orders and jobs came to, as reports and as files for launchers. What a report refers to
// must outlive it.
#pragma once

#include "host/api/ranks/node_sets.hpp"
#include "host/report/jobs/jobs_report.hpp"
#include "host/report/orders/node_sets_report.hpp"
#include "host/study/plan/write_placement.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace tailback::api {

/// With what `evaluate` says of every order: they are the mappings of the plan.
report::OrdersReport make_report(RankOrders const& found, unsigned threads);
report::NodeSetsReport make_report(NodeSets const& found, unsigned threads);

report::JobsReport make_report(PreparedJobs const& jobs, evaluation::JobsResult const& result,
                               evaluation::LidSpread spread);
/// A warning where slowdowns say little, as times of jobs are of other orders: of one with bytes beside one whose flows
/// have none, as a rule. Empty: they say something.
std::string unlike_times(std::vector<evaluation::Job> const& jobs, evaluation::JobsResult const& result);

/// Writes a mapping for a launcher, and warns where the form does not hold which adapters its ranks use.
void write_mapping(std::ostream& out, study::PlacementFile const& file, study::StudyPlan const& plan,
                   std::uint64_t mapping, TakeSentence const& warn);

}  // namespace tailback::api
