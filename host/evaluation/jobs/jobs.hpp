// Several jobs on one fabric: how long each takes alone, and how long with the others.
//
// Level l of a job runs beside level l mod L of every other job of L levels, so that the others keep going (ORCS's
// ptrnvsptrn, for any number of jobs). A job's time is the sum over its levels of the largest load / capacity of a link
// that one of its flows uses; alone, or with the loads of the others. Its slowdown is the one over the other, mapping
// by mapping.
//
// Where the plan's study has a timing of several jobs, times are simulated instead, at max-min rates: all jobs start at
// once, and go from level to level as the timing says; a job's time is the end of its last flow.
#pragma once

#include "host/evaluation/adaptive/lid_paths.hpp"
#include "host/evaluation/statistics.hpp"
#include "host/study/plan/study_plan.hpp"
#include "patterns/pattern.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tailback::evaluation {

/// A job: ranks first_rank .. first_rank + flows.ranks - 1 of the study.
struct Job {
    std::string name;
    patterns::FlowList flows;
    std::uint32_t first_rank = 0;
};

struct JobsOptions {
    unsigned threads = 0;  ///< 0 = all cores
    /// How flows take the LIDs of their destinations; `base`: as everywhere else.
    LidSpread spread = LidSpread::base;
    bool every_link = false;  ///< JobsResult::links are all that several jobs use
    /// Called now and then with mappings done so far, by one thread.
    std::function<void(std::uint64_t done)> progress;
    /// Asked several times a second, where mappings are quick enough; true ends the evaluation there.
    std::function<bool()> stop;
    /// The same, asked also inside a mapping whose times are simulated; then no mapping of that round counts, and of
    /// the first JobsResult::mappings is 0. Null: nobody asks.
    std::atomic<bool> const* wish = nullptr;
};

/// What one job came to, over all mappings.
struct JobResult {
    Distribution alone, together;  ///< times, in units of JobsResult::unit
    Distribution slowdown;         ///< together / alone; undefined where it takes no time alone
    std::uint64_t delivered = 0, failed = 0, local = 0, within_nodes = 0;  ///< flows
};

/// A link that flows of several jobs use.
struct SharedLink {
    model::Link link;
    double load = 0;  ///< mean over all levels of all mappings of its load / capacity, 0 where it is not shared
    std::uint64_t mappings = 0;       ///< in which it is shared
    std::vector<double> load_of_job;  ///< its parts, by job
};

/// So many links are told.
inline constexpr std::size_t hottest_links = 100;

/// Of so many jobs simulated times are found pair by pair, too.
inline constexpr std::size_t most_in_pairs = 12;

struct JobsResult {
    std::uint64_t mappings = 0;  ///< evaluated: the first so many of the plan's study
    bool interrupted = false;    ///< by `stop`
    std::vector<JobResult> jobs;
    /// [job][other]: mean over mappings of the job's slowdown by the other alone; NaN on the diagonal, and where the
    /// job takes no time; of simulated times also with more than most_in_pairs jobs.
    std::vector<double> disturbance;
    std::vector<SharedLink> links;   ///< of those that several jobs use the hottest, or all; hottest first
    std::uint64_t shared_links = 0;  ///< how many there are
    unsigned threads = 0;
    double evaluate_s = 0;
};

/// @param plan its routes, hosts, mappings and capacities; it has the ranks of all jobs, and no flows.
/// @throws InputError where loads, or sums of them, could pass 2^63, and where sums of links take more than 1 GiB.
JobsResult evaluate_jobs(study::StudyPlan const& plan, std::vector<Job> const& jobs, JobsOptions const& options = {});

/// Where job number `job` draws its random flows from (FlowDraw::stream).
std::uint32_t random_stream(std::size_t job);

/// The time that 1 of a job's `alone` and `together` stands for: seconds where flows have bytes and links rates, else
/// bytes, or flows, of a link of capacity 1.
struct JobsUnit {
    bool has_bytes = false, in_seconds = false;
    double unit = 1;
};
JobsUnit unit_of_jobs(study::StudyPlan const& plan, std::vector<Job> const& jobs);

/// The jobs that take longest and shortest alone, where the one takes a thousand times as long as the other: slowdowns
/// of such jobs cannot be compared. None otherwise.
struct UnlikeJobs {
    std::size_t longest, shortest;
    double ratio;  ///< of their mean times alone
};
std::optional<UnlikeJobs> unlike_jobs(JobsResult const& result);

}  // namespace tailback::evaluation
