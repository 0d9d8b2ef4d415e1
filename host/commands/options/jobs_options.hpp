// The command line of `tailback jobs`, as values.
#pragma once

#include "host/api/jobs.hpp"
#include "host/commands/options/evaluate_options.hpp"

#include <string>
#include <vector>

namespace tailback::commands {

struct JobsOptions {
    api::JobsRequest request;
    report::Form format = report::Form::text;
    std::string output;
    unsigned threads = 0;
    evaluation::LidSpread spread = evaluation::LidSpread::base;  ///< of --spread
};

/// `jobs:` and below it a list of maps with `name` and the keys of --job.
std::vector<api::JobRequest> read_jobs_file(std::string const& path);

/// @throws InputError for anything that is not right in itself. Reads the files of --jobs and --squeue.
JobsOptions parse_jobs_options(std::vector<std::string> const& arguments);

}  // namespace tailback::commands
