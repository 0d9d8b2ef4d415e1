// Writers: the exact text of small networks, made-up names that agree between formats, and what InfiniBand cannot hold.
#include "host/formats/formats.hpp"
#include "host/formats/write/identity.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <sstream>

namespace tailback::write_formats_test {
namespace {

std::string ibnetdiscover_of(Network const& network) {
    std::ostringstream out;
    write_ibnetdiscover(out, network);
    return out.str();
}

std::string lft_dump_of(Fabric const& fabric) {
    std::ostringstream out;
    write_lft_dump(out, fabric);
    return out.str();
}

std::string graphml_of(Network const& network, std::vector<std::uint64_t> const& load) {
    std::ostringstream out;
    write_graphml(out, network, load);
    return out.str();
}

/// One switch, a two-port adapter with LMC 1, a router; a rate stated on one cable only.
Network one_switch() {
    NetworkBuilder builder;
    Node const s = builder.add_node({.name = "MF0;a \"b\" (c)\tx",
                                     .guid = 0xabc0,
                                     .port_guid = 0xabc1,
                                     .system_guid = 0xabc2,
                                     .vendor = 0x2c9,
                                     .device = 0xbd36,
                                     .ports = 36,
                                     .lid = 9,
                                     .enhanced_port0 = true});
    Node const h = builder.add_node({.kind = NodeKind::adapter, .name = "node1 & <x>", .guid = 0x10, .ports = 2});
    Node const r = builder.add_node({.kind = NodeKind::router, .name = "rt", .guid = 0x20, .ports = 1});
    builder.add_host({.node = h, .port = 1, .port_guid = 0x11, .lid = 4, .lmc = 1});
    builder.add_host({.node = h, .port = 2, .lid = 6, .lmc = 1});
    builder.add_host({.node = r, .port = 1, .port_guid = 0x21, .lid = 8});
    auto cable = [&](Node x, Port px, Node y, Port py, LinkRate rate) {
        builder.add_link({.from = x, .from_port = px, .to = y, .to_port = py, .rate = rate});
        builder.add_link({.from = y, .from_port = py, .to = x, .to_port = px, .rate = rate});
    };
    cable(s, 1, h, 1, {4, Speed::hdr});
    cable(s, 7, h, 2, {});
    cable(s, 3, r, 1, {});
    Disagreements disagreements(true);
    return builder.finish(disagreements, "test");
}

TEST(WriteIbnetdiscover, ExactText) {
    EXPECT_EQ(ibnetdiscover_of(one_switch()), R"(#
# Topology file: written by tailback
#

vendid=0x2c9
devid=0xbd36
sysimgguid=0xabc2
switchguid=0xabc0(abc1)
Switch	36 "S-000000000000abc0"		# "MF0;a "b" (c)\x09x" enhanced port 0 lid 9 lmc 0
[1]	"H-0000000000000010"[1](11) 		# "node1 & <x>" lid 4 4xHDR
[3]	"R-0000000000000020"[1](21) 		# "rt" lid 8
[7]	"H-0000000000000010"[2](12) 		# "node1 & <x>" lid 6

vendid=0x0
devid=0x0
caguid=0x10
Ca	2 "H-0000000000000010"		# "node1 & <x>"
[1](11) 	"S-000000000000abc0"[1]		# lid 4 lmc 1 "MF0;a "b" (c)\x09x" lid 9 4xHDR
[2](12) 	"S-000000000000abc0"[7]		# lid 6 lmc 1 "MF0;a "b" (c)\x09x" lid 9

vendid=0x0
devid=0x0
rtguid=0x20
Rt	1 "R-0000000000000020"		# "rt"
[1](21) 	"S-000000000000abc0"[3]		# lid 8 lmc 0 "MF0;a "b" (c)\x09x" lid 9
)");
}

TEST(WriteLftDump, ExactText) {
    Fabric fabric{one_switch(), {}, true};
    fabric.tables = ForwardingTables(fabric.network);
    Node const s{0};
    fabric.tables.add_table(s);
    fabric.tables.set(s, 4, 1);
    fabric.tables.set(s, 5, 36);
    fabric.tables.set(s, 6, 37);  // a port the switch does not have: left out
    fabric.tables.set(s, 8, ForwardingTables::no_entry);
    fabric.tables.set(s, 9, 0);
    fabric.tables.set(s, 10, 3);  // a LID nobody owns
    EXPECT_EQ(lft_dump_of(fabric),
              R"(Unicast lids [0-10] of switch Lid 9 guid 0x000000000000abc0 ('MF0;a "b" (c)\x09x'):
0x0004 001 # Channel Adapter portguid 0x0000000000000011: 'node1 & <x>'
0x0005 036 # Channel Adapter portguid 0x0000000000000011: 'node1 & <x>'
0x0009 000 # Switch portguid 0x000000000000abc1: 'MF0;a "b" (c)\x09x'
0x000a 003 # unknown node and type
10 lids dumped
)");
}

/// A table's text is its own, whatever other tables have entries for: a line is its LID, its port and what the LID
/// belongs to.
TEST(WriteLftDump, TablesWithEntriesForOtherLidsThanOthers) {
    Fabric fabric = make_xgft({{2, 2, 2}, {1, 2, 2}});
    std::string const whole = lft_dump_of(fabric);
    std::vector<Node> switches;
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
        if (fabric.network.is_switch(Node{n})) switches.push_back(Node{n});
    ASSERT_GE(switches.size(), 4u);
    fabric.tables.set(switches[1], 2, ForwardingTables::no_entry);
    fabric.tables.set(switches[2], 3, ForwardingTables::no_entry);  // as many as the one before, but others
    std::string wanted;
    std::size_t number = 0;
    std::istringstream again(whole);
    for (std::string line; std::getline(again, line);) {
        number += line.starts_with("Unicast");
        if ((number == 2 && line.starts_with("0x0002")) || (number == 3 && line.starts_with("0x0003"))) continue;
        wanted += line + "\n";
    }
    EXPECT_EQ(lft_dump_of(fabric), wanted);
    EXPECT_NE(wanted, whole);
}

TEST(WriteFormats, MadeUpNamesAgreeAndAreUnique) {
    Fabric const fabric = make_xgft({{2, 2}, {1, 2}});
    std::string const topology = ibnetdiscover_of(fabric.network);
    std::string const tables = lft_dump_of(fabric);
    FabricIdentity const identity(fabric.network);
    std::set<std::uint64_t> guids;
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n) {
        std::uint64_t const guid = identity.guid[Node{n}];
        EXPECT_EQ(guid >> 56, 0x02u);  // locally administered
        EXPECT_TRUE(guids.insert(guid).second);
        if (fabric.network[Node{n}].kind != NodeKind::adapter) continue;
        EXPECT_TRUE(guids.insert(identity.port_guid(fabric.network, Node{n}, 1)).second);
    }
    EXPECT_NE(topology.find("Switch\t4 \"S-0254420000000500\"\t\t# \"S1_0\" base port 0 lid 5 lmc 0\n"),
              std::string::npos);
    EXPECT_NE(topology.find("[1](254420000000301) \t\"S-0254420000000600\"[1]\t\t# lid 3 lmc 0 \"S1_1\" lid 6 4xSDR\n"),
              std::string::npos);
    EXPECT_NE(tables.find("of switch Lid 5 guid 0x0254420000000500 ('S1_0'):\n0x0001 001 # Channel Adapter portguid "
                          "0x0254420000000101: 'H1'\n"),
              std::string::npos);
}

TEST(WriteFormats, MadeUpGuidsStepAsideForRealOnes) {
    NetworkBuilder builder;
    builder.add_node({.name = "nameless"});
    Node const h = builder.add_node({.kind = NodeKind::adapter, .name = "h", .guid = 0x0254420000000100});
    builder.add_host({.node = h});
    builder.add_node({.name = "nameless too"});
    Disagreements disagreements;
    Network const network = builder.finish(disagreements, "test");
    FabricIdentity const identity(network);
    EXPECT_EQ(identity.guid[Node{0}], 0x0254420000000200u);
    EXPECT_EQ(identity.guid[Node{1}], 0x0254420000000100u);
    EXPECT_EQ(identity.guid[Node{2}], 0x0254420000000400u);
    EXPECT_EQ(identity.host_lid[Host{0}], 1u);  // no LIDs at all: made up
    EXPECT_EQ(identity.switch_lid[Node{0}], 2u);
    EXPECT_EQ(identity.switch_lid[Node{2}], 3u);
}

TEST(WriteFormats, MadeUpLidsAreAlignedToTheLmc) {
    NetworkBuilder builder;
    Node const h = builder.add_node({.kind = NodeKind::adapter, .name = "h", .guid = 1});
    builder.add_host({.node = h, .port = 1});
    builder.add_host({.node = h, .port = 2, .lmc = 2});
    builder.add_host({.node = h, .port = 3, .lmc = 1});
    builder.add_node({.name = "s", .guid = 2});
    Disagreements disagreements;
    Network const network = builder.finish(disagreements, "test");
    FabricIdentity const identity(network);
    EXPECT_EQ(identity.host_lid[Host{0}], 1u);
    EXPECT_EQ(identity.host_lid[Host{1}], 4u);
    EXPECT_EQ(identity.host_lid[Host{2}], 8u);
    EXPECT_EQ(identity.switch_lid[Node{1}], 10u);
}

/// Ports without a LID (an adapter that was not configured tells 65535 or 0): a network and tables that are computed
/// for it are written apart and read back to the numbers that the network itself has with that routing, in every form.
TEST(WriteFormats, PortsWithoutLidsAreWrittenAsTheyAreRouted) {
    TemporaryFolder const folder;
    auto const run = [](Words const& words) {
        Finished const finished = run_tailback(words);
        EXPECT_EQ(finished.code, 0) << finished.err;
        return finished;
    };
    auto const numbers = [&](Words const& network) {
        auto json = nlohmann::json::parse(
            run(joined(joined({"evaluate"}, network), {"--mappings", "20", "--format", "json"})).out);
        return std::pair(json.at("metrics").dump(), json.at("pairs").dump());
    };
    std::string const whole = run({"convert", "--network", "xgft:m=4x4,w=1x2", "--to", "ibnetdiscover"}).out;
    for (auto const& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {" lid 3 ", " lid 65535 "}, {" lid 7 ", " lid 0 "}, {" lid 1 ", " lid 65535 "}}) {
        SCOPED_TRACE(to);
        std::string const text = replaced(whole, from, to);
        ASSERT_NE(text, whole);
        std::string const network = folder.write("net.txt", text);
        std::string const again = folder / "again.txt", tables = folder / "lfts";
        Finished const written = run({"convert", "--network", network, "--to", "ibnetdiscover", "-o", again});
        EXPECT_NE(written.err.find("1 port without a LID gets one: from "), std::string::npos) << written.err;
        run({"convert", "--network", network, "--routing", "updn", "--to", "lft-dump", "-o", tables});
        auto const want = numbers({"--network", network, "--routing", "updn"});
        EXPECT_EQ(numbers({"--network", again, "--tables", tables}), want);
        EXPECT_EQ(numbers({"--network", again, "--routing", "updn"}), want);
        run({"convert", "--network", network, "--routing", "updn", "--to", "ibdiagnet2", "-o", folder / "dir"});
        EXPECT_EQ(numbers({"--network", folder / "dir"}), want);
        // Files may have the hosts in another order, and ORCS's has no rates: of all pairs both are the same.
        auto const of_all = [&](Words const& named) {
            auto json = nlohmann::json::parse(
                run(joined(joined({"evaluate"}, named),
                           {"--pattern", "all-to-all", "--mappings", "1", "--metric", "hist_max_cong,sum_max_cong",
                            "--capacities", "unit", "--format", "json"}))
                    .out);
            return std::pair(json.at("metrics").dump(), json.at("pairs").dump());
        };
        auto const all = of_all({"--network", network, "--routing", "updn"});
        auto const written_as = [&](std::string const& form) {
            run({"convert", "--network", network, "--routing", "updn", "--to", form, "-o", folder / form});
            return folder / form;
        };
        EXPECT_EQ(of_all({"--network", written_as("orcs-dot")}), all);
        EXPECT_EQ(of_all({"--network", written_as("graphml"), "--tables", tables}), all);
        for (char const* const form : {"lst", "net-dump", "db-csv"})
            EXPECT_EQ(of_all({"--network", written_as(form), "--tables", written_as("fdbs")}), all) << form;
    }
}

TEST(WriteIbnetdiscover, OneWayLinksBecomeCablesOnFreePorts) {
    NetworkBuilder builder(true);
    Node const h = builder.add_node({.kind = NodeKind::adapter, .name = "H1"});
    Node const s = builder.add_node({.name = "S1"});
    builder.add_host({.node = h, .lid = 1});
    builder.add_link({.from = h, .from_port = 1, .to = s, .to_port = 1});
    builder.add_link({.from = s, .from_port = 1, .to = h, .to_port = 1});
    builder.add_link({.from = s, .from_port = 2, .to = h});
    builder.add_link({.from = h, .from_port = 2, .to = s});
    Disagreements disagreements;
    EXPECT_EQ(ibnetdiscover_of(builder.finish(disagreements, "test")), R"(#
# Topology file: written by tailback
#

vendid=0x0
devid=0x0
caguid=0x254420000000100
Ca	3 "H-0254420000000100"		# "H1"
[1](254420000000101) 	"S-0254420000000200"[1]		# lid 1 lmc 0 "S1" lid 0 4xSDR
[2](254420000000102) 	"S-0254420000000200"[3]		# lid 0 lmc 0 "S1" lid 0 4xSDR
[3](254420000000103) 	"S-0254420000000200"[2]		# lid 0 lmc 0 "S1" lid 0 4xSDR

vendid=0x0
devid=0x0
switchguid=0x254420000000200(254420000000200)
Switch	3 "S-0254420000000200"		# "S1" base port 0 lid 0 lmc 0
[1]	"H-0254420000000100"[1](254420000000101) 		# "H1" lid 1 4xSDR
[2]	"H-0254420000000100"[3](254420000000103) 		# "H1" lid 0 4xSDR
[3]	"H-0254420000000100"[2](254420000000102) 		# "H1" lid 0 4xSDR
)");
}

TEST(WriteFormats, RefusesWhatInfinibandCannotHold) {
    Fabric const many = make_xgft({{16, 16, 200}, {1, 1, 1}});  // 51,200 hosts
    EXPECT_THROW(ibnetdiscover_of(many.network), InputError);
    EXPECT_THROW(lft_dump_of(many), InputError);
    Fabric const wide = make_xgft({{255}, {1}});
    EXPECT_THROW(ibnetdiscover_of(wide.network), InputError);
    EXPECT_THROW(lft_dump_of(wide), InputError);
    Fabric const fits = make_xgft({{254}, {1}});
    EXPECT_NO_THROW(ibnetdiscover_of(fits.network));
    EXPECT_NO_THROW(lft_dump_of(fits));
}

TEST(WriteLftDump, RefusesHostsThatChoose) {
    NetworkBuilder builder(true);
    Node const h = builder.add_node({.kind = NodeKind::adapter, .name = "H1"});
    Node const s = builder.add_node({.name = "S1"});
    builder.add_host({.node = h, .lid = 1});
    builder.add_link({.from = h, .from_port = 1, .to = s});
    builder.add_link({.from = h, .from_port = 2, .to = s});
    Disagreements disagreements;
    Fabric fabric{builder.finish(disagreements, "test"), {}, true};
    fabric.tables = ForwardingTables(fabric.network, 2);
    fabric.tables.add_table(h);
    EXPECT_THROW(lft_dump_of(fabric), InputError);
}

TEST(WriteGraphml, EscapesAndCarriesLoads) {
    Network const network = one_switch();
    std::string const text = graphml_of(network, {10, 20, 30, 40, 50, 60});
    EXPECT_NE(
        text.find("<node id=\"n1\"><data key=\"kind\">host</data><data key=\"name\">node1 &amp; &lt;x&gt;</data><data "
                  "key=\"guid\">0x0000000000000010</data><data key=\"lid\">4</data></node>"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("<edge id=\"e0\" source=\"n0\" target=\"n1\"><data key=\"from_port\">1</data><data "
                        "key=\"to_port\">1</data><data "
                        "key=\"rate\">4xHDR</data><data key=\"load\">10</data></edge>"),
              std::string::npos)
        << text;
    EXPECT_EQ(graphml_of(network, {}).find("load"), std::string::npos);
}

TEST(WriteGraphml, WhatXmlCannotHoldIsSpelledOut) {
    auto const written = [](std::string const& name) {
        NetworkBuilder builder(true);
        Node const h = builder.add_node({.kind = NodeKind::adapter, .name = name});
        builder.add_host({.node = h});
        Disagreements disagreements;
        std::string const text = graphml_of(builder.finish(disagreements, "test"), {});
        std::size_t const begin = text.find("<data key=\"name\">") + 17;
        return text.substr(begin, text.find("</data>", begin) - begin);
    };
    EXPECT_EQ(written("Z\xC3\xBCrich \xE2\x82\xAC \xF0\x9F\x9A\x97"), "Z\xC3\xBCrich \xE2\x82\xAC \xF0\x9F\x9A\x97");
    EXPECT_EQ(written("Z\xFCrich"), R"(Z\xfcrich)");  // Latin-1
    EXPECT_EQ(written("a\x01z\x1F"), R"(a\x01z\x1f)");
    EXPECT_EQ(written("\xC0\xAF"), R"(\xc0\xaf)");  // overlong
    EXPECT_EQ(written("\xE2\x82"), R"(\xe2\x82)");  // cut off
    EXPECT_EQ(written("a\rb\xEF\xBF\xBF"), R"(a\x0db\u{ffff})");
}

}  // namespace
}  // namespace tailback::write_formats_test
