// What goes wrong with input, in one grammar: `<problem> (<why>); <what to do>`, with file:line in front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace tailback::base {

/// Where in a file; line 0 = the file as a whole, empty file = no file at all.
struct SourceLocation {
    std::string file;
    std::size_t line = 0;
};

/// Bad input or bad usage: the program ends with exit code 2 and this message.
class InputError : public std::runtime_error {
public:
    /// `why` and `what_to_do` may be empty; then their punctuation is left out. @param option that it is about, without
    /// its dashes; empty: none alone
    InputError(SourceLocation const& place, std::string const& problem, std::string const& why,
               std::string const& what_to_do, std::string option = "");
    SourceLocation const& place() const { return place_; }
    std::string const& option() const { return option_; }

private:
    SourceLocation place_;
    std::string option_;
};

/// Runs `work` on words that stand at a place: an InputError of it that names no file is of that place.
template <class Work>
auto at_place(SourceLocation const& place, Work&& work) {
    try {
        return work();
    } catch (InputError const& error) {
        if (!error.place().file.empty()) throw;
        throw InputError(place, error.what(), "", "", error.option());
    }
}

/// `file:line: problem (why); what to do`
std::string compose_message(SourceLocation const& place, std::string const& problem, std::string const& why,
                            std::string const& what_to_do);

}  // namespace tailback::base
