// What a schedule came to, in the forms people and programs read.
#pragma once

#include "host/report/forms.hpp"
#include "host/schedule/summary.hpp"

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace tailback::report {

/// Everything a report tells. References must outlive it.
struct ScheduleReport {
    study::StudyPlan const& plan;
    std::size_t nodes;                                    ///< compute nodes of the fabric
    std::string workload, queue, select;                  ///< in the words in which they were asked for
    std::vector<schedule::ScheduleSummary> const& seeds;  ///< at least one
    schedule::Workload const& jobs;                       ///< of the first seed, and what became of them
    schedule::ScheduleRun const& run;
    bool has_bytes;  ///< jobs' traffic has bytes: loads are in them, else in flows
    bool interrupted;
    std::string digest;  ///< of the fabric
    /// [policy][seed]: the same with the policies before NodePolicy::search; empty: not asked for.
    std::vector<std::vector<schedule::ScheduleSummary>> others = {};

    /// A number of whole units of load x cost, as load / capacity: bytes or flows on a link of capacity 1.
    double load(double value) const { return value / double(plan.denominator); }
};

/// Means over the seeds, the jobs that congestion slows most.
Document document_of(ScheduleReport const& report);
/// Keys: docs/schedule.md.
Json value_of(ScheduleReport const& report);
/// Its numbers as those of a point of a sweep: of each its mean over the seeds, that mean's standard error, the least
/// and the largest.
Json schedule_point(ScheduleReport const& report);

/// A number of a schedule in all forms.
struct ScheduleNumber {
    enum class Kind : std::uint8_t { time, ratio, load, count };
    char const* key;
    char const* point;  ///< in sweeps, where no metric of a study has the name
    char const* title;  ///< for people; null: they are not told
    double (*of)(schedule::ScheduleSummary const&);
    Kind kind;
};
std::span<ScheduleNumber const> schedule_numbers();
/// A row for each job of the first seed.
void write_schedule_jobs(std::ostream& out, ScheduleReport const& report);
/// A row for each time at which something happened, of the first seed.
void write_moments(std::ostream& out, ScheduleReport const& report);

}  // namespace tailback::report
