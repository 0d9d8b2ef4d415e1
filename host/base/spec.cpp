// A spec is read from left to right; every complaint knows the character it is about.
#include "host/base/spec.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace tailback::base {
namespace {

/// Where in which spec.
struct Spot {
    std::string const& spec;
    std::size_t at;  ///< from 0

    [[noreturn]] void refuse(std::string const& problem, std::string const& why, std::string const& what_to_do) const {
        std::string const place = fmt::format("at character {} of \"{}\"", at + 1, spec);
        throw InputError({}, problem, why.empty() ? place : place + ": " + why, what_to_do);
    }
};

std::string listed(std::vector<std::string> const& names) {
    std::string text;
    for (std::string const& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::uint64_t read_number(Parameter const& parameter, std::string_view text, Spot const& spot,
                          std::string const& example) {
    std::uint64_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    auto const used = std::size_t(end - text.data());
    std::string const as_in = parameter.kind == ParameterKind::numbers ? "write numbers divided by x, as in " + example
                                                                       : "write a number, as in " + example;
    if (error == std::errc::invalid_argument || used != text.size())
        Spot{spot.spec, spot.at + (error == std::errc::invalid_argument ? 0 : used)}.refuse(
            fmt::format("\"{}\" is not a number for \"{}\"", text, parameter.name), "", as_in);
    if (error == std::errc::result_out_of_range || value < parameter.least || value > parameter.most)
        spot.refuse(fmt::format("{} {} is out of range", parameter.name, text), "",
                    fmt::format("give {} to {}", parameter.least, parameter.most));
    return value;
}

/// `64MiB`, `1500`, `2GB`: B, kB, MB, GB are powers of 1000, KiB, MiB, GiB of 1024. None: it is none, or too large.
std::optional<std::uint64_t> bytes_of(std::string_view text) {
    static constexpr std::pair<std::string_view, std::uint64_t> units[] = {
        {"", 1},           {"B", 1},          {"kB", 1000},      {"KB", 1000}, {"MB", 1000'000}, {"GB", 1000'000'000},
        {"KiB", 1u << 10}, {"MiB", 1u << 20}, {"GiB", 1u << 30},
    };
    std::uint64_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::string_view const unit = text.substr(std::size_t(end - text.data()));
    for (auto const& [name, size] : units)
        if (unit == name && error == std::errc() && value <= INT64_MAX / size) return value * size;
    return std::nullopt;
}

void check_bytes(Parameter const& parameter, std::string_view text, Spot const& spot, std::string const& example) {
    std::optional<std::uint64_t> const bytes = bytes_of(text);
    if (!bytes)
        spot.refuse(fmt::format("\"{}\" is not a number of bytes for \"{}\"", text, parameter.name),
                    "a whole number, alone or with B, kB, MB, GB, KiB, MiB or GiB, below 2^63",
                    "write as in " + example);
    if (*bytes < parameter.least)
        spot.refuse(fmt::format("{} {} is out of range", parameter.name, text), "",
                    fmt::format("give at least {}", parameter.least));
}

void check_value(Parameter const& parameter, std::string_view value, Spot const& spot, std::string const& example) {
    if (value.empty()) spot.refuse(fmt::format("\"{}\" has no value", parameter.name), "", "write it as in " + example);
    switch (parameter.kind) {
        case ParameterKind::number: read_number(parameter, value, spot, example); return;
        case ParameterKind::bytes: check_bytes(parameter, value, spot, example); return;
        case ParameterKind::numbers:
            for (std::size_t at = 0;;) {
                std::size_t const end = std::min(value.find('x', at), value.size());
                read_number(parameter, value.substr(at, end - at), Spot{spot.spec, spot.at + at}, example);
                if (end == value.size()) return;
                at = end + 1;
            }
        case ParameterKind::choice: {
            for (std::string const& choice : parameter.choices)
                if (choice == value) return;
            spot.refuse(fmt::format("\"{}\" is not a value of {}", value, parameter.name),
                        nearest_hint(std::string(value), parameter.choices),
                        "choose one of " + listed(parameter.choices));
        }
        case ParameterKind::text:
        case ParameterKind::file:
        case ParameterKind::routing: return;
    }
}

Parameter const* find(std::vector<Parameter> const& parameters, std::string_view name) {
    for (Parameter const& parameter : parameters) {
        if (parameter.name == name) return &parameter;
        for (std::string const& alias : parameter.aliases)
            if (alias == name) return &parameter;
    }
    return nullptr;
}

}  // namespace

std::uint64_t Arguments::long_number(std::string const& name) const {
    std::string const& text = values_.at(name);
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::vector<std::uint32_t> Arguments::numbers(std::string const& name) const {
    std::vector<std::uint32_t> values;
    std::string const& text = values_.at(name);
    for (char const* at = text.data(); at < text.data() + text.size();) {
        std::uint32_t value = 0;
        at = std::from_chars(at, text.data() + text.size(), value).ptr + 1;
        values.push_back(value);
    }
    return values;
}

std::uint64_t Arguments::bytes(std::string const& name) const { return bytes_of(values_.at(name)).value_or(0); }

void Arguments::refuse(std::string const& problem, std::string const& why, std::string const& what_to_do) const {
    throw InputError({}, text_ + " cannot be made: " + problem, why, what_to_do);
}

std::string name_of_spec(std::string const& spec) { return spec.substr(0, spec.find(':')); }

namespace {

/// Reads the words between the commas of a spec, one after the other.
class WordReader {
public:
    WordReader(std::string const& spec, std::vector<Parameter> const& parameters, std::string const& example)
        : spec_(spec), parameters_(parameters), example_(example) {}

    /// The parameter of the word at `at` up to `end`, and its value.
    std::pair<Parameter const*, std::string> read(std::size_t at, std::size_t end) {
        std::string_view const word = std::string_view(spec_).substr(at, end - at);
        if (word.empty()) {
            bool const last = end == spec_.size();
            refuse(at, last ? "nothing follows the last comma" : "nothing stands before a comma", "",
                   (last ? "leave it out, or write as in " : "write as in ") + example_);
        }
        std::size_t const equals = word.find('=');
        Parameter const& parameter =
            equals == std::string_view::npos ? next_unnamed(word, at) : named(std::string(word.substr(0, equals)), at);
        std::size_t const value_at = equals == std::string_view::npos ? at : at + equals + 1;
        std::string_view const value = std::string_view(spec_).substr(value_at, end - value_at);
        check_value(parameter, value, Spot{spec_, value_at}, example_);
        return {&parameter, std::string(value)};
    }
    [[noreturn]] void refuse(std::size_t at, std::string const& problem, std::string const& why,
                             std::string const& what_to_do) const {
        Spot{spec_, at}.refuse(problem, why, what_to_do);
    }

private:
    Parameter const& next_unnamed(std::string_view word, std::size_t at) {
        if (named_)
            refuse(at, fmt::format("\"{}\" has no name", word), "only the first values may go without one",
                   "write name=value, as in " + example_);
        if (next_ == parameters_.size())
            refuse(at, fmt::format("\"{}\" is one value too many", word),
                   fmt::format("there are {} parameters", parameters_.size()), "write as in " + example_);
        return parameters_[next_++];
    }
    Parameter const& named(std::string const& name, std::size_t at) {
        named_ = true;
        if (Parameter const* const parameter = find(parameters_, name)) return *parameter;
        std::vector<std::string> names;
        for (Parameter const& parameter : parameters_) names.push_back(parameter.name);
        refuse(at, fmt::format("\"{}\" is not a parameter of {}", name, name_of_spec(spec_)), nearest_hint(name, names),
               names.empty() ? "it takes none" : "its parameters are " + listed(names));
    }

    std::string const& spec_;
    std::vector<Parameter> const& parameters_;
    std::string const& example_;
    std::size_t next_ = 0;  // of the parameters, for a word without a name
    bool named_ = false;    // a word had one
};

bool may_be_missing(Parameter const& parameter) { return parameter.optional || !parameter.fallback.empty(); }

}  // namespace

Arguments parse_arguments(std::string const& spec, std::vector<Parameter> const& parameters,
                          std::string const& example) {
    Arguments result;
    std::string given;
    WordReader reader(spec, parameters, example);
    std::size_t const colon = spec.find(':');
    std::size_t at = std::min(colon, spec.size() - 1) + 1;
    if (colon != std::string::npos && at == spec.size() && !spec.empty())
        reader.refuse(
            at, "nothing follows the colon", "",
            (std::all_of(parameters.begin(), parameters.end(), may_be_missing) ? "leave it out, or write as in "
                                                                               : "write as in ") +
                example);
    while (colon != std::string::npos && at <= spec.size()) {
        std::size_t const end = std::min(spec.find(',', at), spec.size());
        auto const [parameter, value] = reader.read(at, end);
        if (!result.values_.emplace(parameter->name, value).second)
            reader.refuse(at, fmt::format("\"{}\" is given twice", parameter->name), "", "leave one of them");
        result.said_.insert(parameter->name);
        given += (given.empty() ? "" : ",") + parameter->name + "=" + value;
        at = end + 1;
    }
    for (Parameter const& parameter : parameters) {
        if (result.given(parameter.name)) continue;
        if (!parameter.fallback.empty()) result.values_.emplace(parameter.name, parameter.fallback);
        else if (!parameter.optional)
            reader.refuse(spec.size(), fmt::format("\"{}\" is missing", parameter.name), parameter.summary,
                          "write as in " + example);
    }
    result.text_ = name_of_spec(spec) + (given.empty() ? "" : ":" + given);
    return result;
}

std::vector<std::string> files_named(std::vector<Parameter> const& parameters, Arguments const& arguments) {
    std::vector<std::string> files;
    for (Parameter const& parameter : parameters) {
        if (!arguments.given(parameter.name)) continue;
        std::string const& value = arguments.word(parameter.name);
        if (parameter.kind == ParameterKind::file) files.push_back(value);
        if (parameter.kind == ParameterKind::text && value.starts_with("file:")) files.push_back(value.substr(5));
    }
    return files;
}

std::string explain_parameters(std::vector<Parameter> const& parameters) {
    std::string text;
    for (Parameter const& parameter : parameters) {
        text += fmt::format("      {:<12} {}", parameter.name, parameter.summary);
        if (!parameter.choices.empty()) text += ": " + listed(parameter.choices);
        if (!parameter.fallback.empty()) text += fmt::format(" (default {})", parameter.fallback);
        text += "\n";
    }
    return text;
}

}  // namespace tailback::base
