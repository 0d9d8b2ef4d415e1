// What several jobs on one fabric came to, in the forms people and programs read.
#pragma once

#include "host/evaluation/jobs/jobs.hpp"
#include "host/model/network_origin.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace tailback::report {

/// How a job was asked for.
struct JobWords {
    std::string traffic;  ///< its pattern, or the file of its traffic
    std::string nodes, order;
    std::uint32_t ranks_per_node = 1;
};

/// Everything a report tells. References must outlive it.
struct JobsReport {
    study::StudyPlan const& plan;
    std::vector<evaluation::Job> const& jobs;
    evaluation::JobsResult const& result;
    std::vector<JobWords> words;                                 ///< by job
    std::string digest;                                          ///< of the fabric
    evaluation::LidSpread spread = evaluation::LidSpread::base;  ///< how flows take LIDs of their destinations

    evaluation::JobsUnit unit() const { return evaluation::unit_of_jobs(plan, jobs); }
    /// `seconds`, `bytes` or `flows`: of times.
    char const* unit_name() const;
};

/// For a terminal of so many columns.
void write_text_report(std::ostream& out, JobsReport const& report, std::size_t width);
/// Keys: docs/report.md.
void write_json_report(std::ostream& out, JobsReport const& report);
/// job,statistic,key,value
void write_csv_report(std::ostream& out, JobsReport const& report);

}  // namespace tailback::report
