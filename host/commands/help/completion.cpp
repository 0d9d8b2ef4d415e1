// tailback completion: what shells need to complete commands, options and their values, made from the option tables.
#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/commands/command.hpp"
#include "host/io/output_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace tailback::commands {
namespace {

constexpr char const* completion_usage =
    "tailback completion bash|zsh|fish\n\n"
    "Prints what a shell needs to complete commands, options and values. For the shell at hand:\n"
    "  source <(tailback completion bash)\n"
    "  source <(tailback completion zsh)\n"
    "  tailback completion fish | source\n";

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (Command const& command : all_commands()) all.emplace_back(command.name);
    all.insert(all.end(), {"help", "--help", "--version", "--quiet"});
    return all;
}

/// In single quotes, as shells take it.
std::string in_quotes(std::string const& text) {
    std::string result = "'";
    for (char const c : text) {
        if (c == '\'') result += "'\\''";
        else result += c;
    }
    return result + "'";
}

std::vector<options::Option const*> options_of(Command const& command) {
    return options::options_of(command.synopsis.command);
}

/// The words that a value may be, or begin with.
std::vector<std::string> values_of(options::Option const& option) {
    if (option.kind == options::Kind::file) return {};
    return option.values != nullptr ? option.values() : options::divided(option.choices, '|');
}

/// May its value be a file, too?
bool takes_files(options::Option const& option) {
    return option.kind == options::Kind::file ||
           std::string_view(option.metavar).find("FILE") != std::string_view::npos;
}

std::string for_bash() {
    std::string options, values;
    for (Command const& command : all_commands()) {
        std::vector<std::string> words;
        for (options::Option const* const option : options_of(command)) {
            std::vector<std::string> const choices = values_of(*option);
            words.push_back(std::string("--") + option->name);
            if (!choices.empty())
                values += fmt::format("        {}\\ --{}) words={}{} ;;\n", command.name, option->name,
                                      in_quotes(fmt::format("{}", fmt::join(choices, " "))),
                                      takes_files(*option) ? " files=1" : "");
        }
        if (command.has_options()) words.emplace_back("--help");
        if (!words.empty())
            options += fmt::format("        {}) words={} ;;\n", command.name,
                                   in_quotes(fmt::format("{}", fmt::join(words, " "))));
    }
    return fmt::format(R"(# bash completion for tailback
_tailback() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command= words= files= at
    COMPREPLY=()
    for ((at = 1; at < COMP_CWORD; ++at)); do
        if [ "${{COMP_WORDS[at]}}" != --quiet ]; then command=${{COMP_WORDS[at]}}; break; fi
    done
    if [ -z "$command" ]; then
        COMPREPLY=($(compgen -W {} -- "$current"))
        return
    fi
    case "$command $previous" in
{}        help\ help|manual\ manual) words={} ;;
        completion\ completion) words='bash zsh fish' ;;
    esac
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        if [ -n "$files" ]; then COMPREPLY+=($(compgen -f -- "$current")); fi
        return
    fi
    case "$current" in
        -*) ;;
        *) COMPREPLY=($(compgen -f -- "$current")); return ;;
    esac
    case "$command" in
{}    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o filenames -F _tailback tailback
)",
                       in_quotes(fmt::format("{}", fmt::join(names(), " "))), values,
                       in_quotes(fmt::format("{}", fmt::join(names(), " "))), options);
}

std::string for_zsh() {
    auto const escaped = [](std::string const& text) {
        std::string result;
        for (char const c : text) {
            if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
            result += c;
        }
        return result;
    };
    std::string commands, cases;
    for (Command const& command : all_commands()) {
        commands += "        " + in_quotes(std::string(command.name) + ":" + escaped(command.summary)) + "\n";
        std::string lines;
        for (options::Option const* const option : options_of(command)) {
            std::vector<std::string> const choices = values_of(*option);
            std::string line = std::string("--") + option->name + "[" + escaped(option->brief) + "]";
            if (option->takes_value()) {
                std::string const action = !choices.empty() && !takes_files(*option)
                                               ? fmt::format("({})", fmt::join(choices, " "))
                                           : option->kind == options::Kind::folder ? "_files -/"
                                                                                   : "_files";
                line += ":" + escaped(option->metavar) + ":" + action;
            }
            lines += " \\\n                " + in_quotes(line);
        }
        cases +=
            fmt::format("            {}) _arguments{} \\\n                '*:file:_files' ;;\n", command.name, lines);
    }
    return fmt::format(R"(#compdef tailback
_tailback() {{
    local -a commands
    commands=(
{}    )
    _arguments -C '--quiet[no notes]' '1:command:->command' '*::argument:->argument'
    case $state in
        command) _describe command commands ;;
        argument) case $words[1] in
{}        esac ;;
    esac
}}
compdef _tailback tailback
)",
                       commands, cases);
}

std::string for_fish() {
    std::string text = "# fish completion for tailback\n";
    for (Command const& command : all_commands())
        text += fmt::format("complete -c tailback -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                            in_quotes(command.summary));
    for (Command const& command : all_commands())
        for (options::Option const* const option : options_of(command)) {
            std::vector<std::string> const choices = values_of(*option);
            text += fmt::format("complete -c tailback -n '__fish_seen_subcommand_from {}' -l {}", command.name,
                                option->name);
            if (option->letter != 0) text += " -s " + std::string(1, option->letter);
            if (!choices.empty())
                text += fmt::format(" {} -a {}", takes_files(*option) ? "-r" : "-x",
                                    in_quotes(fmt::format("{}", fmt::join(choices, " "))));
            else if (option->takes_value()) text += " -r";
            text += " -d " + in_quotes(option->brief) + "\n";
        }
    return text;
}

}  // namespace

int run_completion(std::vector<std::string> const& arguments) {
    if (arguments.size() == 1 && (arguments.front() == "--help" || arguments.front() == "-h"))
        return io::write_standard_output(completion_usage), success;
    std::map<std::string, std::string (*)()> const shells = {{"bash", for_bash}, {"zsh", for_zsh}, {"fish", for_fish}};
    if (arguments.size() != 1)
        throw base::InputError({}, "a shell is needed", "", "write tailback completion bash, zsh or fish");
    auto const shell = shells.find(arguments.front());
    if (shell == shells.end())
        throw base::InputError({}, "unknown shell \"" + arguments.front() + "\"",
                               base::nearest_hint(arguments.front(), {"bash", "zsh", "fish"}),
                               "write bash, zsh or fish");
    return io::write_standard_output(shell->second()), success;
}

}  // namespace tailback::commands
