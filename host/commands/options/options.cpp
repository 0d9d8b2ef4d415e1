// cxxopts reads the words; what it lets pass is caught here.
#include "host/commands/options/options.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"

#include <algorithm>
#include <charconv>

namespace tailback::commands {
namespace {

std::vector<std::string> long_names(cxxopts::Options const& options) {
    std::vector<std::string> names;
    for (std::string const& group : options.groups())
        for (cxxopts::HelpOptionDetails const& option : options.group_help(group).options)
            names.insert(names.end(), option.l.begin(), option.l.end());
    return names;
}

/// `--name` of `--name=value`; the word itself otherwise.
std::string option_part(std::string const& word) { return word.substr(0, word.find('=')); }

[[noreturn]] void reject_unknown(std::string const& word, std::vector<std::string> const& names) {
    std::string const see = "`--help` explains the options";
    if (word.size() < 2 || word[0] != '-')
        throw base::InputError({}, "\"" + word + "\" does not belong to an option", "", see);
    std::string const name = option_part(word);
    std::string const meant = base::meant_name(name.substr(name.find_first_not_of('-')), names);
    throw base::InputError({}, "unknown option \"" + name + "\"",
                           meant.empty() ? "" : "the nearest is \"--" + meant + "\"", see);
}

cxxopts::ParseResult parse(cxxopts::Options& options, std::vector<std::string> const& arguments) {
    std::vector<char const*> words = {"tailback"};
    for (std::string const& argument : arguments) {
        if (argument.find('\0') != argument.npos)
            throw base::InputError({}, "\"" + base::printable(argument) + "\" has a NUL character",
                                   "no value of an option has one", "leave it out");
        words.push_back(argument.c_str());
    }
    try {
        return options.allow_unrecognised_options().parse(static_cast<int>(words.size()), words.data());
    } catch (cxxopts::exceptions::missing_argument const&) {
        throw base::InputError({}, "option \"" + arguments.back() + "\" has no value", "it is the last word",
                               "add the value");
    } catch (cxxopts::exceptions::exception const& error) {
        throw base::InputError({}, "the options are not understood", error.what(), "`--help` explains the options");
    }
}

}  // namespace

std::uint64_t whole_number(std::string const& what, std::string const& text, std::uint64_t least, std::uint64_t most) {
    std::uint64_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool const digits = !text.empty() && end == text.data() + text.size();
    bool const too_large = digits && error == std::errc::result_out_of_range;
    std::string const wanted = most == UINT64_MAX && !too_large
                                   ? (least == 0 ? "0 or more" : std::to_string(least) + " or more")
                                   : "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    if (error == std::errc::invalid_argument || !digits)
        throw base::InputError({}, what + " \"" + text + "\" is not a whole number", "only digits are allowed",
                               "give " + wanted);
    if (error == std::errc::result_out_of_range || value < least || value > most)
        throw base::InputError({}, what + " " + text + " is out of range", "", "give " + wanted);
    return value;
}

std::vector<std::string> take_words(std::vector<std::string>& words, std::vector<std::string> const& flags) {
    std::vector<std::string> found, rest;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string const& word = words[i];
        bool const option = word.size() > 1 && word.front() == '-' && word[1] != ',';  // "-,TABLES" begins with a file
        if (!option) {
            found.push_back(word);
            continue;
        }
        rest.push_back(word);
        bool const flag = word == "--help" || word == "-h" || word.find('=') != std::string::npos ||
                          std::find(flags.begin(), flags.end(), word) != flags.end();
        if (!flag && i + 1 < words.size()) rest.push_back(words[++i]);
    }
    words = std::move(rest);
    return found;
}

std::string take_word(std::vector<std::string>& words, std::vector<std::string> const& flags, std::string const& why,
                      std::string const& what_to_do) {
    std::vector<std::string> const found = take_words(words, flags);
    if (found.size() > 1) throw base::InputError({}, "\"" + found[1] + "\" is one word too many", why, what_to_do);
    return found.empty() ? "" : found.front();
}

ParsedOptions::ParsedOptions(cxxopts::Options options, std::vector<std::string> const& arguments)
    : result_(parse(options, arguments)) {
    // A forgotten value must not swallow the next option.
    for (cxxopts::KeyValue const& pair : result_)
        if (pair.value().starts_with("--"))
            throw base::InputError({}, "option \"--" + pair.key() + "\" has no value",
                                   "\"" + pair.value() + "\" follows it", "add the value");
    std::vector<std::string> const names = long_names(options);
    for (std::string const& word : result_.unmatched()) reject_unknown(word, names);
    for (std::string const& group : options.groups())
        for (cxxopts::HelpOptionDetails const& option : options.group_help(group).options) {
            if (option.l.empty() || result_.count(option.l.front()) == 0) continue;
            std::string const& name = option.l.front();
            if (!option.is_container && result_.count(name) > 1)
                throw base::InputError(
                    {}, "option \"--" + name + "\" is given " + std::to_string(result_.count(name)) + " times",
                    "it takes one value", "give it once");
        }
}

std::optional<std::string> ParsedOptions::text(std::string const& name) const {
    if (!given(name) && !result_[name].has_default()) return std::nullopt;
    return result_[name].as<std::string>();
}

std::string ParsedOptions::required(std::string const& name, std::string const& why) const {
    std::optional<std::string> const value = text(name);
    if (!value) throw base::InputError({}, "--" + name + " is missing", why, "`--help` shows an example");
    return *value;
}

std::uint64_t ParsedOptions::number(std::string const& name, std::uint64_t least, std::uint64_t most) const {
    return whole_number("--" + name, text(name).value_or(""), least, most);
}

std::vector<std::string> ParsedOptions::list(std::string const& name) const {
    std::vector<std::string> const values = result_[name].as<std::vector<std::string>>();
    for (std::string const& value : values)
        if (value.empty())
            throw base::InputError({}, "--" + name + " has an empty entry", "", "`--help` shows an example");
    return values;
}

std::size_t ParsedOptions::choice(std::string const& name, std::vector<std::string> const& names) const {
    std::string const value = text(name).value_or("");
    auto const at = std::find(names.begin(), names.end(), value);
    if (at != names.end()) return std::size_t(at - names.begin());
    std::string all;
    for (std::string const& n : names) all += (all.empty() ? "" : ", ") + n;
    throw base::InputError({}, "--" + name + " \"" + value + "\" is unknown", base::nearest_hint(value, names),
                           "choose one of " + all);
}

}  // namespace tailback::commands
