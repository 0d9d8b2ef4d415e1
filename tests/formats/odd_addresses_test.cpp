// Addresses against cables: in a fabric whose routers tell networks and addresses of both ends of every cable, each
// address, gateway or network that cannot be right is one finding at its place; what routers share on purpose is none.
#include "tests/support/networks/router_fabric.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tailback::odd_addresses_test {
namespace {

using namespace router_fabric;

struct Case {
    std::string name;
    std::function<void(All&)> damage;
    std::vector<std::string> words;  // of the one finding; none: nothing is odd
    int exit = 1;                    // -1: packets are lost, too
    bool needs_addresses = false;
};

Connected& net_of(All& all, std::string const& router, std::string const& interface) {
    for (auto& [name, net] : all.at(router).nets)
        if (name == interface) return net;
    throw std::out_of_range(interface);
}
void set_gateway(All& all, std::string const& router, std::string const& interface, std::string const& gateway) {
    for (auto& [prefix, hops] : all.at(router).routes)
        for (Hop& hop : hops)
            if (hop.interface == interface) hop.gateway = gateway;
}
void forget_hops(All& all, int leaves) {
    for (int l = 1; l <= leaves; ++l)
        for (auto& [prefix, hops] : all.at(fmt::format("leaf{}", l)).routes)
            std::erase_if(hops, [](Hop const& hop) { return hop.interface == "swp50"; });
}
/// No route goes by a cable between a leaf and a spine.
void forget_cable(All& all, std::string const& leaf, std::string const& up, std::string const& spine,
                  std::string const& down) {
    for (auto const& [name, interface] : {std::pair(leaf, up), std::pair(spine, down)}) {
        for (auto& [prefix, hops] : all.at(name).routes)
            std::erase_if(hops, [&](Hop const& hop) { return hop.interface == interface; });
        std::erase_if(all.at(name).routes, [](auto const& one) { return one.second.empty(); });
    }
}
/// All cables of spine2 have the networks of those of spine1.
void repeat_networks(All& all) {
    auto const repeat = [](std::string& address) {
        if (address.starts_with("172.16.2.")) address[7] = '1';
    };
    for (auto& [name, router] : all) {
        for (auto& [interface, net] : router.nets) repeat(net.network), repeat(net.own);
        for (auto& [prefix, hops] : router.routes)
            for (Hop& hop : hops) repeat(hop.gateway);
    }
}
/// Routers have one address each, on all cables, and send to it.
void number_routers_alone(All& all) {
    std::map<std::string, std::string> address;
    for (auto const& [name, router] : all) address[name] = fmt::format("10.255.1.{}", address.size() + 1);
    for (auto& [name, router] : all) {
        std::erase_if(router.nets, [](auto const& one) { return one.second.network.starts_with("172."); });
        router.own.emplace_back("lo", address[name]);
        for (auto const& [interface, far] : router.hears)
            if (address.contains(far.name)) router.own.emplace_back(interface, address[name]);
        for (auto& [prefix, hops] : router.routes)
            for (Hop& hop : hops) hop.gateway = address.at(router.hears.at(hop.interface).name);
    }
}
void give_all(All& all, std::string const& interface, Connected const& net) {
    for (auto& [name, router] : all)
        if (name.starts_with("leaf")) router.nets.push_back({interface, net});
}
/// Each has one of its own, and one that all share.
void give_loopbacks(All& all) {
    for (int one = 1; auto& [name, router] : all) {
        router.own.emplace_back("lo", fmt::format("10.255.1.{}", one++));
        router.own.emplace_back("lo", "10.255.0.1");
    }
}
/// Routes and addresses by VLANs on ports.
void use_vlans(All& all) {
    for (auto& [name, router] : all) {
        for (auto& [interface, net] : router.nets)
            if (net.network.starts_with("172.")) interface += ".100";
        for (auto& [prefix, hops] : router.routes)
            for (Hop& hop : hops) hop.interface += ".100";
    }
}
/// Neighbours call all ports by descriptions.
void describe_ports(All& all) {
    for (auto& [name, router] : all)
        for (auto& [interface, far] : router.hears)
            if (all.contains(far.name)) far.port = "to " + name;
}
/// Leaves 1 and 2 bridge one network, with one gateway, over a cable between them; their first hosts have two cables.
void bridge(All& all, bool has_peer_link) {
    for (int l = 1; l <= 2; ++l) {
        Router& leaf = all.at(fmt::format("leaf{}", l));
        std::erase_if(leaf.nets, [](auto const& one) { return one.second.network.starts_with("10."); });
        leaf.nets.push_back({"vlan10", {"10.1.0.0", "10.1.0.1", 24}});
        for (int h = 1; h <= 3; ++h)
            leaf.hears.at(fmt::format("swp{}", h)).address = fmt::format("10.1.0.{}", 10 * l + h);
        leaf.hears["swp1"] = {"bonded", fmt::format("eth{}", l), "10.1.0.99"};
        if (has_peer_link)
            leaf.hears["swp40"] = {fmt::format("leaf{}", 3 - l), "swp40", fmt::format("192.168.1.{}", 3 - l)};
        leaf.routes.erase(fmt::format("10.{}.0.0/16", 3 - l));
    }
    for (auto& [name, router] : all) {
        std::vector<Hop> both =
            router.routes.contains("10.1.0.0/16") ? router.routes["10.1.0.0/16"] : std::vector<Hop>();
        if (name.starts_with("spine")) both.push_back(router.routes["10.2.0.0/16"].front());
        router.routes.erase("10.1.0.0/16"), router.routes.erase("10.2.0.0/16");
        if (!both.empty() && !name.ends_with("leaf1") && !name.ends_with("leaf2")) router.routes["10.1.0.0/24"] = both;
    }
}
/// Only the bonded hosts: where no cable joins the leaves, they are all that is on both.
void bond_all(All& all) {
    bridge(all, false);
    for (int l = 1; l <= 2; ++l)
        for (int h = 1; h <= 3; ++h)
            all.at(fmt::format("leaf{}", l)).hears[fmt::format("swp{}", h)] = {
                fmt::format("bonded{}", h), fmt::format("eth{}", l), fmt::format("10.1.0.{}", 90 + h)};
}
void hear_management(All& all) {
    for (auto& [name, router] : all)
        for (auto const& [other, ignored] : all)
            if (other != name && !router.hears.contains("eth0")) router.hears["eth0"] = {other, "eth0", ""};
}
void lose_sessions(All& all, std::string const& lost) {
    all.at(lost).routes.clear();
    for (auto& [name, router] : all)
        for (auto& [prefix, hops] : router.routes)
            std::erase_if(hops,
                          [&, &hears = router.hears](Hop const& hop) { return hears.at(hop.interface).name == lost; });
    for (auto& [name, router] : all) std::erase_if(router.routes, [](auto const& one) { return one.second.empty(); });
}
/// A router has no files, and nobody hears it.
void lose_files(All& all, std::string const& lost) {
    all.erase(lost);
    for (auto& [name, router] : all)
        std::erase_if(router.hears, [&](auto const& one) { return one.second.name == lost; });
}
/// No router has a route to the hosts of a leaf, which has none to others.
void lose_leaf(All& all) {
    lose_sessions(all, "leaf2");
    for (auto& [name, router] : all) router.routes.erase("10.2.0.0/16");
}
void drop(All& all, std::vector<std::string> const& prefixes) {
    for (std::string const& prefix : prefixes) all.at("spine1").routes.at(prefix).clear();
}
void give_two_one_loopback(All& all) {
    give_loopbacks(all);
    for (char const* const name : {"leaf1", "leaf3"}) all.at(name).own = {{"lo", "10.255.1.77"}};
}
void route_host_by(All& all, std::string const& interface) {
    all.at("leaf1").nets.push_back({interface, {"10.1.1.1", "10.1.1.0", 32}});
}
/// Leaves 1 and 2 have the same hosts, and a spine sends to one of them alone.
void forget_one_of_two(All& all) {
    bond_all(all);
    std::erase_if(all.at("spine2").routes.at("10.1.0.0/24"), [](Hop const& hop) { return hop.interface == "swp1"; });
}
void rename_network(All& all, std::string const& from, std::string const& to) {
    for (auto& [interface, net] : all.at("leaf1").nets)
        if (interface == from) {
            interface = to;
            return;
        }
}

std::vector<Case> const& cases() {
    static std::vector<Case> const all = {
        {"sound", [](All&) {}, {}, 0},
        {"gateway of nobody",
         [](All& a) { set_gateway(a, "leaf1", "swp50", "172.16.9.9"); },
         {"leaf1", "swp50", "172.16.9.9", "spine2"}},
        {"gateway of the spine's other cable",
         [](All& a) { set_gateway(a, "leaf1", "swp50", "172.16.2.6"); },
         {"leaf1", "swp50", "172.16.2.6", "swp3 of spine2"}},
        {"its own address as gateway",
         [](All& a) { set_gateway(a, "leaf1", "swp50", "172.16.2.3"); },
         {"leaf1", "swp50", "172.16.2.3"}},
        {"once",
         [](All& a) { a.at("leaf1").routes.at("10.3.0.0/16")[1].gateway = "172.16.2.7"; },
         {"leaf1", "swp50", "172.16.2.7"}},
        {"gateway of a spine",
         [](All& a) { set_gateway(a, "spine1", "swp1", "172.16.1.9"); },
         {"spine1", "swp1", "172.16.1.9", "leaf1"}},
        {"all gateways of a leaf",
         [](All& a) {
             set_gateway(a, "leaf2", "swp49", "172.16.9.9");
             set_gateway(a, "leaf2", "swp50", "172.16.9.11");
         },
         {"leaf2", "swp49", "172.16.9.9", "1 more interface"}},
        {"an address on two cables of a spine",
         [](All& a) { net_of(a, "spine1", "swp2").own = net_of(a, "spine1", "swp1").own; },
         {"swp2", "spine1", "172.16.1."}},
        {"a network on two cables",
         [](All& a) { net_of(a, "leaf3", "swp49") = net_of(a, "leaf1", "swp49"); },
         {"172.16.1.3", "leaf1", "leaf3"}},
        {"all networks of a spine are another's", repeat_networks, {"172.16.1.2", "spine1", "spine2", "3 more"}},
        {"a host's network on another host's port",
         [](All& a) { rename_network(a, "swp1", "swp2"); },
         {"n11", "10.1.1.1", "leaf1", "swp2", "n12"}},
        {"a host's network on a free port",
         [](All& a) { rename_network(a, "swp1", "swp9"); },
         {"n11", "10.1.1.1", "leaf1", "swp9", "nobody"}},
        {"networks of two hosts swapped",
         [](All& a) { std::swap(net_of(a, "leaf1", "swp1"), net_of(a, "leaf1", "swp2")); },
         {"n11", "10.1.1.1", "leaf1", "swp2", "1 more host"}},
        {"a host's route by another host's port", [](All& a) { route_host_by(a, "swp2"); }, {"n11", "swp2", "n12"}},
        {"a host's route by a spine", [](All& a) { route_host_by(a, "swp49"); }, {"n11", "swp49", "spine1"}},
        {"a host's route by its own port", [](All& a) { route_host_by(a, "swp1"); }, {}, 0},
        {"a host tells another's address",
         [](All& a) { a.at("leaf1").hears.at("swp1").address = "10.2.1.1"; },
         {"n11", "10.2.1.1", "n21", "leaf2"}},
        {"no leaf sends by a spine", [](All& a) { forget_hops(a, 4); }, {"spine2", "any of its 4 cables"}, 0},
        {"one leaf sends by a spine", [](All& a) { forget_hops(a, 3); }, {"spine2", "3 of its 4 cables"}, 0},
        {"a link is down",
         [](All& a) {
             for (auto& [prefix, hops] : a.at("leaf1").routes) hops[1].is_down = true;
         },
         {"leaf1", "swp50"},
         0},
        {"pairs of leaves share a network",
         [](All& a) {
             give_all(a, "peerlink.4094", {"169.254.1.0", "169.254.1.1", 30});
         },
         {},
         0},
        {"leaves share an address",
         [](All& a) {
             give_all(a, "vlan10", {"10.77.0.0", "10.77.0.1", 24});
         },
         {},
         0},
        {"a loopback of its own, and one of all", give_loopbacks, {}, 0, true},
        {"two have one loopback", give_two_one_loopback, {"10.255.1.77", "leaf1", "leaf3"}, 1, true},
        {"VLANs on cables", use_vlans, {}, 0},
        {"ports by descriptions", describe_ports, {}, 0},
        {"a bridge over two leaves", [](All& a) { bridge(a, true); }, {}, 0},
        {"hosts with cables to two leaves", bond_all, {}, 0},
        {"a management network", hear_management, {}, 0},
        {"a spine without sessions", [](All& a) { lose_sessions(a, "spine2"); }, {"spine2", "4 cables"}, 0},
        {"a spine without routes, to which leaves send",
         [](All& a) { a.at("spine2").routes.clear(); },
         {"spine2", "4 cables", "sessions"}},
        {"a leaf is in no file, and routes to it remain",
         [](All& a) { lose_files(a, "leaf2"); },
         {"\"spine1\" port swp2", "2 routers have routes like that to 10.2.0.0/16", "is gone"}},
        {"a spine is in no file, and routes by it remain",
         [](All& a) { lose_files(a, "spine2"); },
         {"\"leaf1\" port swp50", "4 routers send packets to ports where nobody is heard", "swp50 of leaf4"}},
        {"announcements of a leaf do not arrive",
         [](All& a) {
             for (auto& [name, router] : a)
                 if (name != "leaf2") router.routes.erase("10.2.0.0/16");
         },
         {"leaf2", "no other router has a route to 10.2.1.1, 10.2.2.1, 10.2.3.1 behind it"}},
        {"a leaf without sessions", lose_leaf, {"leaf2", "2 cables", "sessions"}},
        {"routes that drop",
         [](All& a) {
             drop(a, {"10.1.0.0/16", "10.2.0.0/16", "10.3.0.0/16"});
         },
         {"spine1 drops", "2 more have"}},
        {"cables without networks", number_routers_alone, {}, 0, true},
        {"a spine sends to one of two leaves", forget_one_of_two, {"spine2", "missing port swp1", "bonded1"}, 0},
        {"a leaf without the networks of its hosts",
         [](All& a) {
             std::erase_if(a.at("leaf2").nets, [](auto const& one) { return one.second.network.starts_with("10."); });
         },
         {"leaf2", "no route to 10.2.1.1, 10.2.2.1, 10.2.3.1"}},
        {"a cable between two networks",
         [](All& a) {
             net_of(a, "leaf2", "swp49") = {"172.16.9.4", "172.16.9.4"};
             forget_cable(a, "leaf2", "swp49", "spine1", "swp2");
             for (char const* const other : {"leaf1", "leaf3", "leaf4"})
                 std::erase_if(a.at(other).routes.at("10.2.0.0/16"),
                               [](Hop const& hop) { return hop.interface == "swp49"; });
         },
         {"swp49 of leaf2 is in network 172.16.9.4/31", "swp2 of spine1", "172.16.1.4/31"}},
        {"two cables are swapped",
         [](All& a) {
             std::swap(a.at("leaf2").hears.at("swp49"), a.at("leaf3").hears.at("swp49"));
             std::swap(a.at("spine1").hears.at("swp2"), a.at("spine1").hears.at("swp3"));
         },
         {"swp49 of leaf2", "swp3 of spine1", "the two cables are swapped"},
         -1},
        {"a host has its gateway's address",
         [](All& a) { a.at("leaf1").hears.at("swp1").address = "10.1.1.0"; },
         {"n11 has address 10.1.1.0", "swp1 of leaf1"}},
        {"a network of another leaf's host",
         [](All& a) {
             a.at("leaf1").nets.push_back({"vlan99", {"10.3.1.0", "10.3.1.0", 31}});
         },
         {"leaf1 has network 10.3.1.0/31 on vlan99", "n31 at swp1 of leaf3"}},
        {"an address outside its network",
         [](All& a) { net_of(a, "leaf2", "swp49").own = "10.99.0.5"; },
         {"swp49 of leaf2 has address 10.99.0.5", "is in network 172.16.1.4/31"}},
        {"two addresses outside their networks",
         [](All& a) {
             net_of(a, "spine1", "swp1").own = "10.99.0.5";
             net_of(a, "spine1", "swp3").own = "10.99.0.7";
         },
         {"swp1 of spine1 has address 10.99.0.5", "1 more interface of it"}},
    };
    return all;
}

TEST(OddAddresses, EachIsOneFindingThatNamesIt) {
    for (Case const& one : cases())
        for (Told const told : all_ways_to_tell) {
            if (one.needs_addresses && (told == Told::kernel || told == Told::frr)) continue;
            All all = routers();
            one.damage(all);
            TemporaryFolder const folder;
            write(folder, all, told);
            Found const found = audit_of(folder);
            std::string const title = fmt::format("{} ({})\n{}", one.name, int(told), fmt::join(found.findings, "\n"));
            if (one.exit >= 0) {
                EXPECT_EQ(found.exit, one.exit) << title;
                ASSERT_EQ(found.findings.size(), one.words.empty() ? 0u : 1u) << title;
            }
            ASSERT_EQ(found.findings.empty(), one.words.empty()) << title;
            for (std::string const& word : one.words)
                EXPECT_NE(title.find(word, one.name.size()), std::string::npos) << word << " in " << title;
        }
}

}  // namespace
}  // namespace tailback::odd_addresses_test
