// What an audit says of a fabric of routers whose hosts have NICs on several leaves (rails).
#include "tests/support/networks/router_fabric.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace tailback::router_hosts_test {
namespace {

using namespace router_fabric;

/// Hosts of two leaves each: n1 .. n3 of leaf1 and leaf2, n4 .. n6 of leaf3 and leaf4; eth1 and eth2.
All rails() {
    All all = routers();
    for (int l = 1; l <= 4; ++l)
        for (int h = 1; h <= 3; ++h) {
            Neighbour& host = all.at(fmt::format("leaf{}", l)).hears.at(fmt::format("swp{}", h));
            host.name = fmt::format("n{}", (l - 1) / 2 * 3 + h);
            host.port = fmt::format("eth{}", 2 - l % 2);
        }
    return all;
}

/// A host's own file: interface, address.
void write_host(TemporaryFolder const& folder, std::string const& name,
                std::vector<std::pair<std::string, std::string>> const& addresses, int length = 31) {
    std::string text;
    for (auto const& [interface, address] : addresses)
        text += fmt::format(R"({}{{"ifname":"{}","addr_info":[{{"family":"inet","local":"{}","prefixlen":{}}}]}})",
                            text.empty() ? "" : ",", interface, address, length);
    std::filesystem::create_directories(folder / name);
    folder.write(name + "/addr.json", "[" + text + "]");
}
void write_hosts(TemporaryFolder const& folder, All const& all) {
    std::map<std::string, std::vector<std::pair<std::string, std::string>>> hosts;
    for (auto const& [name, router] : all)
        for (auto const& [interface, far] : router.hears)
            if (!all.contains(far.name)) hosts[far.name].emplace_back(far.port, far.address);
    for (auto const& [name, addresses] : hosts) write_host(folder, name, addresses);
}

/// The same, where every host announces its own address.
All hosts_that_announce_themselves() {
    All all = rails();
    for (auto& [name, router] : all) {
        std::map<std::string, std::vector<Hop>> routes;
        for (auto const& [prefix, hops] : router.routes)
            for (int h = 1; h <= 3; ++h) routes[prefix.substr(0, 5) + fmt::format("{}.1/32", h)] = hops;
        router.routes = std::move(routes);
        for (auto& [interface, far] : router.hears)
            if (!all.contains(far.name)) router.routes[far.address + "/32"] = {{"fe80::1", interface}};
        std::erase_if(router.nets, [](auto const& one) { return one.second.network.starts_with("10."); });
    }
    return all;
}

std::string text_of(Found const& found) { return fmt::format("{}", fmt::join(found.findings, "\n")); }
void expect_one(Found const& found, std::string const& begin) {
    ASSERT_EQ(found.findings.size(), 1u) << text_of(found);
    EXPECT_TRUE(found.findings[0].starts_with(begin)) << found.findings[0];
}

/// The firmware of a NIC is a second neighbour without a name: also beside a host whose addresses the folder has.
TEST(RouterHosts, FirmwareBesideAHostIsNoFault) {
    All const all = rails();
    TemporaryFolder const folder;
    write(folder, all, Told::frr);
    write_hosts(folder, all);
    std::string const sound = audit_of(folder).digest, lldp = read_whole(folder / "leaf1/lldp.json");
    std::string const firmware = R"("interface":[{"swp1":{"chassis":{"id":{"type":"mac","value":"44:38:39:00:b7:04"}},)"
                                 R"("port":{"id":{"type":"mac","value":"44:38:39:00:b7:04"}}}},)";
    std::string const begin = R"("interface":[)";
    std::size_t const at = lldp.find(begin);
    ASSERT_NE(at, std::string::npos);
    folder.write("leaf1/lldp.json", lldp.substr(0, at) + firmware + lldp.substr(at + begin.size()));
    Found const found = audit_of(folder);
    EXPECT_EQ(found.exit, 0);
    EXPECT_TRUE(found.findings.empty()) << text_of(found);
    EXPECT_EQ(found.digest, sound);
}

/// A leaf without routes is a router, though its hosts hang off other leaves, too: it hears hosts, which hear nobody.
TEST(RouterHosts, ALeafThatLostItsRoutesIsNoHost) {
    All const all = rails();
    for (bool const have_files : {false, true}) {
        TemporaryFolder const folder;
        write(folder, all, Told::frr_and_addresses);
        if (have_files) write_hosts(folder, all);
        std::filesystem::remove(folder / "leaf2/routes.json");
        expect_one(audit_of(folder), "switch \"leaf2\": its routes are not known: the folder has none of it");
    }
}

/// A wrong route of one router to a host makes no router of it.
TEST(RouterHosts, AHostThatOneRouterSendsThroughIsNoRouter) {
    for (bool const have_files : {false, true}) {
        All all = rails();
        all.at("leaf1").routes["10.4.0.0/16"] = {{"", "swp1"}};
        all.at("leaf1").routes["10.4.0.0/16"][0].gateway = "fe80::1";
        TemporaryFolder const folder;
        write(folder, all, Told::frr_and_addresses);
        if (have_files) write_hosts(folder, all);
        expect_one(audit_of(folder), "switch \"leaf1\" port swp1: sends 10.4.1.1, 10.4.2.1, 10.4.3.1 by port swp1");
    }
}

/// Two hosts of one address are one finding.
TEST(RouterHosts, TwoHostsOfOneAddress) {
    All all = hosts_that_announce_themselves();
    TemporaryFolder const sound, folder;
    write(sound, all, Told::frr_and_addresses);
    write_hosts(sound, all);
    EXPECT_TRUE(audit_of(sound).findings.empty()) << text_of(audit_of(sound));
    all.at("leaf4").hears.at("swp3").address = "10.1.1.1";
    write(folder, all, Told::frr_and_addresses);
    write_hosts(folder, all);
    expect_one(audit_of(folder),
               "host \"n1\" port eth1: host \"n1\" port eth1 and host \"n6\" port eth2 have the same");
}

/// A host with an address on its loopback for each of its NICs: each is where its leaf sends to it.
TEST(RouterHosts, ALoopbackAddressForEachNic) {
    All all = hosts_that_announce_themselves();
    TemporaryFolder const by_lldp, folder;
    write(by_lldp, all, Told::frr);
    for (int h = 1; h <= 6; ++h) {
        int const leaf = h <= 3 ? 1 : 3, port = (h - 1) % 3 + 1;
        write_host(folder, fmt::format("n{}", h),
                   {{"lo", fmt::format("10.{}.{}.1", leaf, port)}, {"lo", fmt::format("10.{}.{}.1", leaf + 1, port)}},
                   32);
    }
    for (auto& [name, router] : all)
        for (auto& [interface, far] : router.hears) far.address.clear();
    write(folder, all, Told::frr);
    EXPECT_TRUE(audit_of(folder).findings.empty()) << text_of(audit_of(folder));
    EXPECT_EQ(audit_of(folder).digest, audit_of(by_lldp).digest);
}

/// Two hosts of two leaves whose cables are swapped are one finding, whoever tells their addresses.
TEST(RouterHosts, SwappedCablesOfHostsAreOneFinding) {
    for (bool const have_files : {false, true}) {
        All all = rails();
        TemporaryFolder const folder;
        std::swap(all.at("leaf1").hears.at("swp1"), all.at("leaf4").hears.at("swp2"));
        if (have_files) write_hosts(folder, all);
        for (auto& [name, router] : all)
            for (auto& [interface, far] : router.hears)
                if (have_files) far.address.clear();
        write(folder, all, Told::frr);
        Found const found = audit_of(folder);
        ASSERT_EQ(found.findings.size(), 1u) << text_of(found);
        EXPECT_NE(found.findings[0].find(": their cables, or their addresses, are swapped"), std::string::npos)
            << found.findings[0];
        for (char const* const word : {"n1 ", "n5 ", "leaf1", "leaf4"})
            EXPECT_NE(found.findings[0].find(word), std::string::npos) << found.findings[0];
    }
}

/// A route to a single address by a port that hears nobody is told, if the fabric's other hosts are heard.
TEST(RouterHosts, ARouteToAHostThatNobodyHears) {
    All all = hosts_that_announce_themselves();
    all.at("leaf1").hears.erase("swp1");
    TemporaryFolder const folder, silent;
    write(folder, all, Told::frr_and_addresses);
    expect_one(audit_of(folder), "switch \"leaf1\" port swp1: leaf1 has a route to 10.1.1.1 by swp1, and hears nobody");
    for (int l = 1; l <= 4; ++l)  // two of three hosts have no lldpd
        for (char const* const interface : {"swp1", "swp2"}) all.at(fmt::format("leaf{}", l)).hears.erase(interface);
    write(silent, all, Told::frr_and_addresses);
    EXPECT_EQ(audit_of(silent).exit, 0) << text_of(audit_of(silent));
}

/// An address of a host's own file that no router hears, of whose network a router is.
TEST(RouterHosts, AnAddressThatHangsNowhere) {
    All all = rails();
    TemporaryFolder const folder;
    write_hosts(folder, all);
    write_host(folder, "admin", {{"eth0", "192.168.7.7"}}, 24);  // nobody is in its network
    all.at("leaf1").hears.erase("swp1");
    write(folder, all, Told::frr_and_addresses);
    expect_one(audit_of(folder), "switch \"leaf1\": leaf1 has network 10.1.1.0/31 on swp1 for 10.1.1.1 of n1, and no");
}

/// Definition: in a file of mappings an endpoint of a host that has several is HOST:PORT, so that the file reads back
/// as the mapping that it was.
TEST(RouterHosts, MappingsNameTheEndpoint) {
    All const all = rails();
    TemporaryFolder const folder;
    write(folder, all, Told::frr);
    write_hosts(folder, all);
    std::string const mappings = folder / "mappings";
    Words const study{"evaluate", "--network", "frr:" + folder.path(), "--pattern", "rand"};
    Finished const drawn = run_tailback(joined(study, {"--mappings", "3", "--dump-mappings", mappings}));
    ASSERT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_NE(read_whole(mappings).find("n1:eth2"), std::string::npos);
    Finished const listed = run_tailback(joined(study, {"--mapping", "file:" + mappings}));
    ASSERT_EQ(listed.code, 0) << listed.err;
    std::string const again = folder / "again";
    ASSERT_EQ(run_tailback(joined(study, {"--mapping", "file:" + mappings, "--dump-mappings", again})).code, 0);
    auto const lines = [](std::string const& path) {
        std::string const text = read_whole(path);
        return text.substr(text.find("\n# one mapping"));
    };
    EXPECT_EQ(lines(mappings), lines(again));
}

}  // namespace
}  // namespace tailback::router_hosts_test
