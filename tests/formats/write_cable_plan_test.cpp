// A network written as a plan of cables (`convert --to plan`), against the readers of plans and the comparison.
#include "host/audit/changes/planned_cables.hpp"
#include "host/formats/plan/cable_plan.hpp"
#include "host/formats/write/cable_plan_writer.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <sstream>
#include <tuple>
#include <vector>

namespace tailback::write_cable_plan_test {
namespace {

/// Every cable as its two ends with their ports, and its rate.
std::multiset<std::string> cables_of(Network const& network) {
    std::multiset<std::string> cables;
    for (LinkRecord const& link : network.links()) {
        auto const end = [&](Node node, Port port) { return network[node].name + "|" + network.port_name(node, port); };
        cables.insert(end(link.from, link.from_port) + " - " + end(link.to, link.to_port) + " " + link.rate.text());
    }
    return cables;
}

/// Names with separators, quotes, blanks and marks of comments; hosts with and without an adapter in their names, of
/// several ports; parallel cables, of several rates, from any port.
TEST(WriteCablePlan, IsReadAgainAsItWasWritten) {
    Dice dice;
    char const* const odd[] = {"", ",", "\"", ", \"b\"", ";x", " #2", "\"\"", " Port 3", "=1", "_é", ":1"};
    for (int round = 0; round < 300; ++round) {
        NetworkBuilder builder(dice(2) == 0);
        std::vector<Node> switches;
        std::vector<Port> used;
        std::uint32_t const count = 1 + dice(4);
        auto const name = [&](char const* kind, std::size_t number) {
            char const* const behind = odd[dice(std::size(odd))];
            return (dice(9) == 0 ? "#" : "") + std::string(kind) + std::to_string(number) + behind;
        };
        auto const rate = [&] { return parse_link_rate(std::array{"", "4xHDR", "2xNDR", "1xQDR"}[dice(4)]); };
        auto const cable = [&](Node a, Port a_port, Node b, Port b_port) {
            LinkRate const of = rate();
            builder.add_link({.from = a, .from_port = a_port, .to = b, .to_port = b_port, .rate = of});
            builder.add_link({.from = b, .from_port = b_port, .to = a, .to_port = a_port, .rate = of});
        };
        auto const next = [&](std::size_t s) { return used[s] += static_cast<Port>(1 + dice(3)); };
        for (std::uint32_t s = 0; s < count; ++s) {
            switches.push_back(builder.add_node({.kind = NodeKind::switch_node, .name = name("sw", s)}));
            used.push_back(0);
        }
        Lid lid = 0;
        for (std::uint32_t h = 0; h < 1 + dice(6); ++h) {
            std::string const adapter = std::array{"", " HCA-1", " mlx5_0", " ibp11s0f0"}[dice(4)];
            Node const host = builder.add_node({.kind = NodeKind::adapter, .name = name("p", h) + adapter});
            for (Port port = 1; port <= 1 + dice(2); ++port) {
                std::size_t const at = dice(count);
                builder.add_host({.node = host, .port = port, .lid = ++lid});
                cable(host, port, switches[at], next(at));
            }
        }
        for (std::uint32_t c = 0; c < dice(6); ++c) {
            std::size_t const a = dice(count), b = dice(count);
            if (a == b) continue;
            Port const from = next(a);
            cable(switches[a], from, switches[b], next(b));
        }
        Disagreements disagreements;
        Network const network = builder.finish(disagreements, "made");
        std::ostringstream out;
        write_cable_plan(out, network);
        SCOPED_TRACE(out.str());
        LineReader rows = lines_of_text(out.str(), "plan.ndt");
        CablePlan const plan = read_cable_plan(rows);
        EXPECT_EQ(plan.cables.size(), network.links().size() / 2);
        PlanComparison const compared = compare_plan(network, plan);
        EXPECT_EQ(compared.as_planned, plan.cables.size());
        EXPECT_TRUE(compared.mistakes.empty() && compared.unknown.empty() && compared.unknown_ports.empty());
        LineReader lines = lines_of_text(out.str(), "plan.ndt");
        Disagreements again;
        Network const read = read_planned_network(lines, again);
        EXPECT_EQ(read.hosts().size(), network.hosts().size());
        EXPECT_EQ(cables_of(read), cables_of(network));
    }
}

/// Dumps, specs and folders of routers (interfaces, LAGs): what is written compares as planned with what it is of.
TEST(WriteCablePlan, IsWrittenOfAnyNetwork) {
    TemporaryFolder const folder;
    for (std::string const& network :
         {std::string("xgft:m=4x4,w=1x2"), fixture("opensm/ft2-16/minhop/ibnetdiscover.out.xz"),
          "frr:" + fixture("../../examples/roce"), fixture("../../examples/plan/there.csv")}) {
        SCOPED_TRACE(network);
        Finished const written =
            run_tailback({"convert", "--network", network, "--to", "plan", "--output", folder / "plan.csv"});
        EXPECT_EQ(written.code, 0) << written.err;
        Finished const compared = run_tailback({"compare", "--network", network, "--plan", folder / "plan.csv"});
        EXPECT_EQ(compared.code, 0) << compared.out << compared.err;
        EXPECT_NE(compared.out.find("CABLED AS PLANNED"), std::string::npos) << compared.out;
    }
    Finished const refused = run_tailback({"convert", "--network", "dcell:n=3,k=1", "--to", "plan"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("a cable joins two hosts"), std::string::npos) << refused.err;
}

std::string const header = "StartDevice,StartPort,EndDevice,EndPort\n";

std::string written(Network const& network) {
    std::ostringstream out;
    write_cable_plan(out, network);
    return out.str();
}
Network network_of_plan(std::string const& text) {
    LineReader lines = lines_of_text(text, "plan.csv");
    Disagreements disagreements;
    return read_planned_network(lines, disagreements);
}

/// Chips keep their own names; names with slashes that are no units are no chips, and lose no cable.
TEST(WriteCablePlan, OfDirectorsAreReadAgain) {
    Network const network = network_of_plan(header +
                                            "h1,HCA-1/1,core,Blade 1_Port 1/1\nh2,HCA-1/1,core,Blade 2_Port 1/1\n"
                                            "pod1/h3,HCA-1/1,pod1/leaf1,1\npod1/leaf1,2,pod1/spine1,1\n");
    std::set<std::string> names;
    for (NodeRecord const& node : network.nodes()) EXPECT_TRUE(names.insert(node.name).second) << node.name;
    EXPECT_TRUE(names.contains("core/L1/U1") && names.contains("core/L2/U1")) << *names.begin();
    std::string const plan = written(network);
    EXPECT_NE(plan.find("pod1/leaf1,Port 2,pod1/spine1,Port 1"), std::string::npos) << plan;
    EXPECT_EQ(cables_of(network_of_plan(plan)), cables_of(network)) << plan;
    EXPECT_EQ(written(network_of_plan(plan)), plan);
    std::vector<std::string> const left_out = left_out_of_plan(network);
    ASSERT_EQ(left_out.size(), 1u);
    EXPECT_NE(left_out[0].find("2 cables inside directors are not written"), std::string::npos) << left_out[0];
}

/// Names that would be read as others, or computed by a spreadsheet, and ports beyond those of plans.
TEST(WriteCablePlan, RefusesWhatWouldBeReadOtherwise) {
    auto const network = [](std::string const& host, std::string const& leaf, Port port, std::string const& label) {
        NetworkBuilder builder(true);
        Node const one = builder.add_node({.kind = NodeKind::switch_node, .name = leaf});
        Node const other = builder.add_node({.kind = NodeKind::adapter, .name = host});
        builder.add_host({.node = other, .port = 1, .lid = 1});
        builder.add_link({.from = one, .from_port = port, .to = other, .to_port = 1});
        builder.add_link({.from = other, .from_port = 1, .to = one, .to_port = port});
        if (!label.empty()) builder.set_port_label(one, port, label);
        Disagreements disagreements;
        return builder.finish(disagreements, "made");
    };
    EXPECT_NE(written(network("h1", "leaf1", 9999, "")).find("leaf1,Port 9999"), std::string::npos);
    EXPECT_TRUE(left_out_of_plan(network("h1", "leaf1", 1, "swp1")).empty());
    std::vector<std::string> const odd = left_out_of_plan(network("h1", "leaf1", 1, "eth1"));
    ASSERT_EQ(odd.size(), 1u);
    EXPECT_NE(odd[0].find("leaf1\" eth1)"), std::string::npos) << odd[0];
    using Case = std::tuple<std::string, std::string, Port, std::string, std::string>;
    for (auto const& [host, leaf, port, label, why] :
         {Case{"h1", "h1", 1, "", "two devices have one name"}, Case{"h1", "=leaf", 1, "", "begins as a formula does"},
          Case{"17", "leaf1", 1, "", "has no letter"}, Case{"h1", "leaf1/", 1, "", "would be read as another"},
          Case{"h1", "leaf1", 10000, "", "no port above 9999"}, Case{"h1", "leaf1", 1, "=1+1", "as a formula does"}})
        EXPECT_NE(error_of([&] { written(network(host, leaf, port, label)); }).find(why), std::string::npos) << why;
}

}  // namespace
}  // namespace tailback::write_cable_plan_test
