// Consistency of dumps: each way in which they can disagree is one finding, at the right place, and nothing else is.
#include "host/audit/findings/folding.hpp"
#include "tests/support/audited.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

namespace tailback::audit_consistency_test {
namespace {

/// Tables of `two_leaves` (tests/support/programs/reading.hpp), in the form of opensm-lfts.dump.
std::string const sound_tables = R"(Unicast lids [0-4] of switch Lid 1 guid 0x00000000000000a1 ('leaf one'):
0x0001 000 # Switch
0x0002 003 # Switch
0x0003 001 # Channel Adapter
0x0004 003 # Channel Adapter
4 lids dumped
Unicast lids [0-4] of switch Lid 2 guid 0x00000000000000a2 ('leaf-2'):
0x0001 004 # Switch
0x0002 000 # Switch
0x0003 004 # Channel Adapter
0x0004 001 # Channel Adapter
4 lids dumped
)";

std::vector<Finding> check(std::string const& topology, std::string const& tables) {
    std::vector<Finding> found = disagreements_of(topology, tables);
    fold_causes(found);
    return found;
}

void expect_one(std::vector<Finding> const& found, std::string const& where, std::string const& message) {
    ASSERT_EQ(found.size(), 1u) << testing::PrintToString([&] {
        std::vector<std::string> all;
        for (Finding const& f : found) all.push_back(f.where + ": " + f.message);
        return all;
    }());
    EXPECT_EQ(found.front().kind, FindingKind::inconsistent);
    EXPECT_EQ(found.front().where, where);
    EXPECT_NE(found.front().message.find(message), std::string::npos) << found.front().message;
}

std::string const leaf_one = "switch \"leaf one\" (0x00000000000000a1)",
                  leaf_2 = "switch \"leaf-2\" (0x00000000000000a2)";
std::string const node_1 = "host \"node 1\" (0x00000000000000b1)", node_2 = "host \"node 2\" (0x00000000000000b2)";

TEST(AuditConsistency, SoundDumpsHaveNoFinding) { EXPECT_TRUE(check(two_leaves, sound_tables).empty()); }

TEST(AuditConsistency, SwitchWithoutTable) {
    expect_one(check(two_leaves, sound_tables.substr(0, sound_tables.find("Unicast lids [0-4] of switch Lid 2"))),
               leaf_2, "no forwarding table");
}

TEST(AuditConsistency, TableWithoutSwitch) {
    std::string const more =
        "Unicast lids [0-4] of switch Lid 9 guid 0x00000000000000a9 ('old (spare)'):\n0x0003 001 # x\n4 lids dumped\n";
    expect_one(check(two_leaves, sound_tables + more), "switch \"old (spare)\" (0x00000000000000a9)",
               "which the topology does not have (tables:13)");
}

TEST(AuditConsistency, StaleEntriesOfOneAndOfSeveralSwitches) {
    std::string const one = replaced(sound_tables, "0x0004 001 # Channel Adapter\n", "0x0004 001 #\n0x0009 003 #\n");
    expect_one(check(two_leaves, one), leaf_2 + " port 3", "an entry for LID 9, which nobody owns");
    std::string const both =
        replaced(one, "0x0004 003 # Channel Adapter\n", "0x0004 003 #\n0x0009 003 #\n");  // a circle
    expect_one(check(two_leaves, both), "LID 9",
               "2 switches have an entry for it: " + leaf_one + " port 3, " + leaf_2 + " port 3");
}

TEST(AuditConsistency, PortsThatDoNotExistOrHaveNoCable) {
    expect_one(check(two_leaves, replaced(sound_tables, "0x0004 003", "0x0004 007")), leaf_one + " port 7",
               "LID 4 is sent to port 7, and it has 4 ports");
    expect_one(
        check(two_leaves, replaced(replaced(sound_tables, "0x0001 004", "0x0001 002"), "0x0003 004", "0x0003 002")),
        leaf_2 + " port 2", "LIDs 1, 3 are sent to port 2, which has no cable");
}

TEST(AuditConsistency, OneSidedAndContradictingCables) {
    std::string const line = "[4]\t\"S-00000000000000a1\"[4]\t\t# \"leaf one\" lid 1 4xEDR\n";
    expect_one(check(replaced(two_leaves, line, ""), sound_tables), leaf_2 + " port 4", "not listed there");
    auto const found = check(replaced(two_leaves, line, replaced(line, "a1\"[4]", "a1\"[3]")), sound_tables);
    ASSERT_FALSE(found.empty());  // both ends that are contradicted
    for (Finding const& f : found)
        EXPECT_NE(f.message.find("not listed from the other end"), std::string::npos) << f.message;
}

TEST(AuditConsistency, SharedLidsAndOverlappingRanges) {
    std::string const same = replaced(replaced(two_leaves, "# lid 4 lmc 0 \"leaf-2\"", "# lid 3 lmc 0 \"leaf-2\""),
                                      "\"node 2\" lid 4", "\"node 2\" lid 3");
    auto const found = check(same, sound_tables);
    ASSERT_EQ(found.size(), 1u);  // tables still send LID 4 to where it was
    EXPECT_EQ(found[0].where, node_2 + " port 1");
    EXPECT_EQ(found[0].message,
              "the tables send LID 4 to it, and its LID is 3 in the topology: it has a new LID since, "
              "or one of the two is wrong");
    ASSERT_EQ(found[0].symptoms.size(), 2u);
    EXPECT_EQ(found[0].symptoms[0].message, "LID 3 is owned by " + node_1 + " port 1 too");
    EXPECT_EQ(found[0].symptoms[1].where, "LID 4");
    // Told by its own record alone, that is the cause of both.
    std::string const own = replaced(two_leaves, "# lid 4 lmc 0 \"leaf-2\"", "# lid 3 lmc 0 \"leaf-2\"");
    expect_one(check(own, sound_tables), node_2 + " port 1", "its own record says LID 3, its neighbour's LID 4");
    EXPECT_EQ(check(own, sound_tables)[0].symptoms.size(), 3u);
    // Ranges: LIDs 2-3 of a switch run into a host's.
    auto const overlapping = check(replaced(two_leaves, "lid 2 lmc 0", "lid 2 lmc 1"), sound_tables);
    ASSERT_EQ(overlapping.size(), 1u);
    EXPECT_EQ(overlapping[0].where, node_1 + " port 1");
    EXPECT_EQ(overlapping[0].message, "its LID range 3-3 overlaps 2-3 of " + leaf_2);
}

TEST(AuditConsistency, SharedGuids) {
    std::string const port = replaced(replaced(two_leaves, "[1](c2)", "[1](c1)"), "(c2)", "(c1)");
    expect_one(check(port, sound_tables), node_2 + " port 1",
               "0x00000000000000c1 is that of " + node_1 + " port 1 too");
    expect_one(check(replaced(two_leaves, "caguid=0xb2", "caguid=0xb1"), sound_tables), node_1, "have the same GUID");
}

TEST(AuditConsistency, PortsWithoutCableOrLid) {
    std::string const bare = replaced(two_leaves, "# lid 4 lmc 0 \"leaf-2\"", "# lid 0 lmc 0 \"leaf-2\"");
    expect_one(check(bare, sound_tables), node_2 + " port 1", "its own record says no LID, its neighbour's LID 4");
    expect_one(check(replaced(bare, "\"node 2\" lid 4", "\"node 2\" lid 0"), sound_tables), node_2 + " port 1",
               "it is cabled and has no LID; its switch sends it LID 4, which nobody owns");
    std::string const loose = std::string(two_leaves) + "\ncaguid=0xb3\nCa\t1 \"H-00000000000000b3\"\t\t# \"spare\"\n";
    expect_one(check(loose, sound_tables), "host \"spare\" (0x00000000000000b3) port 1", "no cable");
}

TEST(AuditConsistency, ContradictingEntriesAndIncompleteTables) {
    expect_one(
        check(two_leaves, replaced(sound_tables, "0x0003 001 # Channel Adapter\n", "0x0003 001 #\n0x0003 003 #\n")),
        leaf_one + " port 3", "sends LID 3 to port 3, and to port 1 before (tables:5)");
    std::string const valid = replaced(sound_tables, "4 lids dumped\nUnicast", "5 valid lids dumped \nUnicast");
    expect_one(check(two_leaves, valid), leaf_one, "counts 5 entries and has 4 (tables:1)");
    expect_one(check(two_leaves, replaced(sound_tables, "0x0002 000 # Switch", "what is this?")), leaf_2,
               "is no table entry (tables:9)");
}

/// What is beyond the examples kept is still counted.
TEST(AuditConsistency, MoreThanAreKept) {
    Disagreements disagreements(false, 2);
    Fabric const fabric = make_xgft({{2, 2}, {1, 2}});
    for (int i = 0; i < 5; ++i) disagreements.note(Code::line_not_understood, {"t", std::size_t(i) + 1}, "line is odd");
    auto const found = find_inconsistencies(fabric, disagreements);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[2].message, "3 lines were not understood and are left out besides those listed");
}

}  // namespace
}  // namespace tailback::audit_consistency_test
