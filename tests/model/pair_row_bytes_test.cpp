// What a pair's row takes at least, before any route is made: never more than the rows of the routes then take, and
// enough to refuse networks that are too large before their tables are made.
#include "host/api/study.hpp"
#include "host/model/pack/route_store.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

namespace tailback::pair_row_bytes_test {
namespace {

TEST(PairRowBytes, AreNoMoreThanRowsTake) {
    for (char const* spec : {"torus:4x4", "torus:9x9", "xgft:m=4x4,w=1x4", "bcn:alpha=2,beta=2,h=1", "ring:20",
                             "dragonfly:a=4,p=2,h=2", "star:4"}) {
        Network const network = make_topology(TopologySpec(spec)).network;
        std::size_t const least = pair_row_bytes_at_least(network);
        EXPECT_GE(least, least_pair_row_bytes) << spec;
        // The farthest host is within the shortest path's links of the first: by a search of its own over all hosts.
        std::vector<std::vector<std::uint32_t>> next(network.nodes().size());
        for (LinkRecord const& link : network.links()) next[link.from.value].push_back(link.to.value);
        std::vector<int> links(network.nodes().size(), -1);
        std::vector<std::uint32_t> front = {network[Host{0}].node.value};
        links[front[0]] = 0;
        for (int step = 1; !front.empty(); ++step) {
            std::vector<std::uint32_t> behind;
            for (std::uint32_t const from : front)
                for (std::uint32_t const to : next[from])
                    if (links[to] < 0) links[to] = step, behind.push_back(to);
            front = behind;
        }
        int farthest = 0;
        for (HostRecord const& host : network.hosts()) farthest = std::max(farthest, links[host.node.value]);
        std::size_t const slots = farthest > 2 ? std::size_t(farthest) - 2 : 0;
        EXPECT_GE(least, 2 * slots) << spec;  // 16 bits a link between the hosts' own
        EXPECT_LE(least, std::max<std::size_t>(least_pair_row_bytes, 4 * slots)) << spec;  // widths double
    }
}

/// 20,200 hosts of four bytes a pair would fit; the shortest paths of the farthest do not.
TEST(PairRowBytes, RefuseBeforeTablesAreMade) {
    Finished const run =
        run_tailback({"evaluate", "--network", "bcn:alpha=10,beta=10,h=1", "--routing", "valiant", "--mappings", "1"});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("routes between 20200 hosts do not fit into"), std::string::npos) << run.err;
    EXPECT_EQ(run.err.find("computing the routes"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace tailback::pair_row_bytes_test
