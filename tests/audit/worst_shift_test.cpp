// Worst shift: for k = 1 .. N-1 host s sends to host (s + k) mod N; by walking all routes, and the exact results known.
#include "host/audit/worst_case/worst_shift.hpp"

#include "host/model/routes/trace.hpp"
#include "host/study/plan/study_plan.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/networks/torus.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tailback::worst_shift_test {
namespace {

ShiftLoads walk_all(Fabric const& fabric, std::vector<Host> const& order) {
    Network const& net = fabric.network;
    ShiftLoads walked;
    walked.largest.assign(order.size(), 0);
    for (std::size_t k = 1; k < order.size(); ++k) {
        std::vector<std::uint32_t> loads(net.links().size());
        for (std::size_t s = 0; s < order.size(); ++s) {
            Host const d = order[(s + k) % order.size()];
            if (net[d].lid == 0 || net.owner(net[d].lid).host != d) continue;
            Route const route = trace_from_host(fabric, order[s], net[d].lid);
            if (route.fate != Fate::delivered) continue;
            for (Link const link : route.links) ++loads[link.value];
        }
        auto const most = std::max_element(loads.begin(), loads.end());
        if (most == loads.end()) continue;
        walked.largest[k] = *most;
        if (*most <= walked.worst_load) continue;
        walked.worst_load = *most;
        walked.worst_shift = static_cast<std::uint32_t>(k);
        walked.worst_link = Link{std::size_t(most - loads.begin())};
    }
    return walked;
}

TEST(WorstShift, NastyNetworks) {
    for (NastyNetwork const& nasty : nasty_networks()) {
        std::vector<Host> order = all_hosts(nasty.fabric.network);
        if (order.size() > 200) order.resize(200);
        EXPECT_EQ(all_shift_loads(nasty.fabric, order, 2), walk_all(nasty.fabric, order)) << nasty.name;
        std::reverse(order.begin(), order.end());
        order.resize(order.size() - order.size() / 3);
        EXPECT_EQ(all_shift_loads(nasty.fabric, order, 1), walk_all(nasty.fabric, order)) << nasty.name;
    }
}

TEST(WorstShift, DamagedTrees) {
    Dice dice;
    for (int trial = 0; trial < 20; ++trial) {
        Fabric fabric = make_xgft({{3, 4, 2}, {1, 2, 3}});
        Network const& net = fabric.network;
        for (int damage = 0; damage < 6 * trial; ++damage) {
            Node const node{net.hosts().size() + dice(static_cast<std::uint32_t>(net.switches()))};
            fabric.tables.set(node, 1 + dice(static_cast<std::uint32_t>(net.hosts().size())),
                              dice(net[node].ports + 1));
        }
        std::vector<Host> const order = all_hosts(net);
        EXPECT_EQ(all_shift_loads(fabric, order, 3), walk_all(fabric, order)) << trial;
    }
}

/// Zahavi 2010: D-mod-K on complete trees carries every shift in the order of hosts without contention.
TEST(WorstShift, CompleteTreesHaveNone) {
    for (XgftSpec const& spec : {XgftSpec{{18, 36}, {1, 18}}, XgftSpec{{4, 4, 8}, {1, 4, 4}}}) {
        Fabric const fabric = make_xgft(spec);
        for (std::vector<Host> const& order : {all_hosts(fabric.network), breadth_first_hosts(fabric.network, false)}) {
            ShiftLoads const loads = all_shift_loads(fabric, order, 0);
            EXPECT_EQ(std::count(loads.largest.begin(), loads.largest.end(), 1u), std::ptrdiff_t(order.size()) - 1)
                << spec.text();
            EXPECT_EQ(loads.worst_load, 1u);
            EXPECT_EQ(loads.worst_shift, 1u);
        }
    }
}

/// 8-ary 2-cube with ties to +, hosts in rows: a shift by 8b goes b up in every column.
TEST(WorstShift, Torus) {
    Fabric const fabric = make_test_torus(8, 1);
    std::vector<Host> const order = all_hosts(fabric.network);
    ShiftLoads const loads = all_shift_loads(fabric, order, 0);
    EXPECT_EQ(loads, walk_all(fabric, order));
    EXPECT_EQ(loads.largest[24], 3u);  // tornado in y: three rows on
    EXPECT_EQ(loads.largest[8], 1u);
    EXPECT_EQ(loads.largest[32], 4u);  // half way round, ties to +
}

/// A dragonfly of a switches with p hosts each in a group, minimal routes: shifted by one group, all a*p flows of a
/// group share the one cable to the next.
TEST(WorstShift, DragonflyByOneGroup) {
    for (auto const& [spec, group] :
         {std::pair{"dragonfly:a=4,p=2,h=2", 8u}, std::pair{"dragonfly:a=6,p=3,h=3", 18u}}) {
        Topology topology = make_topology(spec);
        ForwardingTables tables = make_tables(topology, {"minimal", 1});
        Fabric const fabric{std::move(topology.network), std::move(tables), true};
        EXPECT_EQ(all_shift_loads(fabric, all_hosts(fabric.network), 0).largest[group], group) << spec;
    }
}

}  // namespace
}  // namespace tailback::worst_shift_test
