// What commands say of themselves, from the table of options.
#pragma once

#include "host/options/option.hpp"

#include <string>

namespace tailback::options {

/// What help says of a command beside its options.
struct Synopsis {
    Commands command;
    char const* about;    ///< a sentence
    char const* usage;    ///< what follows the command's name
    char const* example;  ///< one line
};

/// `-h`: what matters most, one line each.
std::string short_help(Synopsis const& synopsis, std::size_t width);
/// `--help`: all options, and what is to be said behind them.
std::string long_help(Synopsis const& synopsis, std::string const& behind, std::size_t width);

/// `text` in lines of at most `width` columns, each but the first behind `indent` blanks; the first has `used` columns
/// before it. Words that are longer stand alone.
std::string wrapped(std::string const& text, std::size_t width, std::size_t indent, std::size_t used);
/// Lines that begin with a letter are filled to the width, one after the other; of others the end goes on below, and
/// commands stay as they are.
std::string refilled(std::string const& text, std::size_t width);

}  // namespace tailback::options
