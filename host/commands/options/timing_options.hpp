// Options of `tailback evaluate` that say what times are made of: --time, --dependencies, --compute, --latency,
// --switching, --priority.
#pragma once

#include "host/api/study.hpp"
#include "host/options/parsed_options.hpp"

#include <string>
#include <vector>

namespace tailback::commands {

/// The metrics that are measured: those of --metric, and with --time those of times; where one of these options is
/// given and no --metric, those of times alone.
std::vector<study::Metric> metrics_of(options::ParsedOptions const& options);

/// Sets the latencies of --latency, if it is given. @throws InputError
void read_latency(options::ParsedOptions const& options, study::Timing& timing);

/// Is any option given that stands for --time?
bool asks_for_times(options::ParsedOptions const& options);

/// What the options say of timing, schedules apart. @throws InputError
void read_timing(options::ParsedOptions const& options, study::Timing& timing);

/// Sets the study's timing, and whether a GOAL file is taken with its dependencies. @throws InputError
void read_timing(options::ParsedOptions const& options, api::StudyRequest& request);

}  // namespace tailback::commands
