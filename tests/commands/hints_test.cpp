// What messages and reports tell beside the problem: the word that was meant, the files that were read, the seeds that
// matter.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tailback::hints_test {
namespace {

using Json = nlohmann::json;

std::string refusal(Words const& words) {
    Finished const run = run_tailback(words);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    return run.err;
}

bool holds(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

TEST(Hints, AGpuIsCalledCuda) {
    for (char const* const command : {"evaluate", "audit"}) {
        std::string const error = refusal({command, "--network", "ring:4", "--device", "gpu"});
        EXPECT_TRUE(holds(error, "--device \"gpu\" is unknown (the nearest is \"cuda\")")) << error;
    }
}

TEST(Hints, NamesInAnotherCase) {
    for (char const* const spec : {"TORUS:4x4", "Torus:4x4", "TORUS"}) {
        std::string const error = refusal({"evaluate", "--network", spec});
        EXPECT_TRUE(holds(error, "(the nearest is \"torus\")")) << error;
        EXPECT_FALSE(holds(error, "cannot be opened")) << error;
    }
    std::string const error = refusal({"evaluate", "--network", "ring:4", "--pattern", "BISECT"});
    EXPECT_TRUE(holds(error, "(the nearest is \"bisect\")")) << error;
}

TEST(Hints, AnEmptySideOfADiff) {
    for (char const* const word : {",", ",,", ",tables"})
        EXPECT_TRUE(holds(refusal({"diff", word, word}), std::string("\"") + word + "\" names no network")) << word;
    EXPECT_TRUE(holds(refusal({"diff", "net,", "net,"}), "\"net,\" names no tables"));
}

TEST(Hints, APatternBesideAnotherIsNoFile) {
    for (char const* const name : {"file", "file:", "file:flows"}) {
        std::string const error = refusal({"evaluate", "--network", "ring:8", "--pattern", "ptrnvsptrn", "--first",
                                           name, "--first-ranks", "2", "--second", "ring"});
        EXPECT_TRUE(holds(error, "comes from a file (no file can be named here)")) << error;
    }
}

TEST(Hints, QuietMayComeFirst) {
    EXPECT_EQ(run_tailback({"--quiet", "list", "patterns"}).out, run_tailback({"list", "patterns"}).out);
    Words const study = {"evaluate", "--network", "ring:4", "--mappings", "3"};
    EXPECT_NE(run_tailback(study).err, "");
    Finished const quiet = run_tailback(joined({"--quiet"}, study));
    EXPECT_EQ(quiet.code, 0);
    EXPECT_EQ(quiet.err, "");
}

/// `(seed 1)` stands where another seed would give other numbers, and nowhere else.
TEST(Hints, SeedsWhereSomethingIsDrawn) {
    auto const head = [](Words const& more) {
        std::string const out = run_tailback(joined({"evaluate", "--network", "torus:3x3"}, more)).out;
        return out.substr(0, out.find("\n\n"));
    };
    EXPECT_TRUE(holds(head({"--mappings", "3"}), "mappings (seed 1)"));
    EXPECT_FALSE(holds(head({"--mapping", "identity"}), "mapping (seed 1)"));
    EXPECT_TRUE(holds(head({"--mapping", "identity", "--pattern", "rand"}), "(seed 1)"));
    EXPECT_TRUE(holds(head({"--mapping", "identity", "--subset", "rand", "--ranks", "4"}), "(seed 1)"));
    EXPECT_TRUE(head({"--routing", "dor"}).ends_with("routed by dor"));
    EXPECT_TRUE(holds(head({"--routing", "dor:ties=random"}), "routed by dor:ties=random (seed 1)"));
    EXPECT_TRUE(holds(head({"--routing", "valiant:by=dor"}), "(seed 1)"));
}

TEST(Hints, JsonNamesItsFiles) {
    TemporaryFolder const folder;
    std::string const flows = folder.write("flows", "0 1\n"), hosts = folder.write("hosts", "H1\nH2\n"),
                      mapping = folder.write("mapping", "H2 H1\n"), roots = folder.write("roots", "S1_0\n");
    Words const json = {"--format", "json"};
    auto const files = [&](Words const& words) {
        return Json::parse(run_tailback(joined(words, json)).out).at("files");
    };
    Words const star = {"evaluate", "--network", "star:4", "--mappings", "2"};
    EXPECT_EQ(files(star), Json::object());
    EXPECT_EQ(files(joined(star, {"--pattern", "file:" + flows, "--subset", "file:" + hosts})),
              (Json{{"pattern", flows}, {"subset", hosts}}));
    EXPECT_EQ(files({"evaluate", "--network", "star:4", "--pattern", "ring", "--mapping", "file:" + mapping}),
              (Json{{"mapping", mapping}}));
    EXPECT_EQ(files({"audit", "--network", "xgft:m=2x2,w=1x2", "--routing", "updn", "--roots", roots}),
              (Json{{"roots", roots}}));
    Words const tree = on_tree16({});
    std::string const network = tree.at(2), tables = tree.at(4);
    EXPECT_EQ(files(joined({"evaluate"}, {"--network", network, "--tables", tables})),
              (Json{{"network", network}, {"tables", tables}}));
    EXPECT_EQ(files(joined({"audit"}, {"--network", network, "--tables", tables})),
              (Json{{"network", network}, {"tables", tables}}));
    EXPECT_EQ(
        files({"diff", network + "," + tables, network + "," + tables}),
        (Json{{"old_network", network}, {"old_tables", tables}, {"new_network", network}, {"new_tables", tables}}));
}

}  // namespace
}  // namespace tailback::hints_test
