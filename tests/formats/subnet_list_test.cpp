// opensm-subnet.lst and ibdiagnet.lst: a line is a cable, listed once or from both ends.
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::subnet_list_test {
namespace {

Network read(std::string const& text, Disagreements& disagreements) {
    LineReader lines = lines_of_text(text, "lst");
    return read_subnet_list(lines, disagreements);
}

std::string const host1 =
    "{ CA-SM Ports:02 SystemGUID:00000000000000b3 NodeGUID:00000000000000b1 PortGUID:00000000000000c1 VenID:0002C9 "
    "DevID:673C Rev:000000A1 {node {1} HCA-1} LID:000A PN:02 }";
std::string const host2 =
    "{ CA Ports:01 SystemGUID:00000000000000b4 NodeGUID:00000000000000b2 PortGUID:00000000000000c2 VenID:0002C9 "
    "DevID:673C Rev:000000A1 {node 2} LID:000B PN:01 }";
std::string leaf(char const* port, char const* device = "BD36") {
    return std::string(
               "{ SW Ports:24 SystemGUID:00000000000000a3 NodeGUID:00000000000000a1 PortGUID:00000000000000a1 "
               "VenID:0002C9 DevID:") +
           device + " Rev:000000A1 {leaf-01} LID:0004 PN:" + port + " }";
}
std::string const rate = " PHY=4x LOG=ACT SPD=";
std::string const list =
    host1 + " " + leaf("0A", "BD360000") + rate + "10\n" + leaf("0B") + " " + host2 + rate + "FDR10\n";

TEST(SubnetList, ACableALineNumbersInHex) {
    Disagreements strict(true);
    Network const net = read(list, strict);
    ASSERT_EQ(net.nodes().size(), 3u);
    ASSERT_EQ(net.links().size(), 4u);
    Node const sw = net.node_by_guid(0xa1);
    EXPECT_EQ(net[sw].ports, 36u);
    EXPECT_EQ(net[sw].lid, 4u);
    EXPECT_EQ(net[sw].device, 0xbd36u);
    EXPECT_EQ(net[Host{0}].lid, 10u);
    EXPECT_EQ(net[Host{0}].port, 2u);
    EXPECT_EQ(net[net[Host{0}].node].name, "node {1} HCA-1");
    EXPECT_EQ(net[net.up_link(Host{0})].to_port, 10u);
    EXPECT_EQ(net[net.up_link(Host{0})].rate, (LinkRate{4, Speed::qdr}));
    EXPECT_EQ(net[net.up_link(Host{1})].rate, (LinkRate{4, Speed::fdr10}));
}

TEST(SubnetList, BothEndsListingACableMakeNoSecondOne) {
    Disagreements strict(true);
    Network const net =
        read(replaced(list + leaf("0A") + " " + host1 + rate + "10\n" + host2 + " " + leaf("0B") + rate + "FDR10\n",
                      "\n", "\r\n"),
             strict);
    EXPECT_EQ(net.links().size(), 4u);
    EXPECT_EQ(net.hosts().size(), 2u);
}

TEST(SubnetList, UnknownSpeedsAndHalfLinesAreCounted) {
    Disagreements disagreements;
    Network const net =
        read(replaced(list, "SPD=10", "SPD=??") + "{ SW Ports:24 SystemGUID:00\nlog line\n", disagreements);
    EXPECT_EQ(net.links().size(), 4u);
    EXPECT_EQ(disagreements.times(Disagreement::unknown_speed), 1u);
    EXPECT_EQ(disagreements.times(Disagreement::unparsed_line), 2u);
    Disagreements none;
    read("# written by ibdiagnet\n\n" + list, none);
    EXPECT_EQ(none.times(Disagreement::unparsed_line), 0u);
}

TEST(SubnetList, BrokenNumbersAreToldAndCutFilesAreErrors) {
    Disagreements disagreements, odd, ports;
    read(replaced(list, "LID:000B", "LID:C000"), odd);
    EXPECT_EQ(odd.times(Disagreement::odd_lid), 1u);
    EXPECT_NE(testing::PrintToString(odd.warnings()).find("which is none; it counts as none"), std::string::npos);
    read(replaced(list, "{node 2} LID:000B PN:01", "{node 2} LID:000B PN:1000"), ports);
    EXPECT_EQ(ports.times(Disagreement::unparsed_line), 1u);
    for (std::size_t cut = list.find('\n') + 2; cut < list.rfind("SPD=") + 5; ++cut)
        ASSERT_NE(error_of([&] { read(list.substr(0, cut), disagreements); }).find("cut off"), std::string::npos)
            << list.substr(list.find('\n') + 1, cut - list.find('\n') - 1);
    EXPECT_EQ(error_of([&] { read(list.substr(0, list.size() - 1), disagreements); }), "no error");
}

/// A switch's LID and port GUID stand in every line of its cables: what most lines say counts, the others are told.
TEST(SubnetList, ValuesThatLinesTellOtherwise) {
    std::string const sw = "{ SW Ports:24 SystemGUID:00000000000000a1 NodeGUID:00000000000000a1 PortGUID:";
    auto const line = [&](std::string const& port_guid, std::string const& lid, int port) {
        return sw + port_guid + " VenID:00000000 DevID:00000000 Rev:00000000 {leaf} LID:" + lid + " PN:0" +
               std::to_string(port) + " } { CA Ports:01 SystemGUID:00 NodeGUID:b" + std::to_string(port) +
               " PortGUID:c" + std::to_string(port) + " VenID:00 DevID:00 Rev:00 {node} LID:000" +
               std::to_string(port) + " PN:01 } PHY=4x LOG=ACT SPD=10\n";
    };
    Disagreements lid(false, 9), guid(false, 9), two(false, 9), none(true);
    Network const net = read(line("a1", "000B", 1) + line("a1", "0007", 2) + line("a1", "0007", 3), lid);
    EXPECT_EQ(net[Node{0}].lid, 7u);
    ASSERT_EQ(lid.noted().size(), 1u);
    EXPECT_EQ(lid.noted()[0].kind(), Disagreement::told_twice);
    EXPECT_EQ(lid.noted()[0].place.line, 1u);
    EXPECT_EQ(lid.noted()[0].text, "it has LID 11 in this line, and LID 7 in 2 others, which count");
    EXPECT_EQ(read(line("a2", "0007", 1) + line("a1", "0007", 2), guid)[Node{0}].port_guid, 0xa2u);
    ASSERT_EQ(guid.noted().size(), 1u);
    EXPECT_EQ(guid.noted()[0].text,
              "it has port GUID 0x00000000000000a1 in this line, and port GUID "
              "0x00000000000000a2 in line 1, which counts");
    read(line("a1", "000B", 4) + line("a1", "000B", 1) + line("a1", "0007", 2) + line("a1", "0007", 3), two);
    ASSERT_EQ(two.noted().size(), 1u);
    EXPECT_EQ(two.noted()[0].kind(), Disagreement::duplicate_guid);
    EXPECT_EQ(two.noted()[0].where.lids, (std::vector<std::uint32_t>{11, 7}));
    read(line("a1", "0007", 1) + line("a1", "0007", 2), none);
}

TEST(SubnetList, OneGuidForTwoKindsIsTold) {
    Disagreements disagreements;
    read(replaced(list, "NodeGUID:00000000000000b2", "NodeGUID:00000000000000a1"), disagreements);
    EXPECT_EQ(disagreements.times(Disagreement::duplicate_guid), 1u);
    EXPECT_NE(disagreements.warnings().front().find("one GUID for nodes of two kinds"), std::string::npos);
}

}  // namespace
}  // namespace tailback::subnet_list_test
