// What breaks without a cable or a switch, and which cable most pairs need: the same as walking every pair and looking
// whether it meets what is gone.
#include "host/audit/changes/what_if.hpp"

#include "host/audit/loads/all_pairs.hpp"
#include "host/base/error.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

namespace tailback::what_if_test {
namespace {

void expect_walks(Fabric const& fabric, std::vector<Removal> const& removals, std::string const& what) {
    SCOPED_TRACE(what);
    Network const& net = fabric.network;
    Forwarding const forwarding(fabric);
    std::vector<Host> const hosts = all_hosts(net);
    WhatIf const answer = what_if(forwarding, hosts, hosts, removals, 1);
    std::uint64_t delivered = 0, broken = 0;
    std::map<Lid, std::pair<std::uint64_t, std::uint64_t>> by_destination;
    std::map<std::uint32_t, std::uint64_t> by_source;
    std::vector<std::uint64_t> by_removal(removals.size()), load(net.links().size());
    for (Destination const to : destinations_of(net, hosts))
        for (Host const source : hosts) {
            if (source == to.host) continue;
            Route const route = trace_from_host(fabric, source, to.lid);
            if (route.fate != Fate::delivered) continue;
            ++delivered;
            ++by_destination[to.lid].second;
            std::size_t first = removals.size();
            for (Link const link : route.links) {
                ++load[link.value];
                if (first < removals.size()) continue;
                for (std::size_t pass = 0; pass < 2 && first == removals.size();
                     ++pass)  // the node it leaves, then the link
                    for (std::size_t r = 0; r < removals.size() && first == removals.size(); ++r) {
                        Removal const& gone = removals[r];
                        if (pass == 0 ? gone.switch_node.exists() && net[link].from == gone.switch_node
                                      : gone.cable.exists() && (gone.cable == link || net[gone.cable].reverse == link))
                            first = r;
                    }
            }
            if (first == removals.size()) continue;
            ++broken;
            ++by_removal[first];
            ++by_destination[to.lid].first;
            ++by_source[forwarding.node_of(forwarding.entry_of(source).row).value];
        }
    EXPECT_EQ(answer.delivered, delivered);
    EXPECT_EQ(answer.broken, broken);
    for (std::size_t r = 0; r < removals.size(); ++r)
        EXPECT_EQ(answer.removals[r].pairs, by_removal[r]) << removals[r].text;
    std::uint64_t previous = ~std::uint64_t{0};
    for (WhatIf::Destination const& loss : answer.destinations) {
        EXPECT_EQ(loss.broken, by_destination[loss.lid].first);
        EXPECT_EQ(loss.delivered, by_destination[loss.lid].second);
        EXPECT_LE(loss.broken, previous);
        previous = loss.broken;
        by_destination.erase(loss.lid);
    }
    for (auto const& [lid, pairs] : by_destination) EXPECT_EQ(pairs.first, 0u) << lid;
    std::map<std::uint32_t, std::uint64_t> sources;
    for (WhatIf::Source const& loss : answer.sources) sources[loss.node.value] = loss.broken;
    EXPECT_EQ(sources, by_source);

    WhatIf const threaded = what_if(forwarding, hosts, hosts, removals, 3);
    EXPECT_EQ(threaded.broken, answer.broken);
    EXPECT_EQ(threaded.sources.size(), answer.sources.size());

    std::uint64_t sum = 0, last = ~std::uint64_t{0};
    for (CablePairs const& cable : criticality(net, load)) {
        EXPECT_LE(cable.pairs, last);
        last = cable.pairs;
        sum += cable.pairs;
        WhatIf const without = what_if(forwarding, hosts, hosts, {{"", cable.link, Node{}, 0}});
        EXPECT_EQ(without.broken, cable.pairs) << cable.link.value;
    }
    EXPECT_EQ(sum, std::accumulate(load.begin(), load.end(), std::uint64_t{0}));
}

TEST(WhatIf, NastyNetworksWithoutCablesAndSwitches) {
    Dice dice;
    for (NastyNetwork const& nasty : nasty_networks()) {
        Network const& net = nasty.fabric.network;
        std::vector<Removal> removals;
        for (int i = 0; i < 3 && !net.links().empty(); ++i)
            removals.push_back({"cable", Link{dice(static_cast<std::uint32_t>(net.links().size()))}, Node{}, 0});
        for (std::size_t n = 0; n < net.nodes().size() && removals.size() < 5; ++n)
            if (net[Node{n}].kind == NodeKind::switch_node && dice(3) == 0)
                removals.push_back({"switch", Link{}, Node{n}, 0});
        expect_walks(nasty.fabric, removals, nasty.name);
        expect_walks(nasty.fabric, {}, nasty.name + ", nothing gone");
    }
}

TEST(WhatIf, WordsForCablesAndSwitches) {
    Disagreements strict(true);
    Network const net = read_topology(two_leaves, strict);
    Removal const cable = cable_removal(net, "leaf one:3");
    EXPECT_EQ(cable.text,
              "the cable from switch \"leaf one\" (0x00000000000000a1) port 3 to switch \"leaf-2\" "
              "(0x00000000000000a2) port 3");
    EXPECT_EQ(cable_removal(net, "0x00000000000000a1:3").cable, cable.cable);
    EXPECT_EQ(cable_removal(net, "node 1:1").cable, net.up_link(Host{0}));
    for (std::string const printed :
         {"switch \"leaf one\" (0x00000000000000a1) port 3", "switch leaf one (0x00000000000000a1) port 3",
          "\"leaf one\" port 3", "leaf one [3]", "switch \"leaf one\" (0x00000000000000a1):3"})
        EXPECT_EQ(cable_removal(net, printed).cable, cable.cable) << printed;
    EXPECT_NE(error_of([&] { cable_removal(net, "leaf one [2]"); }).find("names no cable"), std::string::npos);
    EXPECT_NE(error_of([&] { cable_removal(net, "leaf one []"); }).find("names no port"), std::string::npos);
    EXPECT_EQ(switch_removal(net, "switch \"leaf-2\" (0x00000000000000a2)").switch_node, net.node_by_guid(0xa2));
    EXPECT_EQ(switch_removal(net, "leaf-2").switch_node, net.node_by_guid(0xa2));
    EXPECT_EQ(switch_removal(net, "2").switch_node, net.node_by_guid(0xa2));
    EXPECT_NE(error_of([&] { cable_removal(net, "leaf one:2"); }).find("names no cable"), std::string::npos);
    EXPECT_NE(error_of([&] { cable_removal(net, "leaf one"); }).find("names no port"), std::string::npos);
    EXPECT_NE(error_of([&] { cable_removal(net, "leaf one:x"); }).find("names no port"), std::string::npos);
    EXPECT_NE(error_of([&] { cable_removal(net, "nobody:1"); }).find("nothing in the network is called \"nobody\""),
              std::string::npos);
    EXPECT_NE(error_of([&] { switch_removal(net, "node 1"); }).find("is not a switch"), std::string::npos);
}

}  // namespace
}  // namespace tailback::what_if_test
