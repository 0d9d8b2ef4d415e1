// Is it cabled as planned? Mistakes that were made on purpose are found as what they are, all put right is the plan,
// and what UFM's network diff tool answered for a real fabric comes out item by item.
#include "host/audit/changes/planned_cables.hpp"

#include "host/audit/changes/judged_networks.hpp"
#include "host/audit/changes/tried_routings.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>

namespace tailback::planned_cables_test {
namespace {

struct Cable {
    std::string from, from_port, to, to_port;
};

/// Of an XGFT of 16 hosts: 4 leaves, 2 spines with 2 cables each to every leaf.
std::vector<Cable> tree() {
    std::vector<Cable> cables;
    for (int l = 1; l <= 4; ++l) {
        std::string const leaf = "leaf-" + std::to_string(l);
        for (int h = 1; h <= 4; ++h)
            cables.push_back({"n" + std::to_string(4 * (l - 1) + h), "ib0", leaf, "Port " + std::to_string(h)});
        for (int u = 0; u < 4; ++u)
            cables.push_back({leaf, "Port " + std::to_string(5 + u), "spine-" + std::to_string(1 + u / 2),
                              "Port " + std::to_string(2 * l - u % 2)});
    }
    return cables;
}
std::string text_of_plan(std::vector<Cable> const& cables) {
    std::string text = "StartDevice,StartPort,EndDevice,EndPort\n";
    for (Cable const& one : cables) text += one.from + "," + one.from_port + "," + one.to + "," + one.to_port + "\n";
    return text;
}
CablePlan plan_of(std::vector<Cable> const& cables) {
    LineReader lines = lines_of_text(text_of_plan(cables), "plan");
    return read_cable_plan(lines);
}
Network network_of(std::vector<Cable> const& cables) {
    LineReader lines = lines_of_text(text_of_plan(cables), "there");
    Disagreements disagreements;
    return read_planned_network(lines, disagreements);
}
std::array<std::uint64_t, 4> counts_of(PlanComparison const& found) {
    return {found.count(Miscabling::swapped), found.count(Miscabling::wrong), found.count(Miscabling::missing),
            found.count(Miscabling::extra)};
}
using Counts = std::array<std::uint64_t, 4>;

TEST(PlannedCables, EveryKindOfMistakeIsFoundAsWhatItIs) {
    std::vector<Cable> const planned = tree();
    CablePlan const plan = plan_of(planned);
    auto const after = [&](auto change) {
        std::vector<Cable> there = planned;
        change(there);
        return compare_plan(network_of(there), plan);
    };
    EXPECT_EQ(counts_of(after([](auto&) {})), (Counts{0, 0, 0, 0}));
    // Two hosts of two leaves swapped: four planned ends, one mistake.
    PlanComparison const swapped = after([](auto& all) { std::swap(all[0].to, all[8].to); });
    EXPECT_EQ(counts_of(swapped), (Counts{1, 0, 0, 0}));
    EXPECT_EQ(swapped.mistakes[0].planned, (std::vector<std::size_t>{0, 8}));
    EXPECT_EQ(swapped.mistakes[0].found.size(), 2u);
    EXPECT_EQ(swapped.as_planned, planned.size() - 2);
    // Three in a circle.
    EXPECT_EQ(counts_of(after([](auto& all) {
                  std::swap(all[0], all[1]), std::swap(all[0].to_port, all[1].to_port);
                  std::swap(all[1].to_port, all[2].to_port);
              })),
              (Counts{1, 0, 0, 0}));
    EXPECT_EQ(counts_of(after([](auto& all) { all[0].to_port = "Port 20"; })), (Counts{0, 1, 0, 0}));
    EXPECT_EQ(counts_of(after([](auto& all) { all.erase(all.begin() + 4); })), (Counts{0, 0, 1, 0}));
    EXPECT_EQ(counts_of(after([](auto& all) {
                  all.push_back({"leaf-1", "Port 30", "leaf-2", "Port 30"});
              })),
              (Counts{0, 0, 0, 1}));
    // A host on the port that is another's, who is nowhere: one leads elsewhere, one is missing.
    PlanComparison const taken = after([](auto& all) {
        all[1].to_port = all[0].to_port;
        all.erase(all.begin());
    });
    EXPECT_EQ(counts_of(taken), (Counts{0, 1, 1, 0}));
    EXPECT_EQ(taken.mistakes[0].planned, std::vector<std::size_t>{1});  // the host that leads elsewhere
    // A plan without cables between switches says nothing of those.
    std::vector<Cable> hosts;
    for (Cable const& one : planned)
        if (one.from[0] == 'n') hosts.push_back(one);
    PlanComparison const of_hosts = compare_plan(network_of(planned), plan_of(hosts));
    EXPECT_EQ(counts_of(of_hosts), (Counts{0, 0, 0, 0}));
    EXPECT_EQ(of_hosts.between_switches, 16u);
}

TEST(PlannedCables, NothingIsToldTwiceAndAllPutRightIsThePlan) {
    std::vector<Cable> const planned = tree();
    CablePlan const plan = plan_of(planned);
    std::set<std::string> const of_plan = [&] {
        std::set<std::string> keys;
        for (Cable const& one : planned) keys.insert(one.from + one.from_port + "-" + one.to + one.to_port);
        return keys;
    }();
    Dice dice{11};
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<Cable> there = planned;
        for (std::uint32_t k = 0; k <= dice(8); ++k) {
            Cable &a = there[dice(static_cast<std::uint32_t>(there.size()))],
                  &b = there[dice(static_cast<std::uint32_t>(there.size()))];
            if (dice(3) == 0 && there.size() > 20) there.erase(there.begin() + (&a - there.data()));
            else if (&a != &b) std::swap(a.to, b.to), std::swap(a.to_port, b.to_port);
        }
        Network const network = network_of(there);
        PlanComparison const found = compare_plan(network, plan);
        std::multiset<std::size_t> told;
        std::size_t others = 0, same = 0;
        for (CableMistake const& one : found.mistakes) {
            told.insert(one.planned.begin(), one.planned.end());
            others += one.found.size();
            if (one.kind == Miscabling::swapped) {
                EXPECT_EQ(one.planned.size(), one.found.size());
                EXPECT_GE(one.planned.size(), 2u);
            }
        }
        for (Cable const& one : there) same += of_plan.count(one.from + one.from_port + "-" + one.to + one.to_port);
        EXPECT_EQ(found.as_planned, same);
        EXPECT_EQ(told.size(), planned.size() - same);
        EXPECT_EQ(std::set<std::size_t>(told.begin(), told.end()).size(), told.size());
        EXPECT_EQ(others, there.size() - same);
        PlanComparison const right = compare_plan(put_right(network, plan, found.mistakes), plan);
        EXPECT_EQ(right.mistakes.size(), 0u);  // with the nodes that lost all their cables
        EXPECT_TRUE(right.unknown.empty());
    }
}

/// What minhop's tables of the cabling come to, in the mean over the orders in which ties are broken: each network of
/// `in_drawn_order` routed and judged by itself.
struct OverTies {
    double load = 0, bandwidth = 0;
};
OverTies over_ties(Network const& network) {
    constexpr std::uint32_t draws = 6;
    OverTies mean;
    for (std::uint32_t draw = 0; draw < draws; ++draw) {
        topologies::Topology topology;
        topology.network = in_drawn_order(network, draw);
        TriedRouting const tables = try_routing(topology, "minhop", 1);
        mean.load += double(tables.largest) / draws;
        mean.bandwidth += tables.bandwidth.value() / draws;
    }
    return mean;
}
OverTies over_ties(std::vector<Cable> const& cables) { return over_ties(network_of(cables)); }
/// With all put right; devices of the plan alone come after the others, and ties go by the numbers of nodes.
OverTies over_ties(std::vector<Cable> const& there, std::vector<Cable> const& planned) {
    CablePlan const plan = plan_of(planned);
    Network const network = network_of(there);
    return over_ties(put_right(network, plan, compare_plan(network, plan).mistakes));
}
void expect_means(nlohmann::json const& told, OverTies const& mean) {
    EXPECT_NEAR(told.at("largest_load").get<double>(), mean.load, 1e-9);
    EXPECT_NEAR(told.at("bandwidth").get<double>(), mean.bandwidth, 1e-9);
}

TEST(PlannedCables, TheReportTellsThemAndWhatTheyCost) {
    std::vector<Cable> there = tree();
    there.erase(there.begin() + 7);       // a cable of leaf-1 to spine-2
    std::swap(there[0].to, there[7].to);  // two hosts
    TemporaryFolder const folder;
    folder.write("plan.csv", text_of_plan(tree()));
    folder.write("there.csv", text_of_plan(there));
    Words const words = {"compare", "--network", folder / "there.csv", "--plan", folder / "plan.csv"};
    Finished const json = run_tailback(joined(words, {"--format", "json"}));
    EXPECT_EQ(json.code, 1) << json.err;
    nlohmann::json const report = nlohmann::json::parse(json.out);
    EXPECT_EQ(report.at("as_planned"), false);
    EXPECT_EQ(report.at("mistakes_by_kind").at("swapped"), 1);
    EXPECT_EQ(report.at("mistakes_by_kind").at("missing"), 1);
    // Put right, each leaf has four links up for 4 x 12 pairs.
    EXPECT_EQ(report.at("costs").at("routing"), "minhop");
    EXPECT_GE(report.at("costs").at("as_planned").at("largest_load"), 12);  // no tables have less
    expect_means(report.at("costs").at("as_planned"), over_ties(tree()));
    expect_means(report.at("mistakes").at(1).at("put_right"), over_ties(tree()));
    EXPECT_GT(report.at("costs").at("as_it_is").at("largest_load"), 12);
    EXPECT_EQ(report.at("mistakes").at(0).at("put_right").at("bandwidth"),
              report.at("costs").at("as_it_is").at("bandwidth"));  // a swap of hosts costs nothing
    Finished const text = run_tailback(words);
    EXPECT_NE(text.out.find("NOT AS PLANNED: 29 of 32 planned cables are there; 1 swap of ends, 1 cable is missing"),
              std::string::npos)
        << text.out;
    Finished const csv = run_tailback(joined(words, {"--format", "csv", "--costs", "0"}));
    EXPECT_EQ(csv.code, 1);
    EXPECT_NE(csv.out.find("mistakes"), std::string::npos);
    Finished const both = run_tailback(joined(words, {"--counters", folder / "x"}));
    EXPECT_EQ(both.code, 2);
}

/// Costs of the comparison with a plan, and the audit of that plan as a network: the same largest load and bandwidth.
struct Compared {
    nlohmann::json costs, mistakes;
    std::uint64_t audited_load = 0;
};
Compared compared(std::vector<Cable> const& there, std::vector<Cable> const& plan) {
    TemporaryFolder const folder;
    folder.write("plan.csv", text_of_plan(plan));
    folder.write("there.csv", text_of_plan(there));
    Finished const json = run_tailback({"compare", "--network", folder / "there.csv", "--plan", folder / "plan.csv",
                                        "--format", "json", "--costs", "100"});
    EXPECT_EQ(json.code, 1) << json.err;
    nlohmann::json const report = nlohmann::json::parse(json.out);
    topologies::Topology topology;
    topology.network = network_of(plan);
    TriedRouting const audited = try_routing(topology, "minhop", 1);
    return {report.at("costs"), report.at("mistakes"), audited.largest};
}

TEST(PlannedCables, DevicesThatTheFabricLacksAreBuiltOfThePlan) {
    // A fifth leaf of four hosts with two links up: 4 x 16 pairs over two links, each way.
    std::vector<Cable> plus = tree();
    for (int h = 1; h <= 4; ++h)
        plus.push_back({"n" + std::to_string(16 + h), "ib0", "leaf-5", "Port " + std::to_string(h)});
    plus.push_back({"leaf-5", "Port 5", "spine-1", "Port 9"});
    plus.push_back({"leaf-5", "Port 6", "spine-2", "Port 9"});
    Compared const leaf = compared(tree(), plus);
    EXPECT_GE(leaf.costs.at("as_it_is").at("largest_load"), 12);    // no tables have less
    EXPECT_GE(leaf.costs.at("as_planned").at("largest_load"), 32);  // no tables have less
    EXPECT_EQ(leaf.audited_load, 32u);
    expect_means(leaf.costs.at("as_it_is"), over_ties(tree()));
    expect_means(leaf.costs.at("as_planned"), over_ties(tree(), plus));
    EXPECT_EQ(leaf.costs.at("as_planned").at("pairs_not_delivered"), 0);
    // One of its cables alone leads nowhere: there is no number for it.
    ASSERT_EQ(leaf.mistakes.size(), 6u);
    for (auto const& one : leaf.mistakes) {
        EXPECT_EQ(one.at("put_right").at("refused"), "leaf-5 is not here, and has 6 cables of the plan");
        EXPECT_TRUE(one.at("put_right").at("bandwidth").is_null());
    }
    // A new host has one cable, and is put right alone: of the 3 x 5 pairs of another leaf and a host of leaf-1, 4
    // sources each, four come down one of its four cables.
    std::vector<Cable> host = tree();
    host.push_back({"n17", "ib0", "leaf-1", "Port 9"});
    Compared const one = compared(tree(), host);
    EXPECT_GE(one.costs.at("as_planned").at("largest_load"), 16);  // no tables have less
    expect_means(one.costs.at("as_planned"), over_ties(tree(), host));
    expect_means(one.mistakes.at(0).at("put_right"), over_ties(tree(), host));
}

/// A leaf-spine fabric of routers, whose ports are called as interfaces: 3 leaves of 2 hosts, 2 spines.
std::vector<Cable> routers() {
    std::vector<Cable> cables;
    for (int l = 1; l <= 3; ++l) {
        std::string const leaf = "leaf0" + std::to_string(l);
        for (int s = 1; s <= 2; ++s)
            cables.push_back(
                {leaf, "swp" + std::to_string(48 + s), "spine0" + std::to_string(s), "swp" + std::to_string(l)});
        for (int h = 1; h <= 2; ++h)
            cables.push_back({"node" + std::to_string(2 * l + h), "eth0", leaf, "swp" + std::to_string(h)});
    }
    return cables;
}

TEST(PlannedCables, APlanOfUplinksAloneSaysNothingOfHostsOfRouters) {
    std::vector<Cable> uplinks = routers();
    std::erase_if(uplinks, [](Cable const& cable) { return cable.from[0] == 'n'; });
    PlanComparison const found = compare_plan(network_of(routers()), plan_of(uplinks));
    EXPECT_EQ(counts_of(found), (Counts{0, 0, 0, 0}));
    EXPECT_EQ(found.as_planned, 6u);
    EXPECT_EQ(found.of_hosts, 6u);
    EXPECT_EQ(found.between_switches, 0u);
}

TEST(PlannedCables, PortsOfRoutersAreFoundByShortNamesAndNumbers) {
    std::vector<Cable> there = routers();
    for (Cable& one : there)
        for (std::string* port : {&one.from_port, &one.to_port})
            if (port->starts_with("swp")) *port = "Ethernet1/" + port->substr(3);
    std::vector<Cable> numbers = routers(), words = there;
    for (Cable& one : numbers)
        for (std::string* port : {&one.from_port, &one.to_port})
            if (port->starts_with("swp")) *port = port->substr(3);
    for (Cable& one : words)
        for (std::string* port : {&one.from_port, &one.to_port})
            if (port->starts_with("Ethernet")) *port = "eth" + port->substr(8);
    EXPECT_EQ(compare_plan(network_of(routers()), plan_of(numbers)).as_planned, 12u);
    EXPECT_EQ(compare_plan(network_of(there), plan_of(words)).as_planned, 12u);
}

TEST(PlannedCables, PortsThatAreCalledInAnotherWayAreToldTogether) {
    std::vector<Cable> planned = tree();
    for (Cable& one : planned)
        for (std::string* port : {&one.from_port, &one.to_port})
            if (port->starts_with("Port ")) *port = "Ethernet" + port->substr(5);
    PlanComparison const found = compare_plan(network_of(tree()), plan_of(planned));
    EXPECT_EQ(found.as_planned, 0u);
    ASSERT_EQ(found.other_forms.size(), 1u);
    EXPECT_EQ(found.other_forms[0].planned, "Ethernet1");
    EXPECT_EQ(found.other_forms[0].here, "1");
    EXPECT_EQ(found.other_forms[0].ports, 48u);  // 4 x 8 of leaves, 2 x 8 of spines
    EXPECT_EQ(found.other_forms[0].devices, 6u);
    EXPECT_EQ(found.unknown_ports.size(), 48u);
    std::vector<Cable> one_more = tree();
    one_more.push_back({"n17", "ib0", "leaf-1", "Port 9"});
    EXPECT_TRUE(compare_plan(network_of(tree()), plan_of(one_more)).other_forms.empty());
}

/// Definition: a port has one name, in whichever notation. A plan in any of them is as planned on the network of a plan
/// in any other, its own among them.
TEST(PlannedCables, NotationsOfChipsAndAdaptersMeanTheSame) {
    std::vector<std::pair<char const*, char const*>> const chips = {{"core", "Blade 3_Port 2/7"},
                                                                    {"core", "L3/U2/P7"},
                                                                    {"core", "L03/U2/P7"},
                                                                    {"core/L3/U2", "Port 7"},
                                                                    {"MF0;core:MCS8500/L03/U2", "7"}},
                                                           adapters = {{"h1", "HCA-1/1"},
                                                                       {"h1", "h1 HCA-1/1"},
                                                                       {"H1", "hca-1 Port 1"},
                                                                       {"h1", "HCA-1/P1"}};
    std::vector<std::vector<Cable>> plans;
    for (auto const& [core, chip] : chips)
        for (auto const& [host, adapter] : adapters)
            plans.push_back(
                {{host, adapter, core, chip},
                 {"h1", "HCA-1/2", "leaf", "Port 2"},
                 {"h2", "mlx5_0", "leaf", "Port 1"},
                 {"leaf", "Port 3", core, std::string(chip).replace(std::string(chip).size() - 1, 1, "8")}});
    for (std::vector<Cable> const& there : plans) {
        Network const network = network_of(there);
        for (std::vector<Cable> const& planned : plans) {
            PlanComparison const found = compare_plan(network, plan_of(planned));
            EXPECT_EQ(found.as_planned, 4u) << text_of_plan(there) << text_of_plan(planned);
            EXPECT_TRUE(found.unknown.empty()) << text_of_plan(there) << text_of_plan(planned);
        }
    }
}

TEST(PlannedCables, APortWithoutACableIsNoUnknownDevice) {
    std::vector<Cable> there = routers();
    std::erase_if(there, [](Cable const& cable) { return cable.from == "leaf02" && cable.from_port == "swp49"; });
    PlanComparison const found = compare_plan(network_of(there), plan_of(routers()));
    EXPECT_EQ(counts_of(found), (Counts{0, 0, 1, 0}));
    EXPECT_TRUE(found.unknown.empty());
    EXPECT_EQ(found.unknown_ports, (std::vector<std::string>{"leaf02 [swp49]", "spine01 [swp2]"}));
    PlanCosts const costs =
        cost_of_mistakes({network_of(there), {}, false}, plan_of(routers()), found, "ar:minimal", 10, 1);
    EXPECT_TRUE(costs.divided);
    EXPECT_EQ(costs.put_right[0].refused, "");
    EXPECT_NEAR(mean_bandwidth(costs.put_right[0]).value(), 1, 1e-12);  // 2 hosts of a leaf have 2 uplinks again
    EXPECT_LT(mean_bandwidth(costs.as_it_is).value(), 0.95);
    EXPECT_DOUBLE_EQ(costs.put_right[0].largest, 4);  // 2 hosts x 4 others over 2 links
}

TEST(PlannedCables, IsomorphicNetworksGainNothing) {
    // Uplinks of a leaf are exchanged; so are hosts of two leaves.
    for (std::string const routing : {"minhop", "sssp", "updn", "ar:minimal"}) {
        SCOPED_TRACE(routing);
        for (auto const& [first, second] : {std::pair{4u, 6u}, {5u, 7u}, {0u, 8u}, {1u, 26u}}) {
            std::vector<Cable> plan = tree();
            std::swap(plan[first].to, plan[second].to), std::swap(plan[first].to_port, plan[second].to_port);
            Network const there = network_of(tree());
            CablePlan const wanted = plan_of(plan);
            PlanComparison const found = compare_plan(there, wanted);
            PlanCosts const costs = cost_of_mistakes({there, {}, false}, wanted, found, routing, 10, 1);
            std::optional<BandwidthGain> const gain = gain_over(costs.as_it_is, costs.as_planned);
            ASSERT_TRUE(gain);
            EXPECT_NEAR(gain->mean, 0, 1e-12) << first;
            EXPECT_NEAR(gain->error, 0, 1e-12) << first;
            EXPECT_DOUBLE_EQ(costs.as_it_is.largest, costs.as_planned.largest);
        }
    }
}

TEST(PlannedCables, MistakesTellTheirLinesAndRacks) {
    std::string const folder = fixture("../../examples/plan/");
    Words const words = {"compare", "--network", folder + "there.csv", "--costs", "0", "--plan"};
    std::string const text = run_tailback(joined(words, {folder + "plan.csv"})).out;
    EXPECT_NE(text.find("  lines 2, 10 (racks R1, R2): planned: n1"), std::string::npos) << text;
    EXPECT_NE(text.find("  line 9 (rack R1): leaf-1 [8] - spine-2 [1]"), std::string::npos) << text;
    TemporaryFolder const other;
    other.write("plan.csv", text_of_plan(tree()));  // without a column of racks
    std::string const bare = run_tailback(joined(words, {other / "plan.csv"})).out;
    // The head is line 1, n1 to n4 are 2 to 5, four uplinks follow, then n5.
    EXPECT_NE(bare.find("  lines 2, 10: planned: n1"), std::string::npos) << bare;
}

TEST(PlannedCables, TheTextSaysWhyAMistakeHasNoCost) {
    std::vector<Cable> plan = tree();
    plan.push_back({"leaf-1", "Port 9", "leaf-5", "Port 5"});
    plan.push_back({"n17", "ib0", "leaf-5", "Port 1"});
    TemporaryFolder const folder;
    folder.write("plan.csv", text_of_plan(plan));
    folder.write("there.csv", text_of_plan(tree()));
    Finished const text = run_tailback({"compare", "--network", folder / "there.csv", "--plan", folder / "plan.csv"});
    EXPECT_NE(text.out.find("No numbers for mistakes put right by themselves: leaf-5 is not here, and has 2 cables of "
                            "the plan"),
              std::string::npos)
        << text.out;
}

TEST(PlannedCables, ARenamedSwitchCostsNothing) {
    std::vector<Cable> plan = tree();
    for (Cable& cable : plan)
        for (std::string* name : {&cable.from, &cable.to})
            if (*name == "leaf-3") *name = "leaf-3b";
    Compared const renamed = compared(tree(), plan);
    EXPECT_GE(renamed.costs.at("as_planned").at("largest_load"), 12);  // no tables have less
    expect_means(renamed.costs.at("as_planned"), over_ties(tree(), plan));
    EXPECT_EQ(renamed.mistakes.size(), 8u);
    for (auto const& one : renamed.mistakes) EXPECT_TRUE(one.at("put_right").at("gain").is_null());
}

TEST(PlannedCables, WithoutThePortsOfThePlanThereAreNoCosts) {
    std::vector<Cable> plan = tree();
    plan.push_back({"leaf-1", "1/31/2", "leaf-2", "Port 20"});  // a label that the switch does not have
    Compared const label = compared(tree(), plan);
    EXPECT_EQ(label.costs.at("as_planned").at("refused"),
              "leaf-1 [1/31/2]: no such port here, or several devices of that name");
    EXPECT_TRUE(label.costs.at("as_planned").at("largest_load").is_null());
    plan.back() = {"core", "L1/U2/P3", "leaf-2", "Port 20"};
    EXPECT_NE(std::string(compared(tree(), plan).costs.at("as_planned").at("refused")).find("no such chip here"),
              std::string::npos);
}

std::string small(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (text.rfind("mf0;", 0) == 0) text = text.substr(4, text.rfind(':') - 4);
    return text;
}
using Ends = std::set<std::string>;
/// `DEVICE/PORT - DEVICE/PORT` of the tool: a host's end by its port, a switch's by its name and number.
Ends ends_of_tool(std::string const& text) {
    Ends ends;
    std::size_t const middle = text.find(" - ");
    for (std::string const& end : {text.substr(0, middle), text.substr(middle + 3)}) {
        std::string const device = end.substr(0, end.find('/')), port = end.substr(end.find('/') + 1);
        ends.insert(port.find_first_not_of("0123456789") == std::string::npos ? small(device) + "/" + port
                                                                              : small(port));
    }
    return ends;
}
Ends ends_of_ours(nlohmann::json const& cable) {
    Ends ends;
    for (std::string const side : {"from", "to"}) {
        std::string const device = cable.at(side);
        auto const& port = cable.at(side + "_port");
        if (port.is_number()) {
            std::string const name = small(device);
            ends.insert(device.rfind("MF0;", 0) == 0 ? name + "/" + std::to_string(int(port)) : name);
        } else {
            std::string const word = port;
            ends.insert(word.rfind("Port ", 0) == 0 ? small(device) + "/" + word.substr(5) : small(word));
        }
    }
    return ends;
}

TEST(PlannedCables, ARealFabricHasWhatTheNetworkDiffToolFound) {
    if (!shared_data_is_there()) GTEST_SKIP() << "the plan of a real fabric is in ../shared";
    std::string const folder = shared_data() / "ndt";
    Finished const run = run_tailback({"compare", "--network", folder + "/ibnetdiscover_director.txt.xz", "--plan",
                                       folder + "/switch_to_host.ndt.xz", "--format", "json", "--costs", "0"});
    EXPECT_EQ(run.code, 1) << run.err;
    nlohmann::json const report = nlohmann::json::parse(run.out);
    std::ifstream file(folder + "/expected_report.json");
    nlohmann::json const expected = nlohmann::json::parse(file).at("report");
    std::multiset<std::set<Ends>> wrong, wrong_of_tool;
    std::multiset<Ends> missing, missing_of_tool, extra, extra_of_tool;
    for (auto const& one : report.at("mistakes")) {
        if (one.at("kind") == "wrong")
            wrong.insert({ends_of_ours(one.at("planned").at(0)), ends_of_ours(one.at("found").at(0))});
        if (one.at("kind") == "missing") missing.insert(ends_of_ours(one.at("planned").at(0)));
        if (one.at("kind") == "extra") extra.insert(ends_of_ours(one.at("found").at(0)));
    }
    for (auto const& one : expected.at("miss_wired"))
        wrong_of_tool.insert({ends_of_tool(one.at("expected")), ends_of_tool(one.at("actual"))});
    for (auto const& one : expected.at("missing_in_ufm")) missing_of_tool.insert(ends_of_tool(one));
    for (auto const& one : expected.at("missing_in_ndt")) extra_of_tool.insert(ends_of_tool(one));
    EXPECT_EQ(wrong.size(), 2u);
    EXPECT_EQ(missing.size(), 2u);
    EXPECT_EQ(extra.size(), 107u);
    EXPECT_EQ(wrong, wrong_of_tool);
    EXPECT_EQ(missing, missing_of_tool);
    EXPECT_EQ(extra, extra_of_tool);
    EXPECT_EQ(report.at("mistakes").size(), 111u);
    EXPECT_EQ(report.at("not_compared").at("between_switches").get<int>() > 0, true);
}

}  // namespace
}  // namespace tailback::planned_cables_test
