// The command line of `tailback evaluate --job ..`, as values.
#pragma once

#include "host/api/jobs.hpp"
#include "host/commands/options/evaluate_options.hpp"

#include <string>
#include <vector>

namespace tailback::commands {

struct JobsOptions {
    api::JobsRequest request;
    ReportFormat format = ReportFormat::text;
    std::string output;
    unsigned threads = 0;
    evaluation::LidSpread spread = evaluation::LidSpread::base;  ///< of --multipath
};

/// Are several jobs asked for, by --job or --jobs?
bool asks_for_jobs(std::vector<std::string> const& arguments);

/// Takes the values of --job out of the arguments: a comma does not divide them, as it does lists.
std::vector<std::string> take_jobs(std::vector<std::string>& arguments);
/// `jobs:` and below it a list of maps with `name` and the keys of --job.
std::vector<api::JobRequest> read_jobs_file(std::string const& path);

/// @throws InputError for anything that is not right in itself, and options that have no effect on jobs. Reads the file
/// of --jobs.
JobsOptions parse_jobs_options(std::vector<std::string> const& arguments);

}  // namespace tailback::commands
