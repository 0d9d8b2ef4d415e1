// Counters beside expected loads: those made from a known matrix come back exactly; saturated and missing ones are told
// and not used.
#include "host/api/obtain.hpp"
#include "host/audit/loads/edge_forwarding_index.hpp"
#include "host/audit/loads/groups.hpp"
#include "host/audit/loads/measured.hpp"
#include "host/formats/formats.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <sstream>

namespace tailback::counters_test {
namespace {

/// A tree with GUIDs and LIDs, and all pairs' loads on it.
struct Counted {
    Fabric fabric;
    std::vector<std::uint64_t> load;
    std::string csv;  ///< with PM_INFO, 1,000 words for a pair

    Counted() {
        Fabric const plain = make_xgft({{3, 4}, {1, 2}});
        std::ostringstream net, tables, out;
        write_ibnetdiscover(net, plain.network);
        write_lft_dump(tables, plain);
        Disagreements strict(true);
        fabric.network = read_topology(net.str(), strict);
        LineReader lines = lines_of_text(tables.str());
        fabric.tables = read_lft_dump(lines, fabric.network, strict);
        fabric.routed = true;
        load = edge_forwarding_index(fabric);
        out << "START_PM_INFO\nNodeGUID,PortGUID,PortNumber,PortXmitData,PortRcvData,PortXmitWait,"
               "PortXmitDataExtended\n";
        for (std::size_t l = 0; l < load.size(); ++l) {
            LinkRecord const& link = fabric.network[Link{l}];
            out << "0x" << std::hex << fabric.network[link.from].guid << std::dec << ",0x0," << link.from_port
                << ",4294967295,0," << l % 3 << "," << 1000 * load[l] << "\n";
        }
        out << "END_PM_INFO\n";
        csv = out.str();
    }
    /// `--network .. --tables ..`
    Words named_in(TemporaryFolder const& folder) const {
        std::ostringstream net, tables;
        write_ibnetdiscover(net, fabric.network);
        write_lft_dump(tables, fabric);
        return {"--network", folder.write("net", net.str()), "--tables", folder.write("lfts", tables.str())};
    }
    Counters read(std::string const& text) const {
        Disagreements strict(true);
        LineReader lines = lines_of_text(text, "counters");
        return read_counters(lines, fabric.network, strict);
    }
};

TEST(Counters, OfAKnownMatrixComeBackExactly) {
    Counted const known;
    Counters const counters = known.read(known.csv);
    EXPECT_EQ(counters.saturated + counters.missing + counters.unknown, 0u);  // the long counters are there
    Measured const measured = compare_counters(known.fabric.network, counters, known.load);
    ASSERT_EQ(measured.ports.size(), known.load.size());
    EXPECT_EQ(measured.words_a_unit, 1000);
    ASSERT_TRUE(measured.rank_correlation.has_value());
    EXPECT_NEAR(*measured.rank_correlation, 1, 1e-12);
    for (MeasuredPort const& port : measured.ports) {
        EXPECT_EQ(port.sent, 1000 * known.load[port.link.value]);
        EXPECT_EQ(port.expected, double(port.sent));
    }
    EXPECT_EQ(measured.differing, 0u);  // none is a port that disagrees
    EXPECT_EQ(measured.by_wait.size(), known.load.size() - (known.load.size() + 2) / 3);
}

/// With an LMC every LID of a host has routes of its own, and each is expected to be sent to: a walk for every pair of
/// hosts and every LID of the second.
TEST(Counters, EveryLidOfAHostIsExpected) {
    NetworkChoice choice("jellyfish:switches=6,degree=3,hosts=2,seed=2");
    choice.routing.emplace("minhop", 1);
    choice.lmc = 2;
    Fabric const fabric = obtain({.network = choice, .wanted = Wanted::tables}, {});
    Network const& net = fabric.network;
    std::vector<std::uint64_t> load(net.links().size());
    for (std::size_t s = 0; s < net.hosts().size(); ++s)
        for (std::size_t d = 0; d < net.hosts().size(); ++d)
            for (Lid more = 0; s != d && more < 4; ++more) {
                Route const route = fabric.routing->trace(fabric, Host{s}, net[Host{d}].lid + more);
                ASSERT_EQ(route.fate, Fate::delivered);
                for (Link const link : route.links) ++load[link.value];
            }
    EXPECT_EQ(edge_forwarding_index(fabric), load);
}

TEST(Counters, OfGivenJobsComeBackExactly) {
    // Two jobs with nodes and matrices of their own; every flow sends 256 words. Loads by routes traced one by one.
    Counted const known;
    Network const& net = known.fabric.network;
    TemporaryFolder folder;
    std::vector<std::uint64_t> load(net.links().size());
    std::vector<std::vector<int>> const flows = {{0, 1, 1, 2, 2, 0, 0, 2}, {0, 3, 1, 3, 2, 3}};
    std::vector<std::vector<std::uint32_t>> const places = {{0, 4, 8}, {1, 2, 6, 10}};
    Words words = known.named_in(folder);
    words.insert(words.begin(), "compare");
    words.insert(words.end(),
                 {"--counters", folder / "counters", "--format", "json", "--picture", folder / "picture.svg"});
    for (std::size_t j = 0; j < 2; ++j) {
        std::string pattern = "level\n", nodes;
        for (std::size_t f = 0; f < flows[j].size(); f += 2) {
            pattern += std::to_string(flows[j][f]) + " " + std::to_string(flows[j][f + 1]) + "\n";
            Host const from{places[j][std::size_t(flows[j][f])]}, to{places[j][std::size_t(flows[j][f + 1])]};
            for (Link const link : trace_from_host(known.fabric, from, net[to].lid).links) ++load[link.value];
        }
        for (std::uint32_t const place : places[j])
            nodes += (nodes.empty() ? "" : ",") + net[net[Host{place}].node].name;
        std::string const name = j == 0 ? "one" : "two";
        words.push_back("--job");
        words.push_back(name + ":pattern=file:" + folder.write(name, pattern) + ",nodes=" + nodes);
    }
    std::ostringstream counters;
    counters << "START_PM_INFO\nNodeGUID,PortGUID,PortNumber,PortXmitData,PortXmitWait\n";
    for (std::size_t l = 0; l < load.size(); ++l)
        counters << "0x" << std::hex << net[net[Link{l}].from].guid << std::dec << ",0x0," << net[Link{l}].from_port
                 << "," << 256 * load[l] << ",7\n";
    counters << "END_PM_INFO\n";
    folder.write("counters", counters.str());
    Finished const run = run_tailback(words);
    ASSERT_EQ(run.code, 0) << run.err;
    nlohmann::json const json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["words_a_pair"], 256);
    EXPECT_NEAR(json["rank_correlation"].get<double>(), 1, 1e-12);
    std::uint64_t busy = 0;
    for (auto const& port : json["ports"]) {
        EXPECT_EQ(port["sent_words"], port["expected_words"]);
        double parts = 0;
        for (auto const& [job, part] : port["jobs"].items()) parts += part.get<double>();
        EXPECT_NEAR(parts, port["load"] == 0 ? 0 : 1, 1e-12);
        busy += port["load"].get<std::uint64_t>();
    }
    EXPECT_EQ(busy, std::accumulate(load.begin(), load.end(), std::uint64_t{0}));
    std::string const picture = read_whole(folder / "picture.svg");
    EXPECT_NE(picture.find("</svg>"), std::string::npos);
    EXPECT_GE(std::size_t(std::count(picture.begin(), picture.end(), '\n')), load.size());
}

TEST(Counters, OnePortThatSentMoreIsTheFirst) {
    Counted const known;
    std::size_t const row = known.csv.find("\n0x", known.csv.find("PM_INFO"));
    std::size_t const end = known.csv.find('\n', row + 1), last = known.csv.rfind(',', end);
    std::string text = known.csv;
    text.replace(last + 1, end - last - 1, "999999999");
    Measured const measured = compare_counters(known.fabric.network, known.read(text), known.load);
    EXPECT_EQ(measured.ports[measured.by_difference.front()].link, Link{0});
    EXPECT_EQ(measured.ports[measured.by_difference.front()].sent, 999999999u);
    EXPECT_GE(measured.differing, 1u);
    text.replace(last + 1, 9, "18446744073709551615");  // the end of 64 bits: no traffic
    Counters const full = known.read(text);
    EXPECT_EQ(full.saturated, 1u);
    EXPECT_EQ(full.missing, 0u);
    EXPECT_EQ(compare_counters(known.fabric.network, full, known.load).ports.size(), known.load.size() - 1);
}

/// A group's sums are those of its nodes' ports, counted one by one.
TEST(Counters, GroupsAddUpTheirPorts) {
    Counted const known;
    Network const& net = known.fabric.network;
    TemporaryFolder folder;
    Words words = known.named_in(folder);
    words.insert(words.begin(), "compare");
    words.insert(words.end(), {"--counters", folder.write("counters", known.csv), "--group-by", "leaf"});
    Finished const text = run_tailback(words);
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("By group (5 groups;"), std::string::npos) << text.out;
    Words as_json = words;
    as_json.insert(as_json.end(), {"--format", "json"});
    Finished const run = run_tailback(as_json);
    ASSERT_EQ(run.code, 0) << run.err;
    nlohmann::json const json = nlohmann::json::parse(run.out);
    NodeGroups const groups = group_nodes(net, "leaf");
    ASSERT_EQ(json["groups"].size(), groups.names.size());
    for (std::size_t g = 0; g < groups.names.size(); ++g) {
        std::uint64_t ports = 0, sent = 0, waiting = 0, waited = 0;
        for (std::size_t l = 0; l < known.load.size(); ++l) {
            if (groups.of_node[net[Link{l}].from.value] != g) continue;
            ++ports, sent += 1000 * known.load[l], waiting += l % 3 > 0, waited += l % 3;
        }
        nlohmann::json const& one = json["groups"][g];
        EXPECT_EQ(one["name"], groups.names[g]);
        EXPECT_EQ(one["ports"], ports);
        EXPECT_EQ(one["sent_words"], sent);
        EXPECT_EQ(one["expected_words"], double(sent));
        EXPECT_EQ(one["waiting_ports"], waiting);
        EXPECT_EQ(one["wait_ticks"], waited);
    }
    Words unknown = words;
    unknown.back() = "rack";
    EXPECT_EQ(run_tailback(unknown).code, 2);
}

TEST(Counters, SaturatedAndMissingOnesAreToldAndNotUsed) {
    Counted const known;
    std::string text = replaced(known.csv, "PortXmitDataExtended", "Other");
    Counters const saturated = known.read(text);
    EXPECT_EQ(saturated.saturated, known.load.size());
    EXPECT_EQ(saturated.missing, 0u);  // they are there, at the end of 32 bits
    EXPECT_TRUE(compare_counters(known.fabric.network, saturated, known.load).ports.empty());
    text = replaced(known.csv, ",4294967295,", ",N/A,");
    EXPECT_EQ(known.read(text).saturated, 0u);
    text = known.csv + "START_PM_DELTA\nNodeGUID,PortNumber,PortXmitData\n0xdead,1,5\nEND_PM_DELTA\n";
    EXPECT_NE(error_of([&] { known.read(text); }).find("no counters of this network"), std::string::npos);
}

/// What waited past the end of its counter waited longest; ports without a record, pairs that are not delivered and
/// counters of zeros are told.
TEST(Counters, WhatTheyCannotTellIsTold) {
    Counted known;
    std::size_t const row = known.csv.find("\n0x") + 1;
    std::string text = known.csv;
    text.replace(text.find(",0,0,", row), 5, ",0,4294967295,");
    Counters const counters = known.read(text);
    EXPECT_EQ(counters.saturated_waits, 1u);
    Measured const measured = compare_counters(known.fabric.network, counters, known.load);
    EXPECT_TRUE(measured.ports[measured.by_wait.front()].waited_longer);
    EXPECT_EQ(measured.ports[measured.by_wait.front()].waited, 4294967295u);
    TemporaryFolder folder;
    Words const words = joined({"compare"}, known.named_in(folder));
    auto const compare = [&](std::string const& file) {
        return run_tailback(joined(words, {"--counters", folder.write("counters", file)})).out;
    };
    EXPECT_NE(compare(text).find("4,294,967,295+"), std::string::npos) << compare(text);
    std::string const without = known.csv.substr(0, row) + known.csv.substr(known.csv.find('\n', row) + 1);
    EXPECT_NE(compare(without).find("1 port is not in the file"), std::string::npos) << compare(without);
    std::string zeros = "START_PM_INFO\nNodeGUID,PortNumber,PortXmitData\n";
    for (LinkRecord const& link : known.fabric.network.links())
        zeros += fmt::format("{:#x},{},0\n", known.fabric.network[link.from].guid, link.from_port);
    EXPECT_NE(compare(zeros + "END_PM_INFO\n").find("No port has sent anything"), std::string::npos);
    // 64 bits in the column of 32.
    EXPECT_EQ(known.read(zeros.substr(0, zeros.size() - 2) + "18446744073709551615\nEND_PM_INFO\n").saturated, 1u);
    Network const& net = known.fabric.network;
    known.fabric.tables.set(net[net.up_link(Host{0})].to, net[Host{0}].lid, ForwardingTables::no_entry);
    EXPECT_NE(run_tailback(joined(joined({"compare"}, known.named_in(folder)),
                                  {"--counters", folder.write("counters", known.csv)}))
                  .out.find("11 pairs are not delivered, and nothing is expected of them"),
              std::string::npos);
}

TEST(Counters, PerfqueryAndIbqueryerrors) {
    Counted const known;
    Network const& net = known.fabric.network;
    Node const leaf = net[net.up_link(Host{0})].to;
    char guid[32];
    std::snprintf(guid, sizeof guid, "%llx", static_cast<unsigned long long>(net[leaf].guid));
    Counters const perf = known.read("# Port counters: Lid " + std::to_string(net[leaf].lid) +
                                     " port 1 (CapMask: 0x5300)\nPortSelect:......................1\n"
                                     "PortXmitData:....................123\nPortXmitWait:....................7\n"
                                     "# Port extended counters: Lid " +
                                     std::to_string(net[leaf].lid) +
                                     " port 2 (CapMask: 0x5300)\nPortXmitData:....................6000000000\n");
    ASSERT_EQ(perf.ports.size(), 2u);
    EXPECT_EQ(perf.ports[0].sent, 123u);
    EXPECT_EQ(perf.ports[0].waited, 7u);
    EXPECT_EQ(perf.ports[1].sent, 6000000000u);
    Counters const errors = known.read("Errors for 0x" + std::string(guid) + " \"leaf\"\n   GUID 0x" + guid +
                                       " port 1: [PortXmitWait == 9] [PortXmitData == 62024 (242.281KB)]\n");
    ASSERT_EQ(errors.ports.size(), 1u);
    EXPECT_EQ(errors.ports[0].sent, 62024u);
    EXPECT_EQ(errors.ports[0].waited, 9u);
}

}  // namespace
}  // namespace tailback::counters_test
