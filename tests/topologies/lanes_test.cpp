// Virtual lanes that come with a routing: on each lane no packets can wait for each other in a circle, and no fewer
// lanes do.
#include "host/audit/deadlock/deadlock.hpp"
#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "host/formats/lane_files.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/failures.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace tailback::lanes_test {
namespace {

Fabric routed(std::string const& spec, std::string const& routing, std::string const& failures = "") {
    Topology topology = make_topology(spec);
    if (!failures.empty()) {
        Failures failed;
        failed.cables = parse_failures("", failures, true);
        topology.network = degrade(topology.network, failed).network;
    }
    Routes routes = make_routes(topology, {routing, 3});
    Fabric fabric;
    fabric.network = std::move(topology.network);
    fabric.tables = std::move(routes.tables);
    fabric.routed = true;
    fabric.find_lanes = std::move(routes.find_lanes);
    return fabric;
}

DeadlockReport with_lanes(Fabric const& fabric) {
    std::shared_ptr<RoutingLanes const> const lanes = fabric.find_lanes(fabric);
    std::vector<Host> const hosts = all_hosts(fabric.network);
    return find_deadlocks(Forwarding(fabric), {hosts, hosts, lanes->maps ? &*lanes->maps : nullptr, &lanes->levels, 0});
}
bool free_on_one_lane(Fabric const& fabric) {
    std::vector<Host> const hosts = all_hosts(fabric.network);
    return find_deadlocks_on_one_lane(Forwarding(fabric), hosts, hosts).free;
}

TEST(Lanes, DatelinesFreeEveryTorus) {
    for (std::string const spec : {"torus:4x4", "torus:5x4x6", "torus:8x8", "torus:3x7,hosts=2", "torus:2x9x3",
                                   "ring:5,hosts=3", "torus:4x5x4x4"})
        for (std::string const ties : {"plus", "minus", "parity", "random"}) {
            SCOPED_TRACE(spec + " " + ties);
            Fabric const fabric = routed(spec, "dor:lanes=dateline,ties=" + ties);
            ASSERT_TRUE(fabric.find_lanes);
            EXPECT_EQ(free_on_one_lane(fabric),
                      spec == "torus:4x4" && ties == "parity");  // no route goes on after an even coordinate
            DeadlockReport const report = with_lanes(fabric);
            EXPECT_TRUE(report.free);
            EXPECT_EQ(report.lanes, 2u);
            EXPECT_EQ(report.pairs_without_level, 0u);
            EXPECT_EQ(report.turns_without_map, 0u);
        }
    EXPECT_TRUE(with_lanes(routed("torus:5x4x6", "dor:lanes=dateline,order=yzx")).free);
}

TEST(Lanes, DatelinesOnlyWhereThereAreRings) {
    for (std::string const spec : {"torus:3x3x2", "mesh:5x4", "hyperx:4x3"})
        EXPECT_FALSE(routed(spec, "dor:lanes=dateline").find_lanes) << spec;
    EXPECT_FALSE(routed("torus:5x5", "dor").find_lanes);
    EXPECT_THROW(routed("torus:4x4,links=one", "dor:lanes=dateline"), InputError);
    EXPECT_THROW(routed("torus:4x4x4x4x4", "dor:lanes=dateline"), InputError);
    EXPECT_THROW(routed("twisted-torus:8x4", "dor:lanes=dateline"), InputError);
    EXPECT_THROW(routed("midimew:13", "dor:order=yx"), InputError);
}

TEST(Lanes, GlobalLinksPartTheLanesOfDragonflies) {
    for (std::string const spec : {"dragonfly:a=4,p=2,h=2", "dragonfly:a=4,p=2,h=2,arrangement=palmtree",
                                   "dragonfly:a=6,p=1,h=3,groups=5,arrangement=relative"}) {
        SCOPED_TRACE(spec);
        EXPECT_FALSE(routed(spec, "minimal").find_lanes);
        Fabric const fabric = routed(spec, "minimal:lanes=global");
        EXPECT_FALSE(free_on_one_lane(fabric));
        DeadlockReport const report = with_lanes(fabric);
        EXPECT_TRUE(report.free);
        EXPECT_EQ(report.lanes, 2u);
        EXPECT_EQ(report.pairs_without_level, 0u);
        EXPECT_EQ(report.turns_without_map, 0u);
    }
    Fabric const plus = routed("dragonfly+:leaves=3,p=2,h=2", "minimal:lanes=global");
    EXPECT_FALSE(plus.find_lanes);
    EXPECT_TRUE(free_on_one_lane(plus));
}

TEST(Lanes, LayersFreeEveryNetwork) {
    int needed_lanes = 0;
    for (std::string const spec : {"torus:4x4",
                                   "torus:5x4x3,hosts=2",
                                   "torus:8x8",
                                   "ring:9",
                                   "torus:5x5,links=one",
                                   "jellyfish:switches=40,degree=4,hosts=2",
                                   "jellyfish:switches=30,degree=3,seed=9",
                                   "dragonfly:a=4,p=2,h=2",
                                   "dragonfly:a=4,p=2,h=3,groups=5,arrangement=palmtree",
                                   "dragonfly+:leaves=2,p=2,h=2",
                                   "slimfly:q=5,hosts=2",
                                   "polarfly:q=4",
                                   "hyperx:4x4,hosts=2",
                                   "xgft:m=4x4,w=1x4",
                                   "kary-ntree:k=3,n=3",
                                   "midimew:n=60",
                                   "bcube:n=4,k=2",
                                   "dcell:n=3,k=2",
                                   "hcn:n=4,h=1",
                                   "dpillar:n=4,k=3"}) {
        SCOPED_TRACE(spec);
        Fabric const fabric = routed(spec, "dfsssp:lanes=15");
        DeadlockReport const report = with_lanes(fabric);
        EXPECT_TRUE(report.free);
        EXPECT_EQ(report.pairs_without_level, 0u);
        EXPECT_EQ(report.lanes == 1, free_on_one_lane(fabric));
        needed_lanes += report.lanes > 1;
    }
    EXPECT_GE(needed_lanes, 10);
}

TEST(Lanes, LayersGoAroundWhatFailed) {
    Fabric const fabric = routed("torus:6x6,hosts=2", "dfsssp", "switch:9");
    EXPECT_FALSE(free_on_one_lane(fabric));
    EXPECT_TRUE(with_lanes(fabric).free);
}

TEST(Lanes, LayersHaveTheRoutesOfSssp) {
    Fabric const plain = routed("dragonfly:a=4,p=2,h=2", "sssp"), layered = routed("dragonfly:a=4,p=2,h=2", "dfsssp");
    EXPECT_FALSE(plain.find_lanes);
    for (std::size_t n = 0; n < plain.network.nodes().size(); ++n)
        for (Lid lid = 1; lid <= plain.network.max_lid(); ++lid)
            ASSERT_EQ(plain.tables.port(Node{n}, lid), layered.tables.port(Node{n}, lid));
}

TEST(Lanes, TooFewLayersAreCounted) {
    Fabric const fabric = routed("torus:8x8", "dfsssp:lanes=1");
    std::string told;
    try {
        fabric.find_lanes(fabric);
    } catch (InputError const& error) {
        told = error.what();
    }
    std::size_t const at = told.find("dfsssp:lanes=");
    ASSERT_NE(at, std::string::npos) << told;
    Fabric const enough = routed("torus:8x8", told.substr(at, told.find(';', at) - at));
    EXPECT_TRUE(with_lanes(enough).free);
}

TEST(Lanes, FilesSayTheSame) {
    for (std::string const routing : {"dor:lanes=dateline", "dfsssp"}) {
        SCOPED_TRACE(routing);
        Fabric const fabric = routed("torus:5x4x2,hosts=2", routing);
        std::shared_ptr<RoutingLanes const> const lanes = fabric.find_lanes(fabric);
        TemporaryFolder const folder;
        std::ostringstream maps_text, levels_text;
        write_lane_maps(maps_text, fabric.network, lanes->maps ? &*lanes->maps : nullptr);
        write_service_levels(levels_text, fabric.network, lanes->levels);
        folder.write("paths", levels_text.str());
        LineReader lines(open_source(folder / "paths"), "paths");
        Disagreements disagreements(true, 10);
        ServiceLevels const read = read_service_levels(lines, fabric.network, disagreements);
        for (std::size_t s = 0; s < fabric.network.hosts().size(); ++s)
            for (std::size_t d = 0; d < fabric.network.hosts().size(); ++d) {
                Lid const lid = fabric.network[Host{d}].lid;
                if (s != d) {
                    EXPECT_EQ(read.to(lid)[s], lanes->levels.to(lid)[s]);
                }
            }
        // A record for every way through every switch: 7 ports of 40 switches, and from the switch itself.
        std::string const records = maps_text.str();
        EXPECT_EQ(std::count(records.begin(), records.end(), ':'), 40 * (1 + 8 * 7));
    }
}

TEST(Lanes, CommandsUseThem) {
    TemporaryFolder const folder;
    std::string const out = folder / "torus";
    ASSERT_EQ(run_generate({"torus:5x4", "--routing", "dor:lanes=dateline", "--output", out}), success);
    Finished const files = run_tailback({"audit", "--network", out + "/ibnetdiscover.out", "--tables",
                                         out + "/opensm-lfts.dump", "--sl2vl", out + "/opensm-sl2vl.dump", "--path-sl",
                                         out + "/path-sl.txt", "--fail-on", "deadlock,inconsistent"});
    EXPECT_EQ(files.code, 0) << files.out << files.err;
    std::string const verdict = "Deadlock, on 2 virtual lanes: free";
    EXPECT_NE(files.out.find(verdict), std::string::npos) << files.out;
    Finished const spec = run_tailback(
        {"audit", "--network", "torus:5x4", "--routing", "dor:lanes=dateline", "--fail-on", "deadlock,inconsistent"});
    EXPECT_EQ(spec.code, 0) << spec.out << spec.err;
    EXPECT_NE(spec.out.find(verdict), std::string::npos) << spec.out;
    Finished const one = run_tailback({"audit", "--network", "torus:5x4", "--routing", "dor", "--fail-on", "deadlock"});
    EXPECT_EQ(one.code, 1);
    Finished const none =
        run_tailback({"generate", "torus:5x4", "--routing", "dor", "--to", "path-sl", "--output", folder / "none"});
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("there are no virtual lanes to write"), std::string::npos) << none.err;
    Finished const few = run_tailback({"audit", "--network", "torus:8x8", "--routing", "dfsssp:lanes=1"});
    EXPECT_EQ(few.code, 2);
    EXPECT_NE(few.err.find("virtual lanes (there are 1; most hardware has 8, 15 are the most"), std::string::npos)
        << few.err;
}

TEST(DimensionOrder, CorrectsTheNamedDimensionFirst) {
    auto const turns = [](std::string const& spec, std::string const& routing) {  // (0,0,0) to (1,1,1): the out ports
        Fabric const fabric = routed(spec, routing);
        Network const& net = fabric.network;
        Host const to = net.hosts_of(net.node_by_name("H" + std::to_string(1 + 3 + 12 + 1))).front();
        std::vector<Port> ports;
        for (Link const link : trace_from_host(fabric, Host{0}, net[to].lid).links)
            ports.push_back(net[link].from_port);
        return std::vector<Port>(ports.begin() + 1, ports.end() - 1);
    };
    using Ports = std::vector<Port>;  // plus ports 2, 4, 6
    EXPECT_EQ(turns("torus:3x4x5", "dor"), (Ports{2, 4, 6}));
    EXPECT_EQ(turns("torus:3x4x5", "dor:order=zyx"), (Ports{6, 4, 2}));
    EXPECT_EQ(turns("torus:3x4x5", "dor:order=2x3x1"), (Ports{4, 6, 2}));
    EXPECT_EQ(turns("mesh:3x4x5", "dor:order=xzy"), (Ports{2, 6, 4}));
    EXPECT_EQ(turns("hyperx:3x4x5", "dor:order=zxy"),
              (Ports{7, 2, 4}));  // two and three ports in x and y come before z's
    for (std::string const order :
         {"xy", "xyzz", "1x2", "0x1x2", "1x2x4", "1x1x2", "abc", "x2x3", "99999999999999999x1x2", ""})
        EXPECT_THROW(routed("torus:3x4x5", "dor:order=" + order), InputError) << order;
}

}  // namespace
}  // namespace tailback::lanes_test
