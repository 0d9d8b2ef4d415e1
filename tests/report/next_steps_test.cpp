// What reports advise to do next: when they do, and that the commands they name run on the same fabric.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace tailback::next_steps_test {
namespace {

using Json = nlohmann::ordered_json;

/// `what: tailback ..`, or `what` alone.
Words steps_of(Words const& words) {
    Finished const done = run_tailback(joined(words, {"--format", "json"}));
    EXPECT_LE(done.code, 1) << done.err;
    Words steps;
    if (words.front() == "audit") {
        Json const report = Json::parse(done.out);
        for (Json const& step : report.at("next"))
            steps.push_back(step["what"].get<std::string>() +
                            (step["command"].is_null() ? "" : ": " + step["command"].get<std::string>()));
        return steps;
    }
    EXPECT_FALSE(Json::parse(done.out).contains("next"));  // files may have any name there
    std::istringstream lines(done.err);
    std::string const begin = "tailback: next: ";
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(begin)) steps.push_back(line.substr(begin.size()));
    return steps;
}

/// The words of its command after `tailback`; none: it names none.
Words command_of(std::string const& step) {
    std::string const begin = ": tailback ";
    std::size_t const at = step.find(begin);
    if (at == std::string::npos) return {};
    std::istringstream line(step.substr(at + begin.size()));
    Words words;
    for (std::string word; line >> word;) words.push_back(word);
    return words;
}

/// What each study or audit leads to. Commands are run as they stand.
TEST(NextSteps, AreOfWhatWasFoundAndRun) {
    TemporaryFolder const folder;
    Words const tree = {"--network", fixture("opensm/ft2-16/minhop/ibnetdiscover.out.xz"), "--tables",
                        fixture("opensm/ft2-16/minhop/opensm-lfts.dump.xz")},
                // half of the bandwidth that hosts' links would allow
        thin = {"--network", "xgft:m=4x4,w=1x2", "--routing", "minhop"},
                // half of the cables have failed
        cut = {"--network", "torus:4x4", "--routing", "minhop", "--fail-cables", "16"},
                app = {"--pattern", "stencil-2d:size=1KiB", "--mappings", "20", "--metric", "sum_max_cong"};
    struct Case {
        Words words;
        Words commands;
    };
    for (auto const& [words, commands] :
         {Case{joined({"evaluate", "--mappings", "10"}, thin), {}},  // minhop's are the best already
          Case{joined({"evaluate", "--mappings", "10"}, {"--network", "torus:4x4", "--routing", "updn"}), {"improve"}},
          Case{joined({"evaluate", "--mappings", "10"}, tree), {}},
          Case{joined({"evaluate", "--mappings", "10"}, {"--network", "star:8"}), {}},
          // half of the bandwidth, but nothing that other tables could change
          Case{joined({"evaluate", "--mappings", "10"}, {"--network", "xgft:m=4x4,w=1x2"}), {}},
          Case{joined({"evaluate", "--mappings", "10"}, {"--network", "xgft:m=8x4,w=1x1"}), {}},
          Case{joined({"evaluate", "--mappings", "10"}, cut), {"audit", "improve"}},
          Case{joined(joined({"evaluate"}, app), tree), {"place"}},
          Case{joined({"evaluate", "--mapping", "identity", "--pattern", "stencil-2d:size=1KiB", "--metric",
                       "sum_max_cong"},
                      tree),
               {}},
          Case{joined({"evaluate", "--routing", "ar:minimal", "--mappings", "3"}, {"--network", "torus:4x4"}),
               {"bracket"}},
          Case{{"audit", "--network", "xgft:m=4x4,w=1x4", "--routing", "ar:updn"}, {"bracket", "evaluate"}}}) {
        Words names;
        for (std::string const& step : steps_of(words)) {
            Words command = command_of(step);
            ASSERT_FALSE(command.empty()) << step;
            names.push_back(command.front());
            if (command.front() == "improve") command = joined(command, {"--rounds", "1", "--moves", "1000"});
            for (std::string& word : command)
                if (word == "better.lfts") word = folder / word;
            Finished const done = run_tailback(command);
            EXPECT_LE(done.code, 1) << testing::PrintToString(command) << done.err;
        }
        EXPECT_EQ(names, commands) << testing::PrintToString(words);
    }
}

/// Standard input is read once, and a fabric that another command cannot be told is not told wrongly.
TEST(NextSteps, NameNoCommandThatWouldBeOfAnotherFabric) {
    Words const steps = steps_of({"evaluate", "--network", "torus:4x4", "--routing", "minhop", "--routes", "tables",
                                  "--fail-cables", "16", "--mappings", "3"});
    ASSERT_EQ(steps.size(), 2u);
    for (std::string const& step : steps) EXPECT_TRUE(command_of(step).empty()) << step;
}

}  // namespace
}  // namespace tailback::next_steps_test
