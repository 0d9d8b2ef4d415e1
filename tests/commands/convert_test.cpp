// tailback convert: each format from each input, files of one input that fit each other, and nothing left when it
// fails.
#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "tests/support/networks/small_dump.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

namespace tailback::convert_test {
namespace {

std::string const dot = fixture("live/tree16_4ary2.dot");

/// Converts to a file of the folder and returns its path.
std::string convert(TemporaryFolder const& folder, std::string const& name, std::string const& to,
                    std::string const& network, std::string const& tables = "") {
    std::vector<std::string> words{"--network", network, "--to", to, "--output", folder / name};
    if (!tables.empty()) words.insert(words.end(), {"--tables", tables});
    EXPECT_EQ(run_convert(words), success);
    return folder / name;
}

/// The entries alone, `0x0001 005` each, of all tables in a row.
std::string entries_of(std::string const& path) {
    std::istringstream in(read_whole(path));
    std::string entries;
    for (std::string line; std::getline(in, line);)
        if (line.rfind("0x", 0) == 0) entries += line.substr(0, 10) + '\n';
    return entries;
}

/// The text of each table of a dump, whatever their order.
std::set<std::string> tables_of(std::string const& path) {
    std::string const text = read_whole(path);
    std::set<std::string> tables;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const next = std::min(text.find("Unicast", at + 1), text.size());
        tables.insert(text.substr(at, next - at));
        at = next;
    }
    return tables;
}

/// Of every table, behind its name: what it does with a LID of a host.
std::set<std::string> entries_of_hosts(std::string const& path) {
    std::istringstream in(read_whole(path));
    std::set<std::string> entries;
    std::string table;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("Unicast", 0) == 0) table = line;
        if (line.find("Channel Adapter") != line.npos) entries.insert(table + line);
    }
    return entries;
}

std::string problem_of(std::vector<std::string> const& words) {
    try {
        run_convert(words);
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

TEST(Convert, FilesOfOneDotFitEachOther) {
    TemporaryFolder const folder;
    std::string const net = convert(folder, "a.net", "ibnetdiscover", dot);
    std::string const lfts = convert(folder, "a.lfts", "lft-dump", dot);
    std::string const again_net = convert(folder, "b.net", "ibnetdiscover", net, lfts);
    std::string const again_lfts = convert(folder, "b.lfts", "lft-dump", net, lfts);
    EXPECT_EQ(read_whole(again_net), read_whole(net));
    EXPECT_EQ(read_whole(again_lfts), read_whole(lfts));
    // ... and lead back to a dot file with the same routes, by way of either.
    EXPECT_EQ(read_whole(convert(folder, "c.lfts", "lft-dump", convert(folder, "c.dot", "orcs-dot", dot))),
              read_whole(lfts));
    std::string const by_guid = convert(folder, "d.lfts", "lft-dump", convert(folder, "d.dot", "orcs-dot", net, lfts));
    EXPECT_EQ(entries_of(by_guid), entries_of(lfts));  // nodes are then called by their GUIDs
    EXPECT_EQ(entries_of(lfts).size(), 8u * 11u * (16u + 1u));
}

/// A dot file has routes, and so has a folder of ibdiagnet2's that is written of it, and one of that; a file without
/// routes has none there.
TEST(Convert, FoldersHaveTheTablesOfWhatWasRead) {
    TemporaryFolder const folder;
    std::string const lfts = convert(folder, "a.lfts", "lft-dump", dot);
    std::string const first = convert(folder, "first", "ibdiagnet2", dot);
    std::string const second = convert(folder, "second", "ibdiagnet2", first);
    EXPECT_EQ(entries_of_hosts(convert(folder, "b.lfts", "lft-dump", second)), entries_of_hosts(lfts));
    EXPECT_EQ(entries_of_hosts(lfts).size(), 8u * 16u);
    std::string const net = convert(folder, "a.net", "ibnetdiscover", dot);
    std::string const without = convert(folder, "without", "ibdiagnet2", net);
    EXPECT_FALSE(std::filesystem::exists(without + "/ibdiagnet2.fdbs"));
    EXPECT_TRUE(std::filesystem::exists(without + "/ibdiagnet2.db_csv"));
}

/// Groups of adaptive routing are in the folder; a dump of tables cannot hold them, and that is told.
TEST(Convert, WhatSwitchesChooseAmongIsWrittenOrToldAsLost) {
    TemporaryFolder const folder;
    Words const adaptive = {"convert", "--network", "xgft:m=4x4,w=1x2", "--routing", "ar:updn", "--to"};
    EXPECT_EQ(run_tailback(joined(adaptive, {"ibdiagnet2", "--output", folder / "d"})).code, 0);
    Finished const bracket = run_tailback({"bracket", "--network", folder / "d", "--mappings", "5"});
    EXPECT_EQ(bracket.code, 0) << bracket.err;  // else it is refused: nobody chooses
    Finished const tables = run_tailback(joined(adaptive, {"lft-dump", "--output", folder / "x"}));
    EXPECT_NE(tables.err.find("those that switches choose among are not written"), std::string::npos) << tables.err;
}

/// What a format has no room for is told once, and only where the network has it.
TEST(Convert, RatesAndLidsWithoutRoomAreToldAsLost) {
    TemporaryFolder const folder;
    std::string const net = small_dump({{"s0", 1, "h2", 1, "4xEDR"}, {"s0", 2, "h4", 1, "4xHDR"}});
    std::ofstream(folder / "net") << net;
    std::ofstream(folder / "lmc.net") << std::regex_replace(net, std::regex("lmc 0 \""), "lmc 1 \"");  // of hosts
    auto const told = [&](std::string const& network, char const* to) {
        Finished const run =
            run_tailback({"convert", "--network", folder / network, "--to", to, "--output", folder / "out"});
        EXPECT_EQ(run.code, 0) << run.err;
        return run.err;
    };
    std::string const rates = "rates are not written", lids = "the LMC is not written";
    for (char const* const to : {"ibnetdiscover", "db-csv", "net-dump", "lst", "graphml"}) {
        EXPECT_EQ(told("net", to).find(rates), std::string::npos) << to;
        EXPECT_EQ(told("net", to).find(lids), std::string::npos) << to;
    }
    for (char const* const to : {"ibnetdiscover", "db-csv"})
        EXPECT_EQ(told("lmc.net", to).find(lids), std::string::npos) << to;
    for (char const* const to : {"net-dump", "lst", "graphml"})
        EXPECT_NE(told("lmc.net", to).find(lids), std::string::npos) << to;
    Finished const dot = run_tailback({"convert", "--network", folder / "lmc.net", "--routing", "minhop", "--to",
                                       "orcs-dot", "--output", folder / "out"});
    EXPECT_NE(dot.err.find(rates), std::string::npos) << dot.err;
    EXPECT_NE(dot.err.find(lids), std::string::npos) << dot.err;
}

TEST(Convert, GraphmlLoadsAreThePairsOverALink) {
    TemporaryFolder const folder;
    std::string const text = read_whole(convert(folder, "a.graphml", "graphml", dot));
    auto const count = [&](std::string const& what) {
        std::size_t times = 0;
        for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
        return times;
    };
    EXPECT_EQ(count("<node "), 24u);
    EXPECT_EQ(count("<edge "), 64u);
    EXPECT_EQ(count("<data key=\"load\">15</data>"), 32u);  // each host sends to and receives from 15
    EXPECT_EQ(count("<data key=\"load\">12</data>"), 32u);  // 4 hosts x 3 destinations
}

TEST(Convert, WithoutTablesOnlyTheNetworkCanBeWritten) {
    TemporaryFolder const folder;
    std::string const net = fixture("live/tree16.net");
    EXPECT_NE(problem_of({"--network", net, "--to", "lft-dump", "--output", folder / "x"}).find("no forwarding tables"),
              std::string::npos);
    EXPECT_NE(problem_of({"--network", net, "--to", "orcs-dot", "--output", folder / "x"}).find("no forwarding tables"),
              std::string::npos);
    EXPECT_EQ(folder.files(), 0u);
    EXPECT_EQ(read_whole(convert(folder, "a.graphml", "graphml", net)).find("load"), std::string::npos);
    std::string const once = convert(folder, "a.net", "ibnetdiscover", net);
    EXPECT_EQ(read_whole(convert(folder, "b.net", "ibnetdiscover", once)), read_whole(once));
}

TEST(Convert, FailureLeavesAnOlderOutputAlone) {
    TemporaryFolder const folder;
    std::string wide = "digraph g {\n";  // 255 hosts on one switch: more ports than InfiniBand has
    for (int h = 0; h < 255; ++h) {
        std::string const name = "H" + std::to_string(h);
        wide += name + " -> S1 [comment=\"*\"]; S1 -> " + name + " [comment=\"" + name + "\"];\n";
    }
    std::string const network = folder.write("wide.dot", wide + "}\n");
    std::string const output = folder.write("out", "older");
    for (std::string const to : {"lft-dump", "ibnetdiscover"}) {
        EXPECT_NE(problem_of({"--network", network, "--to", to, "--output", output}).find("255 ports"),
                  std::string::npos);
        EXPECT_EQ(read_whole(output), "older");
        EXPECT_EQ(folder.files(), 2u);
    }
}

TEST(Convert, UsageErrors) {
    EXPECT_NE(problem_of({}).find("--network is missing"), std::string::npos);
    EXPECT_NE(problem_of({"--network", dot}).find("--to is missing"), std::string::npos);
    EXPECT_NE(problem_of({"--network", dot, "--to", "graphm"}).find("the nearest is \"graphml\""), std::string::npos);
    EXPECT_NE(problem_of({"--network", dot, "--to", "graphml", "surplus"}).find("surplus"), std::string::npos);
    EXPECT_NE(problem_of({"--network", dot, "--to", "graphml", "--no-such-option"}).find("no-such-option"),
              std::string::npos);
    EXPECT_NE(
        problem_of({"--network", dot, "--to", "graphml", "--output", "/no/such/folder/x"}).find("/no/such/folder"),
        std::string::npos);
}

TEST(Convert, WritesTheDumpsOfOpenSmAgain) {
    std::filesystem::path const shared = std::filesystem::path(shared_folder()) / "data/opensm";
    if (!std::filesystem::exists(shared)) GTEST_SKIP() << "the recorded fabrics are not there";
    TemporaryFolder const folder;
    std::size_t compared = 0;
    for (std::string const run : {"ft2-16/minhop", "ft2-16/dfsssp-lmc2", "ft3-324/minhop", "ft3-648/minhop",
                                  "torus3d-444/minhop", "dragonfly-a4p2h2/minhop", "dragonfly-a4p2h2/minhop-lmc2"}) {
        std::string const topology = shared / run / "ibnetdiscover.out.xz",
                          tables = shared / run / "opensm-lfts.dump.xz";
        std::string const plain = folder / "plain";
        if (std::system(("xz -dc '" + tables + "' > '" + plain + "'").c_str()) != 0) GTEST_SKIP() << "no xz";
        // EXPECT_TRUE, as EXPECT_EQ would print megabytes
        EXPECT_TRUE(tables_of(convert(folder, "a", "lft-dump", topology, tables)) == tables_of(plain)) << run;
        EXPECT_TRUE(tables_of(convert(folder, "b", "lft-dump", topology, shared / run / "opensm.fdbs.xz")) ==
                    tables_of(plain))
            << run;
        ++compared;
    }
    EXPECT_EQ(compared, 7u);
}

/// Definition: files of tables of switches are not written for networks whose hosts choose or forward, whatever their
/// form, and nothing is left of them. The network alone is written.
TEST(Convert, TablesOfHostsAreRefused) {
    TemporaryFolder const folder;
    for (auto const& [spec, routing] : std::vector<std::pair<std::string, std::string>>{
             {"bcube:n=3,k=2", "minhop"}, {"dcell:n=3,k=1", "minhop"}, {"xgft:m=3x3,w=2x2", "updn"}})
        for (std::string const to : {"lft-dump", "fdbs", "ibdiagnet2"}) {
            std::string const place = folder / "a" + to + "/b";
            Finished const refused = run_tailback({"convert", "--network", spec, "--routing", routing, "--to", to,
                                                   "--output", to == "ibdiagnet2" ? place : folder / to});
            EXPECT_EQ(refused.code, 2) << spec << to;
            EXPECT_NE(refused.err.find("links, and InfiniBand's files hold the tables of switches alone"),
                      std::string::npos)
                << refused.err;
        }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_EQ(run_tailback({"convert", "--network", "bcube:n=3,k=2", "--to", "db-csv", "--output", folder / "x"}).code,
              0);
}

/// Definition: where no link has a rate and a file's form must have one, the note tells which it has.
TEST(Convert, RatesThatAreMadeUpAreTold) {
    TemporaryFolder const folder;
    for (std::string const to : {"ibnetdiscover", "lst", "db-csv", "net-dump", "ibdiagnet2", "graphml"}) {
        bool const invents = to == "ibnetdiscover" || to == "lst";
        Finished const done =
            run_tailback({"convert", "--network", "xgft:m=3x4,w=1x2", "--to", to, "--output", folder / to});
        EXPECT_EQ(done.code, 0) << done.err;
        EXPECT_EQ(done.err.find(to + " says 4xSDR (8 Gb/s) of all") != std::string::npos, invents) << done.err;
        EXPECT_EQ(run_tailback({"convert", "--network", "xgft:m=3x4,w=1x2", "--link-rate", "100G", "--to", to,
                                "--output", folder / to})
                      .err.find("4xSDR"),
                  std::string::npos)
            << to;
    }
}

}  // namespace
}  // namespace tailback::convert_test
