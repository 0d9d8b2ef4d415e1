// LAGs between routers: routes and addresses are on the LAG, LLDP hears on its members, `ip -j addr` names the master
// of each.
#include "host/audit/changes/judged_networks.hpp"
#include "host/formats/fabric/read_fabric.hpp"
#include "tests/support/networks/router_fabric.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>

namespace tailback::router_lags_test {
namespace {

using namespace router_fabric;
using Members = std::map<std::string, std::map<std::string, std::vector<std::string>>>;  // by device and LAG

/// How a system tells that a port is in a LAG.
struct System {
    char const* lag;
    nlohmann::json member;  ///< what stands at it beside its name and its master
};
System const systems[] = {
    {"PortChannel{}", {{"flags", {"BROADCAST", "MULTICAST", "UP", "LOWER_UP"}}}},
    {"bond{}", {{"flags", {"BROADCAST", "MULTICAST", "SLAVE", "UP", "LOWER_UP"}}}},
    {"uplink{}", {{"linkinfo", {{"info_slave_kind", "team"}}}}},
    {"team{}", {{"operstate", "UP"}}},
};

/// The cables between leaves and spines become LAGs: routes and networks go by them. Those to the second spine have a
/// second cable each.
Members bundle(All& all, std::string const& pattern) {
    Members members;
    auto const lag_of = [&](std::string const& port) { return fmt::format(fmt::runtime(pattern), port.substr(3)); };
    for (auto& [name, router] : all) {
        std::map<std::string, std::string> lags;  // by port
        auto const hears = router.hears;
        for (auto const& [port, far] : hears) {
            if (!all.contains(far.name)) continue;
            lags[port] = lag_of(port);
            members[name][lags[port]] = {port};
            if (name == "spine2" || far.name == "spine2") {
                router.hears[port + "0"] = {far.name, far.port + "0", far.address};
                members[name][lags[port]].push_back(port + "0");
            }
        }
        auto const take = [&](std::string& interface) {
            if (auto const at = lags.find(interface); at != lags.end()) interface = at->second;
        };
        for (auto& [interface, net] : router.nets) take(interface);
        for (auto& [prefix, hops] : router.routes)
            for (Hop& hop : hops) take(hop.interface);
    }
    return members;
}

/// Adds the members to a device's `ip -j addr`.
void tell(TemporaryFolder const& folder, std::string const& device, Members const& members, nlohmann::json const& word,
          std::map<std::string, nlohmann::json> const& others = {}) {
    std::string const file = device + "/addr.json";
    nlohmann::json all = nlohmann::json::parse(read_whole(folder / file));
    for (auto const& [lag, of] : members.at(device))
        for (std::string const& port : of) {
            nlohmann::json one = word;
            if (auto const at = others.find(port); at != others.end()) one = at->second;
            one.update({{"ifname", port}, {"master", lag}, {"addr_info", nlohmann::json::array()}});
            all.push_back(one);
        }
    folder.write(file, all.dump());
}
void write_all(TemporaryFolder const& folder, All const& all, Members const& members, Told told,
               nlohmann::json const& word) {
    write(folder, all, told);
    for (auto const& [device, lags] : members) tell(folder, device, members, word);
}

std::string text_of(Found const& found) { return fmt::format("{}", fmt::join(found.findings, "\n")); }
std::string audit_text(TemporaryFolder const& folder) {
    Finished const audit = run_tailback({"audit", "--network", "frr:" + folder.path()});
    return audit.err + audit.out;  // notes first
}
std::string in_one_line(std::string const& lines) {
    std::string text;
    for (char const c : lines)
        if (c != '\n' && (c != ' ' || !text.ends_with(' '))) text += c;
        else if (!text.ends_with(' ')) text += ' ';
    return text;
}
/// Ports of the flows' ways, a line each.
std::string ways(TemporaryFolder const& folder) {
    return run_tailback({"trace", "--network", "frr:" + folder.path(), "--source-port", "49152..49300", "n11", "n21"})
        .out;
}

/// Definition: the members of a LAG are its cables. 12 hosts, 8 pairs of leaf and spine: 12 + 4 + 2 x 4 cables, and
/// nothing to find, whatever the system calls its LAGs, and whoever tells the routes.
TEST(RouterLags, MembersAreTheCables) {
    for (System const& system : systems)
        for (Told const told : {Told::kernel_and_addresses, Told::frr_and_addresses}) {
            All all = routers();
            Members const members = bundle(all, system.lag);
            TemporaryFolder const folder;
            write_all(folder, all, members, told, system.member);
            Found const found = audit_of(folder);
            EXPECT_EQ(found.exit, 0) << system.lag << "\n" << text_of(found);
            EXPECT_TRUE(found.findings.empty()) << system.lag << "\n" << text_of(found);
            std::string const text = audit_text(folder);
            EXPECT_NE(text.find("12 hosts, 6 switches, 48 links"), std::string::npos) << text;
            EXPECT_NE(text.find("routes go by 16 LAGs"), std::string::npos) << text;
            std::string const all_ways = ways(folder);
            for (char const* const port :
                 {"leaf1:swp49 ", "leaf1:swp50 ", "leaf1:swp500 ", "spine2:swp2 ", "spine2:swp20 "})
                EXPECT_NE(all_ways.find(port), std::string::npos) << port << all_ways;
        }
}

/// Definition: the load of a LAG is divided over its members, and a LAG of two counts in a route as one of one does.
/// All hosts of leaf1 to all of leaf2, each way 3 flows: a half each by spine1 (one cable) and spine2 (two).
TEST(RouterLags, MembersDivideTheLoad) {
    All all = routers();
    Members const members = bundle(all, "bond{}");
    TemporaryFolder const folder;
    write_all(folder, all, members, Told::frr_and_addresses, systems[1].member);
    std::string const report =
        run_tailback({"trace", "--network", "frr:" + folder.path(), "--source-port", "49152..51151", "n11", "n21"}).out;
    auto const count = [&](std::string const& word) {
        int found = 0;
        for (std::size_t at = report.find(word); at != std::string::npos; at = report.find(word, at + 1)) ++found;
        return found;
    };
    EXPECT_NEAR(count("leaf1:swp49 "), 1000, 120);
    EXPECT_NEAR(count("leaf1:swp50 "), 500, 100);
    EXPECT_NEAR(count("leaf1:swp500 "), 500, 100);
}

/// VLANs on a LAG are the LAG: by its name, or as `ip -j addr` tells what is below.
TEST(RouterLags, VlansOnALag) {
    for (std::string const vlan : {"bond{}.100", "fabric{}"}) {
        All all = routers();
        Members members = bundle(all, "bond{}");
        All named = routers();
        bundle(named, vlan);
        TemporaryFolder const folder;
        write_all(folder, named, members, Told::frr_and_addresses, systems[1].member);
        if (vlan == "fabric{}")
            for (auto const& [device, lags] : members) {
                std::string const file = device + "/addr.json";
                nlohmann::json links = nlohmann::json::parse(read_whole(folder / file));
                for (nlohmann::json& link : links)
                    if (std::string const name = link.at("ifname"); name.starts_with("fabric"))
                        link["link"] = "bond" + name.substr(6);
                folder.write(file, links.dump());
            }
        Found const found = audit_of(folder);
        EXPECT_TRUE(found.findings.empty()) << text_of(found);
        EXPECT_NE(audit_text(folder).find("48 links"), std::string::npos) << audit_text(folder);
    }
}

/// A member that is down, that only waits, or that nobody hears carries nothing: a note, and no fault of its own.
TEST(RouterLags, MembersThatCarryNothing) {
    nlohmann::json const down = {{"flags", {"NO-CARRIER", "BROADCAST", "SLAVE", "UP"}}, {"operstate", "DOWN"}},
                         backup = {
                             {"flags", {"SLAVE", "UP"}},
                             {"linkinfo", {{"info_slave_kind", "bond"}, {"info_slave_data", {{"state", "BACKUP"}}}}}};
    for (auto const& [word, says] : {std::pair(down, "swp500 is down"), std::pair(backup, "swp500 is a backup"),
                                     std::pair(systems[1].member, "swp500 hears nobody and is heard by nobody")}) {
        All all = routers();
        Members const members = bundle(all, "bond{}");
        if (word == systems[1].member || word == down) {  // the cable is out
            all.at("leaf1").hears.erase("swp500");
            all.at("spine2").hears.erase("swp10");
        }
        TemporaryFolder const folder;
        write(folder, all, Told::frr_and_addresses);
        for (auto const& [device, lags] : members)
            tell(folder, device, members, systems[1].member,
                 device == "leaf1" ? std::map<std::string, nlohmann::json>{{"swp500", word}}
                                   : std::map<std::string, nlohmann::json>{});
        Found const found = audit_of(folder);
        EXPECT_EQ(found.exit, 0) << text_of(found);
        std::string const text = audit_text(folder);
        EXPECT_NE(text.find(says), std::string::npos) << text;
        std::string const all_ways = ways(folder);
        EXPECT_EQ(all_ways.find("leaf1:swp500 "), std::string::npos) << all_ways;
        EXPECT_NE(all_ways.find("leaf1:swp50 "), std::string::npos) << all_ways;
    }
}

/// Loads of links where all pairs of hosts send and switches divide, by the ends of the links.
std::map<std::string, double> loads(TemporaryFolder const& folder, std::vector<std::string> const& more = {}) {
    std::vector<std::string> words = {"audit", "--network", "frr:" + folder.path(), "--format", "csv"};
    words.insert(words.end(), more.begin(), more.end());
    std::map<std::string, double> found;
    std::istringstream rows(run_tailback(words).out);
    for (std::string row; std::getline(rows, row);) {
        if (!row.starts_with("links,efi,")) continue;  // links,efi,number,load,ends
        std::size_t const number = row.find(',', 10), load = row.find(',', number + 1);
        if (double const value = std::stod(row.substr(number + 1)); value > 0) found[row.substr(load)] = value;
    }
    EXPECT_GT(found.size(), 24u);
    return found;
}

/// Definition: a LAG that loses a member stays a next hop of the weight it had, and its other members take its load.
/// What `--fail-cables` of a member gives is what a folder of that state gives, where nobody hears it any more: 3 flows
/// from leaf1 to leaf2 by spine2's two cables, then all by the one that is left.
TEST(RouterLags, OthersTakeWhatAFailedMemberHad) {
    All all = routers();
    Members const members = bundle(all, "bond{}");
    TemporaryFolder const whole, without;
    write_all(whole, all, members, Told::frr_and_addresses, systems[1].member);
    all.at("leaf1").hears.erase("swp500");
    all.at("spine2").hears.erase("swp10");
    write_all(without, all, members, Told::frr_and_addresses, systems[1].member);
    std::map<std::string, double> failed = loads(whole, {"--fail-cables", "leaf1:swp500"});
    EXPECT_EQ(failed, loads(without));
    EXPECT_NE(failed, loads(whole));
}

/// A folder where leaf1's second cable to spine2 is out, and the whole one.
struct WithoutAMember {
    TemporaryFolder whole, without;
    WithoutAMember() {
        All all = routers();
        Members const members = bundle(all, "bond{}");
        write_all(whole, all, members, Told::frr_and_addresses, systems[1].member);
        all.at("leaf1").hears.erase("swp500");
        all.at("spine2").hears.erase("swp10");
        write_all(without, all, members, Told::frr_and_addresses, systems[1].member);
    }
};
double load_of(std::map<std::string, double> const& loads, std::string const& from, std::string const& port) {
    double sum = 0;
    for (auto const& [ends, load] : loads)
        if (ends.starts_with("," + from + "," + port + ",")) sum += load;
    return sum;
}

/// Definition: where routes are made anew, too, a LAG is one next hop, and its members divide what goes by it in equal
/// parts. 3 hosts of leaf1 send to 9 behind other leaves: 27 flows, a half by spine1's cable, and a quarter by each of
/// spine2's two. All shortest routes are those that the folder has.
TEST(RouterLags, AreOneNextHopOfRoutesMadeAnew) {
    WithoutAMember const folders;
    std::map<std::string, double> const own = loads(folders.whole),
                                        anew = loads(folders.whole, {"--routing", "ar:minimal"});
    EXPECT_EQ(anew, own);
    EXPECT_DOUBLE_EQ(load_of(anew, "leaf1", "swp49"), 13.5);
    EXPECT_DOUBLE_EQ(load_of(anew, "leaf1", "swp50"), 6.75);
    EXPECT_DOUBLE_EQ(load_of(anew, "leaf1", "swp500"), 6.75);
    // Of tables an entry is a LAG: what goes by its members is whole numbers of destinations, 3 flows each, halved.
    std::map<std::string, double> const tables = loads(folders.whole, {"--routing", "minhop"});
    EXPECT_DOUBLE_EQ(load_of(tables, "leaf1", "swp50"), load_of(tables, "leaf1", "swp500"));
    EXPECT_GT(load_of(tables, "leaf1", "swp50"), 0);
    EXPECT_DOUBLE_EQ(load_of(tables, "leaf1", "swp49") + 2 * load_of(tables, "leaf1", "swp50"), 27);
}

/// Definition: the same where a member is gone. What `--fail-cables` and a routing give is what a folder of that state
/// gives, by its own routes and by those made anew: the LAG keeps the weight of one next hop.
TEST(RouterLags, RoutesMadeAnewWithoutAMember) {
    WithoutAMember const folders;
    std::map<std::string, double> const dumped = loads(folders.without);
    EXPECT_EQ(loads(folders.whole, {"--routing", "ar:minimal", "--fail-cables", "leaf1:swp500"}), dumped);
    EXPECT_EQ(loads(folders.without, {"--routing", "ar:minimal"}), dumped);
    EXPECT_DOUBLE_EQ(load_of(dumped, "leaf1", "swp50"), 13.5);
    Finished const told =
        run_tailback({"audit", "--network", "frr:" + folders.whole.path(), "--fail-cables", "leaf1:swp500"});
    EXPECT_NE(in_one_line(told.err).find("1 member of LAGs that keep others failed: these take what it carried"),
              std::string::npos)
        << told.err;
}

/// Definition: a cable that is pulled breaks the pairs that go by it, but for a LAG's with other members, which take
/// them. All members of a LAG break what the LAG carried: 27 flows each way, the half of them by spine2.
TEST(RouterLags, APulledMemberBreaksNothing) {
    WithoutAMember const folders;
    auto const what_if = [&](std::vector<std::string> const& cables) {
        std::vector<std::string> words = {"audit", "--network", "frr:" + folders.whole.path(), "--format", "json"};
        for (std::string const& cable : cables) words.insert(words.end(), {"--without-cable", cable});
        return nlohmann::json::parse(run_tailback(words).out).at("what_if");
    };
    nlohmann::json const one = what_if({"leaf1:swp500"});
    EXPECT_EQ(one.at("broken"), 0);
    EXPECT_EQ(one.at("removed").at(0).at("other_members_of_lag"), 1);
    nlohmann::json const both = what_if({"leaf1:swp500", "leaf1:swp50"});
    EXPECT_EQ(both.at("broken"), 27);
    EXPECT_FALSE(both.at("removed").at(0).contains("other_members_of_lag"));
    EXPECT_EQ(what_if({"leaf1:swp49"}).at("broken"), 27);
}

/// Definition: what a missing member of a LAG costs is what the folder of the whole state has more. By routes made anew
/// and by its own each network has the same bandwidth, and all of it where it is whole.
TEST(RouterLags, WhatAMissingMemberCosts) {
    WithoutAMember const folders;
    TemporaryFolder const plan;
    std::string cables = "#StartDevice,StartPort,EndDevice,EndPort,LinkType\n";
    for (int leaf = 1; leaf <= 4; ++leaf)
        for (int const spine : {1, 2})
            for (std::string const more : {"", "0"})
                if (spine == 2 || more.empty())
                    cables +=
                        fmt::format("leaf{},swp{}{},spine{},swp{}{},\n", leaf, 48 + spine, more, spine, leaf, more);
    plan.write("plan.csv", cables);
    std::string const out = run_tailback({"compare", "--network", "frr:" + folders.without.path(), "--plan",
                                          plan.path() + "/plan.csv", "--format", "json"})
                                .out;
    nlohmann::json const found = nlohmann::json::parse(out).at("costs");
    EXPECT_EQ(found.at("as_it_is").at("bandwidth"), found.at("by_own_tables").at("bandwidth"));
    EXPECT_EQ(found.at("as_it_is").at("largest_load"), found.at("by_own_tables").at("largest_load"));
    Disagreements disagreements;
    JudgedNetwork const whole =
        NetworkJudge("ar:minimal", 1)
            .judge_as_it_is(read_fabric("frr:" + folders.whole.path(), std::nullopt, disagreements));
    EXPECT_NEAR(found.at("as_planned").at("bandwidth").get<double>(), mean_bandwidth(whole).value(), 1e-9);
    EXPECT_NEAR(found.at("as_planned").at("largest_load").get<double>(), whole.largest, 1e-9);
    // Spine1's one cable a leaf carries as much as it did: the second one to spine2 brings nothing.
    EXPECT_EQ(found.at("as_planned").at("gain"), 0);
}

/// Definition: what makes routes anew for a cable that is back is the routing that was asked for, with its roots and
/// its seed. With spine1 as the root all 27 flows of leaf1 go by its one cable, whatever comes back; with spine2 by its
/// one cable to it, or divided by two. Text and JSON say what the numbers are means over.
TEST(RouterLags, ReturnedMembersAreTriedByTheRoutingAskedFor) {
    WithoutAMember const folders;
    TemporaryFolder const lists;
    lists.write("spine1", "spine1\n"), lists.write("spine2", "spine2\n");
    auto const returned = [&](std::vector<std::string> const& more, char const* format) {
        std::vector<std::string> words = {"audit",         "--network",    "frr:" + folders.whole.path(),
                                          "--fail-cables", "leaf1:swp500", "--return-cables",
                                          "failed",        "--format",     format};
        words.insert(words.end(), more.begin(), more.end());
        return run_tailback(words).out;
    };
    auto const found = [&](std::vector<std::string> const& more) {
        return nlohmann::json::parse(returned(more, "json")).at("returned_cables");
    };
    for (auto const& [root, back] : {std::pair("spine1", 27.0), {"spine2", 13.5}}) {
        nlohmann::json const one = found({"--routing", "updn", "--roots", lists.path() + "/" + root});
        EXPECT_EQ(one.at("as_it_is").at("largest_load"), 27) << root;
        EXPECT_EQ(one.at("cables").at(0).at("largest_load"), back) << root;
        EXPECT_EQ(one.at("mean_over"), "orders");
        EXPECT_EQ(one.at("draws"), 6);
        EXPECT_EQ(one.at("as_it_is").at("pairs_not_delivered"), 0);
    }
    EXPECT_LT(found({"--routing", "updn"}).at("as_it_is").at("largest_load"), 27);
    std::set<std::string> drawn;
    for (char const* const seed : {"1", "2", "3", "4"})
        drawn.insert(found({"--routing", "random", "--routing-seed", seed}).at("as_it_is").dump());
    EXPECT_GT(drawn.size(), 1u);
    std::string const of_tables = in_one_line(returned({"--routing", "minhop"}, "text")),
                      of_sets = in_one_line(returned({}, "text"));
    EXPECT_NE(of_tables.find("Means over 6 orders of ports and hosts, by which minhop breaks ties"), std::string::npos)
        << of_tables;
    EXPECT_EQ(of_tables.find("Bandwidth is the mean of"), std::string::npos) << of_tables;
    EXPECT_NE(of_sets.find("Bandwidth is the mean of 1,000 random bisections"), std::string::npos) << of_sets;
}

/// Of the second cable from leaf1 to spine2 those ends that are named tell `word`.
void write_with_odd_cable(TemporaryFolder const& folder, std::string const& ends, nlohmann::json const& word,
                          bool spines_name_them = true) {
    All all = routers();
    Members const members = bundle(all, "bond{}");
    write(folder, all, Told::frr_and_addresses);
    for (auto const& [device, lags] : members) {
        std::map<std::string, nlohmann::json> others;
        if (ends.find(device) != std::string::npos) others[device == "leaf1" ? "swp500" : "swp10"] = word;
        if (spines_name_them || !device.starts_with("spine")) tell(folder, device, members, systems[1].member, others);
    }
}

/// Definition: a cable that is down at one end is down: neither end sends by it, whichever tells, and whoever names the
/// members. The loads are those of a folder where both ends tell it.
TEST(RouterLags, ACableThatIsDownAtOneEndIsDown) {
    nlohmann::json const down = {{"flags", {"NO-CARRIER", "BROADCAST", "SLAVE", "UP"}}, {"operstate", "DOWN"}};
    auto const loads_where = [&](std::string const& tells, bool spines_name_them) {
        TemporaryFolder const folder;
        write_with_odd_cable(folder, tells, down, spines_name_them);
        std::string const text = text_of(audit_of(folder));
        EXPECT_EQ(text.find("next hops"), std::string::npos) << tells << "\n" << text;
        return loads(folder);
    };
    std::map<std::string, double> const both = loads_where("leaf1 spine2", true);
    EXPECT_EQ(loads_where("leaf1", true), both);
    EXPECT_EQ(loads_where("spine2", true), both);
    EXPECT_EQ(loads_where("leaf1", false), both);
    EXPECT_NE(loads_where("", true), both);
}

/// A member that waits at either end lacks no next hop: its cable is unused, and why is told.
TEST(RouterLags, MembersThatWaitLackNoSession) {
    for (std::string const waits : {"leaf1", "spine2", "leaf1 spine2"}) {
        nlohmann::json const backup = {
            {"flags", {"SLAVE", "UP"}},
            {"linkinfo", {{"info_slave_kind", "bond"}, {"info_slave_data", {{"state", "BACKUP"}}}}}};
        TemporaryFolder const folder;
        write_with_odd_cable(folder, waits, backup);
        std::string const text = text_of(audit_of(folder));
        EXPECT_EQ(text.find("session"), std::string::npos) << waits << "\n" << text;
        EXPECT_EQ(text.find("next hops"), std::string::npos) << waits << "\n" << text;
        std::string const report = in_one_line(audit_text(folder));
        EXPECT_NE(report.find("a member of a LAG, is a backup"), std::string::npos) << waits << "\n" << report;
    }
}

/// A LAG of which one end alone names the members: its other end is in the same network.
TEST(RouterLags, OneEndAloneNamesTheMembers) {
    All all = routers();
    Members const members = bundle(all, "PortChannel{}");
    TemporaryFolder const folder;
    write(folder, all, Told::frr);
    for (auto const& [device, lags] : members) {
        if (device.starts_with("spine")) continue;
        folder.write(device + "/addr.json", "[]");
        tell(folder, device, members, systems[0].member);
    }
    Found const found = audit_of(folder);
    EXPECT_TRUE(found.findings.empty()) << text_of(found);
    EXPECT_NE(audit_text(folder).find("48 links"), std::string::npos) << audit_text(folder);
}

/// Where no file names the members, that is said where the cable is told that was taken.
TEST(RouterLags, NobodyNamesTheMembers) {
    All all = routers();
    bundle(all, "PortChannel{}");
    TemporaryFolder const folder;
    write(folder, all, Told::frr);
    Found const found = audit_of(folder);
    EXPECT_NE(text_of(found).find("if it is a LAG, `ip -j addr` of both routers tells its members"), std::string::npos)
        << text_of(found);
    // Cables beside it may be its members: nobody's session is said to be down.
    EXPECT_EQ(text_of(found).find("session"), std::string::npos) << text_of(found);
    EXPECT_EQ(audit_text(folder).find("routes lack next hops"), std::string::npos);
    std::string const text = in_one_line(audit_text(folder));
    EXPECT_NE(text.find("whether it is a member of PortChannel49, by which routes go, is not known"), std::string::npos)
        << text;
    EXPECT_NE(text.find("whether they are members of PortChannel50, by which"), std::string::npos) << text;
}

/// leaf1's second cable to spine2 ends at spine1.
void lead_second_cable_to_spine1(All& all, Members& members) {
    all.at("leaf1").hears["swp500"] = {"spine1", "swp10", "192.168.0.1"};
    all.at("spine2").hears.erase("swp10");
    all.at("spine1").hears["swp10"] = {"leaf1", "swp500", "192.168.1.1"};
    members.at("spine2").at("bond1").pop_back();
}

/// Members to two routers: to a pair that both have the gateway, a note; else the member that leads to a router without
/// it is in the wrong port, and is one finding.
TEST(RouterLags, MembersToTwoRouters) {
    for (bool const is_pair : {false, true}) {
        All all = routers();
        Members members = bundle(all, "bond{}");
        lead_second_cable_to_spine1(all, members);
        if (is_pair) {
            members.at("spine1").at("bond1").push_back("swp10");
            all.at("spine1").own.emplace_back("vrr", "172.16.2.2");
        }
        TemporaryFolder const folder;
        write_all(folder, all, members, Told::frr_and_addresses, systems[1].member);
        Found const found = audit_of(folder);
        if (is_pair) {
            EXPECT_NE(audit_text(folder).find("1 LAG has members to several devices"), std::string::npos)
                << audit_text(folder);
            continue;
        }
        ASSERT_GE(found.findings.size(), 1u);
        EXPECT_NE(text_of(found).find("bond50 of leaf1 is a LAG to spine2, which has its gateway 172.16.2.2, and its "
                                      "member swp500 leads to spine1"),
                  std::string::npos)
            << text_of(found);
    }
}

/// Definition: the two routers at the members of one LAG share the gateway that it leads to, on the cables themselves:
/// nothing is odd. The same address on cables to two devices, or outside of a LAG, is.
TEST(RouterLags, APairOfRoutersSharesTheGateway) {
    for (bool const is_lag : {true, false}) {
        All all = routers();
        Members members = bundle(all, "bond{}");
        lead_second_cable_to_spine1(all, members);
        all.at("spine1").nets.emplace_back("swp10", Connected{"172.16.2.2", "172.16.2.2"});
        if (!is_lag) members.at("leaf1").at("bond50").pop_back();
        TemporaryFolder const folder;
        write_all(folder, all, members, Told::frr_and_addresses, systems[1].member);
        std::string const text = text_of(audit_of(folder));
        EXPECT_EQ(text.find("172.16.2.2 is an address of") == std::string::npos, is_lag) << text;
    }
}

/// Definition: where routes are made anew a LAG is one next hop, and which member a flow takes is drawn by the
/// routing's seed: equal seeds give equal numbers, others do not. Forwarding tables by trees cannot say it.
TEST(RouterLags, TheSeedOfRoutingPicksMembers) {
    All all = routers();
    Members const members = bundle(all, "bond{}");
    TemporaryFolder const folder;
    write_all(folder, all, members, Told::frr_and_addresses, systems[1].member);
    Words const study = {
        "evaluate",   "--network", "frr:" + folder.path(), "--routing", "minhop",  "--pattern", "rand",
        "--mappings", "40",        "--per-mapping",        "-",         "--quiet", "--output",  "/dev/null"};
    auto const rows = [&](Words const& more) {
        Finished const run = run_tailback(joined(study, more));
        EXPECT_EQ(run.code, 0) << run.err;
        return run.out;
    };
    std::string const one = rows({"--routing-seed", "1"});
    EXPECT_EQ(one, rows({"--routing-seed", "1"}));
    EXPECT_NE(one, rows({"--routing-seed", "2"}));
    EXPECT_EQ(run_tailback(joined(study, {"--routes", "trees"})).code, 2);
}

/// Bridges and VRFs are masters, too, and are no LAGs: what they say changes nothing.
TEST(RouterLags, OtherMastersAreNone) {
    for (auto const& [master, kind] : {std::pair("bridge", "bridge"), std::pair("br_default", ""),
                                       std::pair("fabric", "vrf"), std::pair("vrf-blue", "")}) {
        All const all = routers();
        TemporaryFolder const folder;
        write(folder, all, Told::frr_and_addresses);
        std::string const digest = audit_of(folder).digest;
        Members members;
        nlohmann::json word = nlohmann::json::object();
        if (*kind != 0) word["linkinfo"] = {{"info_slave_kind", kind}};
        for (auto const& [name, router] : all)
            for (auto const& [port, far] : router.hears) members[name][master].push_back(port);
        for (auto const& [device, lags] : members) tell(folder, device, members, word);
        EXPECT_TRUE(audit_of(folder).findings.empty()) << text_of(audit_of(folder));
        EXPECT_EQ(audit_of(folder).digest, digest) << master;
    }
}

/// LAGs to hosts with routes on them: the host's cables are its endpoints, and each is reached by its own.
TEST(RouterLags, ALagToAHost) {
    All all = routers();
    Router& leaf = all.at("leaf1");
    leaf.hears["swp10"] = {"n11", "eth1", "10.1.1.1"};
    leaf.nets[0].first = "bond7";
    Members const members = {{"leaf1", {{"bond7", {"swp1", "swp10"}}}}};
    TemporaryFolder const folder;
    write_all(folder, all, members, Told::frr_and_addresses, systems[1].member);
    EXPECT_EQ(audit_of(folder).exit, 0) << text_of(audit_of(folder));
    EXPECT_NE(audit_text(folder).find("13 hosts"), std::string::npos) << audit_text(folder);
}

/// Definition: a host whose LAG loses a member goes on by the others. What `--fail-cables` of a member gives is what a
/// folder of that state gives, where nobody hears it: no pair is lost, and the hosts are 12 again. All members of a LAG
/// take the host along: then both of its endpoints are there, and are not reached.
TEST(RouterLags, AHostStaysOnItsOtherMembers) {
    TemporaryFolder const whole, without;
    Members const members = {{"leaf1", {{"bond7", {"swp1", "swp10"}}}}};
    All all = routers();
    Router& leaf = all.at("leaf1");
    leaf.nets[0].first = "bond7";
    write_all(without, all, members, Told::frr_and_addresses, systems[1].member);
    leaf.hears["swp10"] = {"n11", "eth1", "10.1.1.1"};
    write_all(whole, all, members, Told::frr_and_addresses, systems[1].member);
    std::map<std::string, double> const dumped = loads(without);
    EXPECT_NE(loads(whole), dumped);
    EXPECT_EQ(loads(whole, {"--fail-cables", "leaf1:swp10"}), dumped);
    EXPECT_EQ(loads(whole, {"--fail-cables", "leaf1:swp10", "--routing", "ar:minimal"}), dumped);
    for (std::string const member : {"swp1", "swp10"}) {
        Finished const audit =
            run_tailback({"audit", "--network", "frr:" + whole.path(), "--fail-cables", "leaf1:" + member});
        EXPECT_EQ(audit.code, 0) << audit.out;
        EXPECT_NE(audit.out.find("Audit of 12 hosts"), std::string::npos) << audit.out;
        EXPECT_NE(in_one_line(audit.err).find("1 member of LAGs that keep others failed: these take what it carried"),
                  std::string::npos)
            << audit.err;
        // It is no cable that would bring something back, but one between routers beside it is.
        EXPECT_EQ(audit.out.find("--return-cables"), std::string::npos) << audit.out;
        Finished const trunk = run_tailback(
            {"audit", "--network", "frr:" + whole.path(), "--fail-cables", "leaf1:" + member + ",leaf2:swp49"});
        EXPECT_NE(trunk.out.find("--return-cables failed"), std::string::npos) << trunk.out;
        // Its address is still that of the host.
        std::string const way = run_tailback({"trace", "--network", "frr:" + whole.path(), "--fail-cables",
                                              "leaf1:" + member, "--source-port", "49152..49153", "n21", "n11"})
                                    .out;
        EXPECT_NE(way.find(member == "swp1" ? "leaf1:swp10" : "leaf1:swp1"), std::string::npos) << way;
    }
    Finished const both =
        run_tailback({"audit", "--network", "frr:" + whole.path(), "--fail-cables", "leaf1:swp1,leaf1:swp10"});
    EXPECT_EQ(both.code, 1) << both.out;
    EXPECT_NE(both.out.find("Audit of 13 hosts"), std::string::npos) << both.out;
}

/// Definition: a plan of cables has each member of a LAG as a cable, which a note tells. 12 hosts and 12 cables between
/// routers; what is written compares as planned.
TEST(RouterLags, APlanHasTheMembersAsCables) {
    WithoutAMember const folders;
    TemporaryFolder const folder;
    std::string const network = "frr:" + folders.whole.path();
    Finished const plan =
        run_tailback({"convert", "--network", network, "--to", "plan", "--output", folder / "plan.csv"});
    EXPECT_EQ(plan.code, 0) << plan.err;
    EXPECT_NE(in_one_line(plan.err).find("which cables make a LAG is not written: members of LAGs count as cables of "
                                         "their own"),
              std::string::npos)
        << plan.err;
    std::string const text = read_whole(folder / "plan.csv");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 12 + 12) << text;
    for (char const* const cable : {"leaf1,swp50,spine2,swp1,", "leaf1,swp500,spine2,swp10,"})
        EXPECT_NE(text.find(cable), std::string::npos) << cable << text;
    EXPECT_EQ(run_tailback({"compare", "--network", network, "--plan", folder / "plan.csv"}).code, 0);
    EXPECT_EQ(
        run_tailback({"compare", "--network", "frr:" + folders.without.path(), "--plan", folder / "plan.csv"}).code, 1);
}

}  // namespace
}  // namespace tailback::router_lags_test
