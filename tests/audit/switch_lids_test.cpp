// Routes to the LIDs of switches: pairs (switch, LID of another switch), each route as a plain walk of its entries
// says; never counted among the pairs of hosts.
#include "host/audit/failures/switch_lids.hpp"
#include "host/formats/formats.hpp"
#include "tests/support/audited.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::switch_lids_test {
namespace {

Fabric tree16() {
    std::string const folder = (fixtures() / "opensm/ft2-16/minhop").string();
    Disagreements disagreements;
    return read_fabric(folder + "/ibnetdiscover.out.xz", folder + "/opensm-lfts.dump.xz", disagreements);
}

std::vector<Node> switches_of(Network const& net) {
    std::vector<Node> found;
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        if (net[Node{n}].kind == NodeKind::switch_node) found.push_back(Node{n});
    return found;
}

PairCounts walk(Fabric const& fabric) {
    Network const& net = fabric.network;
    PairCounts counts;
    for (Node const from : switches_of(net))
        for (Node const to : switches_of(net)) {
            if (from == to) continue;
            ++counts.total;
            Node at = from;
            std::size_t steps = 0;
            for (; at != to && steps <= net.nodes().size(); ++steps) {
                Port const port = fabric.tables.port(at, net[to].lid);
                Link const link = port == ForwardingTables::no_entry || port == 0 ? Link{} : net.link_at(at, port);
                if (!link.exists()) break;
                at = net[link].to;
                if (net[at].kind != NodeKind::switch_node) break;
            }
            if (at == to) ++counts.delivered;
            else if (net[at].kind != NodeKind::switch_node) ++counts.misdelivered;
            else if (steps > net.nodes().size()) ++counts.loop;
            else ++counts.unreachable;
        }
    return counts;
}

TEST(SwitchLids, SoundTablesReachThemAll) {
    Fabric const fabric = tree16();
    SwitchLids const found = find_switch_lids(Forwarding(fabric));
    EXPECT_EQ(found.lids, 6u);
    EXPECT_TRUE(found.routed);
    EXPECT_EQ(found.pairs, (PairCounts{.total = 30, .delivered = 30}));
    EXPECT_TRUE(of_kind(audit_findings(fabric), FindingKind::switch_lids).empty());
}

TEST(SwitchLids, CountsAreThoseOfAWalk) {
    Dice dice;
    Fabric fabric = tree16();
    std::vector<Node> const switches = switches_of(fabric.network);
    auto const any = [&] { return switches[dice(std::uint32_t(switches.size()))]; };
    PairCounts met;
    for (int trial = 0; trial < 500; ++trial) {
        if (trial % 20 == 0) fabric = tree16();
        Node const at = any();
        Port const port = dice(fabric.network[at].ports + 3);
        fabric.tables.set(at, fabric.network[any()].lid,
                          port == fabric.network[at].ports + 2 ? ForwardingTables::no_entry : port);
        SwitchLids const found = find_switch_lids(Forwarding(fabric));
        ASSERT_EQ(found.pairs, walk(fabric)) << trial;
        std::uint64_t explained = 0;
        for (BrokenEntry const& entry : found.explanation.entries) explained += entry.pairs;
        for (Circle const& circle : found.explanation.circles) explained += circle.pairs;
        ASSERT_EQ(explained, found.pairs.total - found.pairs.delivered) << trial;
        met.unreachable += found.pairs.unreachable;
        met.loop += found.pairs.loop;
        met.misdelivered += found.pairs.misdelivered;
    }
    EXPECT_GT(met.unreachable, 100u);
    EXPECT_GT(met.loop, 100u);
    EXPECT_GT(met.misdelivered, 100u);
}

/// Two switches that point at each other for the LID of a third: a finding of this kind alone, no pair of hosts fails.
TEST(SwitchLids, ACircleIsOneFindingAndNoFaultByItself) {
    Fabric fabric = tree16();
    Network const& net = fabric.network;
    Link cable;
    for (std::size_t l = 0; l < net.links().size() && !cable.exists(); ++l)
        if (net[net[Link{l}].from].kind == NodeKind::switch_node && net[net[Link{l}].to].kind == NodeKind::switch_node)
            cable = Link{l};
    Node const leaf = net[cable].from, spine = net[cable].to;
    Node third;
    for (Node const node : switches_of(net))
        if (node != leaf && node != spine) third = node;
    fabric.tables.set(leaf, net[third].lid, net[cable].from_port);
    fabric.tables.set(spine, net[third].lid, net[cable].to_port);
    std::vector<Finding> const findings = audit_findings(fabric);
    std::vector<Finding> const found = of_kind(findings, FindingKind::switch_lids);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_GE(found[0].pairs, 2u);
    EXPECT_NE(found[0].message.find("LID " + std::to_string(net[third].lid)), std::string::npos) << found[0].message;
    EXPECT_NE(found[0].message.find("runs in a circle of 2 switches"), std::string::npos) << found[0].message;
    EXPECT_TRUE(fates_of(findings).empty());
    EXPECT_FALSE(finding_kinds()[std::size_t(FindingKind::switch_lids)].fails);
}

/// Deleted from every table: each other switch has no entry. Where no table knows any switch's LID, there is nothing to
/// judge.
TEST(SwitchLids, DeletedOnesAndTablesWithoutAny) {
    Fabric fabric = tree16();
    std::vector<Node> const switches = switches_of(fabric.network);
    for (Node const at : switches) fabric.tables.set(at, fabric.network[switches[0]].lid, ForwardingTables::no_entry);
    std::vector<Finding> const found = of_kind(audit_findings(fabric), FindingKind::switch_lids);
    ASSERT_EQ(found.size(), 1u);  // the cause, and what each switch lacks under it
    EXPECT_EQ(found[0].where, fabric.network.describe(switches[0]));
    EXPECT_EQ(found[0].symptoms.size(), 5u);
    for (Finding const& finding : found[0].symptoms)
        EXPECT_TRUE(finding.message.starts_with("no entry for LID ")) << finding.message;

    for (Node const at : switches)
        for (Node const to : switches) fabric.tables.set(at, fabric.network[to].lid, ForwardingTables::no_entry);
    SwitchLids const none = find_switch_lids(Forwarding(fabric));
    EXPECT_EQ(none.lids, 6u);
    EXPECT_FALSE(none.routed);
    EXPECT_EQ(none.pairs, PairCounts{});
}

TEST(SwitchLids, CanBeMadeToCount) {
    std::vector<std::string> words = on_tree16({"--fail-on", "switch_lids", "--device", "cpu"}, "minhop");
    words.front() = "audit";
    Finished const ran = run_tailback(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find("Not counted: 30 pairs (switch, LID of another switch), 0 of them not delivered."),
              std::string::npos)
        << ran.out;
}

}  // namespace
}  // namespace tailback::switch_lids_test
