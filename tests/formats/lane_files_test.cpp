// Readers of SL2VL tables and of paths' service levels: both forms of each, what disagrees, and hostile lines.
#include "host/formats/lane_files.hpp"

#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::lane_files_test {
namespace {

class LaneFiles : public testing::Test {
protected:
    LaneMaps maps(std::string const& text) {
        LineReader lines = lines_of_text(text);
        return read_lane_maps(lines, network_, disagreements_);
    }
    ServiceLevels levels(std::string const& text) {
        LineReader lines = lines_of_text(text);
        return read_service_levels(lines, network_, disagreements_);
    }
    std::uint64_t met(Disagreement kind) const { return disagreements_.times(kind); }

    Disagreements disagreements_;
    Network const network_ = read_topology(two_leaves, disagreements_);
    Node const leaf1_ = network_.node_by_guid(0xa1);
};

char const* const dump = R"(Switch 0x00000000000000a1, base LID 1, "leaf one"
#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15
#--------------------------------------------------------
0   1   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7 
1   3   : 1  1  1  1  1  1  1  1  2  2  2  2  2  2  2  15 
#--------------------------------------------------------

Channel Adapter 0x00000000000000c2, base LID 4, "node 2"
#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15
#--------------------------------------------------------
0   0   : 3  3  3  3  3  3  3  3  3  3  3  3  3  3  3  3 
)";

TEST_F(LaneFiles, OpensmDump) {
    LaneMaps const read = maps(dump);
    EXPECT_FALSE(disagreements_.any());
    ASSERT_NE(read.find(leaf1_, 0, 1), nullptr);
    EXPECT_EQ(read.find(leaf1_, 0, 1)->lane(9), 1u);
    ASSERT_NE(read.find(leaf1_, 1, 3), nullptr);
    EXPECT_EQ(read.find(leaf1_, 1, 3)->lane(0), 1u);
    EXPECT_EQ(read.find(leaf1_, 1, 3)->lane(14), 2u);
    EXPECT_EQ(read.find(leaf1_, 1, 3)->lane(15), 15u);
    EXPECT_EQ(read.find(leaf1_, 1, 1), nullptr);
    EXPECT_EQ(read.find(leaf1_, 2, 3), nullptr);
    EXPECT_EQ(read.find(leaf1_, 99, 3), nullptr);
    EXPECT_EQ(read.find(leaf1_, 1, 99), nullptr);
    EXPECT_EQ(read.find(network_.node_by_guid(0xa2), 1, 3), nullptr);
    EXPECT_EQ(read.find(Host{0}), nullptr);
    ASSERT_NE(read.find(Host{1}), nullptr);
    EXPECT_EQ(read.find(Host{1})->lane(7), 3u);
    EXPECT_EQ(read.distinct().size(), 3u);
}

TEST_F(LaneFiles, Slvl) {
    LaneMaps const read = maps(
        "0x00000000000000a1 0 1 -raw_vl_by_sl 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xe7  \n"
        "0x00000000000000a1 1 3 0x11 0x11 0x11 0x11 0x22 0x22 0x22 0x2f\r\n"
        "0x00000000000000b2 0 1 -raw_vl_by_sl 0x33 0x33 0x33 0x33 0x33 0x33 0x33 0x33\n");
    EXPECT_FALSE(disagreements_.any());
    for (unsigned level = 0; level < 15; ++level) EXPECT_EQ(read.find(leaf1_, 0, 1)->lane(level), level);
    EXPECT_EQ(read.find(leaf1_, 0, 1)->lane(15), 7u);
    EXPECT_EQ(read.find(leaf1_, 1, 3)->lane(7), 1u);
    EXPECT_EQ(read.find(leaf1_, 1, 3)->lane(8), 2u);
    EXPECT_EQ(read.find(leaf1_, 1, 3)->lane(15), 15u);
    ASSERT_NE(read.find(Host{1}), nullptr);
    EXPECT_EQ(read.find(Host{1})->lane(0), 3u);
}

TEST_F(LaneFiles, MapsThatDisagree) {
    maps(
        "0xa1 0 1 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xe7\n"
        "0xa1 0 1 0x11 0x23 0x45 0x67 0x89 0xab 0xcd 0xe7\n"  // another map
        "0xa1 0 9 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xe7\n"  // no such port
        "0xa1 99999999999999999999 1 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xe7\n"
        "0xdead 0 1 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xe7\n"  // no such node
        "0xa1 0 1 0x01 0x23\n"
        "what is this\n");
    EXPECT_EQ(met(Disagreement::duplicate_entry), 1u);
    EXPECT_EQ(met(Disagreement::lanes_of_unknown_port), 3u);
    EXPECT_EQ(met(Disagreement::unparsed_line), 2u);
    EXPECT_EQ(disagreements_.warnings().size(), 3u);
}

TEST_F(LaneFiles, MapsThatAreNoMaps) {
    EXPECT_EQ(error_of([&] { maps("nothing\n"); }),
              "file: the file has no SL2VL table (no line is a record of opensm-sl2vl.dump or ibdiagnet.slvl); give "
              "one of these files");
    EXPECT_EQ(error_of([&] { maps(replaced(dump, "2  15", "2  16")); }),
              "file:5: virtual lane 16 (lanes go from 0 to 15); the line is damaged; make the file again");
    EXPECT_NE(error_of([&] { maps("0xa1 0 1 0x101 0x23 0x45 0x67 0x89 0xab 0xcd 0xe7\n"); }).find("above 0xff"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  maps(std::string(dump).substr(0, std::string(dump).rfind("3  3  3")));
              }).find("the last record is cut off"),
              std::string::npos);
}

/// What is cut off would be judged at level 0: an end inside a line is refused, one without a line end is told.
TEST_F(LaneFiles, CutFiles) {
    EXPECT_EQ(error_of([&] { levels("3 4 5\n4 3"); }),
              "file:2: the last line is cut off; the file is truncated; copy or make it again");
    EXPECT_FALSE(disagreements_.times(Disagreement::incomplete_table) > 0);
    levels("3 4 5\n4 3 2");
    EXPECT_EQ(disagreements_.times(Disagreement::incomplete_table), 1u);
    maps(std::string(dump).substr(0, std::string(dump).size() - 1));
    EXPECT_EQ(disagreements_.times(Disagreement::incomplete_table), 2u);
}

TEST_F(LaneFiles, PathsByLidAndByGuid) {
    for (char const* const text : {"# SLID DLID SL\n3 4 5\n\n4 3 2\n1 4 9\n",
                                   "0x00000000000000b1 4 5\n0xb2 3 2\n0xc1 2 9\n", "  3\t4 5 \r\n0xc2 3 2\n"}) {
        ServiceLevels const read = levels(text);
        EXPECT_FALSE(disagreements_.any()) << disagreements_.warnings().front();
        ASSERT_EQ(read.to(4).size(), 2u);
        EXPECT_EQ(read.to(4)[0], 1u << 5);
        EXPECT_EQ(read.to(4)[1], 0u);
        EXPECT_EQ(read.to(3)[1], 1u << 2);
        EXPECT_TRUE(read.to(1).empty());
        EXPECT_TRUE(read.to(77777).empty());
        EXPECT_EQ(read.used(), 1u << 5 | 1u << 2);
    }
}

TEST_F(LaneFiles, PathsThatDisagree) {
    ServiceLevels const read =
        levels("3 4 5\n3 4 6\n3 4 6\n3 40 1\n40 3 1\n99999999999999 3 1\n0xdead 3 1\n3 4\nx y z\n3 4 5 6\n4 3 1");
    EXPECT_EQ(read.to(4)[0], 1u << 5 | 1u << 6);
    EXPECT_EQ(read.to(3)[1], 1u << 1);
    EXPECT_EQ(met(Disagreement::duplicate_entry), 2u);
    EXPECT_EQ(met(Disagreement::level_of_unknown_path), 4u);
    EXPECT_EQ(met(Disagreement::unparsed_line), 3u);
    EXPECT_EQ(met(Disagreement::incomplete_table), 1u);
}

TEST_F(LaneFiles, PathsThatAreNoPaths) {
    EXPECT_NE(error_of([&] { levels(""); }).find("the file has no service level of a path"), std::string::npos);
    EXPECT_EQ(error_of([&] { levels("3 4 5\n3 4 16\n"); }),
              "file:2: service level 16 (levels go from 0 to 15); the line is damaged; make the file again");
}

TEST_F(LaneFiles, StrictRefusesWhatDisagrees) {
    Disagreements strict(true);
    LineReader lines = lines_of_text("3 40 1\n");
    EXPECT_NE(error_of([&] {
                  read_service_levels(lines, network_, strict);
              }).find("file:1: a path to LID 40, which nobody owns"),
              std::string::npos);
}

}  // namespace
}  // namespace tailback::lane_files_test
