// The command line of `tailback evaluate`, as values.
#pragma once

#include "host/api/study.hpp"
#include "host/evaluation/multipath/lid_paths.hpp"
#include "host/study/placement/write_placement.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tailback::commands {

enum class ReportFormat : std::uint8_t { text, json, csv, html };

struct EvaluateOptions {
    bool help = false;

    api::StudyRequest request;

    ReportFormat format = ReportFormat::text;
    std::string output;
    std::string per_mapping, dump_mappings, picture, picture_links, timeline, run_info;  ///< empty = not asked for
    study::PlacementFile best, worst;  ///< the same, where there is no path

    evaluation::DeviceChoice device = evaluation::DeviceChoice::automatic;
    unsigned threads = 0;
    std::uint64_t batch = 0;
    std::string checkpoint;  ///< empty = none
    double checkpoint_every_s = 30;
    bool metrics_given = false;
    std::vector<evaluation::LidSpread> spreads;  ///< of --multipath

    /// Every output file asked for.
    std::vector<std::string> outputs() const;
};

/// @throws InputError for anything that is not right in itself; files are not opened.
EvaluateOptions parse_evaluate_options(std::vector<std::string> const& arguments);

/// The words of --multipath. @throws InputError for one that it does not know, or none
std::vector<evaluation::LidSpread> read_spreads(std::vector<std::string> const& words);

/// What `--help` prints.
std::string evaluate_help();

}  // namespace tailback::commands
