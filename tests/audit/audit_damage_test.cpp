// Sound fabrics, damaged at random in one place: the damage is found, named at the right place with its LID and as many
// pairs as a walk of every pair (host/model/routes/trace) says, and nothing else is reported.
#include "host/formats/formats.hpp"
#include "tests/support/audited.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace tailback::audit_damage_test {
namespace {

Node random_switch(Network const& net, Dice& dice) {
    for (;;)
        if (Node const node{dice(static_cast<std::uint32_t>(net.nodes().size()))};
            net[node].kind == NodeKind::switch_node)
            return node;
}

/// Findings of `inconsistent` at a place that no damage explains are an error.
void expect_inconsistent(std::vector<Finding> const& findings, std::string const& where, Lid lid,
                         std::string const& what) {
    std::vector<Finding> const found = of_kind(findings, FindingKind::inconsistent);
    if (where.empty()) {
        EXPECT_TRUE(found.empty()) << what << ": " << found.front().where << ": " << found.front().message;
        return;
    }
    ASSERT_EQ(found.size(), 1u) << what;
    EXPECT_EQ(found.front().where, where) << what;
    EXPECT_TRUE(lid == 0 || names_lid(found.front().message, lid)) << what << ": " << found.front().message;
}

/// One entry of a sound table set to anything: no entry, the own port, any port up to some beyond the switch, of any
/// switch.
void damage_entries(Fabric const& sound, Dice& dice, int trials, std::map<FindingKind, int>& met) {
    Network const& net = sound.network;
    Fabric fabric = sound;
    for (int trial = 0; trial < trials; ++trial) {
        Node const node = random_switch(net, dice);
        Host const host{dice(static_cast<std::uint32_t>(net.hosts().size()))};
        Lid const lid = net[host].lid + dice(1u << net[host].lmc);
        Port const before = sound.tables.port(node, lid);
        Port port = dice(net[node].ports + 4);
        if (port == net[node].ports + 3) port = ForwardingTables::no_entry;
        fabric.tables.set(node, lid, port);
        std::string const what = net.describe(node) + " LID " + std::to_string(lid) + ": port " +
                                 std::to_string(before) + " became " + std::to_string(port);

        std::vector<Finding> const findings = audit_findings(fabric);
        Places const places = fates_of(findings);
        EXPECT_EQ(places, walked(fabric)) << what;
        for (auto const& [place, pairs] : places) ++met[place.first];
        for (Finding const& finding : findings)
            if (is_fate(finding.kind)) {
                EXPECT_TRUE(names_lid(finding.message, lid)) << what << ": " << finding.message;
                EXPECT_TRUE(finding.where.starts_with(net.describe(node)) ||
                            finding.message.find(net.describe(node) + " port") != std::string::npos)
                    << what << ": " << finding.where;
            }
        bool const unplugged = port != ForwardingTables::no_entry && port != 0 && !net.link_at(node, port).exists();
        expect_inconsistent(findings, unplugged ? port_location(net, node, port) : "", lid, what);
        fabric.tables.set(node, lid, before);
    }
    EXPECT_TRUE(fates_of(audit_findings(fabric)).empty());
}

TEST(AuditDamage, EntriesOfTrees) {
    Dice dice;
    std::map<FindingKind, int> met;
    damage_entries(make_xgft({{3, 4}, {1, 3}}), dice, 1500, met);
    damage_entries(make_xgft({{2, 3, 2}, {1, 2, 3}}), dice, 1500, met);
    for (FindingKind const kind : {FindingKind::unreachable, FindingKind::loop, FindingKind::misdelivered})
        EXPECT_GT(met[kind], 100);
}

TEST(AuditDamage, EntriesOfFabricsThatASubnetManagerRouted) {
    Dice dice;
    std::map<FindingKind, int> met;
    std::string const folder = (fixtures() / "opensm/ft2-16").string();
    for (auto const& [topology, run] : {std::pair{"minhop", "minhop"}, {"dfsssp-lmc2", "minhop-lmc2"}}) {
        Disagreements disagreements;
        Fabric const sound = read_fabric(folder + "/" + topology + "/ibnetdiscover.out.xz",
                                         folder + "/" + run + "/opensm-lfts.dump.xz", disagreements);
        ASSERT_FALSE(disagreements.any());
        damage_entries(sound, dice, 400, met);
    }
}

/// Many entries at once: only walking tells what comes of it.
TEST(AuditDamage, ManyEntriesAtOnce) {
    Dice dice;
    for (int trial = 0; trial < 600; ++trial) {
        Fabric fabric = make_xgft({{2, 3, 2}, {1, 2, 3}});
        Network const& net = fabric.network;
        for (int damage = 0; damage < 1 + trial / 8; ++damage) {
            Node const node = random_switch(net, dice);
            Port const port = dice(net[node].ports + 3);
            fabric.tables.set(node, net[Host{dice(static_cast<std::uint32_t>(net.hosts().size()))}].lid,
                              port == net[node].ports + 2 ? ForwardingTables::no_entry : port);
        }
        ASSERT_EQ(fates_of(audit_findings(fabric)), walked(fabric)) << trial;
    }
}

/// Several ports a host, hosts that forward, one-way links, islands, wide tables, ...: still what a walk says.
TEST(AuditDamage, NastyNetworks) {
    for (NastyNetwork const& nasty : nasty_networks())
        EXPECT_EQ(fates_of(audit_findings(nasty.fabric)), walked(nasty.fabric)) << nasty.name;
}

TEST(AuditDamage, MissingTables) {
    Dice dice;
    for (int trial = 0; trial < 100; ++trial) {
        Fabric fabric = make_xgft({{3, 4}, {1, 3}});
        Network const& net = fabric.network;
        Node const lost = random_switch(net, dice);
        ForwardingTables tables(net);
        for (std::size_t n = 0; n < net.nodes().size(); ++n) {
            if (!fabric.tables.has_table(Node{n}) || Node{n} == lost) continue;
            tables.add_table(Node{n});
            for (Lid lid = 1; lid < fabric.tables.lids(); ++lid)
                if (fabric.tables.port(Node{n}, lid) != ForwardingTables::no_entry)
                    tables.set(Node{n}, lid, fabric.tables.port(Node{n}, lid));
        }
        fabric.tables = std::move(tables);
        std::vector<Finding> const findings = audit_findings(fabric);
        EXPECT_EQ(fates_of(findings), walked(fabric));
        EXPECT_EQ(fates_of(findings).size(), 1u);
        expect_inconsistent(findings, net.describe(lost), 0, "lost table");
    }
}

TEST(AuditDamage, StaleEntries) {
    Dice dice;
    for (int trial = 0; trial < 300; ++trial) {
        Fabric fabric = make_xgft({{3, 4}, {1, 3}});
        Network const& net = fabric.network;
        Lid const lid = net.max_lid() + 1 + dice(40);
        Node const node = random_switch(net, dice);
        Port const port = 1 + dice(net[node].ports);
        fabric.tables.set(node, lid, port);
        std::vector<Finding> const findings = audit_findings(fabric);
        EXPECT_TRUE(fates_of(findings).empty());
        expect_inconsistent(findings, port_location(net, node, port), lid, "stale entry");
    }
}

/// A ring of five switches; one destination goes the long way from its neighbour's neighbour on.
TEST(AuditDamage, LongWaysAreNonminimalAtTheSwitchThatTurnsThemAway) {
    NetworkBuilder builder(true);
    constexpr std::uint32_t size = 5;
    for (std::uint32_t i = 0; i < size; ++i)
        builder.add_node({.kind = NodeKind::switch_node, .name = "S" + std::to_string(i), .ports = 3});
    for (std::uint32_t i = 0; i < size; ++i) {
        Node const host = builder.add_node({.kind = NodeKind::adapter, .name = "H" + std::to_string(i), .ports = 1});
        builder.add_host({.node = host, .port = 1, .lid = i + 1});
        builder.add_link({Node{i}, 1, host, 1});
        builder.add_link({host, 1, Node{i}, 1});
        builder.add_link({Node{i}, 2, Node{(i + 1) % size}, 3});
        builder.add_link({Node{(i + 1) % size}, 3, Node{i}, 2});
    }
    Disagreements disagreements;
    Fabric sound;
    sound.network = builder.finish(disagreements, "ring");
    sound.tables = ForwardingTables(sound.network);
    sound.routed = true;
    for (std::uint32_t i = 0; i < size; ++i) {
        sound.tables.add_table(Node{i});
        for (std::uint32_t d = 0; d < size; ++d) {
            std::uint32_t const right = (d + size - i) % size;
            sound.tables.set(Node{i}, d + 1, right == 0 ? 1 : right <= size / 2 ? 2 : 3);
        }
    }
    EXPECT_TRUE(audit_findings(sound).empty());
    for (std::uint32_t d = 0; d < size; ++d) {
        Fabric fabric = sound;
        for (std::uint32_t i = 0; i < size; ++i)
            if (i != d) fabric.tables.set(Node{i}, d + 1, 2);  // all to the right
        std::vector<Finding> const findings = audit_findings(fabric);
        std::map<std::string, std::uint64_t> places;
        for (Finding const& finding : of_kind(findings, FindingKind::nonminimal)) {
            places[finding.where] = finding.pairs;
            EXPECT_TRUE(names_lid(finding.message, d + 1)) << finding.message;
        }
        // One place right of d has 4 links where 1 would do, the next 3 where 2 would: both bring packets no nearer.
        std::map<std::string, std::uint64_t> const want = {{port_location(sound.network, Node{(d + 1) % size}, 2), 1},
                                                           {port_location(sound.network, Node{(d + 2) % size}, 2), 2}};
        EXPECT_EQ(places, want);
        EXPECT_TRUE(fates_of(findings).empty());
        EXPECT_TRUE(of_kind(findings, FindingKind::inconsistent).empty());
    }
}

/// Down to a leaf that does not have the host, up again by another spine, and down: named at that leaf.
TEST(AuditDamage, DownAndUpAgainIsNamedAtTheTurn) {
    Fabric const sound = make_xgft({{3, 4}, {1, 3}});
    Network const& net = sound.network;
    EXPECT_TRUE(of_kind(audit_findings(sound), FindingKind::updown).empty());
    for (std::uint32_t d = 0; d < 12; ++d)
        for (std::uint32_t leaf = 0; leaf < 4; ++leaf) {
            if (leaf == d / 3) continue;
            Fabric fabric = sound;
            Node const turn{12 + leaf}, spine{16 + d % 3};
            fabric.tables.set(spine, d + 1, leaf + 1);        // down to the wrong leaf
            fabric.tables.set(turn, d + 1, 4 + (d + 1) % 3);  // which sends it to the next spine
            std::vector<Finding> const findings = audit_findings(fabric);
            EXPECT_TRUE(fates_of(findings).empty());
            std::vector<Finding> const found = of_kind(findings, FindingKind::updown);
            ASSERT_EQ(found.size(), 1u);
            EXPECT_EQ(found.front().where, port_location(net, turn, 4 + (d + 1) % 3));
            EXPECT_TRUE(names_lid(found.front().message, d + 1)) << found.front().message;
            EXPECT_EQ(found.front().pairs, 6u);  // the hosts of the two leaves that still use the damaged spine
        }
}

TEST(AuditDamage, SourcesWithoutCable) {
    for (std::uint32_t lost = 0; lost < 12; ++lost) {
        Fabric const whole = make_xgft({{3, 4}, {1, 3}});
        Network const& net = whole.network;
        NetworkBuilder builder(true);
        for (NodeRecord const& node : net.nodes()) builder.add_node(node);
        for (HostRecord const& host : net.hosts()) builder.add_host(host);
        for (LinkRecord const& link : net.links())
            if (link.from != net[Host{lost}].node && link.to != net[Host{lost}].node) builder.add_link(link);
        Disagreements disagreements(false, kept_disagreements);
        Fabric fabric;
        fabric.network = builder.finish(disagreements, "net");
        fabric.tables = whole.tables;
        fabric.routed = true;
        std::vector<Finding> const findings = audit_findings(fabric, disagreements);
        EXPECT_EQ(fates_of(findings), walked(fabric));
        std::string const port = port_location(net, net[Host{lost}].node, 1);
        EXPECT_EQ(fates_of(findings).at({FindingKind::unreachable, port}), 11u);
        std::vector<Finding> const found =
            of_kind(findings, FindingKind::inconsistent);  // the port, and the leaf's entry for it
        ASSERT_EQ(found.size(), 2u);
        EXPECT_EQ(found[0].where, port_location(net, Node{12 + lost / 3}, lost % 3 + 1));
        EXPECT_EQ(found[1].where, port);
    }
}

}  // namespace
}  // namespace tailback::audit_damage_test
