// Loads of links together. Definition: of a mapping's loads (bytes, or flows), over all links, those between switches,
// and those of each stage: mean, standard deviation (n - 1), largest; utilisation = mean load/capacity of the
// group / largest load/capacity of any link; throughput restricted by the bottleneck = bytes / sum over levels of the
// largest load/capacity, not restricted = bytes / mean load/capacity of all links. Held to sums by hand and to PFSim's.
#include "host/report/evaluate/link_loads.hpp"
#include "host/study/flow_file.hpp"
#include "host/traffic/formats.hpp"
#include "tests/support/networks/small_dump.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

namespace tailback::link_loads_test {
namespace {

using namespace traffic;

using Json = nlohmann::json;

Json metrics_of(Words const& more) {
    Finished const run = run_tailback(joined({"evaluate", "--device", "cpu", "--format", "json"}, more));
    EXPECT_EQ(run.code, 0) << run.err;
    return Json::parse(run.out)["metrics"];
}

/// Two leaves of four hosts, two ways up: H1 -> H5 by one way 6 bytes, H2 -> H6 by the other 2, H3 -> H4 1 in the leaf.
/// D-mod-K: host 4 (from 0) goes up by port 0, host 5 by port 1.
TEST(LinkLoads, ByHand) {
    TemporaryFolder const folder;
    std::ofstream(folder / "flows") << "0 4 6\n1 5 2\n2 3 1\n";
    Json const metrics =
        metrics_of({"--network", "xgft:m=4x2,w=1x2", "--routing", "dmodk", "--pattern", "file:" + (folder / "flows"),
                    "--mapping", "identity", "--ranks", "8", "--metric", "all", "--routes", "tables"});
    Json const& links = metrics["get_cable_cong"];
    EXPECT_EQ(links["all"]["links"], 24);
    EXPECT_EQ(links["all"]["used"], 6 + 4);
    EXPECT_NEAR(links["all"]["load"]["mean"].get<double>(), (4 * 6 + 4 * 2 + 2 * 1) / 24.0, 1e-11);
    Json const& inner = links["between_switches"];
    EXPECT_EQ(inner["links"], 8);
    EXPECT_EQ(inner["load"]["mean"], (6 + 6 + 2 + 2) / 8.0);
    EXPECT_NEAR(inner["load"]["standard_deviation"].get<double>(), std::sqrt((36 + 36 + 4 + 4 - 8 * 4) / 7.0), 1e-11);
    EXPECT_EQ(inner["load"]["max"], 6);
    EXPECT_EQ(inner["flows"]["mean"], 4 / 8.0);
    EXPECT_EQ(inner["flows"]["max"], 1);
    EXPECT_NEAR(inner["utilisation"].get<double>(), 2 / 6.0, 1e-11);
    ASSERT_EQ(links["stages"].size(), 4u);
    EXPECT_EQ(links["stages"][0]["stage"], "hosts -> level 1");
    EXPECT_EQ(links["stages"][0]["load"]["mean"], 9 / 8.0);
    EXPECT_EQ(links["stages"][2]["stage"], "level 1 -> level 2");
    EXPECT_EQ(links["stages"][2]["load"]["mean"], 8 / 4.0);
    EXPECT_EQ(links["stages"][2]["used"], 2);
    // 9 bytes in the time of 6 on a link; mean load 34/24; a crossbar: 6 at host 0.
    EXPECT_NEAR(metrics["throughput"]["mean"].get<double>(), 9 / 6.0, 1e-9);
    EXPECT_NEAR(metrics["throughput"]["ideal"].get<double>(), 9 / 6.0, 1e-9);
    EXPECT_NEAR(metrics["throughput"]["share_of_ideal"].get<double>(), 1, 1e-9);
    EXPECT_NEAR(links["unrestricted_throughput"].get<double>(), 9 * 24 / 34.0, 1e-9);
    EXPECT_EQ(metrics["hop_bytes"]["mean"], 2 * 6 + 2 * 2);
    for (Json const& link : links["links"]) EXPECT_EQ(link["flows"], link["sum"] > 0 ? 1 : 0);
}

/// On a crossbar only the links of the ranks' hosts have a limit: with links of 4 times the base rate 1,000 bytes pass
/// at 4 times its speed. Where hosts that ranks may be on have links of several rates there is no such number.
TEST(LinkLoads, IdealIsOfTheHostsOwnLinks) {
    TemporaryFolder const folder;
    std::ofstream(folder / "net") << small_dump({{"s0", 1, "h1", 1},
                                                 {"s0", 2, "h2", 1},
                                                 {"s0", 3, "h3", 1, "4xQDR"},
                                                 {"s0", 4, "h4", 1, "4xQDR"},
                                                 {"s0", 5, "h5", 1}});
    std::ofstream(folder / "flows") << "ranks 2\n0 1 1000\n";
    auto const ideal = [&](std::string const& hosts) {
        std::ofstream(folder / "map") << hosts << "\n";
        return metrics_of({"--network", folder / "net", "--routing", "minhop", "--pattern",
                           "file:" + (folder / "flows"), "--mapping", "file:" + (folder / "map"), "--metric",
                           "throughput"})["throughput"];
    };
    EXPECT_NEAR(ideal("h3 h4")["ideal"].get<double>(), 4, 1e-12);
    EXPECT_NEAR(ideal("h3 h4")["share_of_ideal"].get<double>(), 1, 1e-12);
    EXPECT_NEAR(ideal("h1 h5")["ideal"].get<double>(), 1, 1e-12);
    Json const mixed = ideal("h1 h4");
    EXPECT_TRUE(!mixed.contains("ideal") || mixed["ideal"].is_null()) << mixed;
}

/// `in_one_mapping`: the largest load of a link in a mapping, all levels together, and the deviation from one link to
/// another, means over mappings. They are the means of what studies of a single mapping each say of all links.
TEST(LinkLoads, InOneMapping) {
    TemporaryFolder const folder;
    std::ofstream(folder / "flows") << "ranks 12\n0 4 6\n1 5 2\n2 3 1\nlevel\n0 7 9\n3 3 4\n8 1 9\n";
    for (Words const& study :
         {Words{"--network", "xgft:m=4x4,w=1x2", "--pattern", "bisect"},
          Words{"--network", "torus:4x4", "--pattern", "rand"},
          Words{"--network", "torus:4x4", "--routing", "valiant", "--pattern", "bruck"},
          Words{"--network", "xgft:m=4x4,w=1x2", "--pattern", "file:" + (folder / "flows")},
          Words{"--network", "dragonfly:a=4,p=2,h=2", "--pattern", "all-to-all:size=10", "--ranks", "20"},
          Words{"--network", "xgft:m=4x4,w=1x2", "--pattern", "allreduce", "--ranks-per-node", "2", "--mapping",
                "random"},
          Words{"--network", "jellyfish:switches=20,degree=4,hosts=2", "--routing", "minhop", "--pattern", "bruck",
                "--fail-cables", "10%", "--routes", "trees"},
          Words{"--network", "rail:gpus=4,nodes=8", "--routing", "updn", "--routes", "trees", "--pattern", "all-to-all",
                "--nodes", "any:6"}}) {
        auto const asked = [&](std::uint64_t first, std::uint64_t count) {
            return metrics_of(joined(study, {"--metric", "get_cable_cong", "--first-mapping", std::to_string(first),
                                             "--mappings", std::to_string(count)}))["get_cable_cong"];
        };
        constexpr std::uint64_t mappings = 5;
        std::map<std::string, double> most, deviation;
        for (std::uint64_t m = 0; m < mappings; ++m) {
            Json const one = asked(m, 1);
            for (std::string const links : {"all", "between_switches"}) {
                Json const& load = one[links]["load"];
                EXPECT_NEAR(one["in_one_mapping"][links]["max"], load["max"], 1e-9 * double(one["max"]));
                EXPECT_NEAR(one["in_one_mapping"][links]["standard_deviation"], load["standard_deviation"],
                            1e-9 * double(one["max"]));
                most[links] += load["max"].get<double>() / mappings;
                deviation[links] += load["standard_deviation"].get<double>() / mappings;
            }
        }
        Json const all = asked(0, mappings);
        EXPECT_EQ(all["in_one_mapping"]["mappings"], mappings) << study[1];
        for (std::string const links : {"all", "between_switches"}) {
            Json const& one = all["in_one_mapping"][links];
            EXPECT_NEAR(one["max"], most[links], 1e-9 * most[links]) << study[1];
            EXPECT_NEAR(one["standard_deviation"], deviation[links], 1e-9 * most[links]) << study[1];
            EXPECT_LE(all[links]["load"]["max"].get<double>(), most[links] * (1 + 1e-9));
        }
    }
}

/// Routes by formula do not list the links of hosts that take no part; numbers of all links count them.
TEST(LinkLoads, OfFewRanksAreThoseOfTables) {
    for (std::string const network : {"torus:4x4", "xgft:m=4x4,w=1x2", "dragonfly:a=4,p=2,h=2"}) {
        auto const loads = [&](std::string const& form) {
            Json json = metrics_of({"--network", network, "--ranks", "5", "--mappings", "4", "--metric",
                                    "get_cable_cong", "--routes", form})["get_cable_cong"];
            for (char const* const listed : {"links", "stages"}) json.erase(listed);
            return json;
        };
        EXPECT_EQ(loads("arithmetic"), loads("tables")) << network;
    }
}

/// INRFlow counts flows: of the all-to-all on a torus of k x k, k even, each link of a dimension carries k^3/8 pairs
/// (a ring of k carries k^2/8 a link and way, k of them beside), a host's k^2 - 1. The mean is the sum of distances.
TEST(LinkLoads, OfAllToAllOnATorus) {
    Json const metrics = metrics_of({"--network", "torus:4x4", "--routing", "dor:ties=parity", "--pattern",
                                     "all-to-all", "--mapping", "identity", "--metric", "get_cable_cong,throughput"});
    Json const& links = metrics["get_cable_cong"];
    EXPECT_EQ(links["between_switches"]["links"], 64);
    EXPECT_EQ(links["between_switches"]["load"]["mean"], 16 * 16 * 2 / 64.0);
    EXPECT_FALSE(links["between_switches"].contains("flows"));
    EXPECT_NEAR(metrics["throughput"]["mean"].get<double>(), 240 / 15.0, 1e-9);
    EXPECT_NEAR(links["unrestricted_throughput"].get<double>(), 240 / ((512 + 2 * 240) / 96.0), 1e-9);
}

/// Levels take their time one after the other; capacities count.
TEST(LinkLoads, ThroughputOverLevels) {
    TemporaryFolder const folder;
    std::ofstream(folder / "flows") << "0 1 5\n2 1 3\nlevel\n1 0 8\nlevel\n3 2 4\n";
    Json const metrics = metrics_of({"--network", "crossbar:4", "--pattern", "file:" + (folder / "flows"), "--mapping",
                                     "identity", "--metric", "throughput"});
    EXPECT_NEAR(metrics["throughput"]["mean"].get<double>(), 20 / (8.0 + 8 + 4), 1e-9);
    Json const random = metrics_of({"--network", "crossbar:4", "--pattern", "rand", "--metric", "throughput"});
    EXPECT_TRUE(random["throughput"]["ideal"].is_null());
}

/// PFSim's standard deviation over the links between switches: CG of 128 ranks, eight to a host in blocks, D-mod-K.
TEST(LinkLoads, DeviationOfPfsim) {
    if (!shared_data_is_there()) GTEST_SKIP() << "no ../shared/data";
    TrafficMatrix const matrix = read_traffic((shared_data() / "traffic/pfprof/cg-c-128.tar.gz").string());
    TemporaryFolder const folder;
    std::ofstream file(folder / "flows");
    file << "ranks 16\n";
    for (Entry const& entry : matrix.entries)
        if (entry.bytes > 0 && entry.source / 8 != entry.destination / 8)
            file << entry.source / 8 << ' ' << entry.destination / 8 << ' ' << entry.bytes << '\n';
    file.close();
    Json const links =
        metrics_of({"--network", "xgft:m=5x4,w=1x2", "--routing", "dmodk", "--pattern", "file:" + (folder / "flows"),
                    "--mapping", "identity", "--metric", "get_cable_cong"})["get_cable_cong"];
    EXPECT_EQ(links["between_switches"]["load"]["max"], 5'928'262'656);
    EXPECT_NEAR(links["between_switches"]["load"]["standard_deviation"].get<double>(), 1'683'737'318.08, 0.02);
}

TEST(LinkLoads, Pictures) {
    TemporaryFolder const folder;
    Words const study = {"evaluate", "--network", "xgft:m=4x2,w=1x2", "--pattern",
                         "gather",   "--mapping", "identity",         "--picture-links"};
    for (char const* const end : {"svg", "dot", "csv"}) {
        std::string const path = folder / (std::string("hot.") + end);
        Finished const run = run_tailback(joined(study, {path}));
        ASSERT_EQ(run.code, 0) << run.err;
        std::ifstream file(path);
        std::string const text{std::istreambuf_iterator<char>(file), {}};
        if (std::string(end) == "svg") {
            EXPECT_NE(text.find("hottest link"), std::string::npos);
            EXPECT_NE(text.find(" flows,"), std::string::npos);
            EXPECT_EQ(text.find(" pairs"), std::string::npos);
        } else if (std::string(end) == "dot") {
            EXPECT_NE(text.find("digraph fabric"), std::string::npos);
            EXPECT_NE(text.find("load=4"), std::string::npos);  // from the other leaf
        } else {
            EXPECT_EQ(text.substr(0, text.find('\n')), "from,from_port,to,to_port,stage,load,flows,scaled");
            EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 24);
            EXPECT_NE(text.find("S1_0,1,H1,1,level 1 -> hosts,7,7,1\n"), std::string::npos) << text;
        }
    }
    Finished const other = run_tailback(joined(study, {folder / "hot.png"}));
    EXPECT_EQ(other.code, 2);
    EXPECT_NE(other.err.find("name a file .svg, .dot, .csv"), std::string::npos) << other.err;
    Finished const formula = run_tailback(
        {"evaluate", "--network", "torus:8x8", "--routes", "arithmetic", "--picture-links", folder / "hot.svg"});
    EXPECT_EQ(formula.code, 2);
    EXPECT_NE(formula.err.find("a network that is a formula"), std::string::npos) << formula.err;
}

}  // namespace
}  // namespace tailback::link_loads_test
