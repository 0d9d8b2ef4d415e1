// Better tables as a function: never worse than the input, free on their lanes, the same with any number of threads;
// what is damaged is mended.
#include "host/api/improve/improve.hpp"

#include "host/audit/deadlock/deadlock.hpp"
#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/formats/formats.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/networks/small_dump.hpp"
#include "tests/support/programs/dumped_fabric.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/failures.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <string>
#include <vector>

namespace tailback::improve_test {
namespace {

ImproveRequest quick(std::string const& network, std::string const& routing = "", std::uint64_t moves = 20'000) {
    ImproveRequest request;
    request.network = NetworkChoice(network);
    if (!routing.empty()) request.network.routing.emplace(routing, 1);
    request.moves = moves;
    request.trials = 30;
    request.threads = 1;
    return request;
}
ImproveRequest of_fixture(std::string const& folder, std::string const& tables, std::uint64_t moves = 20'000) {
    ImproveRequest request = quick(fixture("opensm/" + folder + "/ibnetdiscover.out.xz"), "", moves);
    request.network.tables = fixture("opensm/" + tables);
    return request;
}

ImproveRequest of_dumps(DumpedFabric const& dumps) {
    ImproveRequest request = quick(dumps.network());
    request.network.tables = dumps.tables();
    return request;
}

/// All entries, row by row.
std::vector<Port> entries_of(Fabric const& fabric) {
    std::vector<Port> entries;
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
        if (fabric.network.is_switch(Node{n}))
            for (Lid lid = 1; lid < fabric.tables.lids(); ++lid) entries.push_back(fabric.tables.port(Node{n}, lid));
    return entries;
}

TEST(Improve, IsNeverWorseThanTheInput) {
    for (char const* const spec :
         {"torus:4x4", "mesh:3x3", "hypercube:3", "ring:7", "xgft:m=4x4,w=1x4", "xgft:m=3x3x2,w=1x2x2",
          "dragonfly:a=4,p=2,h=2", "jellyfish:switches=10,degree=4,hosts=2", "hyperx:sizes=3x3,hosts=1",
          "slimfly:q=3,hosts=1", "mport-ntree:m=4,n=3", "dragonfly+:leaves=2,p=2,h=2"})
        for (char const* const routing : {"minhop", "updn", "sssp", "bfs", "random"}) {
            Improvement const found(quick(spec, routing, 3000), {});
            ImproveReport const report = found.report();
            EXPECT_EQ(report.is.undelivered, 0u) << spec << " " << routing;
            if (report.was.deadlock_free) {
                ASSERT_TRUE(report.is.expected && report.was.expected) << spec << " " << routing;
                EXPECT_GE(*report.is.expected, *report.was.expected) << spec << " " << routing;
                EXPECT_TRUE(report.is.deadlock_free) << spec << " " << routing;
            }
            if (report.best_routing)  // the input is not free, some routing is
                EXPECT_GE(*report.is.expected, *report.best_routing->bandwidth) << spec << " " << routing;
            EXPECT_TRUE(!report.was.deadlock_free || !report.best_routing) << spec << " " << routing;
            EXPECT_EQ(report.outcome == ImproveOutcome::improved, report.entries > 0) << spec << " " << routing;
            EXPECT_TRUE(report.outcome != ImproveOutcome::improved || report.is.deadlock_free) << spec;
        }
}

/// All routings are starts, so the usual one of a damaged network, which loses pairs, leads where any other does.
TEST(Improve, EndsAlikeWhicheverRoutingItBeginsWith) {
    for (char const* const spec : {"torus:4x4", "mesh:4x4", "xgft:m=3x4,w=1x3"}) {
        auto const found_from = [&](char const* routing) {
            ImproveRequest request = quick(spec, routing, 20'000);
            request.trials = 50;
            request.network.failures.cables = parse_failures("fail-cables", "switch:3", true);
            request.network.failures.seed = 4;
            return Improvement(request, {}).report().is;
        };
        ImprovedSide const usual = found_from("");
        EXPECT_EQ(usual.undelivered, 0u) << spec;
        for (char const* const routing : {"minhop", "updn", "sssp", "bfs"}) {
            ImprovedSide const other = found_from(routing);
            EXPECT_EQ(other.collisions, usual.collisions) << spec << " " << routing;
            EXPECT_EQ(other.largest_load, usual.largest_load) << spec << " " << routing;
        }
    }
}

/// Also where moves that lower collisions alone end above it: the least largest load of this tree is 9.
TEST(Improve, FindsTheLeastLargestLoadWithAnySeed) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        ImproveRequest request = quick("xgft:m=3x3,w=1x2", "minhop");
        request.objective = ImproveObjective::max_load;
        request.seed = seed;
        EXPECT_EQ(Improvement(request, {}).report().is.largest_load, 9u) << seed;
    }
}

/// Two switches of 12 hosts with links of the base rate, joined by one cable of 4 times that rate (port 20) and three
/// of it.
void write_mixed_trunks(std::string const& path) {
    std::vector<DumpedCable> cables;
    for (unsigned h = 1; h <= 24; ++h)
        cables.push_back({h <= 12 ? "s0" : "s1", (h - 1) % 12 + 1, fmt::format("h{}", h), 1});
    for (unsigned c = 0; c < 4; ++c) cables.push_back({"s0", 20 + c, "s1", 20 + c, c == 0 ? "4xQDR" : "4xSDR"});
    std::ofstream(path) << small_dump(cables);
}

/// Links of several rates: what is searched for, told and bounded is pairs / capacity. Two switches of 12 hosts, joined
/// by one cable of 4 times the base rate and three of the base rate: of 12 destinations with 12 pairs each the fast
/// cable takes x (3 x pairs/capacity), the others y1, y2, y3 (12 y): no less than 24, and divided 144 / 7.
TEST(Improve, CountsLoadsByCapacityWhereRatesDiffer) {
    TemporaryFolder const folder;
    write_mixed_trunks(folder / "net");
    ImproveRequest request = quick(folder / "net", "minhop");
    request.objective = ImproveObjective::max_load;
    Improvement const improvement(request, {});
    report::ImproveReport const report = improvement.report();
    EXPECT_TRUE(report.by_capacity);
    EXPECT_EQ(report.is.largest_load, 24);
    EXPECT_LE(report.is.largest_load, report.was.largest_load);
    ASSERT_TRUE(report.load_bound);
    EXPECT_NEAR(report.load_bound->least, 144 / 7.0, 0.01 * 144 / 7);
    EXPECT_LE(report.load_bound->least, 144 / 7.0 + 1e-9);
}

/// Two leaves of 12 hosts of rate 1 below one cable of rate 4, which carries all, and three of rate 1, which carry
/// nothing: four flows share the fast cable without loss. Whatever has fewer collisions by capacity, no tables that
/// clearly lose bandwidth are called better.
TEST(Improve, LosesNoBandwidthWhereRatesDiffer) {
    TemporaryFolder const folder;
    write_mixed_trunks(folder / "net");
    std::ofstream tables(folder / "lft");
    for (int s = 0; s < 2; ++s) {
        tables << fmt::format("Unicast lids [0x0-0x33] of switch Lid 90{0} guid 0x00000000000000a{0} (s{0}):\n", s)
               << "  Lid  Out   Destination\n       Port     Info\n";
        for (int h = 1; h <= 24; ++h)
            tables << fmt::format("0x{:04x} {:03} : (Channel Adapter)\n", h, (h - 1) / 12 == s ? (h - 1) % 12 + 1 : 20);
        tables << "24 valid lids dumped\n";
    }
    tables.close();
    ImproveRequest request = quick(folder / "net");
    request.network.tables = folder / "lft";
    Improvement const improvement(request, {});
    report::ImproveReport const report = improvement.report();
    ASSERT_TRUE(report.was.bandwidth && report.is.bandwidth);
    EXPECT_EQ(report.was.undelivered, 0u);
    EXPECT_GE(report.is.bandwidth->mean, report.was.bandwidth->mean - report.was.bandwidth->half_width);
}

TEST(Improve, GivesTheSameTablesWithAnyNumberOfThreads) {
    for (char const* const spec : {"torus:4x4", "dragonfly:a=4,p=2,h=2", "xgft:m=4x4x2,w=1x3x2"}) {
        std::vector<Port> one;
        for (unsigned const threads : {1u, 2u, 7u}) {
            ImproveRequest request = quick(spec, "minhop");
            request.threads = threads;
            std::vector<Port> const entries = entries_of(Improvement(request, {}).fabric());
            if (threads == 1) one = entries;
            EXPECT_EQ(entries, one) << spec << " " << threads;
        }
    }
}

/// Half of the time is for orders: ways of fewest links on a torus with odd rings wait in circles.
TEST(Improve, LeavesTimeForOrders) {
    std::atomic<bool> const over = true, never = false;
    ImproveRequest request = quick("torus:5x5x5", "minhop", 1'000'000);
    request.half_over = &over;
    request.stop = &over;
    ImproveReport const at_once = Improvement(request, {}).report();
    request.stop = &never;
    request.moves = 20'000;
    request.trials = 100;
    ImproveReport const later = Improvement(request, {}).report();
    EXPECT_EQ(at_once.trials, 0u);
    EXPECT_EQ(later.trials, 100u);
    EXPECT_TRUE(later.search.stopped_before);
    EXPECT_FALSE(later.search.stopped);
    EXPECT_LT(later.is.largest_load, at_once.is.largest_load);
    EXPECT_TRUE(later.is.deadlock_free);
    for (char const* const spec : {"torus:5x5", "mesh:5x4", "jellyfish:switches=12,degree=4,hosts=2"})
        for (ImproveObjective const objective : {ImproveObjective::collisions, ImproveObjective::permutation}) {
            ImproveRequest ended = quick(spec, "minhop");
            ended.objective = objective;
            ended.half_over = ended.stop = &over;
            ImproveReport const found = Improvement(ended, {}).report();
            ended.network.routing.emplace("updn", 1);  // a routing that is free as it is
            ImproveReport const updn = Improvement(ended, {}).report();
            EXPECT_TRUE(updn.was.deadlock_free);
            if (objective == ImproveObjective::collisions) {
                EXPECT_GE(*found.is.expected, *updn.was.expected) << spec;
            } else {
                EXPECT_LE(found.is.worst_permutation, updn.was.worst_permutation) << spec;
            }
        }
}

/// Definition: half of the time is for orders with several lanes, too, where what one lane comes to counts: once that
/// half is over nothing ends higher than one lane does in it. Collisions go on: no order follows there.
TEST(Improve, LeavesTimeForOrdersWithSeveralLanes) {
    std::atomic<bool> const over = true, never = false;
    for (char const* const spec : {"ring:7", "torus:5x3", "jellyfish:switches=8,degree=3,seed=2,hosts=2"})
        for (ImproveObjective const objective :
             {ImproveObjective::max_load, ImproveObjective::permutation, ImproveObjective::collisions}) {
            double of_one_lane = 0;
            for (unsigned lanes = 1; lanes <= 2; ++lanes) {
                ImproveRequest request = quick(spec, "minhop", 2'000);
                request.objective = objective;
                request.trials = 40;
                request.lanes = lanes;
                request.half_over = &over;
                request.stop = &never;
                ImproveReport const report = Improvement(request, {}).report();
                bool const was_stopped = report.search.stopped || report.search.stopped_before;
                EXPECT_EQ(was_stopped, lanes == 1 || objective != ImproveObjective::collisions)
                    << spec << " " << int(objective) << " " << lanes;
                double const now = objective == ImproveObjective::permutation ? *report.is.worst_permutation
                                                                              : double(report.is.largest_load);
                if (lanes == 1) of_one_lane = now;
                bool const is_held = objective != ImproveObjective::collisions;
                EXPECT_TRUE(!is_held || now <= of_one_lane) << spec << " " << int(objective) << " " << now;
            }
        }
}

TEST(Improve, LowersTheWorstPermutation) {
    for (char const* const spec : {"torus:4x4", "xgft:m=6x6,w=1x6", "dragonfly:a=4,p=2,h=2"})
        for (char const* const routing : {"random", "minhop"}) {
            ImproveRequest request = quick(spec, routing);
            request.objective = ImproveObjective::permutation;
            request.lanes = 8;
            ImproveReport const report = Improvement(request, {}).report();
            ASSERT_TRUE(report.is.worst_permutation && report.was.worst_permutation);
            EXPECT_LE(*report.is.worst_permutation, *report.was.worst_permutation) << spec << " " << routing;
            EXPECT_TRUE(std::string_view(routing) != "random" ||
                        *report.is.worst_permutation < *report.was.worst_permutation)
                << spec;
            EXPECT_EQ(report.is.undelivered, 0u);
        }
    ImproveRequest few = quick("xgft:m=6x6,w=1x6", "random");
    few.objective = ImproveObjective::permutation;
    few.changes = 40;
    ImproveReport const report = Improvement(few, {}).report();
    EXPECT_LE(report.entries, 40u);
    EXPECT_LE(*report.is.worst_permutation, *report.was.worst_permutation);
}

/// 72 pairs are the least of ways of fewest links (the whole bound says 71); with one link more 68 were found, and 67
/// is what no tables go below.
TEST(Improve, GoesBelowShortestRoutesWithSlack) {
    ImproveRequest request =
        of_fixture("dragonfly-a4p2h2/minhop", "dragonfly-a4p2h2/minhop/opensm-lfts.dump.xz", 400'000);
    request.objective = ImproveObjective::max_load;
    request.lanes = 3;
    ImproveReport const shortest = Improvement(request, {}).report();
    request.slack = 1;
    ImproveReport const longer = Improvement(request, {}).report();
    ASSERT_TRUE(shortest.load_bound && longer.load_bound);
    EXPECT_TRUE(shortest.load_bound->of_shortest_routes);
    EXPECT_FALSE(longer.load_bound->of_shortest_routes);
    EXPECT_EQ(shortest.load_bound->least, 71u);
    EXPECT_EQ(longer.load_bound->least, 67u);
    EXPECT_GE(shortest.is.largest_load, 71u);
    EXPECT_GE(longer.is.largest_load, 67u);
    EXPECT_LE(longer.is.largest_load, 70u);
    EXPECT_GT(longer.is.longer, 0u);
    EXPECT_EQ(longer.is.undelivered, 0u);
    EXPECT_TRUE(longer.is.deadlock_free);
    EXPECT_LE(longer.is.lanes, 3u);
}

/// Also where routes of more links do not fit on the lanes, or moves over them end in a worse place.
TEST(Improve, IsNeverWorseWithMoreSlack) {
    for (char const* const spec : {"torus:4x4", "dragonfly:a=4,p=2,h=2", "jellyfish:switches=12,degree=4,hosts=2"})
        for (ImproveObjective const objective :
             {ImproveObjective::permutation, ImproveObjective::max_load, ImproveObjective::collisions}) {
            double before = 0;
            for (std::uint32_t slack = 0; slack <= 3; ++slack) {
                ImproveRequest request = quick(spec, "minhop", 15'000);
                request.objective = objective;
                request.lanes = 3;
                request.slack = slack;
                ImproveReport const report = Improvement(request, {}).report();
                double const now = objective == ImproveObjective::permutation ? *report.is.worst_permutation
                                   : objective == ImproveObjective::max_load  ? double(report.is.largest_load)
                                                                              : -*report.is.expected;
                EXPECT_TRUE(slack == 0 || now <= before) << spec << " " << int(objective) << " " << slack;
                before = now;
            }
        }
}

/// What an order of the switches comes to on one lane is there with more lanes, too.
TEST(Improve, IsNeverWorseWithMoreLanes) {
    for (char const* const spec :
         {"ring:7", "torus:5x3", "slimfly:q=3", "jellyfish:switches=8,degree=3,seed=2,hosts=2"})
        for (ImproveObjective const objective : {ImproveObjective::permutation, ImproveObjective::max_load}) {
            double before = 0;
            for (unsigned lanes = 1; lanes <= 3; ++lanes) {
                ImproveRequest request = quick(spec, "minhop", 2'000);
                request.objective = objective;
                request.trials = 40;
                request.lanes = lanes;
                ImproveReport const report = Improvement(request, {}).report();
                double const now = objective == ImproveObjective::permutation ? *report.is.worst_permutation
                                                                              : double(report.is.largest_load);
                if (lanes > 1) EXPECT_LE(now, before) << spec << " " << int(objective) << " " << lanes;
                EXPECT_LE(report.is.lanes, lanes);
                EXPECT_EQ(report.is.undelivered, 0u);
                before = now;
            }
        }
}

/// docs/performance.md has what default budgets come to.
TEST(Improve, ReachesItsGoalsOnFabrics) {
    ImproveRequest request = quick("torus:4x4x4,hosts=2", "minhop", 6'000'000);
    request.seed = 1;
    Improvement const torus(request, {});
    EXPECT_GE(torus.report().is.bandwidth->mean, 0.69);
    EXPECT_EQ(torus.report().is.largest_load, 128u);  // no ways of fewest links have less
    EXPECT_TRUE(torus.report().is.deadlock_free);
    EXPECT_FALSE(torus.report().by_order);

    ImproveRequest one_lane = of_fixture("dragonfly-a4p2h2/minhop", "dragonfly-a4p2h2/minhop/opensm-lfts.dump.xz");
    one_lane.trials = 400;
    Improvement const dragonfly(one_lane, {});
    ImproveReport const report = dragonfly.report();
    EXPECT_FALSE(report.was.deadlock_free);
    EXPECT_TRUE(report.is.deadlock_free);
    EXPECT_TRUE(report.by_order);
    EXPECT_EQ(report.is.lanes, 1u);
    EXPECT_LE(report.is.largest_load, 140u);  // one root: 216, and 114 with the usual number of orders

    ImproveRequest lanes = of_fixture("dragonfly-a4p2h2/minhop", "dragonfly-a4p2h2/minhop/opensm-lfts.dump.xz");
    lanes.lanes = 3;
    Improvement const on_lanes(lanes, {});
    EXPECT_FALSE(on_lanes.report().by_order);
    EXPECT_TRUE(on_lanes.report().is.deadlock_free);
    EXPECT_EQ(on_lanes.report().is.lanes, 3u);
    EXPECT_NE(on_lanes.fabric().find_lanes, nullptr);
    EXPECT_GT(on_lanes.report().is.bandwidth->mean, 0.71);
    EXPECT_LE(on_lanes.report().is.largest_load, 80u);
    EXPECT_EQ(on_lanes.report().is.longer, 0u);
}

TEST(Improve, KeepsATreeThatIsBestAlready) {
    Improvement const found(quick("xgft:m=4x4x4,w=1x4x4", "dmodk"), {});
    EXPECT_EQ(found.report().outcome, ImproveOutcome::best_already);
    EXPECT_EQ(found.report().entries, 0u);
    EXPECT_EQ(found.report().rollout, Rollout::nothing);
    EXPECT_EQ(entries_of(found.fabric()), entries_of(found.report().before));
}

TEST(Improve, MendsBrokenTables) {
    ImproveRequest request = of_fixture("ft2-16/minhop", "ft2-16/file-broken/opensm-lfts.dump.xz");
    Improvement const found(request, {});
    ImproveReport const report = found.report();
    EXPECT_GT(report.was.undelivered, 0u);
    EXPECT_EQ(report.is.undelivered, 0u);
    EXPECT_EQ(report.outcome, ImproveOutcome::improved);
}

TEST(Improve, SpreadsTheOtherLidsOfHosts) {
    ImproveRequest request = quick("xgft:m=4x4,w=1x4", "random");
    request.network.lmc = 2;
    Improvement const found(request, {});
    Fabric const& fabric = found.fabric();
    Network const& net = fabric.network;
    EXPECT_EQ(found.report().is.undelivered, 0u);
    EXPECT_TRUE(found.report().is.deadlock_free);
    std::uint64_t ports = 0,
                  leaves = 0;  // that lead up for the four LIDs of a host, over all leaves that are not its own
    for (std::size_t h = 0; h < net.hosts().size(); ++h) {
        HostRecord const& host = net[Host{h}];
        ASSERT_EQ(host.lmc, 2);
        for (std::size_t s = 0; s < net.hosts().size(); ++s) {
            Node const leaf = net[net.up_link(Host{s})].to;
            if (leaf == net[net.up_link(Host{h})].to) continue;
            std::vector<Port> used;
            for (Lid lid = host.lid; lid < host.lid + 4; ++lid) {
                Port const port = fabric.tables.port(leaf, lid);
                if (std::find(used.begin(), used.end(), port) == used.end()) used.push_back(port);
            }
            ports += used.size();
            ++leaves;
        }
    }
    EXPECT_GE(double(ports) / double(leaves), 3.5);
}

TEST(Improve, ChangesNoMoreEntriesThanAsked) {
    for (std::uint64_t const most : {20u, 100u, 400u})
        for (ImproveObjective const objective : {ImproveObjective::collisions, ImproveObjective::max_load}) {
            ImproveRequest request = quick("xgft:m=6x6,w=1x6", "minhop");
            request.network.failures.cables = parse_failures("--fail-cables", "switch:3", true);
            request.changes = most;
            request.objective = objective;
            ImproveReport const report = Improvement(request, {}).report();
            EXPECT_LE(report.entries, most);
            EXPECT_GT(report.entries, 0u);
            if (objective == ImproveObjective::max_load) EXPECT_LT(report.is.largest_load, report.was.largest_load);
            else EXPECT_LT(report.is.collisions, report.was.collisions);
            EXPECT_EQ(report.rollout, Rollout::any_order);  // ways of fewest links in a tree
        }
}

/// Trees with holes and loops are no place for moves.
TEST(Improve, DamagedTablesStandFewChanges) {
    for (ImproveObjective const objective : {ImproveObjective::collisions, ImproveObjective::max_load})
        for (std::uint64_t const most : {1u, 5u, 50u}) {
            ImproveRequest request = of_fixture("ft2-16/minhop", "ft2-16/file-broken/opensm-lfts.dump.xz");
            request.changes = most;
            request.objective = objective;
            ImproveReport const report = Improvement(request, {}).report();
            EXPECT_LT(report.is.undelivered, report.was.undelivered);  // what is broken goes first
            EXPECT_LE(report.entries, most);
        }
}

/// Of the whole fabric, and on one lane: `hosts` and who is left out.
bool is_free(Fabric const& fabric) {
    std::vector<Host> all;
    for (std::size_t h = 0; h < fabric.network.hosts().size(); ++h) all.emplace_back(h);
    return is_free_on_one_lane(Forwarding(fabric), all, all, 1);
}

bool delivers_all(Fabric const& fabric) {
    for (std::size_t s = 0; s < fabric.network.hosts().size(); ++s)
        for (HostRecord const& to : fabric.network.hosts())
            if (trace_from_host(fabric, Host{s}, to.lid).fate != Fate::delivered) return false;
    return true;
}

/// Tables that are free of deadlock but for one wrong entry: one entry is enough, and more do no worse.
TEST(Improve, OneEntryFreesWhatOneHasClosed) {
    for (char const* const spec : {"ring:n=6,hosts=2", "torus:3x4,hosts=1", "jellyfish:switches=8,degree=3,hosts=2"}) {
        Fabric const whole = obtain({.network = quick(spec, "updn").network, .wanted = Wanted::tables}, {});
        ASSERT_TRUE(is_free(whole)) << spec;
        int closed = 0;
        for (std::size_t k = 0; k < 1000 && closed < 3; ++k) {
            Node const node{(7 * k) % whole.network.nodes().size()};
            if (!whole.network.is_switch(node)) continue;
            Fabric broken = whole;
            broken.tables.set(node, whole.network[Host{k % whole.network.hosts().size()}].lid, Port(1 + k % 5));
            if (!delivers_all(broken) || is_free(broken)) continue;
            ++closed;
            DumpedFabric const files(broken);
            for (std::uint64_t const most : {1u, 5u, 1000u}) {
                ImproveRequest request = of_dumps(files);
                request.changes = most;
                ImproveReport const report = Improvement(request, {}).report();
                EXPECT_TRUE(report.is.deadlock_free) << spec << " " << k << " " << most;
                EXPECT_EQ(report.is.undelivered, 0u) << spec << " " << k;
                EXPECT_LE(report.entries, most) << spec << " " << k;
            }
        }
        EXPECT_EQ(closed, 3) << spec;
    }
}

/// Whatever is broken, and however little may change: no more entries than asked, and no pair more is lost.
TEST(Improve, ManyDamagesStandFewChanges) {
    Fabric const whole = Improvement(quick("xgft:m=4x4x2,w=1x3x2", "minhop", 0), {}).fabric();
    std::uint32_t word = 7;
    auto const draw = [&](std::size_t below) {
        word = word * 1664525u + 1013904223u;
        return std::uint32_t((std::uint64_t{word} * below) >> 32);
    };
    std::vector<Node> switches;
    for (std::size_t n = 0; n < whole.network.nodes().size(); ++n)
        if (whole.network.is_switch(Node{n})) switches.push_back(Node{n});
    for (int damage = 0; damage < 12; ++damage) {
        Fabric broken = whole;
        for (int i = 0; i < 1 + damage; ++i) {
            Node const node = switches[draw(switches.size())];
            Lid const lid = broken.network[Host{draw(broken.network.hosts().size())}].lid;
            broken.tables.set(node, lid, draw(3) == 0 ? ForwardingTables::no_entry : Port(1 + draw(4)));
        }
        DumpedFabric const files(broken);
        for (std::uint64_t const most : {1u, 2u, 4u, 30u}) {
            ImproveRequest request = of_dumps(files);
            request.changes = most;
            request.objective = damage % 2 == 0 ? ImproveObjective::collisions : ImproveObjective::max_load;
            ImproveReport const report = Improvement(request, {}).report();
            EXPECT_LE(report.entries, most) << damage;
            EXPECT_LE(report.is.undelivered, report.was.undelivered) << damage;
            bool const is_mended = report.was.undelivered > 0 && report.outcome != ImproveOutcome::refused;
            EXPECT_TRUE(!is_mended || report.is.undelivered < report.was.undelivered) << damage << " " << most;
            EXPECT_TRUE(most < 30 || report.is.undelivered == 0) << damage;
        }
    }
}

/// Hosts that are left out go on sending by their own entries, which make no circle with new ones.
TEST(Improve, LeavesNoDeadlockToHostsThatAreLeftOut) {
    int improved = 0;
    for (unsigned seed = 1; seed <= 30; ++seed) {
        ImproveRequest request = quick(fmt::format("jellyfish:switches=8,degree=3,hosts=2,seed={}", seed),
                                       seed % 2 == 0 ? "updn" : "minhop");
        request.hosts = "H*[02468]";
        Improvement const found(request, {});
        ImproveReport const report = found.report();
        EXPECT_EQ(report.is.free_with_others, is_free(report.after)) << seed;
        EXPECT_EQ(report.was.free_with_others, is_free(report.before)) << seed;
        EXPECT_TRUE(report.is.free_with_others == true || report.was.free_with_others == false) << seed;
        improved += report.outcome == ImproveOutcome::improved;
    }
    EXPECT_GT(improved, 5);
}

/// Definition: what endpoints that are left out make of it is known of a side on one lane alone. A row tells it of both
/// sides where one of them is free without these and not with them; it got worse where both are known and it did.
TEST(Improve, SaysOfEndpointsLeftOutWhatWasJudged) {
    for (unsigned lanes = 1; lanes <= 3; ++lanes)
        for (unsigned seed = 1; seed <= 4; ++seed) {
            ImproveRequest request = quick(fmt::format("jellyfish:switches=8,degree=3,hosts=2,seed={}", seed),
                                           seed % 2 == 0 ? "updn" : "minhop", 2'000);
            request.hosts = "H*[02468]";
            request.lanes = lanes;
            Improvement const found(request, {});
            ImproveReport const report = found.report();
            for (auto const& [side, fabric] :
                 {std::pair(&report.was, &report.before), std::pair(&report.is, &report.after)}) {
                EXPECT_EQ(side->free_with_others.has_value(), side->lanes == 1) << seed << " " << lanes;
                if (side->free_with_others) {
                    EXPECT_EQ(*side->free_with_others, is_free(*fabric)) << seed;
                }
            }
        }
    ImproveRequest request = quick("torus:5x3", "minhop", 1'000);
    request.hosts = "H[1-3]";
    Improvement const found(request, {});
    ImproveReport report = found.report();
    report.outcome = ImproveOutcome::improved;
    report.was.deadlock_free = report.is.deadlock_free = true;
    std::string const name = "deadlock, endpoints left out too", key = "free_with_endpoints_left_out";
    struct Case {
        std::optional<bool> was, is;
        std::vector<std::string> row;
        bool is_worse;
    };
    for (Case const& one :
         {Case{true, true, {}, false}, Case{std::nullopt, true, {}, false},
          Case{std::nullopt, false, {name, "not judged", "possible"}, false},
          Case{false, std::nullopt, {name, "possible", "not judged"}, false},
          Case{false, true, {name, "possible", "free"}, false}, Case{true, false, {name, "free", "possible"}, true}}) {
        report.was.free_with_others = one.was;
        report.is.free_with_others = one.is;
        std::vector<std::string> row;
        report::ImproveWords const words = report::words_of(report);
        for (std::vector<std::string> const& numbers : words.numbers)
            if (numbers[0] == name) row = numbers;
        EXPECT_EQ(row, one.row);
        std::vector<std::string> const worse = report::worse_keys(report);
        EXPECT_EQ(std::ranges::count(worse, key) == 1, one.is_worse);
        EXPECT_EQ(words.worse.find(name + " possible in place of free") != std::string::npos, one.is_worse)
            << words.worse;
    }
}

/// Tables that can stand still are replaced whatever LIDs of a host it is that wait.
TEST(Improve, FindsTablesThatAreFreeForAllLids) {
    int were_not = 0;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        ImproveRequest request = quick(fmt::format("jellyfish:switches=8,degree=3,hosts=1,seed={}", seed), "minhop");
        request.network.lmc = 1;
        Improvement const found(request, {});
        ImproveReport const report = found.report();
        were_not += !report.was.deadlock_free;
        EXPECT_TRUE(report.is.deadlock_free) << seed;
        EXPECT_TRUE(is_free(report.after)) << seed;
        EXPECT_TRUE(report.best_routing || report.was.deadlock_free) << seed;
    }
    EXPECT_GT(were_not, 2);
}

/// A hole in the entries of a second LID alone is mended, too.
TEST(Improve, MendsOtherLidsOfTablesThatAreBestAlready) {
    ImproveRequest request = quick("xgft:m=4x4,w=1x4", "minhop");
    request.network.lmc = 1;
    Fabric broken = Improvement(request, {}).fabric();
    ASSERT_EQ(Improvement(of_dumps(DumpedFabric(broken)), {}).report().outcome, ImproveOutcome::best_already);
    Network const& net = broken.network;
    Node const leaf = net[net.up_link(Host{15})].to;
    broken.tables.set(leaf, net[Host{0}].lid + 1, ForwardingTables::no_entry);
    DumpedFabric const files(broken);
    ImproveReport const report = Improvement(of_dumps(files), {}).report();
    EXPECT_GT(report.was.undelivered, 0u);
    EXPECT_EQ(report.is.undelivered, 0u);
}

TEST(Improve, ChangesNoOtherLidsWhereChangesAreCounted) {
    ImproveRequest request = quick("xgft:m=4x4,w=1x4", "random");
    request.network.lmc = 2;
    request.changes = 20;
    EXPECT_LE(Improvement(request, {}).report().entries, 20u);
}

TEST(Improve, LeavesOthersAlone) {
    ImproveRequest request = quick("xgft:m=6x6,w=1x6", "random");
    request.hosts = "H[12]*";
    Improvement const found(request, {});
    Fabric const &before = found.report().before, &after = found.fabric();
    std::uint64_t changed = 0;
    for (std::size_t n = 0; n < after.network.nodes().size(); ++n)
        for (Lid lid = 1; lid < after.tables.lids(); ++lid) {
            if (before.tables.port(Node{n}, lid) == after.tables.port(Node{n}, lid)) continue;
            ++changed;
            LidOwner const owner = after.network.owner(lid);
            ASSERT_TRUE(owner.host.exists());
            std::string const& name = after.network[owner.node].name;
            EXPECT_TRUE(name[1] == '1' || name[1] == '2') << name;
        }
    EXPECT_GT(changed, 0u);
    EXPECT_EQ(changed, found.report().entries);
}

TEST(Improve, EndsWhenItIsWishedAndCanBeRepeated) {
    std::atomic<bool> const wish = true;
    ImproveRequest request = quick("torus:4x4", "minhop");
    request.stop = &wish;
    Improvement const ended(request, {});
    EXPECT_TRUE(ended.report().search.stopped);
    EXPECT_EQ(ended.report().search.moves, 0u);
    EXPECT_EQ(ended.report().is.undelivered, 0u);
    request.stop = nullptr;
    request.rounds = ended.report().search.rounds;
    request.moves = ended.report().search.moves;
    request.trials = ended.report().trials;
    EXPECT_EQ(entries_of(Improvement(request, {}).fabric()), entries_of(ended.fabric()));
}

TEST(Improve, RefusesWhatHasNoTables) {
    EXPECT_THROW(Improvement(quick("torus:4x4", "ecmp"), {}), InputError);  // routes depend on the source
    EXPECT_THROW(Improvement(quick("bcube:n=2,k=1"), {}), InputError);      // hosts forward
    ImproveRequest nobody = quick("torus:4x4", "minhop");
    nobody.hosts = "nobody*";
    EXPECT_THROW(Improvement(nobody, {}), InputError);
    ImproveRequest large = quick("torus:8x8x8", "minhop");
    MemoryLimit const limit(2'000'000);
    EXPECT_THROW(Improvement(large, {}), InputError);
}

}  // namespace
}  // namespace tailback::improve_test
