// Options of a command, parsed strictly: nothing unknown, nothing twice, numbers to the last character.
#pragma once

#include "host/commands/options/cxxopts.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tailback::commands {

/// `text` as a whole number from `least` to `most`: digits only, no sign, no overflow.
/// @throws InputError that names `what` (`--ranks`).
std::uint64_t whole_number(std::string const& what, std::string const& text, std::uint64_t least, std::uint64_t most);

/// Takes out of `words` those that belong to no option. All options take a value but --help, -h and `flags`.
std::vector<std::string> take_words(std::vector<std::string>& words, std::vector<std::string> const& flags);
/// The same for one word at most; empty when there is none. @throws InputError that goes on with `why` and `what_to_do`
/// when there are several.
std::string take_word(std::vector<std::string>& words, std::vector<std::string> const& flags, std::string const& why,
                      std::string const& what_to_do);

class ParsedOptions {
public:
    /// Options whose value is a vector may be given several times and take lists divided by commas; all others once.
    /// @throws InputError for an unknown option (with the nearest), one without its value or given twice, and for
    /// words that belong to no option.
    ParsedOptions(cxxopts::Options options, std::vector<std::string> const& arguments);

    bool given(std::string const& name) const { return result_.count(name) > 0; }
    bool flag(std::string const& name) const { return given(name) && result_[name].as<bool>(); }
    /// The value, or the option's default; none when it has neither.
    std::optional<std::string> text(std::string const& name) const;
    /// @throws InputError when it is neither given nor has a default: `why` says what for.
    std::string required(std::string const& name, std::string const& why) const;
    std::uint64_t number(std::string const& name, std::uint64_t least, std::uint64_t most) const;
    /// `--threads`: 0 = all cores, at most 1024.
    unsigned threads() const { return static_cast<unsigned>(number("threads", 0, 1024)); }
    /// All values of an option that may be repeated; empty words are an error.
    std::vector<std::string> list(std::string const& name) const;
    /// The place in `names` of the option's value. @throws InputError with the nearest.
    std::size_t choice(std::string const& name, std::vector<std::string> const& names) const;

private:
    cxxopts::ParseResult result_;
};

}  // namespace tailback::commands
