// A timeline of one mapping in the forms that people and programs read.
#pragma once

#include "host/report/evaluate/evaluate_report.hpp"
#include "host/simulation/timeline.hpp"

#include <iosfwd>
#include <optional>
#include <string>

namespace tailback::report {

/// csv: a line for each flow and computation. json: all of it (docs/report.md). svg: a picture. trace: Chrome's trace
/// event format, which Perfetto and chrome://tracing open.
enum class TimelineForm : std::uint8_t { csv, json, svg, trace };
/// By the end of a file's name; csv where it has none.
TimelineForm timeline_form(std::string const& file);

/// What a timeline is of. References must outlive it.
struct TimelineReport {
    study::StudyPlan const& plan;
    simulation::Timeline const& timeline;
    std::vector<std::string> host_of_rank;

    double time(simulation::Ticks ticks) const;
    /// `seconds`, or `units`: of what a link of the base rate takes for a byte, or for a flow of size 1.
    char const* unit() const { return plan.in_seconds() ? "seconds" : "units"; }
    char const* label() const { return timeline.by_levels ? "level" : "line"; }
    /// Bytes where flows have some.
    std::uint64_t size(simulation::Timeline::Flow const& flow) const { return flow.weight * plan.common_weight; }
    model::LinkEnds ends(model::Link link) const { return plan.fabric->ends(link, plan.study_hosts); }
};
TimelineReport make_timeline_report(study::StudyPlan const& plan, simulation::Timeline const& timeline);

void write_timeline(std::ostream& out, TimelineReport const& report, TimelineForm form);
void write_timeline_csv(std::ostream& out, TimelineReport const& report);
void write_timeline_svg(std::ostream& out, TimelineReport const& report);
/// Keys: docs/report.md.
Json value_of(TimelineReport const& report);
/// Flows and computations. The report must outlive them.
std::vector<LongList> long_lists_of(TimelineReport const& report);
/// What the value begins with.
Json head_of(TimelineReport const& report);
void write_timeline_trace(std::ostream& out, TimelineReport const& report);

}  // namespace tailback::report
