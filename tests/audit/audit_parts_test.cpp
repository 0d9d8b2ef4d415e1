// The parts an audit's report is made of: lists of LIDs, levels and roots, stages against their ideal.
#include "host/audit/audit.hpp"
#include "host/audit/failures/explain.hpp"
#include "host/audit/failures/lid_list.hpp"
#include "host/report/audit/audit_report.hpp"
#include "tests/support/audited.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

namespace tailback::audit_parts_test {
namespace {

std::string text_of(std::initializer_list<Lid> lids) {
    LidList list;
    for (Lid const lid : lids) list.add(lid);
    return list.text();
}

TEST(LidList, Ranges) {
    EXPECT_EQ(text_of({7}), "LID 7");
    EXPECT_EQ(text_of({7, 7}), "LID 7");
    EXPECT_EQ(text_of({7, 8}), "LIDs 7, 8");
    EXPECT_EQ(text_of({1, 2, 3, 9, 11, 12, 13}), "LIDs 1-3, 9, 11-13");
}

TEST(LidList, KeepsFewRangesAndCountsTheOthers) {
    LidList list;
    for (Lid lid = 1; lid < 2000; lid += 2) list.add(lid);
    EXPECT_EQ(list.count(), 1000u);
    EXPECT_EQ(list.ranges().size(), LidList::ranges_kept);
    EXPECT_EQ(list.text(), "LIDs 1, 3, 5, 7, 9, 11, 13, 15 and 992 more");
}

/// Hosts are level 0, leaves 1, tops of a tree of two levels 2; those are the roots.
TEST(Levels, OfATree) {
    Fabric const fabric = make_xgft({{3, 4}, {1, 3}});
    Levels const levels = levels_of(fabric.network);
    for (std::uint32_t n = 0; n < 19; ++n) EXPECT_EQ(levels.of_node[n], n < 12 ? 0u : n < 16 ? 1u : 2u);
    EXPECT_EQ(levels.top, 2u);
    Forwarding const forwarding(fabric);
    UpDown const updown = updown_of(forwarding, levels, {});
    EXPECT_TRUE(updown.asked && updown.inferred);
    EXPECT_EQ(updown.roots, (std::vector<Node>{Node{16}, Node{17}, Node{18}}));
    for (std::uint32_t row = 0; row < forwarding.rows(); ++row)
        for (Port port = 1; port < forwarding.ports(); ++port) {
            bool const leaf = forwarding.node_of(row).value < 16, up = leaf && port > 3 && port <= 6;
            EXPECT_EQ(updown.directions[std::size_t{row} * forwarding.ports() + port], up                 ? 1
                                                                                       : leaf || port > 4 ? 0
                                                                                                          : 2);
        }
}

/// All unused cables between two switches are one finding: of three, one carries what goes, one what comes, one
/// nothing.
TEST(Unused, OneFindingForParallelCables) {
    Sketch sketch(true);
    Node const a = sketch.add_switch(), b = sketch.add_switch();
    sketch.host_at(a);
    sketch.host_at(b);
    for (int i = 0; i < 3; ++i) sketch.cable(a, b);
    std::vector<Finding> const found = of_kind(audit_findings(sketch.route()), FindingKind::unused);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].message.find("no pair uses these of its cables to "), std::string::npos) << found[0].message;
    EXPECT_TRUE(found[0].message.ends_with(": port 4 in either direction; port 2 from here; port 3 towards here"))
        << found[0].message;
    EXPECT_EQ(found[0].port, 0u);
}

/// A guess about what is no tree would accuse sound routes: it is not made, and says why.
TEST(Levels, RootsAreNotGuessedWhereThereIsNoTree) {
    Sketch ring(true);
    std::vector<Node> switches;
    for (int i = 0; i < 3; ++i) ring.host_at(switches.emplace_back(ring.add_switch()));
    for (int i = 0; i < 3; ++i) ring.cable(switches[i], switches[(i + 1) % 3]);
    Fabric const all_have_hosts = ring.route();
    EXPECT_NE(updown_of(Forwarding(all_have_hosts), levels_of(all_have_hosts.network), {})
                  .reason.find("every switch has hosts"),
              std::string::npos);

    Sketch mesh(true);
    Node const leaf = mesh.add_switch(), a = mesh.add_switch(), b = mesh.add_switch();
    mesh.host_at(leaf);
    mesh.cable(leaf, a);
    mesh.cable(leaf, b);
    mesh.cable(a, b);
    Fabric const crossed = mesh.route();
    UpDown const updown = updown_of(Forwarding(crossed), levels_of(crossed.network), {});
    EXPECT_FALSE(updown.asked);
    EXPECT_NE(updown.reason.find("1 cable joins switches equally far from the hosts"), std::string::npos)
        << updown.reason;
    EXPECT_TRUE(updown.directions.empty());
    EXPECT_TRUE(updown_of(Forwarding(crossed), levels_of(crossed.network), std::vector<Node>{a}).asked);
}

/// XGFT(2; 18, 36; 1, 18), D-mod-K: 630 pairs on every link between the levels, 647 on hosts' links; nobody can do
/// better between switches, as every route is shortest and all links carry the same.
TEST(Balance, OfA648HostTree) {
    Fabric const fabric = make_xgft({{18, 36}, {1, 18}});
    Audit audit(fabric);
    choose_endpoints(fabric.network, "", false, audit.request);
    audit.request.execution = {.device = DeviceChoice::cpu, .threads = 1};
    audit_routes(audit);
    audit_apart(audit);
    find_faults(audit, Disagreements());
    Balance const& balance = audit.balance;
    ASSERT_EQ(balance.stages.size(), 4u);
    for (Stage const& stage : balance.stages) {
        bool const outer = stage.from == 0 || stage.to == 0;
        EXPECT_EQ(stage.links, 648u);
        EXPECT_EQ(stage.unused, 0u);
        EXPECT_EQ(stage.least, outer ? 647u : 630u);
        EXPECT_EQ(stage.most, stage.least);
        EXPECT_DOUBLE_EQ(stage.imbalance(), 1);
    }
    EXPECT_EQ(stage_name(balance.stages[0]), "hosts -> level 1");
    EXPECT_EQ(stage_name(balance.stages[3]), "level 2 -> level 1");
    EXPECT_EQ(balance.largest_between_switches, 630u);
    EXPECT_DOUBLE_EQ(balance.lower_bound, (647.0 + 630) / 2);
    EXPECT_EQ(balance.hops, 11016u * 2 + 408240u * 4);
    EXPECT_TRUE(balance.unused.empty());
    EXPECT_EQ(balance.hottest.size(), 2 * 648u);
    EXPECT_TRUE(audit.findings.size() == 1 && audit.findings[0].kind == FindingKind::asymmetric);
}

/// The 8-ary 2-cube's loads are not even; the bound is the mean, by hand: 64 hosts, distances sum to 64 * 256.
TEST(Bound, SaysWhatNoTablesCanBeat) {
    constexpr std::uint32_t k = 8;
    Sketch torus(true);
    std::vector<Node> switches;
    for (std::uint32_t i = 0; i < k * k; ++i) torus.host_at(switches.emplace_back(torus.add_switch()));
    for (std::uint32_t x = 0; x < k; ++x)
        for (std::uint32_t y = 0; y < k; ++y) {
            torus.cable(switches[x * k + y], switches[(x + 1) % k * k + y]);
            torus.cable(switches[x * k + y], switches[x * k + (y + 1) % k]);
        }
    Fabric const fabric = torus.route();
    Audit audit(fabric);
    choose_endpoints(fabric.network, "", false, audit.request);
    audit.request.execution = {.device = DeviceChoice::cpu, .threads = 1};
    audit_routes(audit);
    audit_apart(audit);
    find_faults(audit, Disagreements());
    EXPECT_EQ(audit.all_pairs.longer, 0u);
    audit_bound(audit, BoundRoutes::shortest);
    ASSERT_TRUE(audit.bound);
    EXPECT_EQ(audit.bound->least, 64u);
    EXPECT_GE(audit.balance.largest_between_switches, 64u);
    EXPECT_EQ(audit.balance.hops, 64u * 256 + 64u * 63 * 2);
}

/// Everything broken at random: every failing pair has its cause, and the groups stay as few as ports and circles.
TEST(Explain, EverythingBroken) {
    Dice dice;
    Fabric fabric = make_xgft({{6, 6, 6}, {1, 6, 6}});
    for (std::size_t n = 216; n < fabric.network.nodes().size(); ++n)
        for (Lid lid = 1; lid <= 216; ++lid) fabric.tables.set(Node{n}, lid, dice(15));
    std::vector<Finding> const findings = audit_findings(fabric);  // which holds their pairs to those counted
    EXPECT_EQ(fates_of(findings), walked(fabric));
}

TEST(LoadColour, GreyIsUnusedAndNothingElse) {
    EXPECT_EQ(load_colour(0, 10), "#c9c9c9");
    EXPECT_EQ(load_colour(10, 10), load_colour(1000, 1000));
    EXPECT_EQ(load_colour(40, 10), load_colour(400, 10));
    for (std::uint64_t load = 1; load < 60; ++load) {
        std::string const colour = load_colour(load, 10);
        EXPECT_FALSE(colour.substr(1, 2) == colour.substr(3, 2) && colour.substr(3, 2) == colour.substr(5, 2)) << load;
    }
}

}  // namespace
}  // namespace tailback::audit_parts_test
