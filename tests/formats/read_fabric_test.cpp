// Formats are told by content, and files in the wrong place get an error that says what they are.
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::read_fabric_test {
namespace {

std::string fixture(std::string const& name) { return (fixtures() / "opensm/ft2-16" / name).string(); }

Format format_of(std::string const& path) {
    LineReader lines(open_source(path), path);
    return recognise(lines.peek());
}

TEST(Recognise, KnowsEveryFormatByItsContent) {
    EXPECT_EQ(format_of(fixture("minhop/ibnetdiscover.out.xz")), Format::ibnetdiscover);
    EXPECT_EQ(format_of(fixture("minhop/ibnetdiscover-g.out.xz")), Format::ibnetdiscover);
    EXPECT_EQ(format_of(fixture("minhop/opensm-subnet.lst.xz")), Format::subnet_list);
    EXPECT_EQ(format_of(fixture("minhop/ibdiag/ibdiagnet.lst.xz")), Format::subnet_list);
    EXPECT_EQ(format_of(fixture("minhop/opensm-lfts.dump.xz")), Format::lft_dump);
    EXPECT_EQ(format_of(fixture("minhop/dump_fts-n.out.xz")), Format::lft_dump);
    EXPECT_EQ(format_of(fixture("minhop/ibroute-a.out.xz")), Format::lft_dump);
    EXPECT_EQ(format_of(fixture("minhop/opensm.fdbs.xz")), Format::fdbs);
    EXPECT_EQ(format_of(fixture("minhop/ibdiag/ibdiagnet.fdbs.xz")), Format::fdbs);
    EXPECT_EQ(recognise("/* x */\n strict digraph \"a b\" {\n"), Format::orcs_dot);
    EXPECT_EQ(recognise("graph{"), Format::orcs_dot);
    EXPECT_EQ(recognise("$ ibnetdiscover\r\nSwitch41 \"S-0c42\"# \"MF0\"\r\n"), Format::ibnetdiscover);
    EXPECT_EQ(recognise(""), Format::unknown);
    EXPECT_EQ(recognise("graphics are nice\nSwitch me on\n"), Format::unknown);
}

std::string error_with(std::string const& network, std::optional<std::string> const& tables = std::nullopt) {
    Disagreements disagreements;
    return error_of([&] { read_fabric(network, tables, disagreements); });
}

TEST(ReadFabric, NetworkWithoutTablesIsNotRouted) {
    Disagreements strict(true);
    Fabric const fabric = read_fabric(fixture("minhop/ibnetdiscover.out.xz"), std::nullopt, strict);
    EXPECT_FALSE(fabric.routed);
    EXPECT_EQ(fabric.network.hosts().size(), 16u);
    EXPECT_EQ(fabric.tables.port(Node{0}, 1), ForwardingTables::no_entry);
    EXPECT_TRUE(read_fabric(fixture("minhop/opensm-subnet.lst.xz"), fixture("minhop/opensm.fdbs.xz"), strict).routed);
}

TEST(ReadFabric, MixUpsAreNamed) {
    std::string const topology = fixture("minhop/ibnetdiscover.out.xz"), tables = fixture("minhop/opensm-lfts.dump.xz");
    EXPECT_NE(error_with(tables).find("the file is not a topology: it is a dump of forwarding tables"),
              std::string::npos);
    EXPECT_NE(error_with(tables, topology).find("the file is not a topology: it is a dump of forwarding tables"),
              std::string::npos);
    EXPECT_NE(error_with(topology, topology).find("here are no forwarding tables: it is ibnetdiscover output"),
              std::string::npos);
    EXPECT_NE(error_with("-", "-").find("both standard input"), std::string::npos);
    TemporaryFolder const folder;
    EXPECT_NE(error_with(folder.write("a.dot", "digraph { \"H1\" -> \"S1\"; \"S1\" -> \"H1\"; }"), tables)
                  .find("an ORCS dot graph has no tables beside it"),
              std::string::npos);
}

TEST(ReadFabric, FilesThatAreNothingKnownAreErrors) {
    TemporaryFolder const folder;
    std::string const topology = fixture("minhop/ibnetdiscover.out.xz");
    EXPECT_NE(error_with(folder.write("empty", "")).find("the file is empty"), std::string::npos);
    EXPECT_NE(error_with(topology, folder.write("empty", "")).find("the file is empty"), std::string::npos);
    EXPECT_NE(
        error_with(folder.write("text", "\n\nhello \x1b[31m world\n")).find("it begins with \"hello \\x1b[31m world\""),
        std::string::npos);
    EXPECT_NE(error_with(folder.write("binary", std::string("\x7f"
                                                            "ELF\0\0\0\0",
                                                            8)))
                  .find("this is a binary file"),
              std::string::npos);
    EXPECT_NE(error_with(folder / "none").find("cannot be opened"), std::string::npos);
    EXPECT_NE(error_with(folder.path()).find("the folder has no topology"), std::string::npos);
}

TEST(ReadFabric, WhatOtherToolsPrintIsNotMistaken) {
    EXPECT_NE(error_with(fixture("minhop/ibnetdiscover.out.xz"), fixture("minhop/dump_mfts.out.xz"))
                  .find("has no unicast forwarding table"),
              std::string::npos);
    TemporaryFolder const folder;
    EXPECT_NE(error_with(folder.write("p",
                                      "CA    68  1 0x0002c903001000f1 4x QDR - SW    10  4 0x0002c90200400028 ( "
                                      "'node0016 HCA-1' - 'leaf' )\n"))
                  .find("is unknown"),
              std::string::npos);
}

}  // namespace
}  // namespace tailback::read_fabric_test
