// What reports advise to do next: when they do, and that the commands they name run on the same fabric.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <sstream>

namespace tailback::next_steps_test {
namespace {

using Json = nlohmann::ordered_json;

/// By the command that a step names: its words; a step without one by "".
std::map<std::string, Words> steps_of(Words const& words) {
    Finished const done = run_tailback(joined(words, {"--format", "json"}));
    EXPECT_LE(done.code, 1) << done.err;
    std::map<std::string, Words> steps;
    for (Json const& step : Json::parse(done.out).at("next")) {
        EXPECT_FALSE(step["what"].get<std::string>().empty());
        std::istringstream line(step["command"].is_null() ? "" : step["command"].get<std::string>());
        std::string word;
        if (line >> word) EXPECT_EQ(word, "tailback");
        Words command;
        while (line >> word) command.push_back(word);
        std::string const name = command.empty() ? "" : command.front();
        steps[name] = std::move(command);
    }
    return steps;
}

Words names_of(std::map<std::string, Words> const& steps) {
    Words names;
    for (auto const& [name, command] : steps) names.push_back(name);
    return names;
}

/// What each study or audit leads to. Commands are run as they stand.
TEST(NextSteps, AreOfWhatWasFoundAndRun) {
    TemporaryFolder const folder;
    Words const tree = on_tree16({}),
                // two of three cables between two switches are down: bandwidth is far from what hosts' links allow
        thin = {"--network", "xgft:m=4x4,w=1x2", "--routing", "minhop"},
                // a switch of a ring is cut off
        cut = {"--network", "torus:4x4", "--routing", "minhop", "--fail-cables", "16"},
                app = {"--pattern", "stencil:dims=4x4,size=1KiB", "--mappings", "20", "--metric", "sum_max_cong"};
    struct Case {
        Words words;
        Words commands;
    };
    for (auto const& [words, commands] :
         {Case{joined({"evaluate", "--mappings", "10"}, thin), {"improve"}},
          Case{joined({"evaluate", "--mappings", "10"}, tree), {"improve"}},
          Case{joined({"evaluate", "--mappings", "10"}, {"--network", "star:8"}), {}},
          Case{joined({"evaluate", "--mappings", "10"}, cut), {"audit", "improve"}},
          Case{joined(joined({"evaluate"}, app), tree), {"place"}},
          Case{joined(joined({"evaluate", "--mapping", "identity"}, app), tree), {}},
          Case{joined({"evaluate", "--routing", "ar:minimal", "--mappings", "3"}, {"--network", "torus:4x4"}),
               {"bracket"}},
          Case{{"audit", "--network", "torus:4x4", "--routing", "ar:minimal"}, {"bracket", "evaluate"}}}) {
        std::map<std::string, Words> const steps = steps_of(words);
        EXPECT_EQ(names_of(steps), commands) << testing::PrintToString(words);
        for (auto [name, command] : steps) {
            if (name == "improve") command = joined(command, {"--rounds", "1", "--moves", "1000"});
            for (std::string& word : command)
                if (word == "better.lfts") word = folder / word;
            Finished const done = run_tailback(command);
            EXPECT_LE(done.code, 1) << testing::PrintToString(command) << done.err;
        }
    }
}

/// Standard input is read once, and a fabric that another command cannot be told is not told wrongly.
TEST(NextSteps, NameNoCommandThatWouldBeOfAnotherFabric) {
    Finished const done = run_tailback({"evaluate", "--network", "torus:4x4", "--routing", "minhop", "--routes",
                                        "tables", "--fail-cables", "16", "--mappings", "3", "--format", "json"});
    ASSERT_LE(done.code, 1) << done.err;
    Json const next = Json::parse(done.out).at("next");
    ASSERT_FALSE(next.empty());
    for (Json const& step : next) EXPECT_TRUE(step["command"].is_null()) << step;
}

}  // namespace
}  // namespace tailback::next_steps_test
