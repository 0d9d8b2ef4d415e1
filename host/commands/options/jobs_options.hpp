// The command line of `tailback jobs`, as values.
#pragma once

#include "host/api/jobs.hpp"
#include "host/commands/options/evaluate_options.hpp"
#include "host/options/parsed_options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tailback::commands {

struct JobsOptions {
    api::JobsRequest request;
    report::Form format = report::Form::text;
    std::string output;
    unsigned threads = 0;
    evaluation::LidSpread spread = evaluation::LidSpread::base;  ///< of --spread
    /// By job, for next steps: the command that looks for nodes for it beside the others; empty: it cannot be told all.
    std::vector<std::vector<std::string>> elsewhere;
    std::vector<std::string> job_words;  ///< of --job, as given
};

/// `jobs:` and below it a list of maps with `name` and the keys of --job.
std::vector<api::JobRequest> read_jobs_file(std::string const& path);

/// The jobs of --jobs, of lists of jobs that run (registry.hpp), and of --job.
struct RequestedJobs {
    std::vector<api::JobRequest> jobs;
    std::vector<std::string> taken;   ///< nodes of all jobs that run, those of one node included
    std::vector<std::string> inputs;  ///< the files of --jobs and of such lists
};
/// @param ranks_per_node of the jobs of such lists; none: a rank for every adapter
RequestedJobs requested_jobs(options::ParsedOptions const& options, std::optional<std::string> const& ranks_per_node);

/// @throws InputError for anything that is not right in itself. Reads the files of --jobs and of lists of jobs.
JobsOptions parse_jobs_options(std::vector<std::string> const& arguments);

}  // namespace tailback::commands
