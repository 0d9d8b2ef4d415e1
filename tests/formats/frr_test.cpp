// A folder of routers: `show ip route json`, `ip -j route` and `lldpctl -f json` of every device give one fabric; what
// is odd is told at its place.
#include "host/formats/frr/frr.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <tuple>

namespace tailback::frr_test {
namespace {

/// Two leaves with two hosts each, two spines; a cable each. Leaves tell the kernel's routes, spines FRR's.
class Routers {
public:
    Routers() {
        for (int l = 1; l <= 2; ++l) {
            std::string const leaf = fmt::format("leaf{}", l), other = fmt::format("{}", 3 - l);
            for (int h = 1; h <= 2; ++h) hear(leaf, fmt::format("swp{}", h), fmt::format("n{}{}", l, h), "eth0");
            for (int s = 1; s <= 2; ++s) hear(leaf, fmt::format("swp{}", 8 + s), fmt::format("spine{}", s), leaf);
            routes[leaf] = fmt::format(
                R"([{{"dst":"10.{0}.1.0/31","dev":"swp1","protocol":"kernel","scope":"link","prefsrc":"10.{0}.1.0"}},)"
                R"({{"dst":"10.{0}.2.0/31","dev":"swp2","protocol":"kernel","scope":"link","prefsrc":"10.{0}.2.1"}},)"
                R"({{"dst":"10.{1}.0.0/16","protocol":"bgp","metric":20,"nexthops":[)"
                R"({{"gateway":"172.16.1.{0}","dev":"swp9","weight":6,"flags":[]}},)"
                R"({{"via":{{"family":"inet6","host":"fe80::1"}},"dev":"swp10","weight":2,"flags":[]}}]}}])",
                l, other);
        }
        for (int s = 1; s <= 2; ++s) {
            std::string const spine = fmt::format("spine{}", s);
            for (int l = 1; l <= 2; ++l)
                hear(spine, fmt::format("leaf{}", l), fmt::format("leaf{}", l), fmt::format("swp{}", 8 + s));
            routes[spine] =
                R"({"10.1.0.0/16":[{"protocol":"bgp","selected":true,"installed":true,"nexthops":[)"
                R"({"ip":"172.16.1.9","fib":true,"active":true,"recursive":true},)"
                R"({"ip":"172.16.1.1","afi":"ipv4","interfaceName":"leaf1","fib":true,"active":true,"weight":1}]},)"
                R"({"protocol":"static","nexthops":[{"ip":"9.9.9.9","interfaceName":"leaf2","active":true}]}],)"
                R"("10.2.0.0/16":[{"protocol":"bgp","selected":true,"installed":true,"nexthops":[)"
                R"({"ip":"172.16.1.2","interfaceName":"leaf2","fib":true,"active":true,"weight":1}]}]})";
        }
    }
    void hear(std::string const& device, std::string const& interface, std::string const& far,
              std::string const& port) {
        neighbours[device][interface] = {far, port};
    }
    std::string lldp(std::string const& device) const {
        std::string text;
        for (auto const& [interface, far] : neighbours.at(device))
            text += fmt::format(R"({}{{"{}":{{"via":"LLDP","chassis":{{"{}":{{"id":{{"type":"mac","value":"0"}}}}}},)"
                                R"("port":{{"id":{{"type":"ifname","value":"{}"}},"descr":"x"}}}}}})",
                                text.empty() ? "" : ",", interface, far.first, far.second);
        return R"({"lldp":{"interface":[)" + text + "]}}";
    }
    Fabric read(Disagreements& disagreements) const {
        for (auto const& [device, text] : routes) {
            std::filesystem::create_directories(folder / device);
            folder.write(device + "/routes", text);
            folder.write(device + "/lldp.json", lldp(device));
            if (device == "leaf1")
                folder.write(device + "/sysctl",
                             "net.ipv4.fib_multipath_hash_policy = 1\nnet.ipv4.fib_multipath_hash_seed = 77\n");
        }
        return read_router_folder(folder.path(), disagreements);
    }
    TemporaryFolder folder;
    std::map<std::string, std::string> routes;
    std::map<std::string, std::map<std::string, std::pair<std::string, std::string>>> neighbours;
};

std::uint32_t ip(std::string const& text) { return parse_prefix(text)->address; }
/// Names of the interfaces of a set, in its order.
std::string set_of(Fabric const& fabric, std::string const& device, std::string const& host) {
    Node const node = fabric.network.node_by_name(device);
    Lid const lid = fabric.network[fabric.network.hosts_of(fabric.network.node_by_name(host))[0]].lid;
    CandidateSets::Group const group = fabric.candidates->group(node, lid);
    std::string text;
    if (group == CandidateSets::no_group) {
        Port const port = fabric.tables.port(node, lid);
        return port == ForwardingTables::no_entry ? "nothing" : fabric.network.port_label(node, port);
    }
    for (Port const port : fabric.candidates->ports(node, group))
        text += (text.empty() ? "" : " ") + fabric.network.port_label(node, port);
    return text;
}

TEST(RouterFolder, RoutesAndNeighboursGiveAFabricWithWeightedSets) {
    Routers const routers;
    Disagreements disagreements;
    Fabric const fabric = routers.read(disagreements);
    EXPECT_FALSE(disagreements.any()) << disagreements.warnings().front();
    EXPECT_EQ(fabric.network.switches(), 4u);
    EXPECT_EQ(fabric.network.hosts().size(), 4u);
    EXPECT_EQ(fabric.network.links().size(), 16u);
    EXPECT_EQ(set_of(fabric, "leaf1", "n21"), "swp9 swp9 swp9 swp10");  // 6 : 2, in the kernel's order
    EXPECT_EQ(set_of(fabric, "leaf1", "n12"), "swp2");
    EXPECT_EQ(set_of(fabric, "spine2", "n12"), "leaf1");
    EXPECT_EQ(fabric.candidates->chosen_by(), ChosenBy::hash);
    // 10.1.1.0/31 is the switch's lower, 10.1.2.0/31 its upper address.
    Network const& net = fabric.network;
    auto const address = [&](std::string const& name) {
        return fabric.ip->address[net.hosts_of(net.node_by_name(name))[0].value];
    };
    EXPECT_EQ(address("n11"), ip("10.1.1.1"));
    EXPECT_EQ(address("n12"), ip("10.1.2.0"));
    EXPECT_EQ(fabric.ip->seed[net.node_by_name("leaf1").value], 77u);
    EXPECT_EQ(fabric.ip->seed[net.node_by_name("leaf2").value], std::nullopt);
    for (std::size_t s = 0; s < 4; ++s)
        for (std::size_t d = 0; d < 4; ++d)
            EXPECT_EQ(trace_from_host(fabric, Host{s}, net[Host{d}].lid).fate, Fate::delivered);
}

TEST(RouterFolder, FilesMayLieBesideEachOther) {
    Routers const routers;
    Disagreements disagreements;
    Fabric const in_folders = routers.read(disagreements);
    TemporaryFolder flat;
    for (auto const& [device, text] : routers.routes) {
        flat.write(device + ".dc1.routes.json", text);
        flat.write(device + ".dc1.lldp.json", routers.lldp(device));
    }
    Fabric const fabric = read_router_folder(flat.path(), disagreements);
    EXPECT_FALSE(disagreements.any());
    // The devices are leaf1.dc1 .., and neighbours call them leaf1.
    EXPECT_EQ(fabric.network.hosts().size(), 4u);
    EXPECT_EQ(in_folders.network.hosts().size(), 4u);
    TemporaryFolder plain;
    for (auto const& [device, text] : routers.routes) {
        plain.write(device + ".routes.json", text);
        plain.write(device + ".lldp.json", routers.lldp(device));
    }
    EXPECT_EQ(read_router_folder(plain.path(), disagreements).network.hosts().size(), 4u);
}

TEST(RouterFolder, OneSidedSessionsAreToldAndTheCableCounts) {
    Routers routers;
    routers.neighbours["spine1"].erase("leaf2");
    Disagreements disagreements(false, 10);
    Fabric const fabric = routers.read(disagreements);
    ASSERT_EQ(disagreements.times(Disagreement::one_sided_cable), 1u);
    EXPECT_EQ(disagreements.noted()[0].text, "leaf2 hears spine1 on swp9, but spine1 does not hear it on leaf2");
    EXPECT_EQ(fabric.network.links().size(), 16u);
}

TEST(RouterFolder, ARouterWithoutRoutesIsASwitchWithoutTable) {
    Routers routers;
    routers.routes.erase("spine2");
    Disagreements disagreements;
    Fabric const fabric = routers.read(disagreements);
    EXPECT_EQ(fabric.network.switches(), 4u);
    EXPECT_EQ(disagreements.times(Disagreement::damaged_file), 1u);
    EXPECT_FALSE(fabric.tables.has_table(fabric.network.node_by_name("spine2")));
}

TEST(RouterFolder, DamageIsDataAndNothingIsRefused) {
    Routers routers;
    routers.routes["leaf2"] = "[{\"dst\": \"10.1.0.0/16\", ";
    Disagreements disagreements;
    Fabric const fabric = routers.read(disagreements);
    EXPECT_EQ(disagreements.times(Disagreement::damaged_file), 1u);
    EXPECT_EQ(set_of(fabric, "spine1", "n11"), "leaf1");
    TemporaryFolder empty;
    EXPECT_THROW(read_router_folder(empty.path(), disagreements), InputError);
    EXPECT_THROW(read_router_folder(empty / "none", disagreements), InputError);
}

TEST(RouterFolder, RoutesThatDropAndMetrics) {
    Disagreements disagreements;
    auto const read = [&](std::string const& text) {
        LineReader lines = lines_of_text(text, "routes");
        return read_ip_routes(lines, disagreements);
    };
    IpRoutes const kernel = read(
        R"([{"dst":"default","gateway":"1.1.1.1","dev":"a","metric":100},{"dst":"default","gateway":"2.2.2.2","dev":"b","metric":5},)"
        R"({"type":"blackhole","dst":"10.0.0.0/8"},{"dst":"3.3.3.3","dev":"c"},{"dst":"fe80::/64","dev":"c"},)"
        R"({"dst":"4.0.0.0/8","nexthops":[{"gateway":"1.1.1.1","dev":"a","flags":["dead","linkdown"]},{"gateway":"1.1.1.2","dev":"b"}]}])");
    ASSERT_EQ(kernel.routes.size(), 4u);
    EXPECT_EQ(kernel.routes[0].next_hops[0].interface, "b");
    EXPECT_TRUE(kernel.routes[1].next_hops.empty());
    EXPECT_EQ(kernel.routes[2].prefix.length, 32u);
    ASSERT_EQ(kernel.routes[3].next_hops.size(), 1u);
    EXPECT_EQ(kernel.routes[3].next_hops[0].interface, "b");
    IpRoutes const frr = read(
        R"({"10.0.0.0/8":[{"protocol":"static","selected":true,"installed":true,"nexthops":[{"fib":true,"unreachable":true,"blackhole":true}]}],)"
        R"("11.0.0.0/8":[{"protocol":"bgp","selected":true,"nexthops":[{"fib":true,"interfaceName":"a","duplicate":true},{"fib":true,"interfaceName":"b","weight":100}]}]})");
    ASSERT_EQ(frr.routes.size(), 2u);
    EXPECT_TRUE(frr.routes[0].next_hops.empty());
    ASSERT_EQ(frr.routes[1].next_hops.size(), 1u);
    EXPECT_EQ(frr.routes[1].next_hops[0].weight, 100u);
    // Where FRR tells of some route that it is installed, one that is selected and not installed is none.
    IpRoutes const queued = read(
        R"({"10.0.0.0/8":[{"protocol":"bgp","selected":true,"installed":true,"nexthops":[{"fib":true,"active":true,"interfaceName":"a"}]}],)"
        R"("11.0.0.0/8":[{"protocol":"bgp","selected":true,"queued":true,"nexthops":[{"active":true,"interfaceName":"b"}]}],)"
        R"("12.0.0.0/8":[{"protocol":"bgp","selected":true,"failed":true,"nexthops":[{"active":true,"interfaceName":"b"}]}]})");
    ASSERT_EQ(queued.routes.size(), 1u);
    EXPECT_EQ(queued.routes[0].prefix, *parse_prefix("10.0.0.0/8"));
    EXPECT_FALSE(disagreements.any());
    for (char const* const text : {"", "nonsense", "[1,2,{}]", R"({"a":[{}]})", "7", R"([{"dst":"300.0.0.1"}])"}) {
        try {
            read(text);
        } catch (InputError const&) {
        }
    }
}

TEST(RouterFolder, Prefixes) {
    EXPECT_EQ(parse_prefix("10.1.2.3/16")->length, 16u);
    EXPECT_TRUE(parse_prefix("10.1.2.3/16")->holds(ip("10.1.99.99")));
    EXPECT_FALSE(parse_prefix("10.1.2.3/16")->holds(ip("10.2.0.0")));
    EXPECT_TRUE(parse_prefix("default")->holds(ip("255.0.0.1")));
    for (char const* const text :
         {"", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.4/33", "1.2.3.4/", "::1", "1.2.3.0004"})
        EXPECT_FALSE(parse_prefix(text).has_value()) << text;
}

Finished audit_of(Routers const& routers, Words const& more = {}) {
    return run_tailback(joined({"audit", "--network", "frr:" + routers.folder.path()}, more));
}

/// Definition: a file of a device that is empty, or holds what a shell said, is one finding, which names it; what is
/// missing because of it is a symptom.
TEST(RouterFolder, AFileThatADeviceLostIsOneFindingThatNamesIt) {
    for (std::string const file : {"leaf2/lldp.json", "leaf2/routes"})
        for (char const* const text : {"", "bash: command not found\n", "{}\n", "[]"}) {
            Routers const routers;
            Disagreements disagreements;
            routers.read(disagreements);
            routers.folder.write(file, text);
            Finished const audited = audit_of(routers);
            EXPECT_EQ(audited.code, 1) << audited.out;
            EXPECT_NE(audited.out.find("FAULTS: 1 inconsistent"), std::string::npos) << audited.out;
            EXPECT_NE(audited.out.find(file), std::string::npos) << audited.out;
        }
}

/// Definition: a table of IPv6 routes alone tells no route that is followed, and the finding says so.
TEST(RouterFolder, IPv6RoutesAlone) {
    Routers const routers;
    Disagreements disagreements;
    routers.read(disagreements);
    routers.folder.write("leaf2/routes", R"([{"dst":"fd00::/64","gateway":"fe80::1","dev":"swp9"}])");
    Finished const audited = audit_of(routers);
    EXPECT_EQ(audited.code, 1) << audited.out;
    EXPECT_NE(audited.out.find("FAULTS: 1 inconsistent"), std::string::npos) << audited.out;
    EXPECT_NE(audited.out.find("leaf2/routes has IPv6 routes alone"), std::string::npos) << audited.out;
}

/// Definition: of two files of one kind for a device the one with the shorter name counts; another that tells something
/// else, or nothing, is one finding that names both. The kernel's routes go before FRR's.
TEST(RouterFolder, ASecondFileOfAKindIsToldWhereItDiffers) {
    struct Case {
        std::string file, text, says;
    };
    Routers const whole;
    std::string const one_route = R"([{"dst":"10.9.0.0/16","gateway":"172.16.1.1","dev":"swp9"}])";
    for (Case const& one :
         {Case{"leaf2/lldp-old.json", whole.lldp("leaf1"), "tells other neighbours than leaf2/lldp.json, which counts"},
          Case{"leaf2/lldp-old.json", "", "is empty; leaf2/lldp.json counts"},
          Case{"leaf2/lldp-old.json", whole.lldp("leaf2"), ""},
          Case{"leaf2/routes-old", one_route, "tells other routes than leaf2/routes, which counts"},
          Case{"leaf2/routes-old", whole.routes.at("leaf2"), ""},
          Case{"leaf2/routes6", R"([{"dst":"fd00::/64","gateway":"fe80::1","dev":"swp9"}])", ""},
          Case{"leaf2/routes6", R"({"fd00::/64":[{"prefix":"fd00::/64","selected":true,"nexthops":[]}]})", ""},
          Case{"leaf2/routes-frr", whole.routes.at("spine1"), ""}}) {
        SCOPED_TRACE(one.file + ": " + one.says);
        Routers const routers;
        Disagreements disagreements;
        routers.read(disagreements);
        std::string const before = audit_of(routers).out;
        routers.folder.write(one.file, one.text);
        Finished const audited = audit_of(routers);
        if (one.says.empty()) {
            EXPECT_EQ(audited.out, before);
            continue;
        }
        EXPECT_EQ(audited.code, 1) << audited.out;
        EXPECT_NE(audited.out.find("FAULTS: 1 inconsistent"), std::string::npos) << audited.out;
        std::string flat;  // without the ends of lines
        for (char const c : audited.out) {
            if (c == '\n') flat += ' ';
            else if (c != ' ' || flat.back() != ' ') flat += c;
        }
        EXPECT_NE(flat.find(one.file + " " + one.says), std::string::npos) << audited.out;
    }
}

/// Definition: what one file says wrong is one finding, at the device, and nothing is refused.
TEST(RouterFolder, OneWrongFileIsOneFinding) {
    struct Case {
        char const* name;
        std::function<void(Routers const&)> damage;
        std::string where, says;
    };
    auto const change = [](std::string const& file, std::string const& old, std::string const& now) {
        return [=](Routers const& r) { r.folder.write(file, replaced(read_whole(r.folder / file), old, now)); };
    };
    for (
        Case const& one : std::vector<Case>{
            {"a host heard by two leaves", change("leaf2/lldp.json", "n21", "n11"), "switch \"leaf2\"",
             "eth0 of n11 is heard by swp1 of leaf2 and by swp1 of leaf1, whose cable counts"},
            {"a host heard twice by a leaf", change("leaf1/lldp.json", "n12", "n11"), "switch \"leaf1\"",
             "eth0 of n11 is heard by swp2 of leaf1 and by swp1 of leaf1"},
            {"an interface under another name", change("leaf1/lldp.json", "swp9", "swp77"), "switch \"leaf1\"",
             "leaf1 hears leaf1 of spine1 on swp77, which spine1 hears as swp9, whose cable counts"},
            {"a folder twice",
             [](Routers const& r) {
                 std::filesystem::copy(r.folder / "leaf1", r.folder / "leaf1.bak",
                                       std::filesystem::copy_options::recursive);
             },
             "leaf1.bak", "it is a copy of those files, and left out"},
            {"neighbours of another leaf", [](Routers const& r) { r.folder.write("leaf1/lldp.json", r.lldp("leaf2")); },
             "switch \"leaf1\"", "leaf1/lldp.json tells, port by port, what leaf2 hears"},
            {"zeros in routes",
             [](Routers const& r) { r.folder.write("leaf1/routes", r.routes.at("leaf1") + std::string(2, '\0')); },
             "switch \"leaf1\"", "this is a binary file"},
            {"zeros in neighbours",
             [](Routers const& r) { r.folder.write("leaf1/lldp.json", r.lldp("leaf1") + std::string(2, '\0')); },
             "switch \"leaf1\"", "this is a binary file"},
            {"an interface under another name in routes", change("leaf1/routes", "swp9", "swp77"),
             "switch \"leaf1\" port swp77",
             "leaf1 sends packets for 10.2.1.1 and 1 host more to swp77, where LLDP hears nobody"},
            {"a neighbour under another name", change("leaf1/lldp.json", "spine1", "spineX"), "leaf1 swp9",
             "leaf1 hears spineX on swp9, and spine1 hears it on leaf1, the interface that spineX is heard to have: it "
             "is taken as spine1; name the folder as LLDP does"},
            {"a folder under another name",
             [](Routers const& r) { std::filesystem::rename(r.folder / "spine1", r.folder / "core"); }, "leaf1 swp9",
             "it is taken as core, at 2 cables; name the folder as LLDP does"},
            {"routes of another leaf",
             [](Routers const& r) {
                 r.folder.write("leaf1/addr.json", R"([{"ifname":"swp1","addr_info":[{"family":"inet",)"
                                                   R"("local":"10.1.1.0","prefixlen":31}]}])");
                 r.folder.write("leaf1/routes", replaced(r.routes.at("leaf2"), "prefsrc", "src"));
             },
             "switch \"leaf1\"",
             "leaf1/routes is of another device (swp1 is in network 10.2.1.0/31, and has address 10.1.1.0)"},
            {"weights that are none", change("leaf1/routes", R"("weight":6)", R"("weight":"six")"), "leaf1/routes",
             "1 next hop has a weight that is not a number from 1 to 65535 (the first: \"six\" of 10.2.0.0/16); 1 is "
             "taken"},
            {"two hosts of one address",
             [](Routers const& r) {
                 for (auto const& [host, address] : {std::pair{"n12", "10.1.1.1"}, std::pair{"n11", "10.1.1.1"}}) {
                     std::filesystem::create_directories(r.folder / host);
                     r.folder.write(std::string(host) + "/addr.json",
                                    fmt::format(R"([{{"ifname":"eth0","addr_info":[{{"family":"inet","local":"{}",)"
                                                R"("prefixlen":24}}]}}])",
                                                address));
                 }
             },
             "host \"n11\" port eth0",
             "host \"n11\" port eth0 and host \"n12\" port eth0 have the same address, 10.1.1.1"},
            {"nonsense for sysctl", [](Routers const& r) { r.folder.write("leaf1/sysctl", "denied\n"); },
             "leaf1/sysctl", "is not what `sysctl net.ipv4` writes"},
            {"the answer of another command",
             [](Routers const& r) {
                 r.folder.write("spine1/routes", R"({"vrfName":"default","routes":{"10.1.0.0/16":[{"valid":true,)"
                                                 R"("nexthops":[{"ip":"172.16.1.1"}]}]}})");
             },
             "switch \"spine1\"", "spine1/routes: the file has no routes (it begins with \"routes\": another"},
            {"routes of the management network",
             [](Routers const& r) {
                 r.folder.write("leaf1/routes", R"([{"dst":"default","gateway":"192.168.0.1","dev":"eth0"},)"
                                                R"({"dst":"192.168.0.0/24","dev":"eth0","scope":"link"}])");
             },
             "switch \"leaf1\"", "leaf1/routes has routes by the management port eth0 alone"},
            {"a route that is none", change("spine1/routes", R"("10.1.0.0/16":)", R"("garbage":[1],"10.1.0.0/16":)"),
             "spine1/routes", "\"garbage\" is not a route"}}) {
        SCOPED_TRACE(one.name);
        Routers const routers;
        Disagreements ignored;
        routers.read(ignored);
        one.damage(routers);
        Finished const done = audit_of(routers, {"--format", "json", "--quiet"});
        ASSERT_EQ(done.code, 1) << done.err;
        nlohmann::json const audit = nlohmann::json::parse(done.out);
        EXPECT_EQ(audit["verdict"]["faults"], 1) << audit["findings"];
        nlohmann::json const& finding = audit["findings"][0];
        EXPECT_EQ(finding["where"], one.where);
        EXPECT_NE(finding["message"].get<std::string>().find(one.says), std::string::npos) << finding;
    }
}

/// What is no text is passed over, but for a file that is named as one that counts. A router that lost its routes still
/// tells its networks, so that hosts behind it keep their addresses. Hosts that nobody hears are told of.
TEST(RouterFolder, StrangeFilesLostNetworksAndSilentHosts) {
    Routers routers;
    Disagreements ignored;
    routers.read(ignored);
    std::string const before = audit_of(routers).out;
    routers.folder.write("leaf1/photo.bin", std::string("\0\1\2", 3));
    EXPECT_EQ(audit_of(routers).out, before);
    routers.folder.write("leaf1/routes", "");
    routers.folder.write("leaf1/addr.json", R"([{"ifname":"swp1","addr_info":[{"family":"inet","local":"10.1.1.0",)"
                                            R"("prefixlen":31}]},{"ifname":"swp2","addr_info":[{"family":"inet",)"
                                            R"("local":"10.1.2.1","prefixlen":31}]}])");
    Fabric const fabric = read_router_folder(routers.folder.path(), ignored);
    ASSERT_NE(fabric.ip, nullptr);
    EXPECT_EQ(std::count(fabric.ip->address.begin(), fabric.ip->address.end(), 0u), 0);
    EXPECT_EQ(fabric.ip->address[0], ip("10.1.1.1"));
    EXPECT_EQ(fabric.ip->address[1], ip("10.1.2.0"));
    Routers silent;
    silent.neighbours["leaf1"].erase("swp1");
    silent.read(ignored);
    EXPECT_NE(audit_of(silent).err.find("1 interface has a network for one neighbour and hears nobody by LLDP (the "
                                        "first: swp1 of leaf1)"),
              std::string::npos)
        << audit_of(silent).err;
}

/// Hosts that nobody named (localhost) go by the id of their chassis: they are several.
TEST(RouterFolder, HostsThatAreCalledLocalhost) {
    Routers routers;
    Disagreements told(false, 9), ignored;
    Fabric const named = routers.read(ignored);
    for (std::string const leaf : {"leaf1", "leaf2"}) {
        std::string text = routers.lldp(leaf);
        for (int h = 1; h <= 2; ++h) {
            std::string const host = fmt::format("n{}{}", leaf.back(), h),
                              chassis = R"(":{"id":{"type":"mac","value":")";
            text = replaced(text, host + chassis + "0", "localhost" + chassis + "02:00:" + host);
        }
        routers.folder.write(leaf + "/lldp.json", text);
    }
    Fabric const fabric = read_router_folder(routers.folder.path(), told);
    EXPECT_EQ(fabric.network.hosts().size(), 4u);
    EXPECT_TRUE(fabric.network.node_by_name("02:00:n21").exists());
    EXPECT_EQ(fabric.ip->address, named.ip->address);
    EXPECT_EQ(told.noted().size(), 0u);
}

/// A second neighbour that is no router (an adapter with a system of its own) is a note, and so is no fault; files may
/// begin with a mark of byte order.
TEST(RouterFolder, SecondNeighboursAndMarksOfByteOrder) {
    Routers const routers;
    Disagreements ignored, told(false, 9);
    routers.read(ignored);
    std::string const lldp = routers.lldp("leaf1"), one = R"({"swp1":{"via")";
    std::string const dpu = R"({"swp1":{"via":"LLDP","chassis":{"dpu":{"id":{"type":"mac","value":"1"}}},)"
                            R"("port":{"id":{"type":"ifname","value":"p0"}}}},)";
    std::size_t const at = lldp.find(R"({"swp2")");
    ASSERT_TRUE(lldp.find(one) != std::string::npos && at != std::string::npos);
    routers.folder.write("leaf1/lldp.json", "\xEF\xBB\xBF" + lldp.substr(0, at) + dpu + lldp.substr(at));
    routers.folder.write("leaf1/routes", "\xEF\xBB\xBF" + routers.routes.at("leaf1"));
    Fabric const fabric = read_router_folder(routers.folder.path(), told);
    EXPECT_EQ(fabric.network.hosts().size(), 4u);
    EXPECT_TRUE(told.noted().empty());
    EXPECT_TRUE(std::ranges::any_of(fabric.ip->remarks, [](std::string const& one_remark) {
        return one_remark.find("n11 and dpu on swp1 of leaf1") != std::string::npos;
    }));
}

/// A router that hears its neighbours on each other's ports, while these hear it otherwise: one finding, and their ends
/// count. A host that two leaves hear is behind the one that has a network of its address.
TEST(RouterFolder, EndsThatContradictEachOtherAreWeighed) {
    Routers routers;
    std::swap(routers.neighbours["spine2"]["leaf1"], routers.neighbours["spine2"]["leaf2"]);
    Disagreements told(false, 9), twice(false, 9);
    Fabric const fabric = routers.read(told);
    EXPECT_EQ(fabric.network.link_count(fabric.network.node_by_name("spine2")), 2u);
    ASSERT_EQ(told.noted().size(), 1u);
    EXPECT_EQ(told.noted()[0].where.text, "switch \"spine2\"");
    EXPECT_NE(told.noted()[0].text.find("spine2 hears neighbours on 2 ports that hear other ports of it"),
              std::string::npos)
        << told.noted()[0].text;
    Network const& net = fabric.network;
    Node const leaf = net.node_by_name("leaf1");
    std::set<std::string> far;
    for (std::uint32_t l = 0; l < net.link_count(leaf); ++l)
        far.insert(net.place_of(net[Link{net.first_link(leaf).value + l}].to,
                                net[Link{net.first_link(leaf).value + l}].to_port)
                       .text);
    EXPECT_TRUE(far.contains("switch \"spine2\" port leaf1")) << testing::PrintToString(far);

    Routers hosts;
    hosts.hear("leaf1", "swp3", "n21", "eth0");
    hosts.read(twice);
    std::string lldp = hosts.lldp("leaf2");
    lldp = replaced(lldp, R"({"n21":{)", R"({"n21":{"mgmt-ip":"10.2.1.1",)");
    hosts.folder.write("leaf2/lldp.json", lldp);
    Disagreements weighed(false, 9);
    Fabric const by_network = read_router_folder(hosts.folder.path(), weighed);
    Network const& at = by_network.network;
    EXPECT_EQ(at[at[at.up_link(at.hosts_of(at.node_by_name("n21"))[0])].to].name, "leaf2");
    ASSERT_EQ(weighed.noted().size(), 1u);
    EXPECT_NE(weighed.noted()[0].text.find("is heard by swp3 of leaf1 and by swp1 of leaf2, whose cable counts"),
              std::string::npos)
        << weighed.noted()[0].text;
}

/// Definition: whatever up to three damages do to files of a folder, it is read, or refused with a reason.
TEST(RouterFolder, NoDamageIsMoreThanAFindingOrARefusal) {
    std::vector<std::string> const words = {"leaf1", "leaf2", "spine1", "spine2", "n11",  "n12",  "n21", "n22",
                                            "swp1",  "swp2",  "swp8",   "swp9",   "eth0", "10.1", "10.2"};
    std::mt19937 random(20);
    auto const any = [&](auto const& list) -> auto const& { return list[random() % list.size()]; };
    std::uint64_t refused = 0, told = 0;
    constexpr int folders = 300;
    for (int i = 0; i < folders; ++i) {
        Routers const routers;
        Disagreements ignored;
        routers.read(ignored);
        std::string what;
        for (std::uint32_t damage = 0; damage <= random() % 3; ++damage) {
            std::string const device = any(std::vector<std::string>{"leaf1", "leaf2", "spine1", "spine2"}),
                              file = device + (random() % 2 == 0 ? "/lldp.json" : "/routes");
            if (!std::filesystem::exists(routers.folder / file)) continue;
            std::string text = read_whole(routers.folder / file);
            std::string const old = any(words), now = any(words);
            std::size_t const at = random() % (text.size() + 1), length = random() % 60;
            std::uint32_t const kind = random() % 7;
            what += "\n" + file + ", kind " + std::to_string(kind) + " " + old + " -> " + now;
            if (kind < 2) text = replaced(text, old, now);
            if (kind == 2) text.erase(at, length);
            if (kind == 3) text.resize(at);
            if (kind == 4) text.insert(at, std::string(1, char(random() % 256)));
            if (kind == 5) std::filesystem::remove(routers.folder / file);
            else routers.folder.write(file, text);
            if (kind == 6) {
                std::filesystem::create_directories(routers.folder / (old + "x"));
                routers.folder.write(old + "x/" + file.substr(file.find('/') + 1), text);
            }
        }
        SCOPED_TRACE(what);
        Disagreements disagreements(false, 99);
        try {
            Fabric const fabric = read_router_folder(routers.folder.path(), disagreements);
            EXPECT_GT(fabric.network.hosts().size(), 0u);
            told += !disagreements.noted().empty();
        } catch (InputError const&) {
            ++refused;
        } catch (std::exception const& error) {
            ADD_FAILURE() << error.what();
        }
    }
    EXPECT_GT(told, folders / 3u);
    EXPECT_LT(refused, folders / 10u);
}

/// Definition: pairs that some choices lose are a finding beside those that all choices lose.
TEST(RouterFolder, PairsThatSomeChoicesLoseCount) {
    Routers routers;
    std::string& text = routers.routes["spine1"];
    text = text.substr(0, text.find(R"(,"10.2.0.0/16")")) + "}";
    Disagreements disagreements;
    routers.read(disagreements);
    Finished const audited = audit_of(routers);
    EXPECT_EQ(audited.code, 1);
    EXPECT_NE(audited.out.find("1 choices"), std::string::npos) << audited.out;
    EXPECT_EQ(audit_of(routers, {"--fail-on", "choices"}).code, 1);
}

/// Definition: neighbours on management ports, which no route goes by, are no hosts; that is told.
TEST(RouterFolder, NeighboursOnManagementPortsAreLeftOut) {
    Routers routers;
    for (char const* const device : {"leaf1", "leaf2", "spine1", "spine2"})
        routers.hear(device, "eth0", "oob", std::string("port-") + device);
    Disagreements disagreements;
    EXPECT_EQ(routers.read(disagreements).network.hosts().size(), 4u);
    Finished const audited = audit_of(routers);
    EXPECT_EQ(audited.code, 0) << audited.out;
    EXPECT_NE(audited.err.find("4 neighbours on management ports"), std::string::npos) << audited.err;
}

/// Ports go by the names of interfaces: where one is asked for, in texts, and beside the numbers in JSON.
TEST(RouterFolder, PortsGoByTheNamesOfInterfaces) {
    Routers const routers;
    Disagreements disagreements;
    Fabric const fabric = routers.read(disagreements);
    Node const leaf = fabric.network.node_by_name("leaf1");
    for (Port port = 1; port <= fabric.network[leaf].ports; ++port) {
        EXPECT_EQ(fabric.network.port_called(leaf, fabric.network.port_label(leaf, port)), port);
        EXPECT_EQ(fabric.network.port_called(leaf, std::to_string(port)), 0u);  // a number that is printed nowhere
    }
    EXPECT_EQ(fabric.network.port_called(leaf, "swp99"), 0u);
    EXPECT_EQ(fabric.network.port_called(leaf, "99"), 0u);
    EXPECT_EQ(fabric.network.port_called(leaf, ""), 0u);
    std::string const network = "frr:" + routers.folder.path();
    auto const without = [&](std::string const& port) {
        return run_tailback({"audit", "--network", network, "--without-cable", "leaf1:" + port, "--format", "json"});
    };
    EXPECT_EQ(without(std::to_string(fabric.network.port_called(leaf, "swp9"))).code, 2);
    EXPECT_NE(without("swp9").out.find("port swp9 to switch"), std::string::npos);
    EXPECT_NE(without("swp9").out.find(R"("from_port_name":"swp9")"), std::string::npos);
    EXPECT_EQ(without("swp77").code, 2);
    EXPECT_NE(without("swp77").err.find("leaf1\" has no port \"swp77\""), std::string::npos) << without("swp77").err;
    std::string const csv = run_tailback({"audit", "--network", network, "--format", "csv"}).out;
    EXPECT_NE(csv.find(",leaf1,swp9,spine1,leaf1,"), std::string::npos) << csv;
    std::string const text = run_tailback({"audit", "--network", network}).out;
    EXPECT_NE(text.find("leaf1 [swp9] -> spine1 [leaf1]"), std::string::npos) << text;
    std::string const evaluated =
        run_tailback({"evaluate", "--network", network, "--metric", "get_cable_cong", "--mappings", "5"}).out;
    EXPECT_NE(evaluated.find("leaf1 [swp9] -> spine1 [leaf1]"), std::string::npos) << evaluated;
    std::string const traced = run_tailback({"trace", "--network", network, "n11", "n21"}).out;
    EXPECT_NE(traced.find("n11 eth0 -> swp1 leaf1"), std::string::npos) << traced;
    // The folder is named as it was, so that commands of a page run again.
    EXPECT_NE(run_tailback({"evaluate", "--network", network, "--mappings", "5", "--format", "json"})
                  .out.find("\"network\": \"" + network + "\""),
              std::string::npos);
}

/// Findings and choices name ports beside their numbers.
TEST(RouterFolder, JsonNamesThePortsOfFindingsAndChoices) {
    Routers routers;
    routers.neighbours["leaf1"].erase("swp9");  // heard from the other end alone: a one-sided cable
    Disagreements ignored;
    routers.read(ignored);
    Finished const done = run_tailback({"audit", "--network", "frr:" + routers.folder.path(), "--format", "json"});
    nlohmann::json const audit = nlohmann::json::parse(done.out);
    nlohmann::json const& finding = audit["findings"][0];
    EXPECT_EQ(finding["node"], "spine1") << finding;
    EXPECT_EQ(finding["port_name"], "leaf1") << finding;
    EXPECT_TRUE(finding["port"].is_number()) << finding;
    EXPECT_TRUE(audit["choices"]["equal_division"]["hottest"].contains("port_name")) << audit["choices"];
}

/// A cable that is gone renumbers the ports behind it; by their names all other cables are those of before.
TEST(RouterFolder, DiffGoesByTheNamesOfInterfaces) {
    Routers const before;
    Routers after;
    after.neighbours["leaf1"].erase("swp1");  // the first interface: all others of leaf1 are numbered anew
    Disagreements ignored;
    before.read(ignored), after.read(ignored);
    Finished const done =
        run_tailback({"diff", "frr:" + before.folder.path(), "frr:" + after.folder.path(), "--format", "json"});
    EXPECT_EQ(done.code, 1) << done.err;
    nlohmann::json const diff = nlohmann::json::parse(done.out);
    EXPECT_EQ(diff["cables"]["gone"].size(), 1u) << diff["cables"];
    EXPECT_EQ(diff["cables"]["new"].size(), 0u) << diff["cables"];
    std::string const text = run_tailback({"diff", "frr:" + before.folder.path(), "frr:" + after.folder.path()}).out;
    EXPECT_NE(text.find("leaf1 [swp1] - n11 [eth0]"), std::string::npos) << text;
    EXPECT_EQ(text.find("Sets of ports"), std::string::npos) << text;
}

/// `show ip route vrf all json`: the default VRF's routes count.
/// A leaf that the folder lacks, behind which routers have routes to single addresses: it is a router where it calls
/// itself one by LLDP, and a host where it does not, or where the address is its own.
TEST(RouterFolder, AMissingRouterOfHostRoutes) {
    for (auto const& [capability, address, is_router] :
         {std::tuple("true", "10.9.9.9", true), std::tuple("false", "10.9.9.9", false),
          std::tuple("true", "10.2.1.1", false)}) {
        Routers routers;
        Disagreements told(false, 99);
        routers.routes.erase("leaf2");
        for (std::string const spine : {"spine1", "spine2"})
            routers.routes[spine] = replaced(routers.routes[spine], "10.2.0.0/16", "10.2.1.1/32");
        routers.read(told);
        for (std::string const spine : {"spine1", "spine2"})
            routers.folder.write(
                spine + "/lldp.json",
                replaced(routers.lldp(spine), R"({"leaf2":{)",
                         fmt::format(R"({{"leaf2":{{"mgmt-ip":"{}","capability":[{{"type":"Router","enabled":{}}}],)",
                                     address, capability)));
        Fabric const fabric = read_router_folder(routers.folder.path(), told);
        EXPECT_EQ(fabric.network.is_switch(fabric.network.node_by_name("leaf2")), is_router) << capability << address;
    }
}

/// The default VRF counts; where that leads to no other router, that with the most routes which do.
TEST(RouterFolder, RoutesOfAllVrfs) {
    Routers const plain;
    Routers all, of_fabric;
    for (std::string const spine : {"spine1", "spine2"}) {
        all.routes[spine] = R"({"default":)" + all.routes[spine] + R"(,"mgmt":{"0.0.0.0/0":[]}})";
        of_fabric.routes[spine] =
            R"({"default":{"192.168.0.0/24":[{"protocol":"connected","selected":true,"nexthops":[{"interfaceName":)"
            R"("eth0","directlyConnected":true}]}]},"fabric":)" +
            plain.routes.at(spine) +
            R"(,"mgmt":{"0.0.0.0/0":[{"protocol":"static","nexthops":[{"ip":"192.168.0.1"}]}]}})";
    }
    Disagreements ignored;
    plain.read(ignored), all.read(ignored), of_fabric.read(ignored);
    EXPECT_EQ(run_tailback({"diff", "frr:" + plain.folder.path(), "frr:" + all.folder.path()}).code, 0);
    EXPECT_EQ(run_tailback({"diff", "frr:" + plain.folder.path(), "frr:" + of_fabric.folder.path()}).code, 0);
}

/// Definition: a cable that no route goes by in either direction is one finding, also where that leaves every router
/// one way; a router none of whose cables is used is one for all of them. On a sound fabric no cable is called unused
/// that some choice takes.
TEST(RouterFolder, CablesAndRoutersThatNobodyUses) {
    auto const findings = [](Routers const& routers) {
        Disagreements ignored;
        routers.read(ignored);
        return nlohmann::json::parse(audit_of(routers, {"--format", "json", "--quiet"}).out)["findings"];
    };
    auto const without = [](std::string const& routes, std::string const& what) { return replaced(routes, what, ""); };
    std::string const by_first = R"({"gateway":"172.16.1.1","dev":"swp9","weight":6,"flags":[]},)",
                      by_first_of_2 = R"({"gateway":"172.16.1.2","dev":"swp9","weight":6,"flags":[]},)";
    Routers dead;  // spine1 has no session
    dead.routes["leaf1"] = without(dead.routes["leaf1"], by_first);
    dead.routes["leaf2"] = without(dead.routes["leaf2"], by_first_of_2);
    dead.routes["spine1"] = R"({"9.9.9.9/32":[{"protocol":"static","selected":true,"installed":true,"nexthops":[)"
                            R"({"ip":"1.1.1.1","interfaceName":"mgmt","fib":true,"active":true}]}]})";
    nlohmann::json told = findings(dead);
    std::vector<nlohmann::json> groups;
    for (nlohmann::json const& one : told)
        if (one["kind"] == "groups") groups.push_back(one);
    ASSERT_EQ(groups.size(), 1u) << told;
    EXPECT_EQ(groups[0]["where"], "switch \"spine1\"");
    EXPECT_NE(groups[0]["message"].get<std::string>().find("no route goes by any of its 2 cables"), std::string::npos);
    for (nlohmann::json const& one : findings(Routers())) EXPECT_NE(one["kind"], "unused") << one;
}

/// A set that became one next hop is that next hop, by its name.
TEST(RouterFolder, DiffTellsSetsByNames) {
    Routers const before;
    Routers after;
    after.routes["leaf1"] =
        replaced(after.routes["leaf1"], R"({"gateway":"172.16.1.1","dev":"swp9","weight":6,"flags":[]},)", "");
    Disagreements ignored;
    before.read(ignored), after.read(ignored);
    std::vector<std::string> const command = {"diff", "frr:" + before.folder.path(), "frr:" + after.folder.path()};
    std::string const text = run_tailback(command).out;
    EXPECT_NE(text.find("ports swp9,swp9,swp9,swp10 -> port swp10"), std::string::npos) << text;
    std::vector<std::string> as_json = command;
    as_json.insert(as_json.end(), {"--format", "json"});
    nlohmann::json const diff = nlohmann::json::parse(run_tailback(as_json).out);
    nlohmann::json const& change = diff["choices"]["switches"][0];
    EXPECT_EQ(change["port_names_before"], (nlohmann::json{"swp9", "swp9", "swp9", "swp10"})) << change;
    EXPECT_EQ(change["port_names_after"], nlohmann::json{"swp10"}) << change;
    EXPECT_EQ(change["ports_after"].size(), 1u) << change;
}

/// Interfaces whose names are numbers or have colons go by their names, too.
TEST(RouterFolder, OddNamesOfInterfaces) {
    Routers routers;
    routers.hear("leaf1", "4", "n98", "eth0");
    routers.hear("leaf1", "et-0/0/1:1", "n99", "eth0");
    Disagreements ignored;
    Network const net = std::move(routers.read(ignored).network);
    Node const leaf = net.node_by_name("leaf1");
    for (auto const& [name, far] : routers.neighbours["leaf1"]) {
        Finished const done = run_tailback({"audit", "--network", "frr:" + routers.folder.path(), "--without-cable",
                                            "leaf1:" + name, "--format", "json"});
        EXPECT_LE(done.code, 1) << done.err;
        EXPECT_NE(done.out.find("port " + name + " to "), std::string::npos) << name;
        EXPECT_EQ(net.port_name(leaf, net.port_called(leaf, name)), name);
    }
    Finished const twice = run_tailback({"audit", "--network", "frr:" + routers.folder.path(), "--without-cable",
                                         "leaf1:swp9", "--without-cable", "spine1:leaf1"});
    EXPECT_EQ(twice.code, 2);
    EXPECT_NE(twice.err.find("is named already"), std::string::npos) << twice.err;
}

/// A router with neighbours and addresses, whose file of routes is missing, is no host: it hears hosts.
TEST(RouterFolder, ARouterWithAddressesThatLostItsRoutes) {
    Routers const routers;
    Disagreements ignored;
    routers.read(ignored);
    std::filesystem::remove(routers.folder / "leaf1/routes");
    routers.folder.write("leaf1/addr.json",
                         R"([{"ifname":"swp1","addr_info":[{"family":"inet","local":"10.1.1.0","prefixlen":31}]}])");
    Finished const done =
        run_tailback({"audit", "--network", "frr:" + routers.folder.path(), "--format", "json", "--quiet"});
    EXPECT_EQ(done.code, 1) << done.err;
    nlohmann::json const audit = nlohmann::json::parse(done.out);
    EXPECT_EQ(audit["findings"][0]["where"], "switch \"leaf1\"");
    EXPECT_NE(audit["findings"][0]["message"].get<std::string>().find("its routes are not known: the folder has none"),
              std::string::npos)
        << audit["findings"][0];
}

TEST(RouterFolder, AFolderNamedWithoutItsKindIsRecognised) {
    Routers const routers;
    Disagreements disagreements;
    routers.read(disagreements);
    Finished const audited = run_tailback({"audit", "--network", routers.folder.path()});
    EXPECT_EQ(audited.code, 2);
    EXPECT_NE(audited.err.find("name it with its kind: frr:" + routers.folder.path()), std::string::npos)
        << audited.err;
}

TEST(RouterFolder, CommandsTakeIt) {
    Routers const routers;
    Disagreements disagreements;
    routers.read(disagreements);
    std::string const network = "frr:" + routers.folder.path();
    Finished const audited = run_tailback({"audit", "--network", network});
    EXPECT_EQ(audited.code, 0) << audited.out << audited.err;
    EXPECT_NE(audited.out.find("routes of equal cost"), std::string::npos);
    Finished const evaluated = run_tailback({"evaluate", "--network", network, "--mappings", "10"});
    EXPECT_EQ(evaluated.code, 0) << evaluated.err;
    EXPECT_NE(evaluated.err.find("hashed over routes of equal cost"), std::string::npos);
    Finished const bracket = run_tailback({"bracket", "--network", network, "--mappings", "20", "--hash",
                                           "linux,seed=3", "--queue-pairs", "4", "--hash-draws", "3"});
    EXPECT_EQ(bracket.code, 0) << bracket.err;
    Finished const traced =
        run_tailback({"trace", "--network", network, "--source-port", "50000..50003", "n11", "n21"});
    EXPECT_EQ(traced.code, 0) << traced.err;
    EXPECT_EQ(std::count(traced.out.begin(), traced.out.end(), '\n'), 4);
    Finished const both =
        run_tailback({"trace", "--network", network, "--source-port", "50000..50003", "n11", "n21", "n21", "n11"});
    EXPECT_EQ(both.code, 0) << both.err;
    EXPECT_EQ(both.out.substr(0, traced.out.size() + 1), traced.out + "\n");
    EXPECT_EQ(std::count(both.out.begin(), both.out.end(), '\n'), 9);
    EXPECT_EQ(run_tailback({"trace", "--network", network, "--source-port", "9..3", "n11", "n21"}).code, 2);
    Finished const router = run_tailback({"trace", "--network", network, "n11", "spine1"});
    EXPECT_EQ(router.code, 2);
    EXPECT_NE(router.err.find("\"spine1\" has no address"), std::string::npos) << router.err;
    EXPECT_EQ(run_tailback({"evaluate", "--network", network, "--queue-pairs", "4"}).code, 2);
    EXPECT_EQ(run_tailback({"evaluate", "--network", network, "--routing", "ecmp:hash=same,seed=4"}).code, 2);
}

TEST(RouterFolder, SourcePortsAreOfHashes) {
    Finished const adaptive = run_tailback(
        {"trace", "--network", "torus:4x4", "--routing", "ar:minimal", "--source-port", "50000", "H1", "H7"});
    EXPECT_EQ(adaptive.code, 2);
    EXPECT_NE(adaptive.err.find("choose by load"), std::string::npos) << adaptive.err;
}

}  // namespace
}  // namespace tailback::frr_test
