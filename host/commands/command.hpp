// The commands of the program, one file each in this folder, and the table that main looks them up in.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace cxxopts {
class Options;
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
    /// `arguments` without the program's and the command's name. Returns an ExitCode; throws InputError.
    int (*run)(std::vector<std::string> const& arguments);
    /// Its options, for manuals and completions, and what --help prints: these, and more behind them. Null: it has no
    /// options of this program's form.
    cxxopts::Options (*options)() = nullptr;
    std::string (*help)() = nullptr;
    bool shared = false;  ///< by processes that a launcher starts together; others are refused there
};

/// In the order of the help.
std::span<Command const> all_commands();

int run_evaluate(std::vector<std::string> const& arguments);
int run_sweep(std::vector<std::string> const& arguments);
int run_orcs(std::vector<std::string> const& arguments);
int run_trace(std::vector<std::string> const& arguments);
int run_audit(std::vector<std::string> const& arguments);
int run_estimate(std::vector<std::string> const& arguments);
int run_diff(std::vector<std::string> const& arguments);
int run_traffic(std::vector<std::string> const& arguments);
int run_convert(std::vector<std::string> const& arguments);
int run_generate(std::vector<std::string> const& arguments);
int run_compare(std::vector<std::string> const& arguments);
int run_topology(std::vector<std::string> const& arguments);
int run_schedule(std::vector<std::string> const& arguments);
int run_list(std::vector<std::string> const& arguments);
int run_manual(std::vector<std::string> const& arguments);
int run_completion(std::vector<std::string> const& arguments);

cxxopts::Options declare_evaluate();
cxxopts::Options declare_sweep();
cxxopts::Options declare_audit();
cxxopts::Options declare_estimate();
cxxopts::Options declare_diff();
cxxopts::Options declare_trace();
cxxopts::Options declare_traffic();
cxxopts::Options declare_convert();
cxxopts::Options declare_generate();
cxxopts::Options declare_compare();
cxxopts::Options declare_topology();
cxxopts::Options declare_schedule();

std::string evaluate_help();
std::string sweep_help();
std::string audit_help();
std::string estimate_help();
std::string diff_help();
std::string trace_help();
std::string traffic_help();
std::string convert_help();
std::string generate_help();
std::string compare_help();
std::string topology_help();
std::string schedule_help();

}  // namespace tailback::commands
