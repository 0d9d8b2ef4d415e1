// A network in parts that no cable joins: no routes could join them. One finding names the parts, with their endpoints;
// its pairs are all those between different parts, and whatever else is wrong stays a finding of its own.
#include "tests/support/networks/router_fabric.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <regex>
#include <string>
#include <vector>

namespace tailback::parts_test {
namespace {

/// Endpoints of every part, as the finding names them.
std::vector<std::uint64_t> endpoints_of(std::string const& message) {
    std::vector<std::uint64_t> found;
    std::regex const with("with (\\d+) endpoint");
    for (auto at = std::sregex_iterator(message.begin(), message.end(), with); at != std::sregex_iterator(); ++at)
        found.push_back(std::stoull((*at)[1]));
    return found;
}

nlohmann::json faults_of(std::vector<std::string> command) {
    command.insert(command.begin(), "audit");
    command.insert(command.end(), {"--format", "json"});
    Finished const out = run_tailback(command);
    EXPECT_EQ(out.code, 1) << out.err;
    nlohmann::json faults = nlohmann::json::array();
    nlohmann::json const report = nlohmann::json::parse(out.out);
    for (nlohmann::json const& one : report.at("findings"))
        if (one.at("kind") == "unreachable" || one.at("kind") == "inconsistent" || one.at("kind") == "loop")
            faults.push_back(one);
    return faults;
}

/// A ring of twelve without two of its cables is two chains.
TEST(Parts, OfARingWithoutTwoCables) {
    for (int seed = 1; seed <= 12; ++seed) {
        nlohmann::json const faults = faults_of({"--network", "torus:12,hosts=2", "--routing", "minhop",
                                                 "--fail-cables", "switch:2", "--fail-seed", std::to_string(seed)});
        ASSERT_EQ(faults.size(), 1u) << faults.dump(1);
        std::string const message = faults[0].at("message");
        EXPECT_NE(message.find("in 2 parts that no cable joins"), std::string::npos) << message;
        std::vector<std::uint64_t> const endpoints = endpoints_of(message);
        ASSERT_EQ(endpoints.size(), 2u) << message;
        EXPECT_EQ(endpoints[0] + endpoints[1], 24u) << message;
        EXPECT_EQ(faults[0].at("pairs"), 2 * endpoints[0] * endpoints[1]) << message;
    }
}

router_fabric::All two_planes() {
    using namespace router_fabric;
    All all = routers();
    for (auto const& [name, router] : routers()) {
        Router& other = all["other-" + name];
        auto const take = [](std::string address) {
            if (address.starts_with("10.")) address.replace(0, 3, "20.");
            if (address.starts_with("172.16.")) address.replace(0, 7, "172.17.");
            return address;
        };
        for (auto const& [interface, far] : router.hears)
            other.hears[interface] = far.port == "eth0" ? Neighbour{far.name, "eth1", take(far.address)}
                                                        : Neighbour{"other-" + far.name, far.port, far.address};
        for (auto const& [interface, net] : router.nets)
            other.nets.push_back({interface, {take(net.network), take(net.own), net.length}});
        for (auto const& [prefix, hops] : router.routes)
            for (Hop const& hop : hops) other.routes[take(prefix)].push_back({take(hop.gateway), hop.interface});
    }
    return all;
}

TEST(Parts, PlanesThatHostsAloneJoin) {
    TemporaryFolder const folder;
    router_fabric::All all = two_planes();
    write(folder, all, router_fabric::Told::frr);
    nlohmann::json const faults = faults_of({"--network", "frr:" + folder.path()});
    ASSERT_EQ(faults.size(), 1u) << faults.dump(1);
    std::string const message = faults[0].at("message");
    EXPECT_NE(message.find("the routers are in 2 parts"), std::string::npos) << message;
    EXPECT_NE(message.find("planes"), std::string::npos) << message;
    EXPECT_EQ(faults[0].at("pairs"), 2u * 12 * 12);
}

TEST(Parts, WhatIsWrongWithinOneStaysAFinding) {
    TemporaryFolder const folder;
    router_fabric::All all = two_planes();
    all.at("other-spine1").routes.erase("20.2.0.0/16");
    write(folder, all, router_fabric::Told::frr);
    nlohmann::json const faults = faults_of({"--network", "frr:" + folder.path()});
    ASSERT_EQ(faults.size(), 2u) << faults.dump(1);
    std::string const both = faults[0].at("where").get<std::string>() + faults[1].at("where").get<std::string>();
    EXPECT_NE(both.find("other-spine1"), std::string::npos) << both;
}

}  // namespace
}  // namespace tailback::parts_test
