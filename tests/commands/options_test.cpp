// The table of options. Definitions: every option of every command is understood by it, and one that it does not have
// is refused with the command that has it; help, manuals and completion name all of them; numbers and choices are held
// to what their rows say.
#include "host/options/option.hpp"
#include "host/options/parsed_options.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/rooms.hpp"

#include "host/base/error.hpp"
#include "host/commands/command.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tailback::options_test {
namespace {

using options::Kind;
using options::Option;
using options::ParsedOptions;

std::vector<options::Commands> all_commands() {
    std::vector<options::Commands> all;
    for (commands::Command const& command : commands::all_commands())
        if (command.has_options()) all.push_back(command.synopsis.command);
    return all;
}

std::string value_for(Option const& option) {
    switch (option.kind) {
        case Kind::number: return std::to_string(option.least);
        case Kind::choice: return options::divided(option.choices, '|').back();
        default: return "x";
    }
}

/// The words that give what a row needs or excludes: `option`, or `option=value|value` with each of the values.
std::vector<Words> words_of_other(options::Commands command, std::string const& written) {
    std::size_t const equal = std::min(written.find('='), written.size());
    Option const& other = *options::find_option(command, written.substr(0, equal));
    Words const name = {std::string("--") + other.name};
    if (!other.takes_value()) return {name};
    if (equal == written.size()) return {joined(name, {value_for(other)})};
    std::vector<Words> found;
    for (std::string const& value : options::divided(written.c_str() + equal + 1, '|'))
        found.push_back(joined(name, {value}));
    return found;
}

/// The words that give an option, with what it needs.
std::string refusal(options::Commands command, Words const& words) {
    try {
        ParsedOptions const parsed(command, words);
    } catch (base::InputError const& error) {
        return error.what();
    }
    return "";
}

/// With the first of what it needs beside which it is taken.
Words words_for(options::Commands command, Option const& option) {
    Words words = {std::string("--") + option.name};
    if (option.takes_value()) words.push_back(value_for(option));
    std::vector<std::string> const needs = options::divided(option.needs, ',');
    if (needs.empty()) return words;
    for (std::string const& other : needs) {
        Words const both = joined(words, words_of_other(command, other).front());
        if (refusal(command, both).empty()) return both;
    }
    return joined(words, words_of_other(command, needs.front()).front());
}

TEST(Options, RowsAreWhole) {
    for (Option const& option : options::all_options()) {
        SCOPED_TRACE(option.name);
        EXPECT_NE(std::string(option.brief), "");
        EXPECT_NE(std::string(option.text), "");
        EXPECT_LE(std::string(option.brief).size(), 50u) << "one line of 80 columns";
        if (option.kind != Kind::file) {
            EXPECT_EQ(option.kind == Kind::choice, *option.choices != 0);
        }
        EXPECT_EQ(option.takes_value() && option.commands != options::sweep_key, *option.metavar != 0);
        EXPECT_EQ(*option.needs != 0 || *option.excludes != 0, *option.reason != 0);
        EXPECT_LE(option.least, option.most);
        if (option.fallback != nullptr && option.kind == Kind::choice) {
            std::vector<std::string> const choices = options::divided(option.choices, '|');
            EXPECT_NE(std::find(choices.begin(), choices.end(), option.fallback), choices.end());
        }
        for (options::Commands const command : all_commands()) {
            if (!option.is_of(command)) continue;
            EXPECT_EQ(options::find_option(command, option.name), &option)
                << "two rows of " << options::name_of(command);
            for (char const* const list : {option.needs, option.excludes})
                for (std::string const& other : options::divided(list, ','))
                    EXPECT_NE(options::find_option(command, other.substr(0, other.find('='))), nullptr) << other;
        }
    }
}

/// Definition: a file that is written in one of several forms has the form that the end of its name says, and the first
/// where it has none; another end is refused.
TEST(Options, FilesHaveTheFormThatTheirNamesSay) {
    int some = 0;
    for (Option const& option : options::all_options()) {
        if (option.kind != Kind::file || *option.choices == 0) continue;
        for (options::Commands const command : all_commands()) {
            if (!option.is_of(command)) continue;
            SCOPED_TRACE(std::string(options::name_of(command)) + " --" + option.name);
            std::string const unknown = "does not know the form of";
            auto const given = [&](std::string const& file) {
                return refusal(command, {std::string("--") + option.name, file}).find(unknown) != std::string::npos;
            };
            for (std::string const& end : options::divided(option.choices, '|')) EXPECT_FALSE(given("a.b/some" + end));
            for (char const* const file : {"-", "/dev/stdout", "v1.2/some"}) EXPECT_FALSE(given(file)) << file;
            for (char const* const file : {"some.png", "some.svg.gz", "some.txt"}) EXPECT_TRUE(given(file)) << file;
            ++some;
        }
    }
    EXPECT_GE(some, 8);
}

TEST(Options, EachIsUnderstoodByItsCommandsAndRefusedByOthers) {
    std::set<std::string> names;
    for (Option const& option : options::all_options()) names.insert(option.name);
    for (options::Commands const command : all_commands())
        for (std::string const& name : names) {
            SCOPED_TRACE(std::string(options::name_of(command)) + " --" + name);
            if (Option const* const option = options::find_option(command, name)) {
                Words const words = words_for(command, *option);
                EXPECT_EQ(refusal(command, words), "");
                if (!option->is_repeatable()) {
                    EXPECT_NE(refusal(command, joined(words, words)), "");
                }
                if (*option->needs != 0) {
                    EXPECT_NE(refusal(command, {"--" + name, value_for(*option)}).find("has no effect"),
                              std::string::npos);
                }
                if (option->takes_value()) {
                    EXPECT_NE(refusal(command, {"--" + name}).find("no value"), std::string::npos);
                } else {
                    EXPECT_NE(refusal(command, {"--" + name + "=x"}).find("takes no value"), std::string::npos);
                }
                for (std::string const& other : options::divided(option->excludes, ','))
                    for (Words const& one : words_of_other(command, other)) {
                        std::string const said = refusal(command, joined(words, one));
                        EXPECT_NE(said.find("does not go with"), std::string::npos) << said;
                        EXPECT_NE(said.find(option->reason), std::string::npos) << said;
                    }
            } else {
                EXPECT_NE(refusal(command, {"--" + name, "1"}), "");
            }
        }
}

TEST(Options, NumbersAndChoicesAreHeldToTheirRows) {
    for (options::Commands const command : all_commands())
        for (Option const* const option : options::options_of(command)) {
            Words const name = {std::string("--") + option->name};
            if (option->kind == Kind::choice) {
                EXPECT_NE(refusal(command, joined(name, {"none of these"})).find("choose one of"), std::string::npos);
            }
            if (option->kind != Kind::number) continue;
            EXPECT_NE(refusal(command, joined(name, {"1.5"})).find("not a whole number"), std::string::npos);
            EXPECT_NE(refusal(command, joined(name, {"-1"})).find("not a whole number"), std::string::npos);
            if (option->least > 0) {
                EXPECT_NE(refusal(command, joined(name, {std::to_string(option->least - 1)})).find("out of range"),
                          std::string::npos);
            }
            EXPECT_NE(refusal(command, joined(name, {option->most == UINT64_MAX ? "18446744073709551616"
                                                                                : std::to_string(option->most + 1)}))
                          .find("out of range"),
                      std::string::npos);
        }
    auto const number = [](std::string const& text) { return options::whole_number("--n", text, 0, UINT64_MAX); };
    EXPECT_EQ(number("10k"), 10'000u);
    EXPECT_EQ(number("2M"), 2'000'000u);
    EXPECT_EQ(number("1G"), 1'000'000'000u);
    EXPECT_EQ(number("1e4"), 10'000u);
    EXPECT_EQ(number("12e0"), 12u);
    for (std::string const wrong :
         {"", "k", "e4", "1e", "1e-1", "1.5k", "1kk", "1e99", "99999999999999999999k", "0x10"})
        EXPECT_THROW(number(wrong), base::InputError) << wrong;
}

/// Of all commands: `-h` fits on a screen and says where the rest is; `--help` names every option; both keep to 80
/// columns, but for lines that are commands.
TEST(Options, HelpNamesThem) {
    for (options::Commands const command : all_commands()) {
        std::string const name(options::name_of(command));
        SCOPED_TRACE(name);
        Finished const brief = run_tailback({name, "-h"}), whole = run_tailback({name, "--help"});
        EXPECT_EQ(brief.code, 0);
        EXPECT_EQ(whole.code, 0);
        EXPECT_LE(std::count(brief.out.begin(), brief.out.end(), '\n'), 40);
        Finished const manual = run_tailback({"manual", name}), completion = run_tailback({"completion", "bash"});
        for (Option const* const option : options::options_of(command)) {
            std::string const word = std::string("--") + option->name;
            EXPECT_NE(whole.out.find(word), std::string::npos) << word;
            bool const is_there = brief.out.find("\n      " + word + " ") != std::string::npos ||
                                  brief.out.find("\n      " + word + "\n") != std::string::npos ||
                                  brief.out.find(", " + word + " ") != std::string::npos;
            EXPECT_EQ(is_there, option->in_short_help) << word;
            EXPECT_NE(completion.out.find(word), std::string::npos) << word;
        }
        EXPECT_NE(manual.out.find(".SH OPTIONS"), std::string::npos);
        for (std::string const& text : {brief.out, whole.out})
            for (std::size_t at = 0; at < text.size();) {
                std::size_t const end = text.find('\n', at);
                std::string const line = text.substr(at, end - at);
                if (line.find("tailback ") == std::string::npos && !line.starts_with("  ")) {
                    EXPECT_LE(line.size(), 80u) << line;
                }
                if (line.starts_with(std::string(30, ' '))) {
                    EXPECT_LE(line.size(), 80u) << line;
                }
                at = end + 1;
            }
    }
}

/// A word that is no option is the network where a command looks at one.
TEST(Options, AWordIsTheNetwork) {
    Words const more = {"--mappings", "10", "--format", "json"};
    Finished const word = run_tailback(joined({"evaluate", "torus:4x4"}, more)),
                   option = run_tailback(joined({"evaluate", "--network", "torus:4x4"}, more));
    EXPECT_EQ(word.code, 0) << word.err;
    EXPECT_EQ(word.out, option.out);
    EXPECT_EQ(run_tailback({"audit", "torus:4x4"}).out, run_tailback({"audit", "--network", "torus:4x4"}).out);
    EXPECT_EQ(run_tailback({"trace", "torus:4x4", "H1", "H6"}).out,
              run_tailback({"trace", "--network", "torus:4x4", "H1", "H6"}).out);
    // Of several pairs: the routes of each, in this order, an empty line between.
    EXPECT_EQ(run_tailback({"trace", "torus:4x4", "H1", "H6", "H6", "H1"}).out,
              run_tailback({"trace", "torus:4x4", "H1", "H6"}).out + "\n" +
                  run_tailback({"trace", "torus:4x4", "H6", "H1"}).out);
    Finished const wrong = run_tailback({"trace", "torus:4x4", "H1", "H6", "H6", "nobody"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_EQ(wrong.out, "");
    EXPECT_NE(wrong.err.find("\"nobody\""), std::string::npos) << wrong.err;
    Finished const odd = run_tailback({"trace", "--network", "torus:4x4", "H1", "H6", "H2"});
    EXPECT_EQ(odd.code, 2);
    EXPECT_NE(odd.err.find("3 words are given"), std::string::npos) << odd.err;
    EXPECT_EQ(run_tailback({"evaluate", "torus:4x4", "--network", "torus:4x4"}).code, 2);
    EXPECT_EQ(run_tailback({"evaluate", "torus:4x4", "star:4"}).code, 2);
}

/// Keys of sweeps: the network first, then its routes, then hosts and the study; metrics last.
TEST(Options, KeysOfSweepsFollowStages) {
    std::vector<std::string> names;
    for (Option const* const key : options::sweep_keys()) names.emplace_back(key->name);
    EXPECT_EQ(names.front(), "network");
    EXPECT_EQ(names.back(), "metric");
    options::Stage last = options::Stage::network;
    for (Option const* const key : options::sweep_keys()) {
        if (key->stage > options::Stage::routes) break;
        EXPECT_GE(key->stage, last) << key->name;
        last = key->stage;
    }
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    for (std::string const name : {"lmc", "bracket", "workload", "seeds", "hash", "time"})
        EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
    for (std::string const name : {"output", "threads", "checkpoint", "job", "roots", "packet"})
        EXPECT_EQ(std::find(names.begin(), names.end(), name), names.end()) << name;
}

}  // namespace
}  // namespace tailback::options_test
