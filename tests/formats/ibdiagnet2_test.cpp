// Folders of ibdiagnet2: four descriptions of one run give one network, db_csv alone gives it, too, and each damage is
// told at its place and changes nothing else.
#include "host/formats/fabric/folder.hpp"
#include "host/formats/ibdiagnet2/descriptions.hpp"
#include "host/model/port_lids.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

namespace tailback::ibdiagnet2_test {
namespace {

std::vector<char const*> const ten_networks = {"xgft:m=4x4,w=1x4",
                                               "xgft:m=6x3,w=1x2",
                                               "xgft:m=2x3x2,w=1x2x3",
                                               "torus:4x4,hosts=2",
                                               "dragonfly:a=4,p=2,h=2",
                                               "hyperx:3x3,hosts=2",
                                               "ring:6",
                                               "star:9",
                                               "jellyfish:switches=12,degree=3,hosts=2",
                                               "hypercube:8"};

/// A switch with two hosts, each at a rate of its own.
Network two_rates(LinkRate first, LinkRate second) {
    NetworkBuilder builder;
    Node const s = builder.add_node({.name = "s", .guid = 0x100, .ports = 4, .lid = 3});
    for (Port port : {Port{1}, Port{2}}) {
        Node const h = builder.add_node({.kind = NodeKind::adapter, .name = "h", .guid = 0x200u * port, .ports = 1});
        builder.add_host({.node = h, .port = 1, .port_guid = 0x200u * port + 1, .lid = Lid(port)});
        LinkRate const rate = port == 1 ? first : second;
        builder.add_link({.from = s, .from_port = port, .to = h, .to_port = 1, .rate = rate});
        builder.add_link({.from = h, .from_port = 1, .to = s, .to_port = port, .rate = rate});
    }
    Disagreements strict(true);
    return builder.finish(strict, "test");
}

/// A network with GUIDs, LIDs, rates and labels, as a fabric has them: through the form of ibnetdiscover.
Fabric made(std::string const& spec) {
    Topology const topology = make_topology(TopologySpec(spec));
    std::ostringstream out;
    write_ibnetdiscover(out, topology.network);
    Disagreements strict(true);
    Network const plain = read_topology(out.str(), strict);
    NetworkBuilder builder;
    std::size_t number = 0;
    for (NodeRecord node : plain.nodes()) {
        if (node.kind != NodeKind::switch_node && number++ % 5 == 3) node.name = "rack 4, \"top\" # " + node.name;
        builder.add_node(node);
    }
    for (HostRecord const& host : plain.hosts()) builder.add_host(host);
    for (LinkRecord link : plain.links()) {
        bool const between =
            plain[link.from].kind == NodeKind::switch_node && plain[link.to].kind == NodeKind::switch_node;
        link.rate = between ? LinkRate{4, Speed::ndr} : LinkRate{2, Speed::hdr};
        link.reverse = Link{};
        if (plain[link.from].kind == NodeKind::switch_node)
            builder.set_port_label(link.from, link.from_port, "1/" + std::to_string(link.from_port) + "/1");
        builder.add_link(link);
    }
    Fabric fabric;
    fabric.network = builder.finish(strict, spec);
    Topology with;
    with.network = fabric.network;
    fabric.tables = make_routes(with, RoutingSpec("minhop", 1)).tables;
    fabric.routed = true;
    return fabric;
}

/// A network as what it says, whatever the order of its nodes.
using Description = std::map<std::string, std::string>;
Description described(Network const& net, bool with_labels = true) {
    Description all;
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        all[net.describe(Node{n})] =
            "ports " + std::to_string(net[Node{n}].ports) + " LID " + std::to_string(net[Node{n}].lid);
    for (HostRecord const& host : net.hosts())
        all[net.describe(host.node) + " host " + std::to_string(host.port)] = "LID " + std::to_string(host.lid) +
                                                                              " LMC " + std::to_string(host.lmc) +
                                                                              " GUID " + std::to_string(host.port_guid);
    for (LinkRecord const& link : net.links())
        all[net.describe(link.from) + " link " + std::to_string(link.from_port)] =
            net.describe(link.to) + " port " + std::to_string(link.to_port) + " " + link.rate.text() +
            (with_labels ? " " + net.port_label(link.from, link.from_port) : "");
    return all;
}

template <class Write, class Thing>
std::string text_of(Write write, Thing const& thing) {
    std::ostringstream out;
    write(out, thing);
    return out.str();
}

Network read_csv(std::string const& text, Disagreements& disagreements) {
    LineReader lines = lines_of_text(text, "csv");
    return read_db_csv(lines, disagreements);
}

std::string write_folder(Fabric const& fabric, TemporaryFolder const& folder) {
    auto const write = [&](char const* name, std::string const& text) { std::ofstream(folder / name) << text; };
    write("ibdiagnet2.db_csv", text_of(write_db_csv, fabric.network));
    write("ibdiagnet2.lst", text_of(write_subnet_list, fabric.network));
    write("ibdiagnet2.net_dump", text_of(write_net_dump, fabric.network));
    write("ibdiagnet2.ibnetdiscover", text_of(write_ibnetdiscover, fabric.network));
    write("ibdiagnet2.fdbs", text_of(write_fdbs, fabric));
    write("ibdiagnet2.log", "-I- nothing of interest\n");
    return folder.path();
}

TEST(Ibdiagnet2, DbCsvAloneIsTheNetwork) {
    for (char const* spec : ten_networks) {
        Fabric const fabric = made(spec);
        Disagreements strict(true);
        EXPECT_EQ(described(read_csv(text_of(write_db_csv, fabric.network), strict)), described(fabric.network))
            << spec;
    }
}

TEST(Ibdiagnet2, FourDescriptionsOfOneRunGiveOneNetwork) {
    for (char const* spec : ten_networks) {
        Fabric const fabric = made(spec);
        TemporaryFolder const folder;
        Disagreements strict(true);
        Fabric const read = read_fabric(write_folder(fabric, folder), std::nullopt, strict);
        EXPECT_EQ(described(read.network), described(fabric.network)) << spec;
        ASSERT_TRUE(read.routed);
        for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n) {
            Node const node = read.network.node_by_guid(fabric.network[Node{n}].guid);
            if (!fabric.tables.has_table(Node{n})) continue;
            for (Lid lid = 1; lid <= fabric.network.max_lid(); ++lid)
                ASSERT_EQ(read.tables.port(node, lid), fabric.tables.port(Node{n}, lid)) << spec;
        }
        // Each alone, as far as it goes.
        for (auto const& [name, text] :
             {std::pair<char const*, std::string>{"lst", text_of(write_subnet_list, fabric.network)},
              {"net_dump", text_of(write_net_dump, fabric.network)}}) {
            LineReader lines = lines_of_text(text, name);
            Network const other =
                std::string(name) == "lst" ? read_subnet_list(lines, strict) : read_net_dump(lines, strict);
            EXPECT_EQ(other.links().size(), fabric.network.links().size()) << spec << " " << name;
            Disagreements differing(true);
            std::vector<formats::Description> both(2);
            both[0] = {"used", fabric.network, Disagreements()};
            both[1] = {name, other, Disagreements()};
            compare_descriptions(both, 0, differing);
        }
    }
}

/// One description damaged: a finding for each difference, at its place, with the file's name.
TEST(Ibdiagnet2, DescriptionsThatDiffer) {
    Fabric const fabric = made("xgft:m=4x4,w=1x4");
    struct Case {
        char const* file;
        char const* from;
        char const* to;
        char const* told;
    };
    for (Case const& c : {Case{"ibdiagnet2.net_dump", "LID 17\n", "LID 57\n",
                               "it has LID 57 in this line, and LID 17 in 4 others, which count"},
                          Case{"ibdiagnet2.net_dump", ": 4x : 100 :", ": 1x : 100 :",
                               "its rate is 1xNDR by ibdiagnet2.net_dump, 4xNDR by ibdiagnet2.db_csv"},
                          Case{"ibdiagnet2.lst", "PHY=4x LOG=ACT SPD=100", "PHY=4x LOG=ACT SPD=50",
                               "its rate is 4xHDR by ibdiagnet2.lst, 4xNDR by ibdiagnet2.db_csv"},
                          Case{"ibdiagnet2.fdbs", "0x0001 : 001", "0x0001 : 002", ""}}) {
        TemporaryFolder const folder;
        std::string const path = write_folder(fabric, folder);
        std::stringstream whole;
        whole << std::ifstream(folder / c.file).rdbuf();
        std::string text = whole.str();
        std::size_t const at = text.find(c.from);
        ASSERT_NE(at, std::string::npos) << c.file << " " << c.from;
        text.replace(at, std::string(c.from).size(), c.to);
        std::ofstream(folder / c.file) << text;
        Disagreements disagreements(false, 99);
        Fabric const read = read_fabric(path, std::nullopt, disagreements);
        EXPECT_EQ(described(read.network), described(fabric.network));
        if (*c.told == 0) {
            EXPECT_FALSE(disagreements.any());  // tables are read once here: nothing to hold them against
            continue;
        }
        ASSERT_GE(disagreements.noted().size(), 1u) << c.file;
        EXPECT_NE(disagreements.noted()[0].text.find(c.told), std::string::npos) << disagreements.noted()[0].text;
        for (NotedDisagreement const& noted : disagreements.noted())
            EXPECT_TRUE(noted.kind() == Disagreement::unlike_file || noted.kind() == Disagreement::told_twice);
        EXPECT_LE(disagreements.noted().size(), 2u);  // both directions of a cable
    }
}

/// A file of a run that cannot be read is told, and not taken for none.
TEST(Ibdiagnet2, UnreadableDescriptions) {
    Fabric const fabric = made("xgft:m=4x4,w=1x4");
    for (auto const& [file, text] : {std::pair<char const*, std::string>{"ibdiagnet2.db_csv", ""},
                                     {"ibdiagnet2.db_csv", std::string("\0", 1)},
                                     {"ibdiagnet2.lst", "nothing of the kind\n"}}) {
        TemporaryFolder const folder;
        std::string const path = write_folder(fabric, folder);
        std::ofstream(folder / file) << text;
        Disagreements disagreements(false, 99);
        Fabric const read = read_fabric(path, std::nullopt, disagreements);
        EXPECT_EQ(read.network.links().size(), fabric.network.links().size());
        ASSERT_EQ(disagreements.noted().size(), 1u) << file;
        EXPECT_NE(disagreements.noted()[0].text.find("it cannot be read"), std::string::npos);
    }
    for (std::string const& text : {std::string(), std::string("\0", 1)}) {  // the only tables: there are none left
        TemporaryFolder const folder;
        std::string const path = write_folder(fabric, folder);
        std::ofstream(folder / "ibdiagnet2.fdbs") << text;
        Disagreements disagreements(false, 99);
        Fabric const read = read_fabric(path, std::nullopt, disagreements);
        EXPECT_TRUE(read.routed);
        EXPECT_EQ(read.tables.tables(), 0u);
        ASSERT_EQ(disagreements.noted().size(), 1u);
        EXPECT_EQ(disagreements.noted()[0].where.text, "ibdiagnet2.fdbs");
        EXPECT_EQ(disagreements.noted()[0].where.nodes.size(), fabric.network.switches());
    }
    TemporaryFolder const empty;  // no topology: nothing to audit
    std::ofstream(empty / "ibdiagnet2.fdbs") << text_of(write_fdbs, fabric);
    Disagreements ignored;
    EXPECT_NE(error_of([&] { read_fabric(empty.path(), std::nullopt, ignored); }).find("the folder has no topology"),
              std::string::npos);
}

/// The only tables, cut off at every byte of a stretch in which one table ends and the next begins: entries that are
/// whole in front of the cut are read and no others, and one note says where the end is and whose tables are missing.
TEST(Ibdiagnet2, TablesCutOffAtEveryByte) {
    Fabric const fabric = made("xgft:m=4x4,w=1x4");
    TemporaryFolder const folder;
    std::string const path = write_folder(fabric, folder), all = text_of(write_fdbs, fabric);
    std::size_t const third = all.find("Switch 0x", all.find("Switch 0x", all.find("Switch 0x") + 1) + 1);
    for (std::size_t cut = third - 200; cut < third + 300; ++cut) {
        SCOPED_TRACE(all.substr(cut - 30, 30));
        std::ofstream(folder / "ibdiagnet2.fdbs") << all.substr(0, cut);
        Disagreements disagreements(false, 99);
        Fabric const read = read_fabric(path, std::nullopt, disagreements);
        ASSERT_TRUE(read.routed);
        for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n) {
            Node const here = read.network.node_by_guid(fabric.network[Node{n}].guid);
            for (Lid lid = 1; read.tables.has_table(here) && lid <= fabric.network.max_lid(); ++lid) {
                Port const port = read.tables.port(here, lid);
                if (port != ForwardingTables::no_entry) {
                    ASSERT_EQ(port, fabric.tables.port(Node{n}, lid)) << lid;
                }
            }
        }
        std::uint64_t ends = 0;
        for (NotedDisagreement const& noted : disagreements.noted()) {
            if (noted.kind() != Disagreement::incomplete_table) continue;
            ++ends;
            EXPECT_EQ(noted.where.nodes.size() + read.tables.tables(),
                      fabric.network.switches() + (noted.where.node.exists() ? 1 : 0));
        }
        bool const between_tables =
            disagreements.noted().empty() ||
            disagreements.times(Disagreement::switch_without_table) == disagreements.noted().size();
        EXPECT_EQ(ends, between_tables ? 0u : 1u);
        EXPECT_EQ(disagreements.times(Disagreement::unparsed_line), 0u);
    }
}

/// A LID that the best description does not tell is that of the others. What is another port's is not taken.
TEST(Ibdiagnet2, MissingLidsComeFromOtherDescriptions) {
    Fabric const fabric = made("xgft:m=4x4,w=1x4");
    std::vector<formats::Description> all(3);
    for (std::size_t i = 0; i < 3; ++i) all[i].file = "file" + std::to_string(i), all[i].network = fabric.network;
    HostRecord const first = fabric.network[Host{0}], second = fabric.network[Host{1}], third = fabric.network[Host{2}];
    auto const with = [&](std::vector<PortLid> const& lids) { return with_lids(fabric.network, lids); };
    Node leaf{};
    for (std::size_t n = 0; n < fabric.network.nodes().size() && !leaf.exists(); ++n)
        if (fabric.network[Node{n}].kind == NodeKind::switch_node) leaf = Node{n};
    all[0].network = with({{first.node, first.port, 0, 0},
                           {second.node, second.port, 0, 0},
                           {third.node, third.port, 0, 0},
                           {leaf, 0, 0, 0}});
    all[1].network = with({{second.node, second.port, fabric.network[Host{3}].lid, 0}, {third.node, third.port, 0, 0}});
    all[0].told = Disagreements(false, 99);
    all[0].told.note(Code::odd_lid, {}, "its LID is 65335", 1, fabric.network.place_of(third.node, third.port));
    formats::fill_lids(all, 0);
    Network const& filled = all[0].network;
    EXPECT_EQ(filled[Host{0}].lid, first.lid);
    EXPECT_EQ(filled[Host{1}].lid, 0u);  // file1 says what is another host's
    EXPECT_EQ(filled[Host{2}].lid, third.lid);
    EXPECT_EQ(filled[leaf].lid, fabric.network[leaf].lid);
    EXPECT_EQ(filled.owner(first.lid).host, Host{0});
    ASSERT_EQ(all[0].told.noted().size(), 4u);
    std::string texts;
    for (NotedDisagreement const& noted : all[0].told.noted()) texts += noted.where.text + ": " + noted.text + "\n";
    EXPECT_NE(texts.find("it has no LID by file0; LID " + std::to_string(first.lid) + " of file1 and file2 is taken"),
              std::string::npos)
        << texts;
    EXPECT_NE(texts.find("its LID is 65335; LID " + std::to_string(third.lid) + " of file2 is taken"),
              std::string::npos)
        << texts;
    EXPECT_NE(texts.find("'s and not taken"), std::string::npos) << texts;
}

/// The text of a sound db_csv, and what reading it damaged tells.
struct Csv {
    std::string text = text_of(write_db_csv, made("xgft:m=4x4,w=1x4").network);

    void replace(std::string const& from, std::string const& to, std::size_t after = 0) {
        std::size_t const at = text.find(from, after);
        ASSERT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
    }
    /// A section's rows from its heading on.
    std::size_t section(std::string const& name) const { return text.find("START_" + name); }
};

Disagreements told_of(Csv const& csv) {
    Disagreements disagreements(false, 999);
    read_csv(csv.text, disagreements);
    return disagreements;
}

TEST(DbCsv, WrongIndex) {
    Csv rows, size, missing;
    std::size_t const index = rows.section("INDEX_TABLE");
    std::size_t const line = rows.text.find("\nPORTS, ", index) + 1;
    std::string const told = rows.text.substr(line, rows.text.find('\n', line) - line);
    rows.replace(told, told.substr(0, told.rfind(' ')) + " 7");
    Disagreements const found = told_of(rows);
    ASSERT_EQ(found.noted().size(), 1u);
    EXPECT_EQ(found.noted()[0].kind(), Disagreement::damaged_file);
    EXPECT_EQ(found.noted()[0].where.text, "section PORTS");
    EXPECT_NE(found.noted()[0].text.find(", 7 by the index"), std::string::npos) << found.noted()[0].text;
    missing.replace(told + "\n", told + "\nROUTERS, 1, 2, 3, 4\n");
    EXPECT_NE(told_of(missing).warnings().front().find("the index names section ROUTERS, and there is none"),
              std::string::npos);
}

/// A row lost from each section: the index tells, and what else follows is told of the port that lost it.
TEST(DbCsv, RowsLost) {
    for (char const* name : {"NODES", "PORTS", "LINKS", "PORT_HIERARCHY_INFO"}) {
        Csv csv;
        std::size_t const heading = csv.text.find('\n', csv.section(name)) + 1;
        std::size_t const row = csv.text.find('\n', heading) + 1;
        csv.text.erase(row, csv.text.find('\n', row) + 1 - row);
        Disagreements const found = told_of(csv);
        EXPECT_LE(found.times(Disagreement::damaged_file), 2u) << name;  // the section, and the port without a row
        bool told = false;
        for (NotedDisagreement const& noted : found.noted())  // NODES' own rows: the node is named, once
            told |= noted.where.text == std::string("section ") + name ||
                    (std::string(name) == "NODES" && noted.text.find("is not in NODES") != std::string::npos);
        EXPECT_TRUE(told) << name;
    }
}

/// Cut anywhere behind the cables: told, and the network is the same; before them it is no network.
TEST(DbCsv, TruncatedSections) {
    Csv const sound;
    std::size_t const labels = sound.section("PORT_HIERARCHY_INFO"), links = sound.section("LINKS");
    for (std::size_t cut : {labels + 40, labels + 300}) {
        Csv csv = sound;
        csv.text.resize(csv.text.find('\n', cut) + 1);
        Disagreements const found = told_of(csv);
        ASSERT_EQ(found.times(Disagreement::damaged_file), 1u);
        EXPECT_NE(found.warnings().front().find("section PORT_HIERARCHY_INFO has no end"), std::string::npos);
    }
    Csv csv = sound;
    csv.text.resize(links);
    Disagreements ignored;
    EXPECT_NE(error_of([&] { read_csv(csv.text, ignored); }).find("no section LINKS"), std::string::npos);
    Csv lost = sound;  // the end of a section is missing, the next one begins
    lost.replace("END_PORTS\n", "");
    EXPECT_NE(told_of(lost).warnings().front().find("section PORTS has no end"), std::string::npos);
}

TEST(DbCsv, MissingColumns) {
    Csv lid, needed;
    lid.replace("PortNum,LID,Link", "PortNum,LIDx,Link");
    Disagreements const found = told_of(lid);
    EXPECT_NE(testing::PrintToString(found.warnings()).find("section PORTS has no column LID"), std::string::npos);
    needed.replace("NodeGuid1,", "Guid1,");
    Disagreements ignored;
    EXPECT_NE(error_of([&] { read_csv(needed.text, ignored); }).find("section LINKS has no column NodeGuid1"),
              std::string::npos);
}

TEST(DbCsv, ColumnsInAnotherOrderAndBlanksAroundValues) {
    Fabric const fabric = made("star:9");
    std::string text = text_of(write_db_csv, fabric.network);
    text = text.substr(0, text.find("START_INDEX_TABLE"));
    std::string other;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::string const last = line.substr(line.rfind(',') + 1);
        bool const row = line.find(',') != std::string::npos;
        // The last column comes first; every comma has blanks around it.
        other += (row ? replaced(line[0] == '"' ? line : last + "," + line.substr(0, line.rfind(',')), ",",
                                 line[0] == '"' ? "," : " , ")
                      : line) +
                 "\r\n";
    }
    Disagreements strict(true);
    std::string const heading = "NodeDesc,NumPorts";
    EXPECT_NE(other.find("LocalPortNum , NodeDesc"), std::string::npos);
    // Rows of NODES keep their order, so its heading does, too.
    other = replaced(other, "LocalPortNum , NodeDesc", "NodeDesc");
    other = replaced(other, " , VendorID\r\n", " , VendorID , LocalPortNum\r\n");
    std::string labels = described(fabric.network).begin()->first;
    EXPECT_EQ(described(read_csv(other, strict), false), described(fabric.network, false));
}

/// opensm-smdb.dump has the same frame, fewer columns and other names; every cable may stand there from both ends.
TEST(DbCsv, OpensmSmdb) {
    std::string const text =
        "START_NODES\n"
        "SystemImageGUID, NodeGUID, NodeType, ExtNodeType, NumPorts, VendorID, DeviceID, NodeDesc\n"
        "0x0000000000000010, 0x0000000000000010, 2, 0, 65, 713, 54000, \"MF0;leaf-1:MQM9700/U1\"\n"
        "0x0000000000000020, 0x0000000000000020, 1, 0, 1, 713, 4129, \"node-1 mlx5_0, left\"\n"
        "0x0000000000000030, 0x0000000000000030, 1, 0, 1, 713, 4129, \"node-2 mlx5_0\"\n"
        "END_NODES\n\n"
        "START_PORTS\n"
        "NodeGUID, PortGUID, PortNum, LID, PortLabel, PortState, LinkWidth, LinkSpeed, Status\n"
        "0x0000000000000010, 0x0000000000000010, 0, 9, N/A, ACT, N/A, N/A, VALID\n"
        "0x0000000000000010, 0x0000000000000010, 1, 0, 1/1/1, ACT, 4X, NDR, VALID\n"
        "0x0000000000000010, 0x0000000000000010, 2, 0, 1/1/2, ACT, 4X, NDR, VALID\n"
        "0x0000000000000020, 0x0000000000000021, 1, 3, N/A, ACT, 4X, NDR, VALID\n"
        "0x0000000000000030, 0x0000000000000031, 1, 4, N/A, ACT, 4X, NDR, VALID\n"
        "END_PORTS\n\n"
        "START_LINKS\n"
        "NodeGUID1, PortNum1, NodeGUID2, PortNum2\n"
        "0x0000000000000010, 1, 0x0000000000000020, 1\n"
        "0x0000000000000020, 1, 0x0000000000000010, 1\n"
        "0x0000000000000010, 2, 0x0000000000000030, 1\n"
        "END_LINKS\n";
    Disagreements told(false, 99);
    LineReader lines = lines_of_text(text, "opensm-smdb.dump");
    EXPECT_EQ(recognise(lines.peek()), Format::db_csv);
    Network const net = read_csv(text, told);
    EXPECT_FALSE(told.any()) << testing::PrintToString(told.warnings());
    Node const leaf = net.node_by_guid(0x10);
    EXPECT_EQ(net[leaf].lid, 9u);
    EXPECT_EQ(net[leaf].ports, 65u);
    EXPECT_EQ(net.links().size(), 4u);
    EXPECT_EQ(net.port_label(leaf, 2), "1/1/2");
    EXPECT_EQ(net[net.link_at(leaf, 1)].rate.text(), "4xNDR");
    ASSERT_EQ(net.hosts().size(), 2u);
    EXPECT_EQ(net[Host{0}].lid, 3u);
    EXPECT_EQ(net[Host{0}].port_guid, 0x21u);
    EXPECT_EQ(net[net[Host{0}].node].name, "node-1 mlx5_0, left");
}

TEST(DbCsv, OddCells) {
    Csv odd, none, cut, unknown, lid;
    std::size_t const ports = odd.section("PORTS");
    std::size_t const row = odd.text.find("\n0x", ports) + 1;
    auto const cell = [&](Csv& csv, unsigned column, std::string const& text) {
        std::size_t at = row;
        for (unsigned i = 0; i < column; ++i) at = csv.text.find(',', at) + 1;
        csv.text.replace(at, csv.text.find_first_of(",\n", at) - at, text);
    };
    cell(none, 3, "N/A");
    for (char const* value : {"12z", "-1", "0x", "4294967296x"}) {
        Csv one;
        cell(one, 3, value);
        Disagreements const found = told_of(one);
        EXPECT_EQ(found.times(Disagreement::odd_cell), 1u) << value;
        EXPECT_NE(testing::PrintToString(found.warnings()).find("LID is"), std::string::npos);
    }
    EXPECT_EQ(told_of(none).times(Disagreement::odd_cell), 0u);
    cell(lid, 3, "65335");
    EXPECT_EQ(told_of(lid).times(Disagreement::odd_lid), 1u);
    cell(unknown, 0, "0x00000000deadbeef");
    EXPECT_EQ(told_of(unknown).times(Disagreement::odd_cell), 1u);
    cut.text.erase(cut.text.find('\n', row) - 6, 6);
    EXPECT_EQ(told_of(cut).times(Disagreement::odd_cell), 1u);
}

/// Sections that Tailback does not read may hold anything: saturated counters, quotes that nobody closed.
TEST(DbCsv, OtherSectionsAreGoneOver) {
    Fabric const fabric = made("star:9");
    std::string text = text_of(write_db_csv, fabric.network);
    std::string const more =
        "START_PM_INFO\nNodeGUID,PortGUID,PortNumber,PortXmitData\n0x1,0x2,1,4294967295\n0x1,0x2,2,N/A\nEND_PM_INFO\n\n"
        "START_LINK_CHECK\nA,B,Text\n1,2,\"a \"quoted\" word, and no end\n3,4,\"START_NODES\nEND_LINK_CHECK\n\n";
    text.insert(text.find("START_LINKS"), more);
    Disagreements strict(true);
    EXPECT_EQ(described(read_csv(text, strict)), described(fabric.network));
}

/// Definition: section PORTS has a rate as two masks: widths 1x, 4x, 8x, 12x, 2x from bit 0 on; base speeds in the
/// first byte, extended ones in the second, those of the vendor (FDR10) in the third, XDR in the fourth, as ibdiagnet2
/// has them. What is written is read back, and a mask that is not known is told.
TEST(Ibdiagnet2, RatesAreMasksOfFourBytes) {
    std::vector<std::pair<Speed, unsigned>> const masks = {
        {Speed::sdr, 1},   {Speed::ddr, 2},    {Speed::qdr, 4},    {Speed::fdr10, 65536}, {Speed::fdr, 256},
        {Speed::edr, 512}, {Speed::hdr, 1024}, {Speed::ndr, 2048}, {Speed::xdr, 16777216}};
    for (auto const& [speed, mask] : masks)
        for (auto const& [width, bit] :
             std::vector<std::pair<std::uint8_t, int>>{{1, 1}, {4, 2}, {8, 4}, {12, 8}, {2, 16}}) {
            Network const network = two_rates({4, Speed::hdr}, {width, speed});
            std::string const text = text_of(write_db_csv, network);
            EXPECT_NE(text.find("," + std::to_string(bit) + "," + std::to_string(mask) + ","), std::string::npos)
                << text;
            Disagreements strict(true);
            EXPECT_EQ(described(read_csv(text, strict)), described(network));
        }
    std::string text = text_of(write_db_csv, two_rates({4, Speed::hdr}, {4, Speed::fdr10}));
    for (std::size_t at = 0; (at = text.find(",65536,", at)) != std::string::npos;) text.replace(at, 7, ",131072,");
    Disagreements disagreements(false, 9);
    read_csv(text, disagreements);
    int told = 0;
    for (NotedDisagreement const& noted : disagreements.noted())
        told += noted.code == diagnosis::Code::speed_unknown && noted.text.find("speed 131072") != std::string::npos;
    EXPECT_EQ(told, 2);
}

/// Definition: section NODES has of a node the GUID of one of the ports that section PORTS has.
TEST(Ibdiagnet2, NodesAreKnownByAPortThatIsThere) {
    NetworkBuilder builder;
    Node const s = builder.add_node({.name = "s", .guid = 0x100, .ports = 4}),
               h = builder.add_node({.kind = NodeKind::adapter, .name = "h", .guid = 0x200, .ports = 2});
    builder.add_host({.node = h, .port = 2, .port_guid = 0x202, .lid = 1});
    builder.add_link({.from = s, .from_port = 1, .to = h, .to_port = 2});
    builder.add_link({.from = h, .from_port = 2, .to = s, .to_port = 1});
    Disagreements strict(true);
    std::string const text = text_of(write_db_csv, builder.finish(strict, "test"));
    std::size_t const node = text.find("\"h\",");
    EXPECT_NE(text.substr(node, text.find('\n', node) - node).find("0x0000000000000202"), std::string::npos) << text;
    read_csv(text, strict);
}

/// Definition: files that lie in the folder are read, and links within it; a link that leads out of it is not followed,
/// whatever its name, and told.
TEST(Ibdiagnet2, LinksOutOfTheFolderAreNotFollowed) {
    namespace fs = std::filesystem;
    Fabric const fabric = made(ten_networks[0]);
    TemporaryFolder const inside, outside;
    std::string const path = write_folder(fabric, inside);
    write_folder(fabric, outside);
    auto const told = [&] {
        Disagreements disagreements(false, 9);
        Fabric const read = read_fabric(path, std::nullopt, disagreements);
        bool any = false;
        for (std::size_t n = 0; n < read.network.nodes().size(); ++n) any |= read.tables.has_table(Node{n});
        std::string text = any ? "" : "without tables; ";
        for (NotedDisagreement const& noted : disagreements.noted()) text += noted.where.text + " " + noted.text + "; ";
        return text;
    };
    EXPECT_EQ(told(), "");
    fs::rename(inside / "ibdiagnet2.fdbs", inside / "tables");
    fs::create_symlink("tables", inside / "ibdiagnet2.fdbs");
    EXPECT_EQ(told(), "");
    fs::remove(inside / "tables");
    fs::remove(inside / "ibdiagnet2.fdbs");
    for (char const* const name : {"ibdiagnet2.fdbs", "tables of today"}) {
        fs::create_symlink(outside / "ibdiagnet2.fdbs", inside / name);
        std::string const text = told();
        EXPECT_TRUE(text.starts_with("without tables")) << text;
        EXPECT_NE(text.find(std::string(name) + " it cannot be read: it is a link that leads out of the folder"),
                  std::string::npos)
            << text;
        fs::remove(inside / name);
    }
    fs::create_symlink(outside / "ibdiagnet2.log", inside / "more.log");  // no description of the fabric
    EXPECT_EQ(told(), "without tables; ");
}

}  // namespace
}  // namespace tailback::ibdiagnet2_test
