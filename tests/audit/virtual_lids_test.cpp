// LIDs of virtual ports: with START_VPORTS of ibdiagnet2.db_csv they are their port's; without, tables that all deliver
// a LID to one adapter port say so, and that is no fault.
#include "tests/support/audited.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tailback::virtual_lids_test {
namespace {

/// Tables of `two_leaves` (tests/support/programs/reading.hpp), with more entries in each.
std::string tables(std::string const& of_one, std::string const& of_two) {
    return "Unicast lids [0-4] of switch Lid 1 guid 0x00000000000000a1 ('leaf one'):\n0x0001 000 #\n0x0002 003 #\n"
           "0x0003 001 #\n0x0004 003 #\n" +
           of_one +
           "9 lids dumped\nUnicast lids [0-4] of switch Lid 2 guid 0x00000000000000a2 ('leaf-2'):\n0x0001 004 #\n"
           "0x0002 000 #\n0x0003 004 #\n0x0004 001 #\n" +
           of_two + "9 lids dumped\n";
}

std::vector<Finding> check(std::string const& table, std::string const& topology = two_leaves) {
    return disagreements_of(topology, table);
}

/// Definition: LIDs that nobody owns, and that all tables deliver to one adapter port, are one finding that is no
/// fault, however many they are.
TEST(VirtualLids, DeliveredToOnePortIsNoFault) {
    for (int count : {1, 2, 5}) {
        std::string one, two;
        for (int i = 0; i < count; ++i) {
            bool const at_one = i % 2 == 0;
            std::string const lid = "0x001" + std::to_string(i);
            one += lid + (at_one ? " 001 #\n" : " 003 #\n");
            two += lid + (at_one ? " 004 #\n" : " 001 #\n");
        }
        std::vector<Finding> const found = check(tables(one, two));
        ASSERT_EQ(found.size(), 1u) << found.back().message;
        EXPECT_EQ(found[0].kind, FindingKind::virtual_lids);
        EXPECT_EQ(found[0].lids.count(), std::size_t(count));
        EXPECT_NE(found[0].message.find("(the first: LID 16 to host \"node 1\""), std::string::npos)
            << found[0].message;
    }
}

/// Entries that run in a circle, end at two ports, or are missing in a table stay faults; so do those to a port whose
/// own LID its switch does not know.
TEST(VirtualLids, OthersStayFaults) {
    for (auto const& [one, two] : {std::pair("0x0010 003 #\n", "0x0010 004 #\n"),     // a circle
                                   std::pair("0x0010 001 #\n", "0x0010 001 #\n"),     // two ports
                                   std::pair("0x0010 001 #\n", ""),                   // missing in a table
                                   std::pair("0x0010 000 #\n", "0x0010 004 #\n")}) {  // to a switch
        std::vector<Finding> const found = check(tables(one, two));
        ASSERT_EQ(found.size(), 1u);
        EXPECT_EQ(found[0].kind, FindingKind::inconsistent) << one << two;
    }
    std::string const moved = replaced(tables("0x0010 001 #\n", "0x0010 004 #\n"), "0x0003 001 #\n", "");
    bool is_fault = false;
    for (Finding const& one : check(moved)) is_fault |= one.kind == FindingKind::inconsistent;
    EXPECT_TRUE(is_fault);
}

/// Definition: LIDs behind routers (FLIDs) are what all tables deliver to routers, to one or to several; they are one
/// finding, called what they are, and no fault. One that some table drops, or delivers to a host, is a fault.
TEST(VirtualLids, BehindRoutersAreNoFault) {
    std::string const two_routers = [] {
        std::string text = two_leaves;
        for (char const* const id : {"b1", "b2"}) {
            text = replaced(text, "H-00000000000000" + std::string(id), "R-00000000000000" + std::string(id));
            text = replaced(text, "caguid=0x" + std::string(id) + "\nCa", "rtguid=0x" + std::string(id) + "\nRt");
        }
        return text;
    }();
    struct Case {
        char const *one, *two;  ///< entries of the two leaves; port 1 is that of the leaf's own router
        bool fault;
    };
    for (Case const& c : {Case{"0x0100 001 #\n0x0101 001 #\n", "0x0100 004 #\n0x0101 004 #\n", false},  // to one
                          Case{"0x0100 001 #\n0x0101 003 #\n", "0x0100 004 #\n0x0101 001 #\n", false},
                          Case{"0x0100 001 #\n0x0101 001 #\n", "0x0100 001 #\n0x0101 001 #\n", false},  // the nearest
                          Case{"0x0100 001 #\n0x0101 003 #\n", "0x0100 004 #\n0x0101 004 #\n", true},   // a circle
                          Case{"0x0100 001 #\n0x0101 001 #\n", "0x0100 004 #\n", true}}) {
        std::vector<Finding> const found = check(tables(c.one, c.two), two_routers);
        std::size_t behind = 0, faults = 0;
        for (Finding const& one : found)
            if (one.kind == FindingKind::virtual_lids) {
                EXPECT_NE(one.message.find("all tables deliver"), std::string::npos) << one.message;
                EXPECT_NE(one.message.find("to routers"), std::string::npos) << one.message;
                EXPECT_NE(one.message.find("LIDs behind routers (FLIDs)"), std::string::npos) << one.message;
                behind += one.lids.count();
            } else if (one.lids.count() > 0) ++faults;
        EXPECT_EQ(behind, c.fault ? 1u : 2u) << c.one << c.two;
        EXPECT_EQ(faults, c.fault ? 1u : 0u) << c.one << c.two;
    }
    // The same LIDs delivered to hosts by both leaves' own: two ports, so nobody's.
    std::vector<Finding> const hosts = check(tables("0x0100 001 #\n", "0x0100 001 #\n"));
    ASSERT_EQ(hosts.size(), 1u);
    EXPECT_EQ(hosts[0].kind, FindingKind::inconsistent);
}

std::string db_csv(std::string const& virtual_ports) {
    return "START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID\nh1,1,1,0x1\nh2,1,1,0x2\ns,2,2,0x9\nEND_NODES\n"
           "START_PORTS\nNodeGuid,PortNum,PortGuid,LID,LMC\n0x1,1,0x1,1,0\n0x2,1,0x2,2,0\n0x9,0,0x9,3,0\nEND_PORTS\n"
           "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x1,1,0x9,1\n0x2,1,0x9,2\nEND_LINKS\n"
           "START_VPORTS\nNodeGuid,PortGUID,PortNum,VPortIndex,VPortGuid,VPortLid,VPortState\n" +
           virtual_ports + "END_VPORTS\n";
}

/// Definition: START_VPORTS names the port of a LID: it owns it beside its own. Ports that are down and have no LID are
/// left out; one of a LID that another owns is told.
TEST(VirtualLids, OwnedByTheirPort) {
    Disagreements told(false, 9);
    LineReader lines =
        lines_of_text(db_csv("0x1,0x1,1,0,0x1,1,4\n0x1,0x1,1,1,0xaa,40,4\n0x2,0x2,1,1,0xab,41,1\n"
                             "0x2,0x2,1,2,0xac,0,4\n0x2,0x2,1,3,0xad,50,2\n0x2,0x2,1,4,0xae,1,4\n"));
    Network const net = read_db_csv(lines, told);
    EXPECT_EQ(net.owner(40).node, net.node_by_guid(1));
    EXPECT_EQ(net.owner(50).node, net.node_by_guid(2));
    EXPECT_FALSE(net.owner(41).node.exists());
    EXPECT_EQ(net.owner(1).node, net.node_by_guid(1));
    EXPECT_EQ(net.virtual_lids().size(), 2u);
    EXPECT_EQ(told.times(Disagreement::duplicate_lid), 1u);
    EXPECT_EQ(with_lids(net).owner(40).node, net.node_by_guid(1));  // a network that is made anew keeps them
}

/// A table that leads a virtual LID elsewhere is a fault; one that leads it to its port says nothing.
TEST(VirtualLids, TablesLeadToTheirPort) {
    for (auto const& [entry, faults] :
         {std::pair("0x0028 001 #\n", 0u), std::pair("0x0028 002 #\n", 1u), std::pair("", 1u)}) {
        Disagreements told(false, kept_disagreements);
        LineReader lines = lines_of_text(db_csv("0x1,0x1,1,1,0xaa,40,4\n"));
        Fabric fabric;
        fabric.network = read_db_csv(lines, told);
        LineReader table = lines_of_text(
            "Unicast lids [0-40] of switch Lid 3 guid 0x0000000000000009 ('s'):\n"
            "0x0001 001 #\n0x0002 002 #\n0x0003 000 #\n" +
            std::string(entry) + "4 lids dumped\n");
        fabric.tables = read_lft_dump(table, fabric.network, told);
        fabric.routed = true;
        std::size_t found = 0;
        for (Finding const& one : find_inconsistencies(fabric, told))
            found += one.message.find("LID 40 is that of a virtual port of it") != std::string::npos;
        EXPECT_EQ(found, faults) << entry;
    }
}

}  // namespace
}  // namespace tailback::virtual_lids_test
