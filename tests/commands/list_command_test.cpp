// tailback list: as wide as help, whatever is listed.
#include "host/base/numbers.hpp"
#include "host/options/help.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace tailback::list_command_test {
namespace {

/// What is no terminal counts as 80 columns; a command that is longer stays whole, and so does a word.
TEST(ListCommand, LinesFitATerminal) {
    for (Words const& words : {Words{"topologies"},
                               {"routings"},
                               {"patterns"},
                               {"metrics"},
                               {"findings"},
                               {"routings", "updn"},
                               {"metrics", "route_length"},
                               {"findings", "no-entry"}}) {
        std::istringstream lines(run_tailback(joined({"list"}, words)).out);
        std::size_t told = 0;
        for (std::string line; std::getline(lines, line); ++told)
            EXPECT_TRUE(base::columns(line) <= 80 || line.find_last_of(' ') <= line.find_first_not_of(' ') ||
                        line.starts_with("  tailback "))
                << words.front() << ": " << line;
        EXPECT_GT(told, 2u) << words.front();
    }
}

/// The end of a line goes on below its own text, behind the name that it begins with; a command's behind `\\`.
TEST(ListCommand, LinesGoOnBelowTheirText) {
    EXPECT_EQ(
        options::refilled("one two three\nfour five\n\n  name   six seven eight ten\n  ten eleven twelve 13\n"
                          "- fourteen fifteen\n  tailback evaluate --network torus:4x4\n# heading\n",
                          18),
        "one two three four\nfive\n\n  name   six seven\n         eight ten\n  ten eleven\n    twelve 13\n"
        "- fourteen fifteen\n  tailback \\\n        evaluate \\\n        --network \\\n        torus:4x4\n# heading\n");
    EXPECT_EQ(options::refilled("- fourteen fifteen sixteen\n", 18), "- fourteen fifteen\n  sixteen\n");
}

/// What is said of a name is one text, also where it is written in several lines; a command goes on behind `\\`.
TEST(ListCommand, EntriesOfSeveralLinesAreFilledAnew) {
    EXPECT_EQ(options::refilled("  ab  one two three four five\n      six\n  cd  seven\n", 22),
              "  ab  one two three\n      four five six\n  cd  seven\n");
    std::string const command = "  tailback place --ranks 8 \\\n                 --write hosts\n";
    EXPECT_EQ(options::refilled(command, 20), command);
}

}  // namespace
}  // namespace tailback::list_command_test
