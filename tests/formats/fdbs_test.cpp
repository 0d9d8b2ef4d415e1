// opensm.fdbs and ibdiagnet.fdbs: ports in, hops and remarks ignored, cut files noticed by what other tables have.
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::fdbs_test {
namespace {

ForwardingTables read(std::string const& text, Disagreements& disagreements) {
    Disagreements strict(true);
    Network const net = read_topology(two_leaves, strict);
    LineReader lines = lines_of_text(text, "fdbs");
    return read_fdbs(lines, net, disagreements);
}

constexpr Node leaf1{0}, leaf2{1};
constexpr Port none = ForwardingTables::no_entry;

std::string const fdbs = R"(dump_ucast_routes: Switch 0x00000000000000a1
LID    : Port : Hops : Optimal
0x0001 : 000  : 00   : yes
0x0002 : 003  : 01   : yes
0x0003 : 001  : 01   : yes
0x0004 : 004  : HOPS UNKNOWN
dump_ucast_routes: Switch 0x00000000000000a2
LID    : Port : Hops : Optimal
0x0001 : 003  : 04   : No 2 hop path possible via port 6!
0x0002 : 000  : 00   : yes
0x0003 : UNREACHABLE
0x0004 : 001  : 01   : yes
)";

TEST(Fdbs, OpensmForm) {
    Disagreements strict(true);
    ForwardingTables const tables = read(fdbs, strict);
    EXPECT_EQ(tables.port(leaf1, 1), 0u);
    EXPECT_EQ(tables.port(leaf1, 4), 4u);
    EXPECT_EQ(tables.port(leaf2, 1), 3u);
    EXPECT_EQ(tables.port(leaf2, 3), none);
    EXPECT_EQ(tables.port(leaf2, 4), 1u);
}

TEST(Fdbs, IbdiagnetFormUpperCaseAndCrLf) {
    std::string text = replaced(fdbs, "dump_ucast_routes", "osm_ucast_mgr_dump_ucast_routes");
    text = replaced(text, "HOPS UNKNOWN\n", "00   : yes\n0x000C : UNREACHABLE\n\n") + "0x000C : UNREACHABLE\n\n";
    Disagreements strict(true);
    EXPECT_EQ(read(replaced(text, "\n", "\r\n"), strict).port(leaf2, 4), 1u);
}

TEST(Fdbs, WhatDisagreesIsCounted) {
    Disagreements disagreements;
    read(replaced(fdbs, "0x0003 : 001", "0x0003 : 002") + "rubbish\n", disagreements);
    EXPECT_EQ(disagreements.times(Disagreement::port_without_cable), 1u);
    EXPECT_EQ(disagreements.times(Disagreement::unparsed_line), 1u);
    read(replaced(fdbs, "Switch 0x00000000000000a2", "Switch 0x00000000000000b2"), disagreements);
    EXPECT_EQ(disagreements.times(Disagreement::table_of_unknown_switch), 1u);
    EXPECT_EQ(disagreements.times(Disagreement::switch_without_table), 1u);
}

/// A damaged line is left out and told with its place; the rest of the file counts.
TEST(Fdbs, BrokenNumbersAreLeftOutAndTold) {
    auto const told = [&](std::string const& from, std::string const& to) {
        Disagreements disagreements;
        read(replaced(fdbs, from, to), disagreements);
        return testing::PrintToString(disagreements.warnings());
    };
    EXPECT_NE(told("0x0003 : 001", "0x0003 : 300").find("fdbs:5: port 300 for LID 3"), std::string::npos);
    EXPECT_NE(told("0x0003 : 001", "0xC000 : 001").find("fdbs:5: LID 49152"), std::string::npos);
    EXPECT_NE(told("01   : yes\n0x0003", "01   : yes0x0003").find("has two entries; the first is read"),
              std::string::npos);
    EXPECT_NE(told("Switch 0x00000000000000a2", "Switch ").find("fdbs:7: the table header names no switch"),
              std::string::npos);
}

TEST(Fdbs, CutFilesAreErrors) {
    Disagreements disagreements;
    std::size_t const from = fdbs.rfind("LID    :");
    for (std::size_t cut = from; cut < fdbs.size() - 3; ++cut) {
        if (fdbs.size() - cut < 12) continue;  // in the last remark: nothing is lost
        ASSERT_NE(error_of([&] { read(fdbs.substr(0, cut), disagreements); }).find("the last table is cut off"),
                  std::string::npos)
            << fdbs.substr(0, cut);
    }
    EXPECT_EQ(error_of([&] { read(fdbs.substr(0, fdbs.size() - 1), disagreements); }), "no error");
}

}  // namespace
}  // namespace tailback::fdbs_test
