// A command line held against the table of options, strictly: nothing unknown, nothing twice, numbers to the last
// character.
#pragma once

#include "host/options/option.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tailback::options {

/// `text` as a whole number from `least` to `most`: digits, of which 10k, 2M, 1G and 1e4 are short forms; no sign, no
/// overflow. @throws InputError that names `what` (`--ranks`).
std::uint64_t whole_number(std::string const& what, std::string const& text, std::uint64_t least, std::uint64_t most);

class ParsedOptions {
public:
    /// Every option is one of the command, and given once unless it is repeatable; numbers and choices are checked;
    /// `--` ends the options.
    /// @throws InputError, about the option: unknown (with the nearest, or the command that has it), without its value,
    /// given twice, out of bounds, without effect, or beside one that it does not go with.
    ParsedOptions(Commands command, std::vector<std::string> const& arguments);

    /// Words that belong to no option, in their order.
    std::vector<std::string> const& words() const { return words_; }
    /// The only word of these; empty when there is none. @throws InputError that goes on with `why` and `what_to_do`
    /// when there are several.
    std::string word(std::string const& why, std::string const& what_to_do) const;

    /// Does the command have it?
    bool has(std::string const& name) const { return find_option(command_, name) != nullptr; }
    bool given(std::string const& name) const { return given_.contains(name); }
    /// The value, or the option's default; none when it has neither. @throws std::logic_error where the command has no
    /// such option.
    std::optional<std::string> text(std::string const& name) const;
    /// @throws InputError when it is neither given nor has a default: `why` says what for.
    std::string required(std::string const& name, std::string const& why) const;
    std::uint64_t number(std::string const& name) const;
    /// `--threads`: 0 = all cores.
    unsigned threads() const { return static_cast<unsigned>(number("threads")); }
    /// All values of an option that may be repeated.
    std::vector<std::string> list(std::string const& name) const;
    /// The place of the option's value among its choices.
    std::size_t choice(std::string const& name) const;
    /// --group-by and others that need a value: empty where it is not given. @throws InputError when it is given and
    /// empty: `what_to_do`.
    std::string not_empty(std::string const& name, std::string const& what_to_do) const;
    /// What was given of some stages and another command has, too, as words for it; but for those `left_out` by name.
    std::vector<std::string> words_for(Commands other, std::initializer_list<Stage> stages,
                                       std::initializer_list<std::string_view> left_out = {}) const;

private:
    Option const& row(std::string const& name) const;
    void take(std::string const& name, Option const& option, std::string value);
    void check() const;
    void check_end(Option const& option, std::string const& file) const;

    Commands command_;
    std::vector<std::string> words_;
    std::map<std::string, std::vector<std::string>> given_;
};

}  // namespace tailback::options
