// Dumps of forwarding tables: every form of every tool means the same; what disagrees is counted, what is broken
// refused.
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::lft_dump_test {
namespace {

Network leaves() {
    Disagreements strict(true);
    return read_topology(two_leaves, strict);
}

ForwardingTables read(std::string const& text, Disagreements& disagreements, Network const& net = leaves()) {
    LineReader lines = lines_of_text(text, "lfts");
    return read_lft_dump(lines, net, disagreements);
}

constexpr Node leaf1{0}, leaf2{1};
constexpr Port none = ForwardingTables::no_entry;

std::string const header1 = "Unicast lids [0-4] of switch Lid 1 guid 0x00000000000000a1 ('leaf one'):\n";
std::string const header2 = "Unicast lids [0-4] of switch Lid 2 guid 0x00000000000000a2 ('leaf-2'):\n";
std::string const dump = header1 +
                         "0x0001 000 # Switch portguid 0x00000000000000a1: 'leaf one'\n"
                         "0x0002 003 # Switch portguid 0x00000000000000a2: 'leaf-2'\n"
                         "0x0003 001 # Channel Adapter portguid 0x00000000000000c1: 'node 1'\n"
                         "0x0004 004 # Channel Adapter portguid 0x00000000000000c2: 'node 2'\n"
                         "4 lids dumped\n" +
                         header2 +
                         "0x0001 003 # Switch portguid 0x00000000000000a1: 'leaf one'\n"
                         "0x0002 000 # Switch portguid 0x00000000000000a2: 'leaf-2'\n"
                         "0x0003 003 # Channel Adapter portguid 0x00000000000000c1: 'node 1'\n"
                         "0x0004 001 # Channel Adapter portguid 0x00000000000000c2: 'node 2'\n"
                         "4 lids dumped\n";

void expect_dump(ForwardingTables const& tables) {
    EXPECT_EQ(tables.tables(), 2u);
    EXPECT_EQ(tables.port(leaf1, 1), 0u);
    EXPECT_EQ(tables.port(leaf1, 2), 3u);
    EXPECT_EQ(tables.port(leaf1, 3), 1u);
    EXPECT_EQ(tables.port(leaf1, 4), 4u);
    EXPECT_EQ(tables.port(leaf2, 3), 3u);
    EXPECT_EQ(tables.port(leaf2, 4), 1u);
    EXPECT_EQ(tables.port(leaf2, 0), none);
    EXPECT_EQ(tables.port(leaf2, 5), none);
}

TEST(LftDump, OpensmDump) {
    Disagreements strict(true);
    expect_dump(read(dump, strict));
}

TEST(LftDump, DumpFtsWithAndWithoutRemarksAndAllLids) {
    std::string text =
        replaced(dump, "[0-4] of switch Lid 1 guid", "[0x0-0x4] of switch DR path slid 0; dlid 0; 0,1,5,7 guid");
    text = replaced(text, "('leaf one'):\n",
                    "(leaf ) guid 0xdead (top)):\n  Lid  Out   Destination\n       Port     Info \n0x0000 255 : (path "
                    "#0 - illegal port)\n");
    text = replaced(replaced(text, " # ", " : ("), "'\n0x", "')\n0x");
    text = replaced(text, "4 lids dumped\n", "5 lids dumped \n");
    Disagreements strict(true);
    expect_dump(read(text, strict));

    std::string plain = replaced(dump, "4 lids dumped", "4 valid lids dumped ");
    for (std::size_t at; (at = plain.find(" # ")) != std::string::npos;)
        plain.replace(at, plain.find('\n', at) - at, " ");
    expect_dump(read(plain, strict));
    expect_dump(read(replaced(plain, "\n", "\r\n"), strict));
}

TEST(LftDump, OldWidthsUpperCaseAndBlanks) {
    std::string text = replaced(replaced(dump, "0x0004 004", "  0x4\t4"), "0x0003 001", "0x00000003 1");
    Disagreements strict(true);
    expect_dump(read(text, strict));
    Network const net = leaves();
    Disagreements disagreements;
    EXPECT_EQ(read(header1 + "0x000C 001\n1 lids dumped\n", disagreements, net).port(leaf1, 12), 1u);
    EXPECT_EQ(disagreements.times(Disagreement::unowned_lid), 1u);
    EXPECT_EQ(disagreements.times(Disagreement::switch_without_table), 1u);
}

TEST(LftDump, LogLinesAndMulticastTablesAreSkipped) {
    std::string text =
        replaced(dump, "0x0003 001 #", "ibwarn: [14457] _do_madrpc: recv failed: Connection timed out\n\n0x0003 001 #");
    text =
        "Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x00000000000000a1 (leaf one):\n     Ports: 0 1 2\n "
        "MLid\n0xc000      x\n0 valid mlids dumped \n" +
        text;
    Disagreements strict(true);
    expect_dump(read(text, strict));
}

TEST(LftDump, TablesOfAFileInPiecesAddUp) {
    Disagreements strict(true);
    expect_dump(read(dump + dump, strict));
}

TEST(LftDump, WhatDisagreesIsCountedWithItsFirstExample) {
    struct Case {
        std::string from, to;
        Disagreement kind;
        std::string message;
    };
    for (Case const& c : {
             Case{"0x0004 004", "0x0009 004", Disagreement::unowned_lid,
                  "lfts:5: switch \"leaf one\" (0x00000000000000a1) sends LID 9 to port 4, and nobody owns that LID"},
             Case{"0x0004 004", "0x0004 041", Disagreement::port_beyond_switch,
                  "lfts:5: switch \"leaf one\" (0x00000000000000a1) sends LID 4 to port 41 and has 4 ports"},
             Case{"0x0004 004", "0x0004 002", Disagreement::port_without_cable,
                  "lfts:5: switch \"leaf one\" (0x00000000000000a1) sends LID 4 to port 2, which has no cable"},
             Case{"0x0004 004", "0x0003 004", Disagreement::duplicate_entry,
                  "lfts:5: switch \"leaf one\" (0x00000000000000a1) sends LID 3 to port 4, and to port 1 before"},
             Case{"0x0004 004", "0x00zz 004", Disagreement::unparsed_line, "lfts:5: \"0x00zz 004 # Channel"},
             Case{"0x0004 004", "hello", Disagreement::unparsed_line, "lfts:5: \"hello"},
             Case{"guid 0x00000000000000a2", "guid 0x00000000000000aa", Disagreement::table_of_unknown_switch,
                  "lfts:7: table of 0x00000000000000aa, which the topology does not have"},
             Case{"guid 0x00000000000000a2", "guid 0x00000000000000b2", Disagreement::table_of_unknown_switch,
                  "has as an adapter"},
             Case{header2, header2.substr(0, 0) + "Multicast mlids\n", Disagreement::switch_without_table,
                  "switch \"leaf-2\" (0x00000000000000a2) has no table"},
             Case{"4 lids dumped\n" + header2, header2, Disagreement::incomplete_table,
                  "lfts:1: the table has no \"lids dumped\" line"},
             Case{"4 lids dumped\n" + header2, "5 valid lids dumped\n" + header2, Disagreement::incomplete_table,
                  "lfts:1: the table counts 5 entries and has 4"},
         }) {
        Disagreements disagreements, strict(true);
        read(replaced(dump, c.from, c.to), disagreements);
        EXPECT_EQ(disagreements.times(c.kind), 1u) << c.message;
        bool told = false;
        for (std::string const& warning : disagreements.warnings())
            told = told || warning.find("(first: " + c.message) != std::string::npos ||
                   warning.find(c.message) != std::string::npos;
        EXPECT_TRUE(told) << c.message << "\n" << testing::PrintToString(disagreements.warnings());
        EXPECT_NE(error_of([&] { read(replaced(dump, c.from, c.to), strict); }), "no error") << c.message;
    }
}

TEST(LftDump, LaterContradictingEntryCounts) {
    Disagreements disagreements;
    EXPECT_EQ(read(replaced(dump, "0x0004 004", "0x0003 004"), disagreements).port(leaf1, 3), 4u);
    EXPECT_EQ(read(replaced(dump, "0x0004 004", "0x0003 255"), disagreements).port(leaf1, 3), none);
    EXPECT_EQ(disagreements.times(Disagreement::duplicate_entry), 2u);
}

TEST(LftDump, ManyUnownedLidsMakeRoomOnce) {
    std::string text = "Unicast lids [0x0-0xbfff] of switch Lid 1 guid 0x00000000000000a1 (leaf one):\n";
    for (unsigned lid = 1; lid <= max_unicast_lid; ++lid) {
        char line[32];
        std::snprintf(line, sizeof line, "0x%04x 003\n", lid);
        text += line;
    }
    Disagreements disagreements;
    ForwardingTables const tables = read(text + "49151 valid lids dumped \n", disagreements);
    EXPECT_EQ(tables.lids(), max_unicast_lid + 1u);
    EXPECT_EQ(tables.port(leaf1, max_unicast_lid), 3u);
    EXPECT_EQ(disagreements.times(Disagreement::unowned_lid), max_unicast_lid - 4u);
}

/// A damaged line is left out and told with its place; the rest of the file counts.
TEST(LftDump, BrokenNumbersAreLeftOutAndTold) {
    auto const told = [&](std::string const& from, std::string const& to) {
        Disagreements disagreements;
        std::string text = dump;
        std::size_t const at = text.find(from);
        text.replace(at, from.size(), to);
        read(text, disagreements);
        EXPECT_EQ(disagreements.times(Disagreement::unparsed_line), 1u) << to;
        return testing::PrintToString(disagreements.warnings());
    };
    EXPECT_NE(told("0x0004 004", "0x0004 256").find("lfts:5: port 256 for LID 4"), std::string::npos);
    EXPECT_NE(told("0x0004 004", "0xc000 004").find("lfts:5: LID 49152 in a unicast table"), std::string::npos);
    EXPECT_NE(told("0x0004 004", "0x10000000000 004").find("lfts:5: LID 1099511627776"), std::string::npos);
    EXPECT_NE(told("[0-4]", "[0-1099511627776]").find("lfts:1: the table header promises LIDs up to 1099511627776"),
              std::string::npos);
    EXPECT_NE(told(" guid 0x", " ").find("lfts:1: the table header names no switch"), std::string::npos);
}

TEST(LftDump, CutFilesAreErrorsWhereverTheyAreCut) {
    Disagreements disagreements;
    std::size_t const from = dump.find(header2);
    for (std::size_t cut = from + header2.size(); cut < dump.rfind(" lids dumped"); ++cut)
        ASSERT_NE(error_of([&] { read(dump.substr(0, cut), disagreements); }).find("the last table is cut off"),
                  std::string::npos)
            << cut;
    EXPECT_EQ(error_of([&] { read(dump.substr(0, dump.size() - 1), disagreements); }), "no error");
}

TEST(LftDump, TablesOfAnotherFabricAndFilesWithoutTablesAreErrors) {
    Disagreements disagreements;
    EXPECT_NE(error_of([&] {
                  read(replaced(dump, "guid 0x00000000000000a", "guid 0x00000000000001a"), disagreements);
              }).find("none of the 2 tables is of a switch of the topology"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  read("Multicast mlids [0xc000-0xc3ff] of switch Lid 1\n", disagreements);
              }).find("has no unicast forwarding table"),
              std::string::npos);
}

}  // namespace
}  // namespace tailback::lft_dump_test
