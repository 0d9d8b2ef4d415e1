#include "host/base/error.hpp"

#include "host/base/numbers.hpp"

#include <algorithm>
#include <utility>

namespace tailback::base {

std::string compose_message(SourceLocation const& place, std::string const& problem, std::string const& why,
                            std::string const& what_to_do) {
    std::string text;
    if (!place.file.empty()) {
        text += place.file == "-" ? "standard input" : place.file;
        if (place.line > 0) text += ":" + std::to_string(place.line);
        text += ": ";
    }
    text += problem;
    if (!why.empty()) text += " (" + why + ")";
    if (!what_to_do.empty()) text += "; " + what_to_do;
    constexpr std::size_t longest = 4000;  // words of megabytes help nobody
    if (text.size() > longest) text = shortened(text, longest);
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return printable(text);  // words of files and of the command line: nothing that a terminal would obey
}

InputError::InputError(SourceLocation const& place, std::string const& problem, std::string const& why,
                       std::string const& what_to_do, std::string option)
    : std::runtime_error(compose_message(place, problem, why, what_to_do)), place_(place), option_(std::move(option)) {}

}  // namespace tailback::base
