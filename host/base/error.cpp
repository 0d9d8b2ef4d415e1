#include "host/base/error.hpp"

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
    for (char& c : text)  // names come from files: nothing that a terminal would obey
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    return text;
}

InputError::InputError(SourceLocation const& place, std::string const& problem, std::string const& why,
                       std::string const& what_to_do)
    : std::runtime_error(compose_message(place, problem, why, what_to_do)) {}

}  // namespace tailback::base
