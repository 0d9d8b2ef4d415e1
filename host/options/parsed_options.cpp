#include "host/options/parsed_options.hpp"

#include "host/base/error.hpp"
#include "host/base/extensions.hpp"
#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>

namespace tailback::options {
namespace {

/// Of InputErrors about an option: sweeps trace them to the line that gave it.
[[noreturn]] void refuse(std::string const& option, std::string const& problem, std::string const& why,
                         std::string const& what_to_do) {
    throw base::InputError({}, problem, why, what_to_do, option);
}

/// Of what an option needs, all that can be given beside what there is.
std::vector<std::string> addable(Commands command, std::map<std::string, std::vector<std::string>> const& given,
                                 Option const& option, ValueOf const& value_of) {
    std::vector<std::string> needed = divided(option.needs, ',');
    std::erase_if(needed, [&](std::string const& need) {
        std::vector<std::string> const words = divided(need.c_str(), '=');
        std::string const value = words.size() > 1 ? divided(words[1].c_str(), '|').front() : "";
        Option const* const added = find_option(command, words[0]);
        ValueOf const with = [&](std::string const& name) { return name == words[0] ? value : value_of(name); };
        if (added == nullptr || !excluded_by(*added, with).empty() ||
            (added->idle != nullptr && !added->idle(with).empty()))
            return true;
        return std::ranges::any_of(given, [&](auto const& one) {
            Option const* const other = find_option(command, one.first);
            return other != nullptr && !excluded_by(*other, with).empty();
        });
    });
    return needed;
}

[[noreturn]] void refuse_unknown(Commands command, std::string const& written, std::string const& name) {
    std::string const see = "`--help` explains the options";
    std::vector<std::string> names = {"help"}, elsewhere;
    for (Option const* const option : options_of(command)) names.emplace_back(option->name);
    base::refuse_left_out(fmt::format("option of {}", name_of(command)), name);
    for (Commands const other : commands_with_options())
        if (find_option(other, name) != nullptr) elsewhere.emplace_back(name_of(other));
    if (!elsewhere.empty() && written.starts_with("--"))
        refuse(name, fmt::format("--{} does not go with `tailback {}`", name, name_of(command)),
               reason_to_lack(command, name),
               fmt::format("leave it out; {} it", elsewhere.size() == 1
                                                      ? "`tailback " + elsewhere.front() + "` has"
                                                      : fmt::format("{} have", fmt::join(elsewhere, ", "))));
    std::string const meant = base::meant_name(name, names);
    refuse(name, "unknown option \"" + written + "\"", meant.empty() ? "" : "the nearest is \"--" + meant + "\"", see);
}

/// The digits and zeros of 10k, 2M, 1G, 1e4; the text itself otherwise.
std::string spelled_out(std::string const& text) {
    std::size_t const digits = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string_view const rest = std::string_view(text).substr(digits);
    std::size_t zeros = 0;
    if (digits == 0 || rest.empty()) return text;
    if (rest == "k" || rest == "K") zeros = 3;
    else if (rest == "M") zeros = 6;
    else if (rest == "G") zeros = 9;
    else if (rest[0] == 'e' && rest.size() > 1) {
        auto const [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), zeros);
        if (error != std::errc() || end != rest.data() + rest.size() || zeros > 20) return text;
    } else {
        return text;
    }
    return text.substr(0, digits) + std::string(zeros, '0');
}

}  // namespace

std::uint64_t whole_number(std::string const& what, std::string const& text, std::uint64_t least, std::uint64_t most) {
    std::string const spelled = spelled_out(text);
    std::uint64_t value = 0;
    auto const [end, error] = std::from_chars(spelled.data(), spelled.data() + spelled.size(), value);
    bool const digits = !spelled.empty() && end == spelled.data() + spelled.size();
    bool const too_large = digits && error == std::errc::result_out_of_range;
    std::string const wanted = most == UINT64_MAX && !too_large
                                   ? (least == 0 ? "0 or more" : std::to_string(least) + " or more")
                                   : "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    std::string const option = what.starts_with("--") ? what.substr(2) : "";
    if (error == std::errc::invalid_argument || !digits)
        refuse(option, what + " \"" + text + "\" is not a whole number",
               "only digits are allowed, and k, M, G or e4 behind them", "give " + wanted);
    if (error == std::errc::result_out_of_range || value < least || value > most)
        refuse(option, what + " " + text + " is out of range", "", "give " + wanted);
    return value;
}

ParsedOptions::ParsedOptions(Commands command, std::vector<std::string> const& arguments) : command_(command) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string const& word = arguments[i];
        if (word.find('\0') != word.npos)
            throw base::InputError({}, "\"" + base::printable(word) + "\" has a NUL character",
                                   "no value of an option has one", "leave it out");
        if (word == "--") {
            words_.insert(words_.end(), arguments.begin() + std::ptrdiff_t(i) + 1, arguments.end());
            break;
        }
        if (word.size() < 2 || word[0] != '-' || word[1] == ',') {  // "-,TABLES" begins with a file
            words_.push_back(word);
            continue;
        }
        bool const is_long = word[1] == '-';
        std::size_t const equal = is_long ? word.find('=') : word.npos;
        std::string const written = word.substr(0, equal);
        std::string name = written.substr(is_long ? 2 : 1);
        if (!is_long)
            for (Option const* const option : options_of(command))
                if (name.size() == 1 && option->letter == name[0]) name = option->name;
        Option const* const option = find_option(command, name);
        if (option == nullptr || (!is_long && written.substr(1) == name)) refuse_unknown(command, written, name);
        std::string value;
        if (equal != word.npos) {
            value = word.substr(equal + 1);
            if (!option->takes_value() && value != "true" && value != "false")
                refuse(name, fmt::format("--{} takes no value", name), "it is given or not", "leave the value out");
            if (!option->takes_value() && value == "false") continue;
        } else if (option->takes_value()) {
            if (i + 1 == arguments.size())
                refuse(name, "option \"" + word + "\" has no value", "it is the last word", "add the value");
            value = arguments[++i];
        }
        if (equal == word.npos && value.starts_with("--"))  // a forgotten value must not swallow the next option
            refuse(name, "option \"--" + name + "\" has no value", "\"" + value + "\" follows it", "add the value");
        take(name, *option, std::move(value));
    }
    check();
}

void ParsedOptions::take(std::string const& name, Option const& option, std::string value) {
    std::vector<std::string>& values = given_[name];
    if (!values.empty() && !option.is_repeatable())
        refuse(name, fmt::format("option \"--{}\" is given more than once", name),
               option.takes_value() ? "it takes one value" : "once is enough", "give it once");
    if (option.kind != Kind::words) return values.push_back(std::move(value));
    for (std::size_t at = 0; at <= value.size();) {
        std::size_t const end = std::min(value.find(',', at), value.size());
        values.push_back(value.substr(at, end - at));
        at = end + 1;
    }
    if (std::find(values.begin(), values.end(), "") != values.end())
        refuse(name, "--" + name + " has an empty entry", "", "`--help` shows an example");
}

/// A file is written in the form that the end of its name says.
void ParsedOptions::check_end(Option const& option, std::string const& file) const {
    std::string const name = file.substr(std::min(file.rfind('/') + 1, file.size()));
    std::vector<std::string> const ends = divided(option.choices, '|');
    if (*option.choices == 0 || name.find('.') == std::string::npos ||
        std::any_of(ends.begin(), ends.end(), [&](std::string const& end) { return name.ends_with(end); }))
        return;
    refuse(option.name, fmt::format("--{} does not know the form of \"{}\"", option.name, file),
           "the end of the name says it", fmt::format("name a file {}", fmt::join(ends, ", ")));
}

void ParsedOptions::check() const {
    ValueOf const value_of = [&](std::string const& name) -> std::optional<std::string> {
        if (given(name)) return given_.at(name).front();
        return name == "network" && !words_.empty() ? std::optional(words_.front()) : std::nullopt;
    };
    for (auto const& [name, values] : given_) {
        Option const& option = row(name);
        if (option.kind == Kind::number) whole_number("--" + name, values.front(), option.least, option.most);
        if (option.kind == Kind::choice) choice(name);
        if (option.kind == Kind::file) check_end(option, values.front());
        if (!is_met(option.needs, value_of)) {
            std::vector<std::string> const needed = addable(command_, given_, option, value_of);
            refuse(name, "--" + name + " has no effect", option.reason,
                   needed.empty() ? "leave it out"
                                  : fmt::format("add --{}, or leave it out", fmt::join(needed, " or --")));
        }
        if (std::string const other = excluded_by(option, value_of); !other.empty())
            refuse(name, fmt::format("--{} does not go with --{}", name, other), option.reason,
                   "leave one of them out");
        if (std::string const why = option.idle != nullptr ? option.idle(value_of) : ""; !why.empty())
            refuse(name, "--" + name + " has no effect", why, "leave it out, or change what makes it so");
    }
}

Option const& ParsedOptions::row(std::string const& name) const {
    Option const* const option = find_option(command_, name);
    if (option == nullptr) throw std::logic_error("an option that the command does not have is asked for: " + name);
    return *option;
}

std::string ParsedOptions::word(std::string const& why, std::string const& what_to_do) const {
    if (words_.size() > 1) throw base::InputError({}, "\"" + words_[1] + "\" is one word too many", why, what_to_do);
    return words_.empty() ? "" : words_.front();
}

std::optional<std::string> ParsedOptions::text(std::string const& name) const {
    Option const& option = row(name);
    if (auto const at = given_.find(name); at != given_.end()) return at->second.front();
    return option.fallback != nullptr ? std::optional<std::string>(option.fallback) : std::nullopt;
}

std::string ParsedOptions::required(std::string const& name, std::string const& why) const {
    std::optional<std::string> const value = text(name);
    if (!value) refuse(name, "--" + name + " is missing", why, "`--help` shows an example");
    return *value;
}

std::uint64_t ParsedOptions::number(std::string const& name) const {
    Option const& option = row(name);
    return whole_number("--" + name, text(name).value_or(""), option.least, option.most);
}

std::vector<std::string> ParsedOptions::list(std::string const& name) const {
    Option const& option = row(name);
    if (auto const at = given_.find(name); at != given_.end()) return at->second;
    return option.fallback != nullptr ? divided(option.fallback, ',') : std::vector<std::string>();
}

std::size_t ParsedOptions::choice(std::string const& name) const {
    std::vector<std::string> const names = divided(row(name).choices, '|');
    std::string const value = text(name).value_or("");
    auto const at = std::find(names.begin(), names.end(), value);
    if (at == names.end())
        refuse(name, "--" + name + " \"" + value + "\" is unknown", base::nearest_hint(value, names),
               fmt::format("choose one of {}", fmt::join(names, ", ")));
    return std::size_t(at - names.begin());
}

std::string ParsedOptions::not_empty(std::string const& name, std::string const& what_to_do) const {
    std::string const value = text(name).value_or("");
    if (given(name) && value.empty()) refuse(name, "--" + name + " is empty", "", what_to_do);
    return value;
}

std::vector<std::string> ParsedOptions::words_for(Commands other, std::initializer_list<Stage> stages,
                                                  std::initializer_list<std::string_view> left_out) const {
    std::vector<std::string> found;
    for (Option const* const option : options_of(command_)) {
        auto const at = given_.find(option->name);
        Option const* const there = find_option(other, option->name);
        bool const is_wanted = std::find(stages.begin(), stages.end(), option->stage) != stages.end() &&
                               there != nullptr && there->stage == option->stage &&
                               std::find(left_out.begin(), left_out.end(), option->name) == left_out.end();
        if (at == given_.end() || !is_wanted) continue;
        for (std::string const& value : at->second) {
            found.push_back("--" + at->first);
            if (option->takes_value()) found.push_back(value);
        }
    }
    return found;
}

}  // namespace tailback::options
