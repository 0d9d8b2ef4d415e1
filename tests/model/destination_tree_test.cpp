// Trees of destinations: for every source and LID the same fate and length as a walk link by link
// (host/model/routes/trace), and the weight of a row is the number of sources whose walk meets it.
#include "host/model/routes/destination_tree.hpp"
#include "host/model/routes/trace.hpp"

#include "host/model/routes/trace.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

namespace tailback::destination_tree_test {
namespace {

void expect_walks(Fabric const& fabric, std::string const& what) {
    Network const& net = fabric.network;
    Forwarding const forwarding(fabric);
    std::vector<Host> const hosts = all_hosts(net);
    Senders const senders(forwarding, hosts);
    DestinationTree tree(forwarding, senders);
    for (Destination const destination : destinations_of(net, hosts)) {
        tree.grow(destination);
        std::vector<std::uint32_t> weight(forwarding.rows());
        bool loops = false;
        for (Host const source : hosts) {
            if (source == destination.host) continue;
            Route const walk = trace_from_host(fabric, source, destination.lid);
            Forwarding::Entry const entry = forwarding.entry_of(source);
            std::string const pair =
                what + ": " + std::to_string(source.value) + " -> LID " + std::to_string(destination.lid);
            if (entry.row == no_row) {
                EXPECT_EQ(walk.fate, Fate::unreachable) << pair;
                continue;
            }
            ASSERT_EQ(tree.fate(entry.row), walk.fate) << pair;
            loops |= walk.fate == Fate::loop;
            std::vector<Link> followed;
            if (entry.up.exists()) followed.push_back(entry.up);
            std::size_t steps = 0;
            for (std::uint32_t row = entry.row; row != no_row && steps++ <= forwarding.rows(); row = tree.next(row)) {
                ++weight[row];
                if (tree.link(row).exists()) followed.push_back(tree.link(row));
            }
            if (walk.fate == Fate::delivered) {
                EXPECT_EQ(followed, walk.links) << pair;
                EXPECT_EQ(tree.left(entry.row) + (entry.up.exists() ? 1 : 0), walk.links.size()) << pair;
            }
        }
        for (std::uint32_t const row : tree.order()) {
            EXPECT_FALSE(tree.on_cycle(row));
            if (!loops) {
                EXPECT_EQ(tree.weight(row), weight[row]) << what;
            }
        }
    }
}

TEST(DestinationTree, NastyNetworks) {
    for (NastyNetwork const& nasty : nasty_networks()) expect_walks(nasty.fabric, nasty.name);
}

TEST(DestinationTree, SoundAndDamagedTrees) {
    Dice dice;
    for (int trial = 0; trial < 40; ++trial) {
        Fabric fabric = make_xgft({{3, 2, 2}, {1, 2, 3}});
        Network const& net = fabric.network;
        for (int damage = 0; damage < 2 * trial; ++damage) {
            Node const node{net.hosts().size() + dice(static_cast<std::uint32_t>(net.switches()))};
            Port const port = dice(net[node].ports + 2);
            fabric.tables.set(node, 1 + dice(static_cast<std::uint32_t>(net.hosts().size())),
                              port == net[node].ports + 1 ? ForwardingTables::no_entry : port);
        }
        expect_walks(fabric, "trial " + std::to_string(trial));
    }
}

/// Columns of many LIDs at once are the tables' own entries, beyond their last column too.
TEST(Forwarding, ColumnsAreTheTablesTurned) {
    Fabric const fabric = make_xgft({{9, 9}, {1, 9}});
    Forwarding const forwarding(fabric);
    std::uint32_t const count = static_cast<std::uint32_t>(fabric.tables.lids()) + 70;
    std::vector<std::uint8_t> columns(std::size_t{count} * forwarding.rows());
    forwarding.columns(1, count, columns.data());
    for (std::uint32_t k = 0; k < count; ++k)
        for (std::uint32_t row = 0; row < forwarding.rows(); ++row) {
            Port const want = fabric.tables.port(forwarding.node_of(row), 1 + k);
            ASSERT_EQ(columns[std::size_t{k} * forwarding.rows() + row],
                      want == ForwardingTables::no_entry ? 0xFF : want);
        }
}

}  // namespace
}  // namespace tailback::destination_tree_test
