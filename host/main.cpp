// tailback <command> [options]: looks the command up and turns what it throws into a message and an exit code.
#include "commit.hpp"
#include "host/base/error.hpp"
#include "host/base/extensions.hpp"
#include "host/base/nearest.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/threads.hpp"
#include "host/commands/together.hpp"
#include "host/evaluation/processes/processes.hpp"
#include "host/io/exit_guard.hpp"
#include "host/io/output_file.hpp"
#include "host/io/progress.hpp"
#include "host/io/standard_streams.hpp"
#include "host/io/terminal.hpp"
#include "host/report/html/page.hpp"
#include "kernels/cpu/machine/isa.hpp"
#include "version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>

namespace {

using namespace tailback;
using namespace tailback::base;
using namespace tailback::commands;
using namespace tailback::io;
using namespace tailback::kernels;

std::string usage() {
    std::string text = fmt::format(
        "tailback {}: congestion of statically routed networks\n\nusage: tailback <command> [options]\n\n", version);
    std::size_t const width = help_columns();
    for (Command const& c : all_commands())
        text += fmt::format("  {:<10} {}\n", c.name, options::wrapped(c.summary, width, 13, 13));
    text +=
        "\nexample:\n"
        "  tailback evaluate --network examples/fat-tree-648/ibnetdiscover.out.xz \\\n"
        "                    --tables examples/fat-tree-648/opensm-lfts.dump.xz --pattern bisect --mappings 10000\n\n";
    for (char const* const paragraph :
         {"`tailback COMMAND -h` shows what matters most of a command, `--help` all; `tailback --version` the version "
          "and "
          "the build.",
          "`--quiet` before or after any command: only warnings and errors on standard error, no notes.",
          "Exit codes: 0 success, 1 faults found, no flow delivered or a goal not reached, 2 bad input or usage, 3 "
          "internal error, 130 interrupted, 141 the reader of standard output has gone (as in `tailback .. | head`). A "
          "signal before there is anything to report ends a command as it ends any other: 128 and its number."})
        text += options::wrapped(paragraph, width, 0, 0) + "\n";
    return text;
}

std::string version_text() {
    return fmt::format(
        "tailback {} (commit {}, {} build; CUDA {}, MPI {}, cgraph {}, xz {}, gzip {}, YAML {}, archives {}, XML "
        "{}, pages {}; extensions {})\n",
        version, commit, build_type, built_with_cuda ? "yes" : "no", built_with_mpi ? "yes" : "no",
        built_with_cgraph ? "yes" : "no", built_with_lzma ? "yes" : "no", built_with_zlib ? "yes" : "no",
        built_with_yaml ? "yes" : "no", built_with_archives ? "yes" : "no", built_with_xml ? "yes" : "no",
        report::has_pages() ? "yes" : "no", names_of_extensions());
}

/// The instruction set that the environment asks for, for tests and measurements.
void choose_isa() {
    char const* const word = std::getenv("TAILBACK_ISA");
    if (word == nullptr || *word == 0) return;
    if (std::string const wrong = use_isa(word); !wrong.empty())
        throw InputError({}, wrong, "TAILBACK_ISA asks for it",
                         fmt::format("set it to portable, avx2 or avx512, or not at all; the best here is {}",
                                     name_of(isas_here().back())));
}

/// Empty: none is wanted, or the command has its own.
std::string wanted_help(Command const& command, std::vector<std::string> const& arguments) {
    if (!command.has_options()) return "";
    std::size_t const width = help_columns();
    for (std::string const& word : arguments) {
        if (word == "--") break;
        if (word == "-h") return options::short_help(command.synopsis, width);
        if (word == "--help") return options::long_help(command.synopsis, command.notes(), width);
    }
    return "";
}

int run_command(Command const& command, std::vector<std::string> const& arguments) {
    if (std::string const help = wanted_help(command, arguments); !help.empty()) {
        if (evaluation::launched_together().count < 2 || evaluation::Processes().leads()) write_standard_output(help);
        return success;
    }
    if (!command.shared) require_one_process(fmt::format("the command {}", command.name));
    return command.run(arguments);
}

int run(std::vector<std::string> words) {
    bool const quiet = std::erase(words, "--quiet") > 0;
    if (quiet) tell_warnings_alone();
    if (words.empty()) throw InputError({}, "no command is given", "", "`tailback --help` lists the commands");
    std::string first = words.front();
    if (first == "--version" || first == "-V") return write_standard_output(version_text()), success;
    if (first == "--help" || first == "-h" || first == "help") {
        if (words.size() < 2) return write_standard_output(usage()), success;
        if (words.size() > 2)
            throw InputError({}, "\"" + words[2] + "\" is one word too many", "one command is explained at a time", "");
        words = {words[1], "--help"};
        first = words.front();
    }
    io::ProgressTeller const teller(!quiet);
    std::vector<std::string> names;
    for (Command const& c : all_commands()) {
        if (first == c.name) return run_command(c, {words.begin() + 1, words.end()});
        names.push_back(c.name);
    }
    refuse_left_out("command", first);
    throw InputError({}, "unknown command \"" + first + "\"", nearest_hint(first, names),
                     "`tailback --help` lists the commands");
}

}  // namespace

int main(int argc, char** argv) {
    secure_standard_streams();
    ExitGuard const guard(internal_error);
    try {
        require_stacks();
        choose_isa();
        return run({argv + 1, argv + argc});
    } catch (...) {
        return tell_failure(std::current_exception());
    }
}
