// `name:value,name=value,...`: how topologies, routings and patterns are asked for, and how a wrong word is pointed at.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tailback::base {

/// What a parameter takes: a whole number, several (`8x8x8`), a number of bytes (`64MiB`), one of a few words, any text
/// without a comma, the name of a file without one, a routing `NAME[:option=value]`.
enum class ParameterKind : std::uint8_t { number, numbers, bytes, choice, text, file, routing };

struct Parameter {
    std::string name;
    ParameterKind kind = ParameterKind::number;
    std::string fallback;  ///< what it is when not given; empty = it must be given
    std::string summary;
    std::uint64_t least = 0, most = 0xFFFFFFFF;  ///< of a number, or of each of several
    std::vector<std::string> choices;
    std::vector<std::string> aliases;  ///< other names for it
    bool optional = false;             ///< may be absent although it has no fallback
};

/// The values of all parameters of one spec.
class Arguments {
public:
    /// The spec in its own words, all parameters that were given named: `torus:sizes=8x8,hosts=2`.
    std::string const& text() const { return text_; }
    /// Has it a value, be it the one it has when nothing is said?
    bool given(std::string const& name) const { return values_.contains(name); }
    /// Does the spec say it?
    bool said(std::string const& name) const { return said_.contains(name); }
    std::uint32_t number(std::string const& name) const { return static_cast<std::uint32_t>(long_number(name)); }
    std::uint64_t long_number(std::string const& name) const;
    std::vector<std::uint32_t> numbers(std::string const& name) const;
    std::uint64_t bytes(std::string const& name) const;
    std::string const& word(std::string const& name) const { return values_.at(name); }
    /// @throws InputError: the values do not go together, `problem` says how, `why` why not.
    [[noreturn]] void refuse(std::string const& problem, std::string const& why, std::string const& what_to_do) const;

private:
    friend Arguments parse_arguments(std::string const&, std::vector<Parameter> const&, std::string const&);
    std::map<std::string, std::string> values_;
    std::set<std::string> said_;
    std::string text_;
};

/// `torus` of `torus:8x8,hosts=2`; the whole when there is no colon.
std::string name_of_spec(std::string const& spec);

/// Reads what follows the colon of `spec`: values without a name go to the parameters in their order, up to the first
/// that is named. @param example of a right spec, for messages.
/// @throws InputError with the place in the spec, counted from 1, and the nearest name.
Arguments parse_arguments(std::string const& spec, std::vector<Parameter> const& parameters,
                          std::string const& example);

/// The files that arguments name, also as the value `file:PATH` of a parameter that takes text. Outputs are kept off
/// them, and a sweep's journal knows what they held.
std::vector<std::string> files_named(std::vector<Parameter> const& parameters, Arguments const& arguments);

/// One line a parameter, for `tailback list`.
std::string explain_parameters(std::vector<Parameter> const& parameters);

}  // namespace tailback::base
