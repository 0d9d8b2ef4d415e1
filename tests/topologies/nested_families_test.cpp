// Nested networks. Definition: T tori of S switches with U uplinks each, uplink i at switch floor(i S / U) of its
// torus, in place of the T U hosts of the network above. Routes: within a torus in dimension order; to another torus to
// the nearest uplink (of equally near ones the first), by the usual routing above to the uplink that is nearest to the
// destination, and on in dimension order.
#include "host/base/error.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tailback::nested_families_test {
namespace {

TEST(Nested, Sizes) {
    struct Case {
        char const* spec;
        std::size_t hosts, switches, switch_cables;
    };
    // Tori of S switches and d dimensions have d S cables (a dimension of 2 half as many).
    for (Case const& c : {
             Case{"nesttree:torus=2x2x2,uplinks=2,m=4x4,w=1x4", 8 * 8, 8 * 8 + 4 + 4, 8 * 12 + 16 + 16},
             Case{"nesttree:torus=4x4x4,uplinks=8,m=8x8,w=1x8", 8 * 64, 8 * 64 + 8 + 8, 8 * 192 + 64 + 64},
             Case{"nesttree:torus=2x2x2,uplinks=8,m=8x2x2,w=1x4x2", 4 * 8, 4 * 8 + 4 + 4 * 2 + 4 * 2,
                  4 * 12 + 32 + 16 + 16},
             Case{"nesttree:torus=3x3,uplinks=1,m=5,w=1,hosts=4", 5 * 9 * 4, 5 * 9 + 1, 5 * 18 + 5},
             Case{"nestghc:torus=2x2x2,uplinks=2,sizes=4x4,each=4", 32 * 8, 32 * 8 + 16, 32 * 12 + 64 + 16 * 6 / 2},
             Case{"nestghc:torus=4x4x4,uplinks=64,sizes=4x4x4,each=8", 8 * 64, 8 * 64 + 64, 8 * 192 + 512 + 64 * 9 / 2},
         }) {
        SCOPED_TRACE(c.spec);
        NetworkFacts const facts = facts_of(make_topology(c.spec).network);
        EXPECT_EQ(facts.hosts, c.hosts);
        EXPECT_EQ(facts.switches, c.switches);
        EXPECT_EQ(facts.switch_cables, c.switch_cables);
        EXPECT_EQ(facts.host_cables, c.hosts);
        EXPECT_EQ(facts.one_way_links, 0u);
    }
}

std::uint32_t ring(std::uint32_t n, std::uint32_t a, std::uint32_t b) {
    std::uint32_t const ahead = (b + n - a) % n;
    return std::min(ahead, n - ahead);
}

/// Tori of 4 x 3 with uplinks at switches 0 and 6, that is (0, 0) and (2, 1); a tree of two levels above.
TEST(Nested, RoutesAreAsLongAsTheirParts) {
    Topology const topology = make_topology("nesttree:torus=4x3,uplinks=2,m=4x3,w=1x2");
    Fabric const fabric{topology.network, make_tables(topology, {"nested", 1}), true};
    auto const hops = [](std::uint32_t a, std::uint32_t b) { return ring(4, a % 4, b % 4) + ring(3, a / 4, b / 4); };
    auto const nearest = [&](std::uint32_t v) { return hops(v, 0) <= hops(v, 6) ? 0u : 1u; };
    ASSERT_EQ(topology.network.hosts().size(), 6u * 12);
    for (std::uint32_t s = 0; s < 72; ++s)
        for (std::uint32_t d = 0; d < 72; ++d) {
            if (s == d) continue;
            Route const route = trace_from_host(fabric, Host{s}, topology.network[Host{d}].lid);
            ASSERT_EQ(route.fate, Fate::delivered);
            std::uint32_t const a = s % 12, b = d % 12;
            std::uint32_t want = 2 + hops(a, b);
            if (s / 12 != d / 12) {
                std::uint32_t const from = s / 12 * 2 + nearest(a), to = d / 12 * 2 + nearest(b);
                want = 2 + hops(a, nearest(a) * 6) + hops(b, nearest(b) * 6) + (from / 4 == to / 4 ? 2 : 4);
            }
            EXPECT_EQ(route.links.size(), want) << s << " " << d;
        }
}

TEST(Nested, WhatDoesNotFitIsRefused) {
    for (char const* const spec :
         {"nesttree:torus=2x2,uplinks=5,m=4,w=1", "nesttree:torus=2x2,uplinks=3,m=4,w=1",
          "nesttree:torus=2x2,uplinks=1,m=4,w=2", "nestghc:torus=2x2,uplinks=3,sizes=4x4,each=1",
          "nestghc:torus=1024x1024,uplinks=1,sizes=1024x1024", "nesttree:torus=65536x65536,uplinks=1,m=4,w=1"})
        EXPECT_THROW(make_topology(spec), InputError) << spec;
}

}  // namespace
}  // namespace tailback::nested_families_test
