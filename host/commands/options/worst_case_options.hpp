// The worst-case part of `tailback audit`: its options, how long it will take, and the files that replay what it found.
#pragma once

#include "host/api/audit.hpp"
#include "host/commands/report_file.hpp"
#include "host/options/parsed_options.hpp"

#include <string>
#include <vector>

namespace tailback::commands {

struct WorstCaseOptions {
    api::WorstCaseWishes wishes;
    std::string mapping_file;  ///< of --write-worst-permutation; empty = not asked for
    std::string flow_file() const { return mapping_file + ".flows"; }  ///< where a mapping does not say it all

    /// Files that may be written.
    std::vector<std::string> outputs() const;
};

/// @throws InputError for choices that do not fit each other.
WorstCaseOptions worst_case_options(options::ParsedOptions const& options);

/// Writes the worst permutation to the files of `options`, added to `files`. Returns the words
/// after `tailback` that replay it, `network_words` (`--network F --tables F ..`) among them; empty, and nothing
/// written, when no pair is delivered.
std::vector<std::string> write_worst_permutation(OutputFiles& files, model::Network const& network,
                                                 audit::WorstCase const& worst, WorstCaseOptions const& options,
                                                 std::vector<std::string> const& network_words);
/// The words that replay the worst shift; empty where a study of all hosts would seat them otherwise.
std::vector<std::string> shift_replay(model::Network const& network, audit::WorstCase const& worst,
                                      bool aggregation_nodes_are_hosts, std::vector<std::string> const& network_words);

}  // namespace tailback::commands
