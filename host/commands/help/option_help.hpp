// What the option tables say of an option: for manuals and completions.
#pragma once

#include "host/commands/command.hpp"

#include <string>
#include <vector>

namespace tailback::commands {

struct OptionHelp {
    std::string name, letter;  ///< without dashes; the letter may be empty
    std::string argument;      ///< `FILE`, `text|json`; empty = a flag
    std::string text, default_value;
    std::string group;
    /// The words that it takes, where these are known.
    std::vector<std::string> choices;
    bool takes_file() const { return argument.find("FILE") != std::string::npos; }
    bool takes_folder() const { return argument == "DIR"; }
};

/// Those of a command, in the order of its help; none where it has no table.
std::vector<OptionHelp> options_of(Command const& command);

}  // namespace tailback::commands
