// tailback manual: manual pages in the language of man, made from the option tables.
#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/commands/command.hpp"
#include "host/io/output_file.hpp"

#include "version.hpp"

#include <fmt/format.h>

namespace tailback::commands {
namespace {

constexpr char const* manual_usage =
    "tailback manual [COMMAND]\n\n"
    "Prints the manual page of a command, or of the program, for man:\n"
    "  tailback manual audit | man -l -\n";

/// Text that man neither reads as a request nor as an escape.
std::string escaped(std::string const& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool const begins_line = i == 0 || text[i - 1] == '\n';
        if (begins_line && (text[i] == '.' || text[i] == '\'')) result += "\\&";
        if (text[i] == '\\') result += "\\e";
        else if (text[i] == '-') result += "\\-";
        else result += text[i];
    }
    return result;
}

std::string heading(std::string const& title) {
    return fmt::format(".TH {} 1 \"\" \"Tailback {}\" \"User Commands\"\n", title, version);
}

constexpr char const* exit_status =
    ".SH EXIT STATUS\n0 success, 1 faults found, no flow delivered or a goal not reached, 2 bad input or usage, 3 "
    "internal error, 130 interrupted, 141 the reader of standard output has gone.\n";

std::string page_of(Command const& command) {
    std::string page = heading("TAILBACK\\-" + std::string(command.name)) + ".SH NAME\n";
    page += fmt::format("tailback\\-{} \\- {}\n", command.name, escaped(command.summary));
    if (!command.has_options())
        return page +
               fmt::format(".SH DESCRIPTION\nSee\n.B tailback {} \\-\\-help\nfor what it takes.\n", command.name) +
               exit_status;
    std::string const behind = command.notes();
    page += fmt::format(".SH SYNOPSIS\n.B tailback {}\n{}\n", command.name, escaped(command.synopsis.usage));
    page += ".SH DESCRIPTION\n" + escaped(command.synopsis.about) + "\n.SH OPTIONS\n";
    std::string group;
    for (options::Option const* const option : options::options_of(command.synopsis.command)) {
        if (options::name_of(option->group) != group)
            page += ".SS " + escaped(group = options::name_of(option->group)) + "\n";
        page +=
            ".TP\n.B " + (option->letter == 0 ? "" : fmt::format("\\-{}, ", option->letter)) + "\\-\\-" +
            escaped(option->name) + (option->takes_value() ? " " + escaped(option->metavar) : "") + "\n" +
            escaped(option->text) +
            (option->fallback == nullptr || *option->fallback == 0 ? ""
                                                                   : " (default: " + escaped(option->fallback) + ")") +
            "\n";
    }
    if (!behind.empty()) page += ".SH NOTES\n.nf\n" + escaped(behind) + "\n.fi\n";
    return page + exit_status + ".SH SEE ALSO\n.BR tailback (1)\n";
}

std::string page_of_program() {
    std::string page = heading("TAILBACK") +
                       ".SH NAME\ntailback \\- congestion of statically routed networks\n.SH SYNOPSIS\n.B tailback\n"
                       "COMMAND [options]\n.SH COMMANDS\n";
    for (Command const& command : all_commands())
        page += fmt::format(".TP\n.B {}\n{}\n", command.name, escaped(command.summary));
    page += exit_status;
    page += ".SH SEE ALSO\n";
    for (Command const& command : all_commands()) page += fmt::format(".BR tailback\\-{} (1)\n", command.name);
    return page;
}

}  // namespace

int run_manual(std::vector<std::string> const& arguments) {
    if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h"))
        return io::write_standard_output(manual_usage), success;
    if (arguments.size() > 1)
        throw base::InputError({}, "one manual page is printed at a time", "several words are given",
                               "give one command");
    if (arguments.empty()) return io::write_standard_output(page_of_program()), success;
    std::vector<std::string> names;
    for (Command const& command : all_commands()) {
        if (arguments.front() == command.name) return io::write_standard_output(page_of(command)), success;
        names.push_back(command.name);
    }
    throw base::InputError({}, "unknown command \"" + arguments.front() + "\"",
                           base::nearest_hint(arguments.front(), names), "`tailback --help` lists the commands");
}

}  // namespace tailback::commands
