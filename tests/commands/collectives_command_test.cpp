// Collectives through the program: times and bandwidths on one switch by their closed forms, what the cables allow, the
// table of algorithms, and what is refused.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace tailback::collectives_command_test {
namespace {

using Json = nlohmann::json;

Json report_of(Words const& words) {
    Finished const run = run_tailback(joined(words, {"--format", "json"}));
    EXPECT_EQ(run.code, 0) << run.err;
    return run.code == 0 ? Json::parse(run.out) : Json();
}
/// n nodes of k adapters on one switch, a rank for each.
Words on_one_switch(std::uint32_t n, std::uint32_t k, std::string const& pattern) {
    return {"evaluate",
            "--network",
            fmt::format("crossbar:{}", n * k),
            "--adapters",
            fmt::format("{}", k),
            "--ranks-per-node",
            fmt::format("{}", k),
            "--pattern",
            pattern,
            "--time"};
}
double time_of(Json const& report) { return report["metrics"]["makespan"]["mean"]; }

/// On one switch every step takes as long as its largest message.
TEST(CollectivesCommand, TimesOnOneSwitchHaveTheirClosedForms) {
    for (std::uint64_t const n : {2u, 3u, 7u})
        for (std::uint64_t const k : {2u, 4u, 5u}) {
            SCOPED_TRACE(fmt::format("{} nodes, {} rails", n, k));
            std::uint64_t const ranks = n * k, part = 1000, size = part * ranks * k;  // of a channel
            auto const time = [&](std::string const& pattern) {
                return time_of(report_of(
                    on_one_switch(std::uint32_t(n), std::uint32_t(k), fmt::format("{},size={}", pattern, size))));
            };
            EXPECT_EQ(time("allreduce:algorithm=ring"), double(2 * (ranks - 1) * part));
            EXPECT_EQ(time("allgather:algorithm=ring"), double((ranks - 1) * part));
            EXPECT_EQ(time("allreduce:algorithm=hierarchical"), double(2 * (n - 1) * part * k));
            EXPECT_EQ(time("alltoall:algorithm=pxn"), double((n - 1) * k * size));
            // An odd byte more makes the step longer in which the part that has it goes.
            std::uint64_t const odd = size + 1;
            double const longer = time_of(report_of(on_one_switch(
                std::uint32_t(n), std::uint32_t(k), fmt::format("allgather:algorithm=hierarchical,size={}", odd))));
            EXPECT_EQ(longer, double((n - 1) * (part * k + 1)));
        }
}

/// A ring of all ranks has k links' worth of busbw; what the cables allow is everybody's own link, full.
TEST(CollectivesCommand, BandwidthsAreThoseOfNcclTests) {
    Json const ring = report_of(on_one_switch(4, 4, "allreduce:size=1MiB"))["metrics"]["makespan"]["collective"];
    EXPECT_EQ(ring["bytes"], 1048576);
    EXPECT_EQ(ring["ranks"], 16);
    EXPECT_EQ(ring["unit"], "links");
    EXPECT_DOUBLE_EQ(ring["busbw"], 4);
    EXPECT_NEAR(ring["algbw"], 4 * 16 / 30.0, 1e-11);
    // All but one node: 12 ranks' parts go in by its 4 adapters; there and back.
    EXPECT_NEAR(ring["algbw_of_cables"], 16 * 4 / 12.0 / 2, 1e-11);
    EXPECT_DOUBLE_EQ(ring["share_of_cables"], 0.8);
    Json const nodes =
        report_of(on_one_switch(4, 4, "allreduce:algorithm=hierarchical"))["metrics"]["makespan"]["collective"];
    EXPECT_DOUBLE_EQ(nodes["share_of_cables"], 1);
    auto const of = [](std::string const& pattern) {
        return report_of({"evaluate", "--network", "crossbar:8", "--pattern", pattern, "--mapping", "identity",
                          "--time"})["metrics"]["makespan"]["collective"];
    };
    EXPECT_DOUBLE_EQ(of("allgather:size=8000")["busbw"], 1);
    EXPECT_DOUBLE_EQ(of("allgather:size=8000")["share_of_cables"], 1);
    EXPECT_DOUBLE_EQ(of("reduce-scatter:size=8000")["busbw"], 1);
    EXPECT_DOUBLE_EQ(of("alltoall:size=1000")["busbw"], 1);
    EXPECT_EQ(of("alltoall:size=1000")["bytes"], 8000);
    EXPECT_NEAR(of("alltoall:size=1000")["algbw_of_cables"], 8 / 7.0, 1e-11);
    EXPECT_DOUBLE_EQ(of("alltoall:size=1000")["share_of_cables"], 1);
    EXPECT_DOUBLE_EQ(of("all-to-all:size=1000")["share_of_cables"], 1);
    EXPECT_DOUBLE_EQ(of("all-to-all:size=1000")["busbw"], 1);
    EXPECT_TRUE(of("all-to-all").is_null());  // no bytes
    EXPECT_NEAR(of("broadcast:size=1000")["busbw"], 1 / 3.0, 1e-11);
    EXPECT_NEAR(of("broadcast:size=1000")["share_of_cables"], 1 / 3.0, 1e-11);
    EXPECT_DOUBLE_EQ(of("broadcast:algorithm=chain,size=8000,segment=8")["algbw_of_cables"], 1);
    for (std::string const pattern : {"scatter", "gather", "one-to-all", "all-to-one:root=5"}) {
        Json const one = of(pattern + (pattern.back() == '5' ? "," : ":") + "size=1000");
        EXPECT_EQ(one["bytes"], 8000);
        EXPECT_DOUBLE_EQ(one["busbw"], 1);
        EXPECT_NEAR(one["least_time"], 7000, 1e-8);
        EXPECT_DOUBLE_EQ(one["share_of_cables"], 1);
        EXPECT_TRUE(of(pattern).is_null());  // no bytes
    }
    EXPECT_TRUE(of("bisect:size=1000").is_null());
    EXPECT_TRUE(of("n-bodies:size=1000").is_null());
}

/// Two nodes of two adapters on each of two leaves with one link up: one link a part of everybody, or half of it.
TEST(CollectivesCommand, CablesThatAreFewAllowLess) {
    auto const of = [](char const* adapters) {
        return report_of({"evaluate", "--network", "xgft:m=4x2,w=1x1", "--adapters", adapters, "--ranks-per-node",
                          adapters, "--pattern", "allgather:algorithm=hierarchical,size=8000",
                          "--time"})["metrics"]["makespan"]["collective"];
    };
    EXPECT_DOUBLE_EQ(of("2")["least_time"], 4000);  // four ranks' parts by the link, and not six by two
    EXPECT_DOUBLE_EQ(of("2")["algbw_of_cables"], 2);
    EXPECT_DOUBLE_EQ(of("1")["least_time"], 7000);  // seven by a host's own link, and not four
    EXPECT_DOUBLE_EQ(of("1")["share_of_cables"], 1);
    EXPECT_LT(of("2")["share_of_cables"].get<double>(), 1);
}

/// Numbers that are the same in all mappings have their rates beside them, too.
TEST(CollectivesCommand, RatesOfMappingsThatAreAllAlike) {
    std::string const text = run_tailback({"evaluate", "--network", "crossbar:8", "--pattern", "broadcast:size=800",
                                           "--mappings", "5", "--time"})
                                 .out;
    EXPECT_NE(text.find("2400 in each of 5 mappings"), std::string::npos) << text;
    EXPECT_NE(text.find("33.3 %"), std::string::npos) << text;
}

/// Two nodes of two adapters on one leaf, a third on another, one cable between the leaves: four parts from the third
/// go by that, from the others two do, and four by two adapters. Where roots are drawn, the best is told.
TEST(CollectivesCommand, ARootIsWhereTheMappingPutsIt) {
    auto const time_of = [](std::string const& pattern, std::string const& mapping) {
        return report_of({"evaluate", "--network", "xgft:m=4x2,w=1x1", "--adapters", "2", "--ranks-per-node", "2",
                          "--ranks", "6", "--pattern", pattern, "--mapping", mapping, "--mappings", "6",
                          "--time"})["metrics"]["makespan"]["collective"]["least_time"]
            .get<double>();
    };
    for (std::string const name : {"one-to-all", "all-to-one"}) {
        EXPECT_NEAR(time_of(name + ":root=1,size=1000", "block"), 2000, 1e-8);
        EXPECT_NEAR(time_of(name + ":root=4,size=1000", "block"), 4000, 1e-8);
        EXPECT_NEAR(time_of(name + ":root=4,size=1000", "random"), 2000, 1e-8);
    }
    EXPECT_NEAR(time_of("broadcast:size=1000", "block"), 1000, 1e-8);
    EXPECT_NEAR(time_of("broadcast:size=1000", "random"), 1000, 1e-8);
}

/// A ring of ranks along a ring of switches fills every host's link; in another order cables between switches are
/// shared.
TEST(CollectivesCommand, TheBestOrderIsToldBesideTheMean) {
    Words const study = {"evaluate", "--network", "ring:6",  "--pattern", "allgather:algorithm=ring,size=6000",
                         "--time",   "--metric",  "makespan"};
    Json const drawn = report_of(joined(study, {"--mappings", "300"}))["metrics"]["makespan"];
    EXPECT_DOUBLE_EQ(drawn["collective"]["least_time"], 5000);
    EXPECT_DOUBLE_EQ(drawn["collective"]["best_share_of_cables"], 1);
    EXPECT_LT(drawn["collective"]["share_of_cables"].get<double>(), 0.9);
    Json const again = report_of(
        joined(study, {"--mappings", "1", "--first-mapping", std::to_string(drawn["best_mapping"].get<int>())}));
    EXPECT_DOUBLE_EQ(again["metrics"]["makespan"]["collective"]["share_of_cables"], 1);
    Json const one = report_of(joined(study, {"--mapping", "identity"}))["metrics"]["makespan"]["collective"];
    EXPECT_TRUE(one["best_share_of_cables"].is_null());
}

/// 8 hosts on two leaves: of 64 pairs 32 cross. One link up takes the bytes of 16 each way.
TEST(CollectivesCommand, AnAllToAllIsHeldAgainstTheCables) {
    auto const of = [](char const* network, char const* pattern, Words const& more) {
        return report_of(joined({"evaluate", "--network", network, "--pattern", pattern, "--time"},
                                more))["metrics"]["makespan"]["collective"];
    };
    for (auto const& [network, links] : {std::pair("xgft:m=4x2,w=1x1", 1), {"xgft:m=4x2,w=1x2", 2}}) {
        Json const rates = of(network, "alltoall:size=1000", {"--mapping", "identity"});
        EXPECT_DOUBLE_EQ(rates["least_time"], std::max(16000.0 / links, 7000.0));
        EXPECT_LE(rates["gap_of_cables"].get<double>(), 0.0005);
    }
    EXPECT_DOUBLE_EQ(of("xgft:m=4x2,w=1x1", "all-to-all:size=1000", {"--mapping", "identity"})["share_of_cables"], 1);
    // Nodes of four rails: nothing has to leave a rail, nor a node for its own ranks.
    Words const placed = {"--ranks-per-node", "4"};
    Json const pxn = of("rail:gpus=4,nodes=4", "alltoall:algorithm=pxn,size=1000", placed);
    EXPECT_DOUBLE_EQ(pxn["least_time"], 12000);
    EXPECT_DOUBLE_EQ(pxn["share_of_cables"], 1);
    Json const bruck = of("rail:gpus=4,nodes=4", "alltoall:algorithm=bruck,size=1000", placed);
    EXPECT_LT(bruck["share_of_cables"].get<double>(), 1);
    EXPECT_DOUBLE_EQ(bruck["least_time"], 12000);
    Finished const text = run_tailback({"evaluate", "--network", "xgft:m=4x2,w=1x1", "--pattern", "alltoall:size=1000",
                                        "--time", "--mapping", "identity"});
    EXPECT_NE(text.out.find("by any routes and order: this"), text.out.npos) << text.out;
}

/// Nodes that the pattern knows, and no placement: their ranks are one to the cables too.
TEST(CollectivesCommand, NodesOfThePatternAreNodesToTheCables) {
    Words const words = {"evaluate", "--network", "crossbar:16", "--mapping", "identity", "--time", "--pattern"};
    Json const ring = report_of(joined(words, {"allreduce:per-node=4"}))["metrics"]["makespan"]["collective"];
    EXPECT_NEAR(ring["algbw_of_cables"], 16 * 4 / 12.0 / 2, 1e-11);
    EXPECT_DOUBLE_EQ(ring["share_of_cables"], 0.8);
    for (char const* const all : {"allgather", "reduce-scatter"}) {
        Json const rates =
            report_of(joined(words, {fmt::format("{}:hierarchical,per-node=4", all)}))["metrics"]["makespan"];
        EXPECT_DOUBLE_EQ(rates["collective"]["share_of_cables"], 1);
    }
    // Given mappings: the same nodes in both, and others in the second.
    for (auto const& [second, known] : {std::pair("3 4 1 2", true), {"1 3 2 4", false}}) {
        TemporaryFolder const folder;
        std::string const file = folder.path() + "/mappings";
        std::ofstream(file) << "1 2 3 4\n" << second << "\n";
        Json const rates = report_of({"evaluate", "--network", "crossbar:4", "--mapping", "file:" + file, "--pattern",
                                      "allgather:per-node=2", "--time"})["metrics"]["makespan"]["collective"];
        EXPECT_EQ(rates["share_of_cables"].is_null(), !known) << second;
    }
}

TEST(CollectivesCommand, NothingIsFasterThanTheCablesAllow) {
    std::size_t shares = 0;
    for (char const* const network : {"crossbar:16", "rail:gpus=4,nodes=4", "xgft:m=4x4,w=1x1", "torus:4x4"})
        for (char const* const pattern : {"allreduce", "allgather", "reduce-scatter", "alltoall"})
            for (char const* const more : {"", ",per-node=2", ",per-node=4,rails=3", ",per-node=8,channels=16"})
                for (bool const placed : {false, true}) {
                    if (placed && *more != 0) continue;
                    if (std::string(pattern) == "alltoall" && std::string(more).find("channels") != std::string::npos)
                        continue;  // it has none
                    Words const words = {"evaluate", "--network", network, "--pattern",
                                         fmt::format("{}:algorithm=all,size=64KiB{}", pattern, more)};
                    Json const report =
                        report_of(joined(words, placed ? Words{"--adapters", "4", "--ranks-per-node", "4"}
                                                       : Words{"--mapping", "identity"}));
                    for (Json const& one : report["sizes"][0]["algorithms"]) {
                        if (!one.contains("share_of_cables") || one["share_of_cables"].is_null()) continue;
                        EXPECT_LE(one["share_of_cables"].get<double>(), 1 + 1e-9)
                            << network << " " << pattern << more << " " << one["algorithm"];
                        ++shares;
                    }
                }
    EXPECT_GT(shares, 100u);
}

TEST(CollectivesCommand, TellsWhyItDoesNotGoByNodes) {
    Words const words = {"evaluate", "--network", "crossbar:32", "--adapters", "8", "--ranks-per-node", "8", "--time"};
    std::string const note = "does not go by compute nodes";
    EXPECT_EQ(run_tailback(joined(words, {"--pattern", "allreduce:size=1MiB"})).err.find(note), std::string::npos);
    for (auto const& [more, why, remedy] :
         {std::tuple<Words, char const*, char const*>{{"--ranks", "12"}, "8 of the 12 ranks", "a multiple of 8 ranks"},
          {{"--mapping", "cyclic"}, "rank 4 is back on the node of an earlier rank", "--mapping block"}}) {
        Finished const run = run_tailback(joined(joined(words, more), {"--pattern", "allreduce:size=1MiB"}));
        EXPECT_EQ(run.code, 0);
        for (std::string const& part : {note, std::string(why), std::string(remedy)})
            EXPECT_NE(run.err.find(part), std::string::npos) << part << ": " << run.err;
        Finished const asked = run_tailback(joined(joined(words, more), {"--pattern", "allreduce:per-node=1"}));
        EXPECT_EQ(asked.err.find(note), std::string::npos) << asked.err;
        Finished const refused = run_tailback(joined(joined(words, more), {"--pattern", "allreduce:hierarchical"}));
        EXPECT_EQ(refused.code, 2);
        EXPECT_NE(refused.err.find(remedy), std::string::npos) << refused.err;
        EXPECT_EQ(refused.err.find("per-node=8"), std::string::npos) << refused.err;
    }
}

TEST(CollectivesCommand, NodesThatAreNotAlikeAreNamed) {
    TemporaryFolder const folder;
    std::string const file = folder.path() + "/cables.csv";
    std::ofstream(file) << "From,From Port,To,To Port\nn1,ib0,s,Port 1\nn1,ib1,s,Port 2\nn2,ib0,s,Port 3\n"
                           "n2,ib1,s,Port 4\nn3,ib0,s,Port 5\n";
    Finished const run = run_tailback({"evaluate", "--network", file, "--routing", "minhop", "--ranks-per-node", "2",
                                       "--pattern", "allreduce:size=1MiB", "--time"});
    EXPECT_EQ(run.code, 0) << run.err;
    for (char const* const part :
         {"node \"n3\" has 1 adapter, and \"n1\" 2", "take nodes that are alike, by a glob: --nodes 'any:3 of"})
        EXPECT_NE(run.err.find(part), run.err.npos) << run.err;
}

TEST(CollectivesCommand, AllRanksOnOneNode) {
    std::string const why = "all ranks are on one node: nothing crosses the network";
    Words const placed = {"--adapters", "4", "--ranks-per-node", "4", "--ranks", "4"},
                said = {"--ranks", "4", "--mapping", "identity"};
    for (Words const& where : {placed, said})
        for (char const* const pattern : {"allreduce:size=1MiB", "allreduce:algorithm=all,size=1MiB"}) {
            std::string const nodes = where == said ? ",per-node=4" : "";
            Words const words = joined({"evaluate", "--network", "crossbar:16", "--pattern", pattern + nodes}, where);
            Finished const run = run_tailback(
                joined(words, std::string(pattern).find("all,") == std::string::npos ? Words{"--time"} : Words{}));
            EXPECT_EQ(run.code, 0) << run.err;
            EXPECT_NE(run.out.find(why), std::string::npos) << run.out;
        }
}

TEST(CollectivesCommand, InGigabytesASecondWhereRatesAreKnown) {
    Json const report = report_of({"evaluate", "--network", fixture("../../examples/fat-tree-648/ibnetdiscover.out.xz"),
                                   "--tables", fixture("../../examples/fat-tree-648/opensm-lfts.dump.xz"), "--ranks",
                                   "16", "--mapping", "identity", "--pattern", "allgather:size=16MiB", "--time"});
    double const rate = report["network"]["base_rate_gbps"];
    Json const& rates = report["metrics"]["makespan"]["collective"];
    EXPECT_EQ(rates["unit"], "GB/s");
    EXPECT_NEAR(rates["busbw"], rate / 8, rate / 8 * 1e-9);  // all on one leaf
    EXPECT_NEAR(time_of(report), 15.0 / 16 * 16777216 * 8 / rate / 1e9, 1e-12);
    // Times in seconds want a latency in seconds, and are told so, whatever else such a latency would bring.
    for (char const* const pattern : {"allreduce:size=1KiB", "allreduce:size=1MiB", "allreduce:algorithm=all"}) {
        Words words = {"evaluate",
                       "--network",
                       fixture("../../examples/fat-tree-648/ibnetdiscover.out.xz"),
                       "--tables",
                       fixture("../../examples/fat-tree-648/opensm-lfts.dump.xz"),
                       "--pattern",
                       pattern,
                       "--latency",
                       "link=50,switch=200"};
        if (std::string(pattern).find("all,") == std::string::npos) words.push_back("--time");
        Finished const run = run_tailback(words);
        EXPECT_EQ(run.code, 2);
        EXPECT_NE(run.err.find("--latency link=50 has no unit"), std::string::npos) << run.err;
    }
}

TEST(CollectivesCommand, TheFastestAlgorithmBySize) {
    Words const words = {
        "evaluate", "--network", "crossbar:16",          "--pattern", "allreduce:algorithm=all", "--mapping",
        "identity", "--latency", "link=1000,switch=2000"};
    Json const report = report_of(words);
    EXPECT_EQ(report["schema"], "tailback-algorithms-1");
    ASSERT_EQ(report["sizes"].size(), 11u);
    for (Json const& size : report["sizes"]) {
        std::uint64_t const bytes = size["size"];
        double const latency = 2 * 1000 + 2000, s = double(bytes);
        std::map<std::string, Json> by_name;
        for (Json const& one : size["algorithms"]) by_name[one["algorithm"]] = one["time"];
        EXPECT_TRUE(by_name["hierarchical"].is_null());
        EXPECT_DOUBLE_EQ(by_name["ring"], 30 * (s / 16 + latency));
        EXPECT_DOUBLE_EQ(by_name["recursive-doubling"], 4 * (s + latency));
        EXPECT_DOUBLE_EQ(by_name["rabenseifner"], 2 * s * 15 / 16 + 8 * latency);
        std::string fastest;
        for (auto const& [name, time] : by_name)
            if (!time.is_null() && (fastest.empty() || time < by_name[fastest])) fastest = name;
        EXPECT_EQ(by_name[size["fastest"]], by_name[fastest]);
    }
    EXPECT_EQ(report["sizes"][0]["fastest"], "recursive-doubling");
    EXPECT_EQ(report["sizes"][10]["fastest"], "rabenseifner");
    EXPECT_EQ(report["notes"][0]["algorithm"], "hierarchical");
    std::string const text = run_tailback(words).out;
    EXPECT_NE(text.find("*"), text.npos);
    EXPECT_NE(text.find("1GiB"), text.npos);
    EXPECT_EQ(report_of({"evaluate", "--network", "crossbar:8", "--pattern", "allgather:all,size=4KiB", "--mapping",
                         "identity"})["sizes"]
                  .size(),
              1u);
}

TEST(CollectivesCommand, WhatContradictsIsRefused) {
    auto const refused = [](Words const& words, std::string const& part) {
        Finished const run = run_tailback(words);
        EXPECT_EQ(run.code, 2);
        EXPECT_NE(run.err.find(part), run.err.npos) << run.err;
    };
    refused(on_one_switch(4, 4, "allreduce:per-node=2"), "the placement puts 4 on a node");
    refused(on_one_switch(4, 4, "allreduce:rails=2"), "the 4 ranks of a node use 4 adapters");
    Words const hosts = {"evaluate", "--network", "crossbar:16", "--time", "--pattern"};
    refused(joined(hosts, {"allreduce:per-node=4"}), "random mappings");
    refused(joined(hosts, {"allreduce:algorithm=hierarchical"}), "which ranks share a compute node");
    refused(joined(on_one_switch(4, 4, "allgather:algorithm=hierarchical"), {"--mapping", "cyclic"}),
            "which ranks share a compute node");
    refused({"place", "--network", "crossbar:16", "--adapters", "4", "--pattern", "allgather:algorithm=hierarchical"},
            "move from node to node");
    refused({"evaluate", "--network", "crossbar:16", "--pattern", "allreduce:algorithm=all", "--per-mapping", "x.csv"},
            "--per-mapping has no effect with algorithm=all");
    refused({"evaluate", "--network", "crossbar:16", "--pattern", "allreduce:algorithm=all", "--until", "ci=0.1"},
            "has no effect with algorithm=all");
    // Of the pattern as it was written.
    Words const all = {"evaluate", "--network", "crossbar:16", "--pattern"};
    refused(joined(all, {"broadcast:algorithm=all,root=99"}),
            "broadcast:algorithm=all,root=99 cannot be made: there is no such root");
    refused(joined(all, {"broadcast:algorithm=all,root=x"}), "at character 30 of \"broadcast:algorithm=all,root=x\"");
    refused(joined(all, {"allreduce:algorithm=all,root=3"}), "\"root\" is not a parameter of allreduce");
}

TEST(CollectivesCommand, ATableTellsItsSegments) {
    Words const words = {"evaluate",  "--network", "crossbar:16", "--pattern", "broadcast:algorithm=all,size=1MiB",
                         "--mapping", "identity"};
    EXPECT_NE(run_tailback(words).out.find("binomial and chain go in segments of 512KiB"), std::string::npos);
    Words said = words;
    said[4] += ",segment=4KiB";
    EXPECT_NE(run_tailback(said).out.find("go in segments of 4KiB"), std::string::npos);
    Json const report = report_of(said);
    std::map<std::string, Json> by_name;
    for (Json const& one : report["sizes"][0]["algorithms"]) by_name[one["algorithm"]] = one;
    EXPECT_EQ(by_name["chain"]["segment"], 4096);
    EXPECT_TRUE(by_name["scatter-allgather"]["segment"].is_null());
    EXPECT_TRUE(by_name["scatter-allgather"]["time"].is_number());  // it has no use for segments, and is timed
}

TEST(CollectivesCommand, JobsTellTheirBandwidths) {
    Json const report = report_of({"jobs", "--network", "crossbar:32", "--adapters", "4", "--time", "--job",
                                   "a:pattern=allreduce:size=1MiB,ranks=16,ranks-per-node=4", "--job",
                                   "b:pattern=bisect:size=1MiB,ranks=16,ranks-per-node=4"});
    EXPECT_DOUBLE_EQ(report["jobs"][0]["bandwidth_alone"]["busbw"], 4);
    EXPECT_NEAR(report["jobs"][0]["bandwidth_together"]["algbw"], 4 * 16 / 30.0, 1e-11);
    EXPECT_FALSE(report["jobs"][1].contains("bandwidth_alone"));
}

}  // namespace
}  // namespace tailback::collectives_command_test
