// What several jobs on one fabric came to, in the forms people and programs read.
#pragma once

#include "host/audit/loads/groups.hpp"
#include "host/evaluation/jobs/jobs.hpp"
#include "host/report/evaluate/collective_rates.hpp"
#include "host/report/forms.hpp"
#include "host/result/next_step.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::report {

/// How a job was asked for.
struct JobWords {
    std::string traffic;  ///< its pattern, or the file of its traffic
    std::string nodes, order;
    std::uint32_t ranks_per_node = 1;
};

/// Of the links that leave a group's nodes those that several jobs use.
struct SharedLinkGroup {
    std::string name;
    std::uint64_t links = 0;
    double load = 0;                                  ///< sum of theirs
    std::vector<double> load_of_job;                  ///< its parts, by job
    evaluation::SharedLink const* hottest = nullptr;  ///< null: there is none
};

/// Everything a report tells. References must outlive it.
struct JobsReport {
    study::StudyPlan const& plan;
    std::vector<evaluation::Job> const& jobs;
    evaluation::JobsResult const& result;
    std::vector<JobWords> words;                                 ///< by job
    std::string digest;                                          ///< of the fabric
    evaluation::LidSpread spread = evaluation::LidSpread::base;  ///< how flows take LIDs of their destinations

    audit::NodeGroups const* groups =
        nullptr;  ///< by which links are summed, of which the result has all; null: by none

    /// By job, for next steps: words after `tailback` that look for nodes for its ranks beside the others; empty:
    /// not known.
    std::vector<std::vector<std::string>> elsewhere = {};

    /// Of a job that is a collective operation, at one of its times; none of others, and where flows fail.
    std::optional<CollectiveRates> rates_of(std::size_t job, evaluation::Distribution const& times) const {
        if (times.count() == 0 || result.jobs[job].failed > 0) return std::nullopt;
        return collective_rates(words[job].traffic, jobs[job].flows.ranks, times.mean(), unit().in_seconds);
    }
    evaluation::JobsUnit unit() const { return evaluation::unit_of_jobs(plan, jobs); }
    /// Nodes elsewhere for the job that the others slow most.
    std::vector<result::NextStep> next_steps() const;
    /// In the order of the groups; none without `groups`.
    std::vector<SharedLinkGroup> sums_by_group() const;
    /// `seconds`, `bytes` or `flows`: of times.
    char const* unit_name() const;
};

/// Keys: docs/report.md.
Json value_of(JobsReport const& report);
/// A line for each job, who disturbs whom, and the links that they share.
Document document_of(JobsReport const& report);

}  // namespace tailback::report
