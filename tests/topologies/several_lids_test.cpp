// Computed routes of hosts with several LIDs: the base LIDs alone use all ports alike, as the routes of hosts with one
// LID do, and the LIDs of one host leave by different ports.
#include "host/api/obtain.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace tailback {
namespace {

TEST(SeveralLids, UseAllPortsAlikeByBaseLidsAndByHost) {
    for (char const* const routing : {"minhop", "sssp", "updn"})
        for (std::uint8_t const lmc : {1, 2, 3})
            for (char const* const spec :
                 {"xgft:m=8x8,w=1x4", "xgft:m=4x4,w=1x4", "xgft:m=1x8,w=1x4", "xgft:m=6x5,w=1x4"}) {
                NetworkChoice choice(spec);
                choice.routing.emplace(routing, 1);
                choice.lmc = lmc;
                Fabric const fabric = obtain({.network = choice, .wanted = Wanted::tables}, {});
                Network const& net = fabric.network;
                std::size_t const lids = std::size_t{1} << lmc;
                std::set<std::uint32_t> leaves;
                for (std::size_t h = 0; h < net.hosts().size(); ++h) leaves.insert(net[net.up_link(Host{h})].to.value);
                std::size_t ports = 0, pairs = 0;
                for (std::uint32_t const leaf : leaves) {
                    std::map<Port, int> of_base_lids;
                    int remote = 0;
                    for (std::size_t h = 0; h < net.hosts().size(); ++h) {
                        if (net[net.up_link(Host{h})].to.value == leaf) continue;
                        ++remote;
                        std::set<Port> of_host;
                        for (std::size_t o = 0; o < lids; ++o)
                            of_host.insert(fabric.tables.port(Node{leaf}, Lid(net[Host{h}].lid + o)));
                        ports += of_host.size();
                        ++pairs;
                        ++of_base_lids[fabric.tables.port(Node{leaf}, net[Host{h}].lid)];
                    }
                    EXPECT_EQ(of_base_lids.size(), 4u) << spec << " " << routing << " " << int(lmc);
                    for (auto const& [port, count] : of_base_lids)
                        EXPECT_LE(count, (3 * remote + 7) / 8 + 1) << spec << " " << routing << " " << int(lmc);
                }
                EXPECT_GE(double(ports) / double(pairs), 0.74 * double(std::min<std::size_t>(lids, 4)))
                    << spec << " " << routing << " " << int(lmc);
            }
}

}  // namespace
}  // namespace tailback
