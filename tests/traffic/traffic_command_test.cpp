// tailback traffic: what it tells, draws and writes; and bad usage.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tailback::traffic_command_test {
namespace {

std::string const edges = "# ranks 6\nsource destination bytes messages\n0 1 3000 3\n1 0 3000 3\n4 2 10 5\n2 2 7 1\n";

bool holds(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

TEST(TrafficCommand, TellsWhatIsInAFile) {
    Finished const run = run_tailback({"traffic", "-", "--top", "1"}, edges);
    EXPECT_EQ(run.code, 0) << run.err;
    for (char const* const part :
         {"standard input: an edge list, 6 ranks\n", "3 of 30 ordered pairs of ranks (10.0 %)\n", "6,017 (5.9 KiB)",
          "12, 501 bytes each on average", "7 bytes of that from 1 rank to itself", "the file states no sums",
          "\n  sent      0 (rank 3)  1,003  3,000 (rank 0)\n",
          "\n  source  destination  bytes   share  messages\n       0            1  3,000  49.9 %         3\n",
          "2 ranks send nothing: 3, 5", "3 ranks receive nothing: 3-5"})
        EXPECT_TRUE(holds(run.out, part)) << part << "\n" << run.out;
    EXPECT_FALSE(holds(run.out, "       1            0")) << "--top 1";
}

TEST(TrafficCommand, JsonHasEveryRowAndColumn) {
    Finished const run = run_tailback({"traffic", "-", "--format", "json"}, edges);
    ASSERT_EQ(run.code, 0) << run.err;
    auto const json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["schema"], "tailback-traffic-1");
    EXPECT_EQ(json["ranks"], 6);
    EXPECT_EQ(json["pairs"], 3);
    EXPECT_EQ(json["bytes"], 6017);
    EXPECT_EQ(json["messages"], 12);
    EXPECT_EQ(json["to_themselves"]["bytes"], 7);
    EXPECT_EQ(json["rows"].size(), 4u);
    EXPECT_EQ(json["columns"].size(), 3u);
    EXPECT_EQ(json["rows"][3], nlohmann::json::parse(R"({"rank": 4, "partners": 1, "bytes": 10, "messages": 5})"));
    EXPECT_EQ(json["send_nothing"][0]["first"], 3);
    EXPECT_EQ(json["receive_nothing"][0]["last"], 5);
    EXPECT_EQ(json["heaviest"].size(), 3u);
    EXPECT_EQ(json["symmetric"], false);
    Finished const plain = run_tailback({"traffic", "-", "--format", "json"}, "# ranks 2\n0 1 5\n1 0 5\n");
    EXPECT_TRUE(nlohmann::json::parse(plain.out)["messages"].is_null());
    EXPECT_EQ(nlohmann::json::parse(plain.out)["symmetric"], true);
}

TEST(TrafficCommand, ConvertsAndDraws) {
    TemporaryFolder const folder;
    std::string const csv = folder / "matrix.csv", picture = folder / "matrix.svg";
    Finished const run = run_tailback({"traffic", "-", "--to", "csv", "-o", csv, "--picture", picture}, edges);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(read_whole(csv),
              "# matrix\n0,3000,0,0,0,0\n3000,0,0,0,0,0\n0,0,7,0,0,0\n0,0,0,0,0,0\n0,0,10,0,0,0\n0,0,0,0,0,0\n");
    std::string const svg = read_whole(picture);
    EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    // Four squares of 640 / 6; that of 4 -> 2 stands in row 4, column 2.
    EXPECT_TRUE(holds(svg, "x=\"297.33\" y=\"550.67\" width=\"106.67\" height=\"106.67\"")) << svg;
    EXPECT_EQ(run_tailback({"traffic", csv, "--to", "edges"}).out,
              "# ranks 6\nsource destination bytes\n0 1 3000\n1 0 3000\n2 2 7\n4 2 10\n");
    EXPECT_EQ(run_tailback({"traffic", csv, "--to", "matrix-market"}).out,
              "%%MatrixMarket matrix coordinate integer general\n% bytes from row to column, ranks from 1\n6 6 4\n"
              "1 2 3000\n2 1 3000\n3 3 7\n5 3 10\n");
}

TEST(TrafficCommand, AnEmptyMatrixIsWarnedOf) {
    TemporaryFolder const folder;
    std::string const file = folder.write("empty", "# ranks 4\n0 1 0\n");
    Finished const run = run_tailback({"traffic", file, "--picture", folder / "empty.svg"});
    EXPECT_EQ(run.code, 0);
    EXPECT_TRUE(holds(run.err, "warning: the matrix is empty: no rank sends anything")) << run.err;
    EXPECT_TRUE(holds(run.out, "4 ranks send nothing: 0-3"));
}

TEST(TrafficCommand, BadUsageIsRefused) {
    for (auto const& [words, wanted] : std::vector<std::pair<Words, std::string>>{
             {{"traffic"}, "no file of traffic is given"},
             {{"traffic", "a", "b"}, "\"b\" is one word too many"},
             {{"traffic", "-", "--to", "pdf"}, "--to \"pdf\" is unknown"},
             {{"traffic", "-", "--to", "csv", "--format", "json"}, "--to does not go with --format"},
             {{"traffic", "-", "--picture", "/nonexistent/x.svg"}, "/nonexistent/x.svg"},
             {{"traffic", "-", "--picture", "-"}, "two outputs go to the same place"},
             {{"traffic", "/nonexistent"}, "the file cannot be opened"}}) {
        Finished const run = run_tailback(words, edges);
        EXPECT_EQ(run.code, 2);
        EXPECT_TRUE(holds(run.err, wanted)) << run.err;
        EXPECT_EQ(run.out, "");
    }
    EXPECT_TRUE(holds(run_tailback({"traffic", "--help"}).out, "tailback traffic lulesh.mpiP --picture"));
}

}  // namespace
}  // namespace tailback::traffic_command_test
