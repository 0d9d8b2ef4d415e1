// --link-rate: rates of links whose rate no file tells; times are in seconds then, by their closed form.
#include "tests/support/networks/router_fabric.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace tailback::link_rate_command_test {
namespace {

nlohmann::json json_of(Words const& words) {
    Finished const run = run_tailback(joined(words, {"--format", "json"}));
    EXPECT_EQ(run.code, 0) << run.err;
    return run.code == 0 ? nlohmann::json::parse(run.out) : nlohmann::json();
}

TEST(LinkRate, ASpecHasTimesInSeconds) {
    Words const ring = {"evaluate",  "--network", "crossbar:8", "--pattern",  "allgather:size=8000000",
                        "--mapping", "identity",  "--time",     "--link-rate"};
    for (auto const& [words, gbps] :
         {std::pair("400Gb/s", 400.0), {"400G", 400.0}, {"25000Mb/s", 25.0}, {"4xHDR", 200.0}, {"100 Gbit/s", 100.0}}) {
        SCOPED_TRACE(words);
        nlohmann::json const report = json_of(joined(ring, {words}));
        EXPECT_DOUBLE_EQ(report["network"]["base_rate_gbps"], gbps);
        EXPECT_DOUBLE_EQ(report["network"]["link_rate"]["gbps"], gbps);
        EXPECT_EQ(report["network"]["link_rate"]["links"], 16);
        EXPECT_EQ(report["network"]["link_rate"]["of"], 16);
        EXPECT_NEAR(report["metrics"]["makespan"]["mean"].get<double>(), 7e6 * 8 / (gbps * 1e9), 1e-12);
        EXPECT_EQ(report["metrics"]["makespan"]["collective"]["unit"], "GB/s");
    }
    std::string const text = run_tailback(joined(ring, {"400G"})).out;
    EXPECT_NE(text.find("by --link-rate, where no file tells it (16 of 16): 400"), text.npos) << text;
    EXPECT_FALSE(json_of({"evaluate", "--network", "crossbar:8", "--mappings", "1"})["network"].contains("link_rate"));
}

TEST(LinkRate, RatesOfFilesStay) {
    Words const fabric = {"evaluate",
                          "--network",
                          fixture("../../examples/fat-tree-648/ibnetdiscover.out.xz"),
                          "--tables",
                          fixture("../../examples/fat-tree-648/opensm-lfts.dump.xz"),
                          "--mappings",
                          "1"};
    nlohmann::json const told = json_of(fabric)["network"],
                         asked = json_of(joined(fabric, {"--link-rate", "800G"}))["network"];
    EXPECT_EQ(told["base_rate_gbps"], asked["base_rate_gbps"]);
    EXPECT_EQ(asked["link_rate"]["links"], 0);
    // Of routers, of which one tells one rate.
    TemporaryFolder const folder;
    router_fabric::write(folder, router_fabric::routers(), router_fabric::Told::kernel_and_addresses);
    Words const routers = {"evaluate", "--network", "frr:" + folder.path(), "--mappings", "1", "--link-rate", "100G"};
    nlohmann::json const all = json_of(routers)["network"]["link_rate"];
    EXPECT_EQ(all["links"], all["of"]);
    std::string const leaf = router_fabric::routers().begin()->first;
    std::string const interface = router_fabric::routers().begin()->second.hears.begin()->first;
    std::ofstream(folder / (leaf + "/" + interface + ".speed")) << "25000\n";
    nlohmann::json const some = json_of(routers)["network"]["link_rate"];
    EXPECT_EQ(some["links"].get<int>(), all["links"].get<int>() - 2);
}

TEST(LinkRate, WhatIsNoRateIsRefused) {
    for (char const* const words : {"400", "1Gb/s", "fast", "-5G", "3xHDR", "400GB/s", "99999999999999999999G", "G"}) {
        Finished const run = run_tailback({"evaluate", "--network", "crossbar:4", "--link-rate", words});
        EXPECT_EQ(run.code, 2) << words;
        EXPECT_NE(run.err.find("is no rate of a link"), run.err.npos) << run.err;
    }
    Finished const formula = run_tailback(
        {"evaluate", "--network", "torus:8x8", "--routes", "arithmetic", "--link-rate", "400G", "--mappings", "1"});
    EXPECT_EQ(formula.code, 2);
    EXPECT_NE(formula.err.find("--link-rate"), formula.err.npos) << formula.err;
}

TEST(LinkRate, ConvertWritesIt) {
    Finished const run = run_tailback(
        {"convert", "--network", "crossbar:2", "--link-rate", "4xNDR", "--to", "ibnetdiscover", "--output", "-"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find("4xNDR"), run.out.npos) << run.out;
}

}  // namespace
}  // namespace tailback::link_rate_command_test
