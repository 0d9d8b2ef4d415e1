// Code that several commands share refuses input in words that hold for each: an error names no option that its command
// does not have. What another command has is named with that command, in backquotes (`tailback evaluate --routes
// trees`).
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace tailback::named_options_test {
namespace {

std::set<std::string> options_in(std::string const& text) {
    static std::regex const option("--[a-z][-_a-z]*[a-z]");
    return {std::sregex_token_iterator(text.begin(), text.end(), option), {}};
}

/// Options of an error's words, but for those of another command and for what the command line has.
std::set<std::string> named_by(std::string const& error, Words const& words) {
    std::set<std::string> named = options_in(std::regex_replace(error, std::regex("`[^`]*`"), ""));
    for (std::string const& word : words) named.erase(word.substr(0, word.find('=')));
    return named;
}

void expect_own_options(Words const& words, std::string const& message) {
    SCOPED_TRACE(testing::PrintToString(words));
    Finished const ran = run_tailback(words);
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
    std::set<std::string> const own = options_in(run_tailback({words.front(), "--help"}).out);
    ASSERT_FALSE(own.empty());
    for (std::string const& option : named_by(ran.err, words)) EXPECT_TRUE(own.contains(option)) << ran.err;
}

TEST(NamedOptions, AreThoseOfTheCommand) {
    TemporaryFolder const folder;
    std::string const tree = (fixtures() / "opensm/ft2-16/minhop").string();
    std::string const net = tree + "/ibnetdiscover.out.xz", tables = tree + "/opensm-lfts.dump.xz";
    std::string const dot = (fixtures() / "orcs/listing1.dot").string(), good = net + "," + tables;
    std::string const routers = (fixtures() / "../../examples/roce").string();

    expect_own_options({"diff", tables + "," + net, good},
                       "the file is not a topology: it is a dump of forwarding tables");
    expect_own_options({"diff", good, net + "," + net}, "here are no forwarding tables: it is ibnetdiscover output");
    expect_own_options({"diff", "frr:" + routers + "," + tables, good}, "a folder of routers has no tables beside it");
    expect_own_options({"diff", routers, good}, "name it with its kind: frr:");
    expect_own_options({"diff", dot + "," + tables, good}, "an ORCS dot graph has no tables beside it");
    expect_own_options({"orcs", "-i", tables, "-p", "bisect"}, "the file is not a topology");
    expect_own_options({"orcs", "-i", net, "--tables", net, "-p", "bisect"}, "here are no forwarding tables");
    expect_own_options({"audit", "--network", tables}, "the file is not a topology");

    std::string const counters = folder.write("counters", "");
    auto const compare = [&](std::string const& job) {
        return Words{"compare", "--network", net, "--tables", tables, "--counters", counters, "--job", job};
    };
    expect_own_options(compare("a:pattern=all-to-all,ranks=4,nodes=node[0001-0002]"), "they have 2 slots in all");
    expect_own_options(compare("a:pattern=file,ranks=4"), "pattern \"file\" comes from a file");
}

/// Of jobs: the job, and where it is asked for.
TEST(NamedOptions, PrioritiesSayOfWhichJob) {
    TemporaryFolder const folder;
    Words const words = {"jobs", "--network", "crossbar:8", "--mappings", "1"};
    Finished const line = run_tailback(joined(words, {"--job", "io:pattern=all-to-all,ranks=4,priority=high"}));
    EXPECT_EQ(line.code, 2);
    EXPECT_NE(line.err.find("priority=high: priority \"high\" is not understood"), std::string::npos) << line.err;
    std::string const jobs =
        folder.write("jobs.yaml",
                     "jobs:\n"
                     "  - {name: a, pattern: all-to-all, ranks: 4, class: c, priority: strict:1}\n"
                     "  - {name: b, pattern: all-to-all, ranks: 4, class: c, priority: weight:2}\n");
    Finished const file = run_tailback(joined(words, {"--jobs", jobs}));
    EXPECT_EQ(file.code, 2);
    EXPECT_NE(file.err.find("jobs.yaml:3: job \"b\": class c has two priorities"), std::string::npos) << file.err;
}

}  // namespace
}  // namespace tailback::named_options_test
