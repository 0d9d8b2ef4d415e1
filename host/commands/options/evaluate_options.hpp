// The command line of `tailback evaluate`, as values.
#pragma once

#include "host/api/study.hpp"
#include "host/evaluation/adaptive/lid_paths.hpp"
#include "host/options/option.hpp"
#include "host/report/forms.hpp"
#include "host/result/next_step.hpp"
#include "host/study/plan/write_placement.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tailback::commands {

struct StudyOutput;

struct EvaluateOptions {
    api::StudyRequest request;

    report::Form format = report::Form::text;
    std::string output;
    std::string per_mapping, dump_mappings, picture, picture_links, run_info;  ///< empty = not asked for
    std::vector<std::pair<StudyOutput const*, std::string>> more_outputs;      ///< of extensions, that are asked for
    study::PlacementFile best, worst;                                          ///< the same, where there is no path

    evaluation::DeviceChoice device = evaluation::DeviceChoice::automatic;
    unsigned threads = 0;
    std::uint64_t batch = 0;
    std::string checkpoint;  ///< empty = none
    double checkpoint_every_s = 30;

    /// Every output file asked for.
    std::vector<std::string> outputs() const;
};

/// Of `evaluate`, `bracket` or `multipath`.
/// @throws InputError for anything that is not right in itself; files are not opened.
EvaluateOptions parse_study_options(options::Commands command, std::vector<std::string> const& arguments);

/// The same with the commands that go on from it, for next steps.
struct StudyCommand {
    EvaluateOptions options;
    result::OtherCommands after;
};
StudyCommand parse_study_command(options::Commands command, std::vector<std::string> const& arguments);

/// The words of --spread. @throws InputError for one that it does not know, or none
std::vector<evaluation::LidSpread> read_spreads(std::vector<std::string> const& words);

}  // namespace tailback::commands
