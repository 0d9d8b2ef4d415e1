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

/// @throws InputError for anything that is not right in itself, and options that have no effect on jobs. Reads the file
/// of --jobs.
JobsOptions parse_jobs_options(std::vector<std::string> const& arguments);

}  // namespace tailback::commands
