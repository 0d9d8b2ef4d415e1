// Addresses against cables: in a fabric whose routers tell networks and addresses of both ends of every cable, each
// address, gateway or network that cannot be right is one finding at its place; what routers share on purpose is none.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tailback::odd_addresses_test {
namespace {

struct Neighbour {
    std::string name, port, address;  // as it tells by LLDP
};
struct Network {
    std::string network, own;
    int length = 31;
};
struct Hop {
    std::string gateway, interface;
    bool is_down = false;
};
struct Router {
    std::map<std::string, Neighbour> hears;                // by interface
    std::vector<std::pair<std::string, Network>> nets;     // interface, its network
    std::vector<std::pair<std::string, std::string>> own;  // addresses without one: interface, address
    std::map<std::string, std::vector<Hop>> routes;        // by prefix
};

/// Four leaves of three hosts, two spines; a /31 on every cable.
std::map<std::string, Router> routers() {
    std::map<std::string, Router> all;
    for (int l = 1; l <= 4; ++l) {
        Router& leaf = all[fmt::format("leaf{}", l)];
        for (int h = 1; h <= 3; ++h) {
            std::string const interface = fmt::format("swp{}", h);
            leaf.hears[interface] = {fmt::format("n{}{}", l, h), "eth0", fmt::format("10.{}.{}.1", l, h)};
            leaf.nets.push_back({interface, {fmt::format("10.{}.{}.0", l, h), fmt::format("10.{}.{}.0", l, h)}});
        }
        for (int s = 1; s <= 2; ++s) {
            std::string const up = fmt::format("swp{}", 48 + s), down = fmt::format("swp{}", l);
            std::string const lower = fmt::format("172.16.{}.{}", s, 2 * l);
            std::string const upper = fmt::format("172.16.{}.{}", s, 2 * l + 1);
            leaf.hears[up] = {fmt::format("spine{}", s), down, fmt::format("192.168.0.{}", s)};
            leaf.nets.push_back({up, {lower, upper}});
            Router& spine = all[fmt::format("spine{}", s)];
            spine.hears[down] = {fmt::format("leaf{}", l), up, fmt::format("192.168.1.{}", l)};
            spine.nets.push_back({down, {lower, lower}});
            spine.routes[fmt::format("10.{}.0.0/16", l)] = {{upper, down}};
            for (int other = 1; other <= 4; ++other)
                if (other != l) leaf.routes[fmt::format("10.{}.0.0/16", other)].push_back({lower, up});
        }
    }
    return all;
}

nlohmann::json lldp_of(Router const& router) {
    nlohmann::json interfaces = nlohmann::json::array();
    for (auto const& [interface, far] : router.hears)
        interfaces.push_back({{interface,
                               {{"chassis", {{far.name, {{"mgmt-ip", far.address}}}}},
                                {"port", {{"id", {{"type", "ifname"}, {"value", far.port}}}}}}}});
    return {{"lldp", {{"interface", interfaces}}}};
}
nlohmann::json addresses_of(Router const& router) {
    nlohmann::json all = nlohmann::json::array();
    auto const add = [&](std::string const& interface, std::string const& own, int length) {
        all.push_back(
            {{"ifname", interface}, {"addr_info", {{{"family", "inet"}, {"local", own}, {"prefixlen", length}}}}});
    };
    for (auto const& [interface, net] : router.nets) add(interface, net.own, net.length);
    for (auto const& [interface, own] : router.own) add(interface, own, 32);
    return all;
}
nlohmann::json kernel_routes(Router const& router) {
    nlohmann::json all = nlohmann::json::array();
    for (auto const& [interface, net] : router.nets)
        all.push_back(
            {{"dst", fmt::format("{}/{}", net.network, net.length)}, {"dev", interface}, {"prefsrc", net.own}});
    for (auto const& [prefix, hops] : router.routes) {
        nlohmann::json next = nlohmann::json::array();
        for (Hop const& hop : hops) {
            next.push_back({{"dev", hop.interface}, {"weight", 1}, {"flags", nlohmann::json::array()}});
            if (!hop.gateway.empty()) next.back()["gateway"] = hop.gateway;
            if (hop.is_down) next.back()["flags"].push_back("linkdown");
        }
        all.push_back({{"dst", prefix}, {"nexthops", next}});
    }
    return all;
}
nlohmann::json frr_routes(Router const& router) {
    nlohmann::json all = nlohmann::json::object();
    auto const add = [&](std::string const& prefix, char const* protocol, nlohmann::json hops) {
        all[prefix] = {{{"protocol", protocol}, {"selected", true}, {"installed", true}, {"nexthops", hops}}};
    };
    auto const on = [](std::string const& interface) {
        return nlohmann::json{{{"fib", true}, {"active", true}, {"interfaceName", interface}}};
    };
    for (auto const& [interface, net] : router.nets) {
        add(fmt::format("{}/{}", net.network, net.length), "connected", on(interface));
        add(net.own + "/32", "local", on(interface));
    }
    for (auto const& [prefix, hops] : router.routes) {
        nlohmann::json next = nlohmann::json::array();
        for (Hop const& hop : hops) {
            next.push_back({{"fib", true}, {"active", true}, {"interfaceName", hop.interface}, {"weight", 1}});
            if (!hop.gateway.empty()) next.back()["ip"] = hop.gateway;
            if (hop.is_down) next.back()["linkDown"] = true;
        }
        add(prefix, "bgp", next);
    }
    return all;
}

enum class Told { kernel, kernel_and_addresses, frr, frr_and_addresses };

/// What an audit finds that is not only noted: places and messages.
struct Found {
    std::vector<std::string> findings;
    int exit = 0;
};
Found audit_of(std::map<std::string, Router> const& all, Told told) {
    TemporaryFolder const folder;
    for (auto const& [name, router] : all) {
        std::filesystem::create_directories(folder / name);
        bool const of_kernel = told == Told::kernel || told == Told::kernel_and_addresses;
        folder.write(name + "/routes.json", (of_kernel ? kernel_routes(router) : frr_routes(router)).dump());
        folder.write(name + "/lldp.json", lldp_of(router).dump());
        if (told == Told::kernel_and_addresses || told == Told::frr_and_addresses)
            folder.write(name + "/addr.json", addresses_of(router).dump());
    }
    Finished const out = run_tailback({"audit", "--network", "frr:" + folder.path(), "--format", "json"});
    Found found;
    found.exit = out.code;
    nlohmann::json const report = nlohmann::json::parse(out.out);
    for (auto const& one : report.at("findings")) {
        std::string const kind = one.at("kind");
        if (kind != "asymmetric" && kind != "unused" && kind != "nonminimal")
            found.findings.push_back(one.at("where").get<std::string>() + ": " + one.at("message").get<std::string>());
    }
    return found;
}

using All = std::map<std::string, Router>;
struct Case {
    std::string name;
    std::function<void(All&)> damage;
    std::vector<std::string> words;  // of the one finding; none: nothing is odd
    int exit = 1;
    bool needs_addresses = false;
};

Network& net_of(All& all, std::string const& router, std::string const& interface) {
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
void give_all(All& all, std::string const& interface, Network const& net) {
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
    };
    return all;
}

TEST(OddAddresses, EachIsOneFindingThatNamesIt) {
    for (Case const& one : cases())
        for (Told const told : {Told::kernel, Told::kernel_and_addresses, Told::frr, Told::frr_and_addresses}) {
            if (one.needs_addresses && (told == Told::kernel || told == Told::frr)) continue;
            All all = routers();
            one.damage(all);
            Found const found = audit_of(all, told);
            std::string const title = fmt::format("{} ({})\n{}", one.name, int(told), fmt::join(found.findings, "\n"));
            EXPECT_EQ(found.exit, one.exit) << title;
            ASSERT_EQ(found.findings.size(), one.words.empty() ? 0u : 1u) << title;
            for (std::string const& word : one.words)
                EXPECT_NE(found.findings.front().find(word), std::string::npos) << word << " in " << title;
        }
}

}  // namespace
}  // namespace tailback::odd_addresses_test
