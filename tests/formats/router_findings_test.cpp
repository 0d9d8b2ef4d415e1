// What an audit says of a fabric of routers where one thing is wrong or unusual: where hosts have their addresses,
// names that several devices share, a route that one router does not take, a loop.
#include "tests/support/networks/router_fabric.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string>

namespace tailback::router_findings_test {
namespace {

using namespace router_fabric;

/// A host's own file counts, whichever of its interfaces has the address.
TEST(RouterFindings, AddressesOfHostsOnBondsAndVlans) {
    auto const addresses = [](std::string const& interface, std::string const& address) {
        return fmt::format(R"([{{"ifname":"lo","addr_info":[{{"family":"inet","local":"127.0.0.1","prefixlen":8}}]}},)"
                           R"({{"ifname":"{}","addr_info":[{{"family":"inet","local":"{}","prefixlen":24}}]}}])",
                           interface, address);
    };
    All all = routers();
    for (int h = 1; h <= 3; ++h) all.at("leaf2").hears.at(fmt::format("swp{}", h)).address = "192.168.9.9";
    all.at("leaf2").nets.erase(all.at("leaf2").nets.begin(), all.at("leaf2").nets.begin() + 3);
    all.at("leaf2").nets.push_back({"vlan10", {"10.2.0.0", "10.2.0.1", 24}});
    for (char const* const interface : {"eth0", "bond0", "eth0.10", "br0"}) {
        TemporaryFolder const folder;
        write(folder, all, Told::frr);
        for (int h = 1; h <= 3; ++h) {
            std::filesystem::create_directories(folder / fmt::format("n2{}", h));
            folder.write(fmt::format("n2{}/addr.json", h), addresses(interface, fmt::format("10.2.0.{}", 10 + h)));
        }
        Found const found = audit_of(folder);
        EXPECT_EQ(found.exit, 0) << interface;
        EXPECT_TRUE(found.findings.empty()) << interface << fmt::format("{}", fmt::join(found.findings, "\n"));
        Finished const traced = run_tailback({"trace", "--network", "frr:" + folder.path(), "10.1.1.1", "10.2.0.13"});
        EXPECT_EQ(traced.code, 0) << interface << traced.err;
        EXPECT_NE(traced.out.find("to n23 (10.2.0.13)"), std::string::npos) << traced.out;
    }
    // Their network is lost: one finding, at the leaf.
    all.at("leaf2").nets.pop_back();
    for (auto& [name, router] : all) router.routes.erase("10.2.0.0/16");
    TemporaryFolder const folder;
    write(folder, all, Told::frr);
    for (int h = 1; h <= 3; ++h) {
        std::filesystem::create_directories(folder / fmt::format("n2{}", h));
        folder.write(fmt::format("n2{}/addr.json", h), addresses("bond0", fmt::format("10.2.0.{}", 10 + h)));
    }
    Found const found = audit_of(folder);
    EXPECT_EQ(found.exit, 1);
    ASSERT_EQ(found.findings.size(), 1u) << fmt::format("{}", fmt::join(found.findings, "\n"));
    EXPECT_NE(found.findings[0].find("leaf2"), std::string::npos) << found.findings[0];
    EXPECT_NE(found.findings[0].find("3 hosts behind it"), std::string::npos) << found.findings[0];
}

/// A black hole is told as that, by an audit and by a warning, and not as a damaged file.
TEST(RouterFindings, ABlackHoleHasItsOwnCode) {
    TemporaryFolder const folder;
    write(folder, routers(), Told::frr);
    auto routes = nlohmann::json::parse(read_whole(folder / "spine1/routes.json"));
    ASSERT_TRUE(routes.contains("10.2.0.0/16"));
    routes["10.2.0.0/16"][0]["nexthops"] =
        nlohmann::json::array({{{"blackhole", true}, {"active", true}, {"fib", true}}});
    folder.write("spine1/routes.json", routes.dump());
    std::string const network = "frr:" + folder.path();
    Finished const ran = run_tailback({"audit", "--network", network, "--format", "json"});
    EXPECT_EQ(ran.code, 1);
    std::vector<std::string> codes;
    auto const report = nlohmann::json::parse(ran.out);
    for (auto const& finding : report["findings"])
        if (finding["kind"] == "inconsistent") codes.push_back(finding["code"]);
    EXPECT_EQ(codes, std::vector<std::string>{"black-hole"}) << ran.out;
    EXPECT_EQ(run_tailback({"audit", "--network", network, "--fail-on", "black-hole"}).code, 1);
    Finished const bracket = run_tailback({"bracket", "--network", network, "--mappings", "2"});
    EXPECT_NE(bracket.err.find("1 router drops packets by routes without a next hop (first: "), std::string::npos)
        << bracket.err;
    EXPECT_EQ(bracket.err.find("section or file"), std::string::npos) << bracket.err;
}

/// One router's routes are of another table (VRF) than those of the others; all of one table but the default are sound.
TEST(RouterFindings, RoutesOfAnotherTable) {
    All const all = routers();
    for (std::string const odd : {"tenant", "fabric"}) {
        TemporaryFolder const folder;
        write(folder, all, Told::frr);
        for (auto const& [name, router] : all) {
            std::string const file = name + "/routes.json", word = "\"protocol\":";
            std::string text = read_whole(folder / file);
            std::string const vrf = "\"vrfName\":\"" + (name == "leaf2" ? odd : "fabric") + "\",";
            ASSERT_NE(text.find(word), std::string::npos);
            for (std::size_t at = text.find(word); at != std::string::npos;
                 at = text.find(word, at + vrf.size() + word.size()))
                text.insert(at, vrf);
            folder.write(file, text);
        }
        Found const found = audit_of(folder);
        ASSERT_EQ(found.findings.size(), odd == "tenant" ? 1u : 0u)
            << fmt::format("{}", fmt::join(found.findings, "\n"));
        if (odd == "tenant") {
            EXPECT_NE(
                found.findings[0].find("leaf2/routes.json has the routes of VRF tenant, and those of most routers "
                                       "are of fabric"),
                std::string::npos)
                << found.findings[0];
        }
    }
}

/// Several devices that call themselves alike by LLDP are told apart by the other ends of their cables.
TEST(RouterFindings, SeveralDevicesOfOneName) {
    All all = routers();
    TemporaryFolder const sound;
    write(sound, all, Told::frr);
    for (auto& [name, router] : all)
        for (auto& [interface, far] : router.hears)
            if (far.name == "leaf1" || far.name == "leaf3") far.name = "sonic";
    TemporaryFolder const folder;
    write(folder, all, Told::frr);
    Found const found = audit_of(folder);
    EXPECT_EQ(found.digest, audit_of(sound).digest);
    ASSERT_EQ(found.findings.size(), 1u) << fmt::format("{}", fmt::join(found.findings, "\n"));
    EXPECT_NE(found.findings[0].find("2 devices are called sonic by LLDP (leaf1 and leaf3)"), std::string::npos)
        << found.findings[0];
}

/// A spine without the route of a leaf is one finding: the other leaves, which lack the spine for it, stand under it.
TEST(RouterFindings, ARouterThatTakesNoRouteIsOneFinding) {
    All all = routers();
    all.at("spine1").routes.erase("10.2.0.0/16");
    for (char const* const leaf : {"leaf1", "leaf3", "leaf4"})
        std::erase_if(all.at(leaf).routes.at("10.2.0.0/16"), [](Hop const& hop) { return hop.interface == "swp49"; });
    TemporaryFolder const folder;
    write(folder, all, Told::frr);
    Found const found = audit_of(folder);
    EXPECT_EQ(found.exit, 0);
    ASSERT_EQ(found.findings.size(), 1u) << fmt::format("{}", fmt::join(found.findings, "\n"));
    EXPECT_NE(found.findings[0].find("switch \"spine1\": it has no shortest route to host \"n21\""), std::string::npos)
        << found.findings[0];
    EXPECT_NE(found.findings[0].find("3 other routers"), std::string::npos) << found.findings[0];
}

/// A router without sessions is one finding, also where some of its cables were nobody's shortest way.
TEST(RouterFindings, ARouterWithoutSessionsIsOneFinding) {
    All all = routers();
    all["core"].hears["swp1"] = {"spine1", "swp9", "192.168.2.1"};
    all["core"].nets.push_back({"lo", {"10.255.0.1", "10.255.0.1", 32}});
    all.at("spine1").hears["swp9"] = {"core", "swp1", "192.168.2.2"};
    all.at("spine1").routes.clear();
    for (auto& [name, router] : all)
        for (auto& [prefix, hops] : router.routes)
            if (name != "spine2") std::erase_if(hops, [](Hop const& hop) { return hop.interface == "swp49"; });
    TemporaryFolder const folder;
    write(folder, all, Told::frr);
    Found const found = audit_of(folder);
    ASSERT_EQ(found.findings.size(), 1u) << fmt::format("{}", fmt::join(found.findings, "\n"));
    EXPECT_NE(found.findings[0].find("switch \"spine1\": no route goes by any of its 5 cables"), std::string::npos)
        << found.findings[0];
}

/// Two cables of a spine that are swapped are one finding: no session comes up on either.
TEST(RouterFindings, TwoSwappedCablesAreOneFinding) {
    All all = routers();
    std::swap(all.at("spine1").hears.at("swp1"), all.at("spine1").hears.at("swp2"));
    std::swap(all.at("leaf1").hears.at("swp49").port, all.at("leaf2").hears.at("swp49").port);
    for (char const* const prefix : {"10.1.0.0/16", "10.2.0.0/16"}) all.at("spine1").routes.erase(prefix);
    for (auto& [name, router] : all)
        for (auto& [prefix, hops] : router.routes)
            if (name == "leaf1" || name == "leaf2" || prefix < "10.3")
                std::erase_if(hops, [](Hop const& hop) { return hop.interface == "swp49"; });
    TemporaryFolder const folder;
    write(folder, all, Told::frr);
    Found const found = audit_of(folder);
    ASSERT_EQ(found.findings.size(), 1u) << fmt::format("{}", fmt::join(found.findings, "\n"));
    EXPECT_NE(found.findings[0].find("the two cables are swapped"), std::string::npos) << found.findings[0];
}

/// An end that hears an old neighbour is one finding, and its cable counts, as who is there hears it; also without
/// networks on cables.
TEST(RouterFindings, AnOldNeighbourAtOneEndIsOneFinding) {
    for (bool const have_networks : {false, true})
        for (char const* const leaf : {"leaf1", "tor1"}) {  // before the spines by name, and behind them
            All all = routers();
            all[leaf] = Router(all.at("leaf1"));
            if (leaf != std::string("leaf1")) all.erase("leaf1");
            for (auto& [name, router] : all) {
                for (auto& [interface, far] : router.hears)
                    if (far.name == "leaf1") far.name = leaf;
                if (!have_networks)
                    std::erase_if(router.nets, [](auto const& one) { return one.second.network.starts_with("172"); });
            }
            TemporaryFolder const sound, folder;
            write(sound, all, Told::frr);
            all.at(leaf).hears.at("swp49") = all.at(leaf).hears.at("swp50");
            write(folder, all, Told::frr);
            Found const found = audit_of(folder);
            EXPECT_EQ(found.digest, audit_of(sound).digest) << leaf << have_networks;
            ASSERT_EQ(found.findings.size(), 1u) << fmt::format("{}", fmt::join(found.findings, "\n"));
            EXPECT_TRUE(found.findings[0].starts_with(fmt::format("switch \"{}\" port swp49: ", leaf)))
                << found.findings[0];
        }
}

/// A route that sends back is one finding, also where the static entries of some hosts of it go another way.
TEST(RouterFindings, ALoopOfSomeChoicesIsOfTheSameRoute) {
    All all = routers();
    all.at("spine1").routes["10.4.0.0/16"] = {{"172.16.1.3", "swp1"}};
    TemporaryFolder const folder;
    write(folder, all, Told::frr);
    Found const found = audit_of(folder);
    ASSERT_EQ(found.findings.size(), 1u) << fmt::format("{}", fmt::join(found.findings, "\n"));
    EXPECT_TRUE(found.findings[0].starts_with("switch \"spine1\" port swp1: ")) << found.findings[0];
}

/// A line before the JSON of every file: the refusal says what kind of line, and nothing of what the file holds, which
/// may be anybody's.
TEST(RouterFindings, ALineBeforeEveryFileIsTold) {
    All const all = routers();
    TemporaryFolder const folder;
    write(folder, all, Told::frr);
    for (char const* const file : {"lldp.json", "routes.json"}) {
        for (auto const& [name, router] : all)
            folder.write(name + "/" + file, "Warning: a key\n" + read_whole(folder / (name + "/" + file)));
        Finished const done = run_tailback({"audit", "--network", "frr:" + folder.path()});
        EXPECT_EQ(done.code, 2);
        EXPECT_NE(done.err.find(std::string("leaf1/") + file + " is not what"), std::string::npos) << done.err;
        EXPECT_NE(done.err.find("begins with a line that has \"Warning\" in it"), std::string::npos) << done.err;
        EXPECT_EQ(done.err.find("a key"), std::string::npos) << done.err;
    }
}

/// Regular files whose names are those of answers, and that are none: nothing of them is told.
TEST(RouterFindings, FilesOfOthersAreNotQuoted) {
    TemporaryFolder const folder;
    for (char const* const name : {"etc", "home"}) std::filesystem::create_directory(folder / name);
    folder.write("etc/route.conf", "secret phrase 1\nmore\n");
    folder.write("etc/lldpd.conf", "secret phrase 2\n");
    folder.write("home/neighbours.json", "{\"secret phrase 3\": 1}\n");
    folder.write("home/addr.txt", "\x01\x02 secret phrase 4");
    Finished const done = run_tailback({"audit", "--network", "frr:" + folder.path()});
    EXPECT_EQ(done.code, 2);
    EXPECT_EQ((done.err + done.out).find("secret"), std::string::npos) << done.err;
    EXPECT_NE(done.err.find("is not what"), std::string::npos) << done.err;
}

/// Each of two routers sends to the other: a trace ends where it comes back, on its second visit.
TEST(RouterFindings, ATraceOfALoopEndsWhereItComesBack) {
    All all = routers();
    for (char const* const leaf : {"leaf1", "leaf2", "leaf3"})
        all.at(leaf).routes["10.4.0.0/16"] = {{"172.16.1.2", "swp49"}};
    all.at("spine1").routes["10.4.0.0/16"] = {{"172.16.1.3", "swp1"}};
    TemporaryFolder const folder;
    write(folder, all, Told::frr);
    Finished const packets =
        run_tailback({"trace", "--network", "frr:" + folder.path(), "--source-port", "50000", "n11", "n41"});
    EXPECT_EQ(packets.code, 1);
    EXPECT_EQ(packets.out, "50000 n11:eth0 leaf1:swp49 spine1:swp1 not delivered: comes back to leaf1\n");
    Finished const flow = run_tailback({"trace", "--network", "frr:" + folder.path(), "n11", "n41"});
    EXPECT_EQ(flow.code, 1);
    EXPECT_NE(flow.out.find("loop: switch \"leaf1\" is met twice"), std::string::npos) << flow.out;
    EXPECT_EQ(std::count(flow.out.begin(), flow.out.end(), '\n'), 5) << flow.out;
}

}  // namespace
}  // namespace tailback::router_findings_test
