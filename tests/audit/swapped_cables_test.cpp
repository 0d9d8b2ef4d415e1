// Two cables between switches that were swapped after the tables were made. At one switch they are always found: it
// sends the LID of each neighbour by the other's cable. Between four switches they are found where the tables of all
// four send the LIDs of their neighbours by these cables, and none of the new neighbours' by its own. What is found
// names both; sound networks have none.
#include "host/audit/causes/swapped_cables.hpp"
#include "host/formats/formats.hpp"
#include "tests/support/audited.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/networks/table_fabrics.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace tailback::swapped_cables_test {
namespace {

/// The same fabric, with the far ends of two cables exchanged.
Fabric swapped(Fabric const& sound, Link one, Link other) {
    Network const& net = sound.network;
    NetworkBuilder builder;
    for (NodeRecord const& node : net.nodes()) builder.add_node(node);
    for (HostRecord const& host : net.hosts()) builder.add_host(host);
    LinkRecord const &a = net[one], &b = net[other];
    for (std::size_t l = 0; l < net.links().size(); ++l) {
        Link const link{l};
        if (link == one || link == other || link == a.reverse || link == b.reverse) continue;
        builder.add_link(net[link]);
    }
    auto const join = [&](LinkRecord const& near, LinkRecord const& far) {
        builder.add_link({near.from, near.from_port, far.to, far.to_port});
        builder.add_link({far.to, far.to_port, near.from, near.from_port});
    };
    join(a, b), join(b, a);
    Disagreements ignored;
    Fabric fabric = sound;
    fabric.network = builder.finish(ignored, "net");
    return fabric;
}

/// Networks whose tables route the LIDs of switches, too, as subnet managers do.
std::vector<Fabric> fabrics() {
    std::vector<Fabric> all;
    for (auto const& [spec, routing] : {std::pair("xgft:m=3x4,w=1x3", "minhop"), std::pair("torus:3x3", "minhop")}) {
        TemporaryFolder const folder;
        EXPECT_EQ(run_tailback({"generate", spec, "--routing", routing, "--to", "ibnetdiscover,lft-dump", "--output",
                                folder.path(), "--quiet"})
                      .code,
                  0);
        Disagreements ignored;
        Fabric fabric;
        fabric.network = read_topology(read_whole(folder / "ibnetdiscover.out"), ignored);
        LineReader tables = lines_of_text(read_whole(folder / "opensm-lfts.dump"));
        fabric.tables = read_lft_dump(tables, fabric.network, ignored);
        fabric.routed = true;
        EXPECT_TRUE(find_swapped_cables(fabric, {}).empty()) << spec;
        all.push_back(std::move(fabric));
    }
    return all;
}

/// First links of all cables between switches, from the lower node.
std::vector<Link> cables_of(Network const& net) {
    std::vector<Link> found;
    for (std::size_t l = 0; l < net.links().size(); ++l)
        if (LinkRecord const& link = net[Link{l}];
            net.is_switch(link.from) && net.is_switch(link.to) && link.from < link.to)
            found.emplace_back(l);
    return found;
}

TEST(SwappedCables, AtOneSwitchTheyAreAlwaysFound) {
    for (Fabric const& sound : fabrics()) {
        Network const& net = sound.network;
        std::size_t tried = 0;
        for (std::size_t l = 0; l < net.links().size(); ++l)
            for (std::size_t k = l + 1; k < net.links().size(); ++k) {
                LinkRecord const &a = net[Link{l}], &b = net[Link{k}];
                if (a.from != b.from || a.to == b.to || !net.is_switch(a.from) || !net.is_switch(a.to) ||
                    !net.is_switch(b.to))
                    continue;
                ++tried;
                std::vector<Finding> const found = find_swapped_cables(swapped(sound, Link{l}, Link{k}), {});
                ASSERT_EQ(found.size(), 1u) << net.describe(a.from);
                EXPECT_EQ(found[0].node, a.from);
                EXPECT_EQ(found[0].port, std::min(a.from_port, b.from_port));
                EXPECT_NE(found[0].message.find(net.port_text(a.from, std::max(a.from_port, b.from_port))),
                          std::string::npos)
                    << found[0].message;
            }
        EXPECT_GT(tried, 8u);
    }
}

TEST(SwappedCables, BetweenFourSwitchesBothAreNamed) {
    std::size_t told = 0;
    for (Fabric const& sound : fabrics()) {
        Network const& net = sound.network;
        for (Link const one : cables_of(net))
            for (Link const other : cables_of(net)) {
                LinkRecord const &a = net[one], &b = net[other];
                if (!(one < other) || a.from == b.from || a.to == b.to || a.from == b.to || a.to == b.from) continue;
                std::vector<Finding> const found = find_swapped_cables(swapped(sound, one, other), {});
                ASSERT_LE(found.size(), 1u);
                if (found.empty()) continue;
                ++told;
                std::string const text = found[0].where + found[0].message;
                for (LinkRecord const* end : {&a, &b})
                    EXPECT_NE(text.find(net.describe(end->from) + net.port_text(end->from, end->from_port)),
                              std::string::npos)
                        << text;
            }
    }
    EXPECT_GT(told, 10u);  // none in trees, where the new neighbour has been one by another cable, too
}

/// In a tree the new neighbours have had a cable already: loops show which cables were swapped, and stand under them.
TEST(SwappedCables, BetweenLeavesAndSpinesLoopsNameThem) {
    Fabric const sound = fabrics().front();
    Network const& net = sound.network;
    std::size_t pairs = 0;
    for (Link const one : cables_of(net))
        for (Link const other : cables_of(net)) {
            LinkRecord const &a = net[one], &b = net[other];
            if (!(one < other) || a.from == b.from || a.to == b.to) continue;
            ++pairs;
            Fabric const damaged = swapped(sound, one, other);
            std::vector<Finding> faults;
            for (Finding& f : audit_findings(damaged, Disagreements()))
                if (f.kind == FindingKind::inconsistent || f.kind == FindingKind::loop ||
                    f.kind == FindingKind::unreachable || f.kind == FindingKind::misdelivered)
                    faults.push_back(std::move(f));
            ASSERT_EQ(faults.size(), 1u) << faults[0].message << faults[1].message;
            std::string const text = faults[0].where + faults[0].message;
            for (LinkRecord const* end : {&a, &b}) {
                std::string const near = net.describe(end->from) + net.port_text(end->from, end->from_port),
                                  far = net.describe(end->to) + net.port_text(end->to, end->to_port);
                EXPECT_TRUE(text.find(near) != std::string::npos || text.find(far) != std::string::npos) << text;
            }
        }
    EXPECT_GT(pairs, 30u);
}

TEST(SwappedCables, SoundNetworksHaveNone) {
    for (NastyNetwork const& one : table_fabrics()) {
        if (one.name.find("damages") != std::string::npos && one.name != "a tree with 0 damages") continue;
        EXPECT_TRUE(find_swapped_cables(one.fabric, {}).empty()) << one.name;
    }
}

}  // namespace
}  // namespace tailback::swapped_cables_test
