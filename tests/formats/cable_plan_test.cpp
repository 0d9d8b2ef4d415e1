// Plans of cables (UFM's NDT and other tables): columns by their names, ports of switches, directors and hosts, what is
// refused with its line, damage, and the network that a plan is.
#include "host/formats/plan/cable_plan.hpp"

#include "host/audit/changes/planned_cables.hpp"
#include "host/formats/interface_names.hpp"

#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <set>
#include <vector>

namespace tailback::cable_plan_test {
namespace {

CablePlan plan_of(std::string const& text) {
    LineReader lines = lines_of_text(text, "plan.ndt");
    return read_cable_plan(lines);
}
std::string refusal(std::string const& text) {
    try {
        plan_of(text);
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

constexpr char const* ndt = "#StartDevice,StartPort,EndDevice,EndPort,LinkType\n";

TEST(CablePlan, ColumnsGoByTheirNames) {
    for (std::string const& text :
         {std::string(ndt) + "N1,N1 ib0,Leaf-1,Port 3, Data\n",
          std::string(
              "\xEF\xBB\xBF,,site plan of 2024\n,rack #,U height,#Fields:StartDevice,StartPort,EndDevice,EndPort\n"
              "x,R7,12,N1,N1 ib0,Leaf-1,Port 3\n"),
          std::string("To Port;To;Rack;From;From Port\nPort 3;Leaf-1;R7;N1;ib0\n"),
          std::string("Source Device\tSource Port\tDestination Device\tDestination Port\nN1\tib0\tLEAF-1\t3\n"),
          std::string(
              "startdevice,startport,enddevice,endport\n\"N1\",\"N1 ib0\",\"Leaf-1\",\"P3\"\n\n,,,\n# end\n")}) {
        SCOPED_TRACE(text);
        CablePlan const plan = plan_of(text);
        ASSERT_EQ(plan.cables.size(), 1u);
        PlannedCable const& cable = plan.cables[0];
        EXPECT_EQ(cable.from.name, "n1 ib0");
        EXPECT_FALSE(cable.from.of_switch);
        EXPECT_EQ(cable.to.name, "leaf-1");
        EXPECT_TRUE(cable.to.of_switch);
        EXPECT_EQ(cable.to.number, 3u);
        EXPECT_EQ(cable.rack, text.find("R7") == std::string::npos ? "" : "R7");
    }
}

TEST(CablePlan, PortsOfSwitchesDirectorsAndHosts) {
    struct Case {
        char const *device, *port, *name, *unit;
        Port number;
        bool of_switch;
    };
    for (Case const& one : {Case{"SW1", "Port 21", "sw1", "", 21, true},
                            {"MF0;Sw1:MQM8700/U1", "21", "sw1", "", 21, true},
                            {"core", "Blade 16_Port 2/20", "core", "l16/u2", 20, true},
                            {"core", "Blade 3_Port 7", "core", "l3/u1", 7, true},
                            {"core", "L16/U2/P20", "core", "l16/u2", 20, true},
                            {"MF0;core:MCS8500/L16/U2", "Port 20", "core", "l16/u2", 20, true},
                            {"sw1", "1/31/2", "sw1", "", 0, true},
                            {"Node01", "NODE01 ibp11s0f0", "node01 ibp11s0f0", "", 0, false},
                            {"node01", "HCA-1/2", "node01 hca-1", "", 2, false},
                            {"node01", "HCA-1 /2", "node01 hca-1", "", 2, false},
                            {"node01", "mlx5_0 Port 1", "node01 mlx5_0", "", 1, false},
                            {"sw1", "1/1:2", "sw1", "", 0, true},
                            {"leaf01", "swp49", "leaf01", "", 0, true},
                            {"leaf01", "Ethernet1/1", "leaf01", "", 0, true},
                            {"leaf01", "eth0", "leaf01 eth0", "", 0, false}}) {
        SCOPED_TRACE(std::string(one.device) + " " + one.port);
        CablePlan const plan = plan_of(std::string(ndt) + one.device + "," + one.port + ",other,Port 1,\n");
        PlannedEnd const& end = plan.cables[0].from;
        EXPECT_EQ(end.name, one.name);
        EXPECT_EQ(end.unit, one.unit);
        EXPECT_EQ(end.number, one.number);
        EXPECT_EQ(end.of_switch, one.of_switch);
    }
    EXPECT_EQ(folded_name("MF0;A-1:MQM8700/U1"), "a-1");
    EXPECT_EQ(folded_name("MF0;A-1:MCS8500/L16/U2"), "a-1/l16/u2");
    EXPECT_EQ(folded_name("host:with:colons"), "host:with:colons");
    EXPECT_EQ(folded_name("MFx;A"), "mfx;a");
}

TEST(CablePlan, InterfacesOfRoutersAreKnownByTheirForm) {
    for (char const* const name : {"swp1",
                                   "swp49s0",
                                   "sw1p3",
                                   "sw1p3s1",
                                   "ethernet0",
                                   "ethernet48",
                                   "ethernet1/1",
                                   "eth1/1/1",
                                   "et49",
                                   "et49/1",
                                   "etp1a",
                                   "et-0/0/0",
                                   "xe-0/0/1:2",
                                   "ge-0/0/0",
                                   "ethernet-1/1",
                                   "gigabitethernet0/1",
                                   "gi1/0/1",
                                   "te1/1/4",
                                   "hundredgige0/0/0/1",
                                   "fourhundredgige0/0/0/1",
                                   "twentyfivegige1/0/1",
                                   "400ge1/0/1",
                                   "1/1/c1/1"})
        EXPECT_TRUE(is_router_interface(name)) << name;
    for (char const* const name : {"eth0", "eth1", "ens1f0np0", "enp1s0", "ib0", "ibp11s0f0", "mlx5_0", "mlx5_0/1",
                                   "hca-1/1", "bond0", "ethernet", "ethernet 2", "mgmt0", "swp", "p1p1", "leaf 3", ""})
        EXPECT_FALSE(is_router_interface(name)) << name;
    EXPECT_EQ(folded_interface("Eth1/1"), folded_interface("Ethernet1/1"));
    EXPECT_EQ(folded_interface("Et1/1"), folded_interface("Ethernet1/1"));
    EXPECT_NE(folded_interface("eth0"), folded_interface("Ethernet0"));
    EXPECT_EQ(interface_number("swp49"), "49");
    EXPECT_EQ(interface_number("Ethernet1/49"), "1/49");
    EXPECT_EQ(interface_number("swp1s0"), "");
}

/// Which devices of a plan are switches, by their folded names.
std::set<std::string> switches_of(std::string const& text) {
    std::set<std::string> found;
    for (PlannedCable const& cable : plan_of(ndt + text).cables)
        for (PlannedEnd const* end : {&cable.from, &cable.to})
            if (end->of_switch) found.insert(end->name);
    return found;
}

TEST(CablePlan, SwitchesAreKnownByPortsOrByCables) {
    using Names = std::set<std::string>;
    EXPECT_EQ(switches_of("leaf1,swp49,spine1,swp1,\nleaf1,swp1,h1,eth0,\n"), (Names{"leaf1", "spine1"}));
    // A host of several rails stays one, and so does what is cabled to it beside them.
    EXPECT_EQ(switches_of("h1,ib0,leaf1,1,\nh1,ib1,leaf2,1,\nh1,eth0,h2,eth0,\nh2,ib0,leaf1,2,\n"),
              (Names{"leaf1", "leaf2"}));
    // Linux routers: all ports are called as those of hosts.
    std::string const linux_ports =
        "leaf1,eth1,spine1,eth1,\nleaf1,eth2,spine2,eth1,\nleaf2,eth1,spine1,eth2,\n"
        "leaf2,eth2,spine2,eth2,\nleaf1,eth3,h1,eth0,\nleaf2,eth3,h2,eth0,\n";
    EXPECT_EQ(switches_of(linux_ports), (Names{"leaf1", "leaf2", "spine1", "spine2"}));
    // A port of management joins no fabric.
    CablePlan const plan = plan_of(std::string(ndt) +
                                   "leaf1,swp1,h1,eth0,\nleaf1,eth0,oob,swp7,\nl2,3,oob,swp8,\n"
                                   "l2,mgmt0,oob,swp9,\nh1,mgmt0,oob,swp10,\n");
    EXPECT_EQ(plan.management, 2u);
    EXPECT_EQ(plan.cables.size(), 3u);
}

TEST(CablePlan, OrderOfRowsAndEndsDoesNotMatter) {
    std::vector<std::array<std::string, 4>> rows;
    for (int l = 1; l <= 3; ++l) {
        std::string const leaf = "leaf0" + std::to_string(l);
        for (int s = 1; s <= 2; ++s)
            rows.push_back(
                {leaf, "swp" + std::to_string(48 + s), "spine0" + std::to_string(s), "swp" + std::to_string(l)});
        for (int h = 1; h <= 2; ++h)
            rows.push_back({"n" + std::to_string(2 * l + h), "eth0", leaf, "swp" + std::to_string(h)});
    }
    auto const network = [&] {
        std::string text = ndt;
        for (auto const& row : rows) text += row[0] + "," + row[1] + "," + row[2] + "," + row[3] + ",\n";
        LineReader lines = lines_of_text(text, "plan.ndt");
        Disagreements disagreements;
        Network const net = read_planned_network(lines, disagreements);
        std::string told;
        for (std::size_t l = 0; l < net.links().size(); ++l) {
            LinkRecord const& link = net[Link{l}];
            told += net[link.from].name + net.port_text(link.from, link.from_port) + net[link.to].name + "\n";
        }
        for (std::size_t h = 0; h < net.hosts().size(); ++h) told += net[net[Host{h}].node].name + "\n";
        return std::pair(net.switches(), told);
    };
    auto const first = network();
    EXPECT_EQ(first.first, 5u);
    Dice dice{3};
    for (int trial = 0; trial < 20; ++trial) {
        for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[dice(static_cast<std::uint32_t>(i))]);
        for (auto& row : rows)
            if (dice(2) == 0) std::swap(row[0], row[2]), std::swap(row[1], row[3]);
        EXPECT_EQ(network(), first);
    }
}

TEST(CablePlan, ACableOfTwoHostsIsNoNetwork) {
    LineReader lines = lines_of_text(std::string(ndt) + "h1,eth0,h2,eth0,\nh3,eth0,s1,1,\n", "plan.ndt");
    Disagreements disagreements;
    try {
        read_planned_network(lines, disagreements);
        FAIL();
    } catch (InputError const& error) {
        EXPECT_NE(std::string(error.what()).find("plan.ndt:2"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("neither of its devices is known as a switch"), std::string::npos);
    }
}

TEST(CablePlan, WhatIsNoPlanIsRefusedWithItsLine) {
    EXPECT_NE(refusal("").find("no line names the columns"), std::string::npos);
    EXPECT_NE(refusal("a,b,c\n1,2,3\n").find("plan.ndt"), std::string::npos);
    EXPECT_NE(refusal(ndt).find("the plan has no cable"), std::string::npos);
    EXPECT_NE(refusal(std::string(ndt) + "a,Port 1,b,,\n").find("plan.ndt:2"), std::string::npos);
    std::string const open = refusal(std::string(ndt) + "a,Port 1,b,Port 1,\n\"a,Port 2,b,Port 2,\n");
    EXPECT_NE(open.find("plan.ndt:3: a quote has no end in its line"), std::string::npos) << open;
    EXPECT_EQ(plan_of(std::string(ndt) + "a,Port 1,\"b \"\"c\"\", d\",Port 1,rack of 19\"\n").cables.size(), 1u);
    EXPECT_NE(refusal(std::string(ndt) + "\na,Port 1,A,Port 1,\n").find("plan.ndt:3"), std::string::npos);
    CablePlan const plan = plan_of(std::string(ndt) +
                                   "a,Port 1,b,Port 1,\nb,Port 1,a,Port 1,\na,Port 2,,,\n"
                                   "a,Port 1,c,Port 1,\n");
    EXPECT_EQ(plan.cables.size(), 1u);  // told from both ends
    EXPECT_EQ(plan.open, 1u);
    ASSERT_EQ(plan.doubles.size(), 1u);
    EXPECT_EQ(plan.doubles[0].sentence(), "plan.ndt:5: a [1] has a cable in line 2 already");
    // What was left out takes no port from a later line.
    EXPECT_EQ(plan_of(std::string(ndt) + "a,Port 1,b,Port 1,\na,Port 1,c,Port 1,\nc,Port 1,d,Port 1,\n").doubles.size(),
              1u);
}

/// Definition: blanks between a device, its adapter and the number of a port mean nothing: all these are one port of
/// one node, whose name ends with its adapter.
TEST(CablePlan, BlanksInPortsOfHostsMeanNothing) {
    for (char const* const port :
         {"HCA-1/1", "HCA-1 /1", "HCA-1  Port 1", "h1 HCA-1/1", "h1 HCA-1 /1", "h1  HCA-1/1", "h1  HCA-1  /1"}) {
        CablePlan const plan = plan_of(std::string(ndt) + "h1," + port + ",other,Port 1,\n");
        PlannedEnd const& end = plan.cables.at(0).from;
        EXPECT_EQ(end.node_name(), "h1 HCA-1") << port;
        EXPECT_EQ(end.key(), "h1 hca-1||1") << port;
    }
}

TEST(CablePlan, PortsThatAreNoneAreRefusedWithTheirLine) {
    for (std::string const port :
         {"Port 99999999999", "99999999999999999999999", "10000", "0", "Port 0", "-3", "Port -3", "1-3", "??",
          "L1/U1/P0", "L1/U1/", "Blade 3_Port 0", "Blade 3_Port 2/10000", "Blade 3_Port 10000"}) {
        std::string const error = refusal(std::string(ndt) + "h,eth0,s1,Port 1,\ns1," + port + ",s2,Port 1,\n");
        EXPECT_NE(error.find("plan.ndt:3"), std::string::npos) << port << ": " << error;
        EXPECT_NE(error.find("\"" + port + "\" is no port"), std::string::npos) << port << ": " << error;
    }
    for (std::string const port : {"9999", "Port 1", "1/31/2", "eth0", "HCA-1/1", "p3p1", "Leaf 3", "\xC3\xA9"})
        EXPECT_EQ(refusal(std::string(ndt) + "s1," + port + ",s2,Port 1,\n"), "") << port;
}

TEST(CablePlan, ANetworkWithoutHostsSaysHowTheyAreKnown) {
    LineReader lines = lines_of_text(std::string(ndt) + "h1,1,s1,1,\nh2,1,s1,2,\n", "plan.ndt");
    Disagreements disagreements;
    std::string error;
    try {
        read_planned_network(lines, disagreements);
    } catch (InputError const& one) {
        error = one.what();
    }
    EXPECT_NE(error.find("the plan has no hosts"), std::string::npos) << error;
    EXPECT_NE(error.find("h1,eth0,s1,1"), std::string::npos) << error;
}

TEST(CablePlan, APortWithTwoCablesIsToldAndItsHostIsAFinding) {
    TemporaryFolder const folder;
    folder.write("one.csv", std::string(ndt) + "h1,eth0,s1,1,\nh2,eth0,s1,2,\nh3,eth0,s1,3,\n");
    folder.write("tw.csv", std::string(ndt) + "h1,eth0,s1,1,\nh2,eth0,s1,2,\nh3,eth0,s1,2,\n");
    Words const words = {"audit", "--routing", "minhop", "--format", "json", "--network"};
    EXPECT_EQ(run_tailback(joined(words, {folder / "one.csv"})).code, 0);
    Finished const run = run_tailback(joined(words, {folder / "tw.csv"}));
    EXPECT_EQ(run.code, 1) << run.err;
    nlohmann::json const audit = nlohmann::json::parse(run.out);
    EXPECT_EQ(audit.at("network").at("hosts"), 3);
    EXPECT_NE(run.err.find("s1 [2] has a cable in line 3 already; the first counts"), std::string::npos) << run.err;
    EXPECT_NE(run.out.find("host-without-cable"), std::string::npos) << run.out;
    EXPECT_EQ(run.err.find("not understood"), std::string::npos) << run.err;
    std::size_t const place = run.err.find("tw.csv:4:");
    EXPECT_NE(place, std::string::npos) << run.err;
    EXPECT_EQ(run.err.find("tw.csv:4:", place + 1), std::string::npos) << run.err;
    // Held against itself: what is there is there, and the verdict says what is wrong with the plan.
    Finished const compared = run_tailback({"compare", "--network", folder / "tw.csv", "--plan", folder / "tw.csv"});
    EXPECT_EQ(compared.code, 1);
    EXPECT_NE(compared.out.find("NOT AS PLANNED: 2 of 2 planned cables are there; 1 cable of the plan left out: a port "
                                "has two"),
              std::string::npos)
        << compared.out;
    // The network's own file has the two cables.
    folder.write("two.csv", std::string(ndt) + "h1,eth0,s1,1,\nh2,eth0,s1,2,\n");
    Words const there = {"compare", "--network", folder / "tw.csv", "--plan", folder / "two.csv"};
    Finished const found = run_tailback(there);
    EXPECT_EQ(found.code, 1);
    EXPECT_NE(found.out.find("NOT AS PLANNED: 2 of 2 planned cables are there; 1 cable of the network left out"),
              std::string::npos)
        << found.out;
    nlohmann::json const report = nlohmann::json::parse(run_tailback(joined(there, {"--format", "json"})).out);
    ASSERT_EQ(report.at("doubles_there").size(), 1u);
    std::string const one = report.at("doubles_there")[0];
    EXPECT_NE(one.find("tw.csv:4: s1 [2] has a cable in line 3 already"), std::string::npos) << one;
    EXPECT_EQ(run_tailback({"compare", "--network", folder / "two.csv", "--plan", folder / "two.csv"}).code, 0);
}

TEST(CablePlan, DamageIsReadOrRefused) {
    std::string text = ndt;
    for (int i = 1; i < 30; ++i)
        text += "N" + std::to_string(i) + ",N" + std::to_string(i) + " ib0,core,Blade 2_Port 1/" + std::to_string(i) +
                ",\n\"S" + std::to_string(i) + "\",Port 7,core,L3/U2/P" + std::to_string(i) + ",\n";
    Dice dice{7};
    std::string const letters = ",;\t\"\n/#:_ PortBladeU0123456789\xFF\xC3";
    for (int trial = 0; trial < 3000; ++trial) {
        std::string damaged = text;
        for (std::uint32_t k = 0; k <= dice(6); ++k) {
            std::size_t const at = dice(static_cast<std::uint32_t>(damaged.size()));
            if (dice(3) == 0) damaged.erase(at, dice(40));
            else damaged[at] = letters[dice(static_cast<std::uint32_t>(letters.size()))];
        }
        try {
            LineReader lines = lines_of_text(damaged, "plan.ndt");
            Disagreements disagreements;
            Network const net = read_planned_network(lines, disagreements);
            for (std::size_t l = 0; l < net.links().size(); ++l) EXPECT_TRUE(net[Link{l}].reverse.exists());
            compare_plan(net, plan_of(damaged));
        } catch (InputError const& error) {
            EXPECT_NE(std::string(error.what()).find("plan.ndt"), std::string::npos) << error.what();
        }
    }
}

TEST(CablePlan, IsANetworkThatCanBeStudied) {
    std::string text = ndt;  // two directors of two leaf chips each, four switches of three hosts
    for (int s = 1; s <= 4; ++s) {
        for (int h = 1; h <= 3; ++h)
            text +=
                "n" + std::to_string(3 * s + h) + ",ib0,sw" + std::to_string(s) + ",Port " + std::to_string(h) + ",\n";
        for (int d = 1; d <= 2; ++d)
            text += "SW" + std::to_string(s) + ",Port " + std::to_string(10 + d) + ",core" + std::to_string(d) +
                    ",Blade 1_Port " + std::to_string(1 + s % 2) + "/" + std::to_string((s + 1) / 2) + ",\n";
    }
    TemporaryFolder const folder;
    folder.write("plan.ndt", text);
    Finished const run =
        run_tailback({"audit", "--network", folder / "plan.ndt", "--routing", "updn", "--format", "json"});
    EXPECT_EQ(run.code, 0) << run.err << run.out;
    nlohmann::json const audit = nlohmann::json::parse(run.out);
    EXPECT_EQ(audit.at("network").at("hosts"), 12);
    EXPECT_EQ(audit.at("network").at("switches"), 4 + 2 * (2 + 2));  // chips, and as many spines as a chip has cables
    EXPECT_EQ(audit.at("network").at("links"), 2 * (12 + 8 + 2 * 2 * 2));
    EXPECT_EQ(audit.at("pairs").at("delivered"), 12 * 11);
    // A plan is cabled as planned.
    Finished const compared =
        run_tailback({"compare", "--network", folder / "plan.ndt", "--plan", folder / "plan.ndt"});
    EXPECT_EQ(compared.code, 0) << compared.out << compared.err;
    EXPECT_NE(compared.out.find("CABLED AS PLANNED: 20 of 20"), std::string::npos) << compared.out;
}

}  // namespace
}  // namespace tailback::cable_plan_test
