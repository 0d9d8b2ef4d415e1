// The commands of the program, one file each in this folder, and the table that main looks them up in.
#pragma once

#include "host/options/help.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tailback::options {
class ParsedOptions;
}
namespace tailback::sweep {
class OtherPoint;
}
namespace tailback::commands {

/// Exit codes: 0 success, 1 the audit found faults (or a traced route failed, two fabrics differ, no flow was
/// delivered, a goal was not reached, a point of a sweep could not be run), 2 bad input or usage, 3 internal, 130
/// interrupted: what was known then was told, 141 nobody reads standard output any more: what was for it is lost.
enum ExitCode : int {
    success = 0,
    faults_found = 1,
    bad_input = 2,
    internal_error = 3,
    interrupted = 130,
    reader_gone = 141
};

struct Command {
    char const* name;
    char const* summary;  ///< one line for `tailback --help`
    /// `arguments` without the program's and the command's name, and without a wish for help. Returns an ExitCode;
    /// throws InputError.
    int (*run)(std::vector<std::string> const& arguments);
    /// What help says of it. Without a command: it has no options of the table, and answers `--help` itself.
    options::Synopsis synopsis = {};
    std::string (*notes)() = nullptr;  ///< what stands behind its options
    bool shared = false;               ///< by processes that a launcher starts together; others are refused there
    /// A point of a sweep by these words, where that is no study.
    std::shared_ptr<sweep::OtherPoint const> (*point)(std::vector<std::string> const& words) = nullptr;

    bool has_options() const { return synopsis.command != options::none; }
};

/// In the order of the help.
std::span<Command const> all_commands();

int run_evaluate(std::vector<std::string> const& arguments);
int run_jobs(std::vector<std::string> const& arguments);
int run_bracket(std::vector<std::string> const& arguments);
int run_multipath(std::vector<std::string> const& arguments);
int run_place(std::vector<std::string> const& arguments);
int run_sweep(std::vector<std::string> const& arguments);
int run_trace(std::vector<std::string> const& arguments);
int run_audit(std::vector<std::string> const& arguments);
int run_diff(std::vector<std::string> const& arguments);
int run_traffic(std::vector<std::string> const& arguments);
int run_convert(std::vector<std::string> const& arguments);
int run_generate(std::vector<std::string> const& arguments);
int run_improve(std::vector<std::string> const& arguments);
int run_list(std::vector<std::string> const& arguments);
int run_manual(std::vector<std::string> const& arguments);
int run_completion(std::vector<std::string> const& arguments);

std::string evaluate_notes();
std::string jobs_notes();
std::string bracket_notes();
std::string multipath_notes();
std::string place_notes();
std::string sweep_notes();
std::string audit_notes();
std::string diff_notes();
std::string trace_notes();
std::string traffic_notes();
std::string convert_notes();
std::string generate_notes();
std::string improve_notes();

}  // namespace tailback::commands
