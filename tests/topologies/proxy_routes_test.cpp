// Definition (Erickson, Kiasari, Navaridas, Stewart 2015): let a and b be the parts, at the highest level where they
// differ, of source and destination. A route is the one of `recursive`, or goes through a third part c: by `recursive`
// to where the cable from a enters c, from there to where the cable from c enters b, and on to the destination. Of
// these it is the one with the fewest links; of several the one without c, then with the lowest c. Here everything is
// found by walking tables of `recursive` and by looking cables up in the network.
#include "host/model/pack/pair_routes.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <map>

namespace tailback::proxy_routes_test {
namespace {

struct Case {
    char const* spec;
    std::vector<std::uint32_t> sizes;  ///< hosts of a part, by level
};

/// Links of the route from host to host by tables.
std::vector<Link> by_tables(Fabric const& fabric, Host source, Host destination) {
    return fabric.routing->trace(fabric, source, fabric.network[destination].lid).links;
}

/// (part, part) at a level, in one part of the next -> the hosts that the cable between them joins.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<Host, Host>> cables_between(Network const& net,
                                                                                        std::uint32_t size) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<Host, Host>> cables;
    std::map<std::uint32_t, Host> host_of_node;
    for (std::uint32_t h = 0; h < net.hosts().size(); ++h) host_of_node[net[Host{h}].node.value] = Host{h};
    for (auto const& link : net.links()) {
        if (!host_of_node.contains(link.from.value) || !host_of_node.contains(link.to.value)) continue;
        Host const from = host_of_node[link.from.value], to = host_of_node[link.to.value];
        cables[{from.value / size, to.value / size}] = {from, to};
    }
    return cables;
}

TEST(ProxyRoutes, AreTheShortestThroughAThirdPart) {
    for (Case const& c : {Case{"dcell:n=4,k=1", {4, 20}}, Case{"dcell:n=2,k=2", {2, 6, 42}},
                          Case{"dcell:n=3,k=2,rule=beta", {3, 12, 156}}, Case{"ficonn:n=4,k=2", {4, 12, 48}},
                          Case{"ficonn:n=4,k=2,rule=beta", {4, 12, 48}}}) {
        SCOPED_TRACE(c.spec);
        Topology const topology = make_topology(c.spec);
        Network const& net = topology.network;
        ASSERT_EQ(net.hosts().size(), c.sizes.back());
        Fabric const straight{net, make_tables(topology, {"recursive", 1}), true};
        auto const routing = make_routes(topology, {"proxy", 1}).routing;
        auto const& pairs = dynamic_cast<PairRoutes const&>(*routing);
        std::size_t shortened = 0;
        for (std::uint32_t s = 0; s < c.sizes.back(); ++s)
            for (std::uint32_t d = 0; d < c.sizes.back(); ++d) {
                if (s == d) continue;
                std::vector<Link> best = by_tables(straight, Host{s}, Host{d});
                std::size_t level = c.sizes.size() - 1;
                while (level > 0 && s / c.sizes[level - 1] == d / c.sizes[level - 1]) --level;
                if (level > 0) {
                    std::uint32_t const size = c.sizes[level - 1], parts = c.sizes[level] / size,
                                        first = s / c.sizes[level] * parts;
                    auto const cables = cables_between(net, size);
                    for (std::uint32_t third = first; third < first + parts; ++third) {
                        if (third == s / size || third == d / size) continue;
                        Host const in_third = cables.at({s / size, third}).second,
                                   in_last = cables.at({third, d / size}).second;
                        std::vector<Link> way;
                        Host at{s};
                        for (Host const stop : {in_third, in_last, Host{d}}) {
                            if (at != stop)
                                for (Link const link : by_tables(straight, at, stop)) way.push_back(link);
                            at = stop;
                        }
                        if (way.size() < best.size()) best = way, ++shortened;
                    }
                }
                std::vector<Link> links;
                ASSERT_TRUE(pairs.append(net, Host{s}, Host{d}, links));
                EXPECT_EQ(links, best) << s << " to " << d;
            }
        EXPECT_GT(shortened, 0u);
    }
}

}  // namespace
}  // namespace tailback::proxy_routes_test
