// Of every family some small networks: ports sound, and each routing keeps what it claims: every pair delivered,
// shortest where it says so, no cycle of waiting links where it says so.
#include "host/base/error.hpp"
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/some_traffic.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tailback::every_family_test {
namespace {

/// Networks small enough to walk all pairs.
std::vector<std::string> const small_networks = {
    "xgft:m=4x3,w=1x2",
    "xgft:3;2,3,4;1,5,2",
    "xgft:2;4,3;1,2;1,3",  // parallel cables
    "xgft:3;2,2,3;1,2,2;1,2,3",
    "xgft:m=3x4,w=2x2",  // two planes
    "xgft:m=4x4,w=1x4,hosts=13",
    "kary-ntree:k=3,n=3",
    "mport-ntree:m=6,n=2",
    "thintree:k=4,k'=3,n=3",
    "thintree:3,1,3",
    "clos:radix=8,taper=3",
    "clos:radix=9,levels=3,taper=2x1,top=2",
    "rail:gpus=4,nodes=3,groups=3",
    "rail:gpus=2,nodes=4,groups=2,spines=3",
    "torus:4x4",
    "torus:5x3x2,hosts=2",
    "torus:3x3x3",
    "torus:1x6",
    "torus:4x3,links=one",
    "mesh:4x3x2,hosts=2",
    "mesh:1",
    "ring:7,hosts=2",
    "ring:n=2",
    "ring:n=6,links=one",
    "hypercube:n=5",
    "hyperx:4x3,hosts=3",
    "hyperx:3x3x2,cables=2",
    "fully-connected:n=6,hosts=4",
    "fully-connected:n=1,hosts=4",
    "twisted-torus:8x4",
    "twisted-torus:4x4,twist=2,hosts=2",
    "twisted-torus:7x3,twist=5",
    "twisted-torus:6x3x3",
    "twisted-torus:5x3x4,twist=0x2",
    "midimew:5",
    "midimew:13,hosts=2",
    "midimew:n=60",
    "triangular-torus:4x4",
    "triangular-torus:3x7",
    "triangular-torus:6x5,hosts=2",
    "dragonfly:a=4,p=2,h=2",
    "dragonfly:a=4,p=2,h=2,arrangement=relative",
    "dragonfly:a=4,p=2,h=2,arrangement=palmtree",
    "dragonfly:a=4,p=2,h=2,arrangement=circulant",
    "dragonfly:a=4,p=2,h=2,arrangement=helix",
    "dragonfly:a=4,p=2,h=2,arrangement=nautilus",
    "dragonfly:a=3,p=1,h=3,arrangement=circulant",
    "dragonfly:a=3,p=1,h=3,arrangement=helix",
    "dragonfly:a=3,p=1,h=3,arrangement=nautilus",
    "dragonfly:a=5,p=1,h=1,arrangement=helix",
    "dragonfly:a=4,p=2,h=3,groups=5",
    "dragonfly:a=4,p=2,h=3,groups=4,arrangement=palmtree",
    "dragonfly:a=3,p=2,h=3,groups=2,arrangement=circulant",
    "dragonfly:a=1,p=2,h=4",
    "dragonfly+:leaves=2,p=2,h=2",
    "dragonfly+:leaves=3,p=1,h=1,spines=4,arrangement=palmtree",
    "dragonfly+:leaves=2,p=3,h=4,groups=5",
    "slimfly:q=3",
    "slimfly:q=4,hosts=1",
    "slimfly:q=5,hosts=2",
    "polarfly:q=2",
    "polarfly:q=3",
    "polarfly:q=4",
    "polarfly:q=5",
    "jellyfish:switches=20,degree=4,hosts=2",
    "jellyfish:switches=15,degree=3,hosts=2",
    "jellyfish:switches=8,degree=7",
    "jellyfish:switches=40,degree=3,seed=9",
    "star:n=8,hosts=4",
    "crossbar:24",
    "bcube:n=4,k=1",
    "bcube:n=4,k=2",
    "bcube:n=3,k=3",
    "dcell:n=4,k=0",
    "dcell:n=4,k=1",
    "dcell:n=2,k=2",
    "dcell:n=3,k=2",
    "ficonn:n=4,k=1",
    "ficonn:n=4,k=2",
    "ficonn:n=6,k=1",
    "ficonn:n=2,k=1",
    "hcn:n=4,h=0",
    "hcn:n=4,h=1",
    "hcn:n=3,h=3",
    "bcn:alpha=2,beta=2,h=1",
    "bcn:alpha=3,beta=1,h=1",
    "bcn:alpha=2,beta=1,h=2",
    "bcn:alpha=2,beta=3,h=0",
    "dpillar:n=4,k=2",
    "dpillar:n=4,k=3",
    "dpillar:n=6,k=3",
    "dpillar:n=2,k=4",
    "dcell:n=3,k=1,rule=beta",
    "dcell:n=2,k=2,rule=beta",
    "ficonn:n=4,k=2,rule=beta",
    "swcube:n=2,k=1",
    "swcube:n=3,k=2",
    "swcube:n=4,k=1",
    "swcube:n=2,k=3",
    "knkstar:n=2,k=1",
    "knkstar:n=3,k=2",
    "knkstar:n=2,k=3",
    "nesttree:torus=2x2x2,uplinks=2,m=4x2,w=1x2",
    "nesttree:torus=3x2,uplinks=3,m=3x3,w=1x2,hosts=2",
    "nesttree:torus=4,uplinks=1,m=3,w=1",
    "nestghc:torus=2x2,uplinks=4,sizes=3x2,each=2",
    "nestghc:torus=5,uplinks=2,sizes=2x2x2,each=1",
};

/// What ftree takes: at least two levels of switches, hosts with one cable, switches of a level alike.
bool is_even_tree(std::string const& spec) {
    static std::set<std::string> const even = {"xgft:m=4x3,w=1x2",
                                               "xgft:3;2,3,4;1,5,2",
                                               "xgft:2;4,3;1,2;1,3",
                                               "xgft:3;2,2,3;1,2,2;1,2,3",
                                               "xgft:m=4x4,w=1x4,hosts=13",
                                               "kary-ntree:k=3,n=3",
                                               "mport-ntree:m=6,n=2",
                                               "thintree:k=4,k'=3,n=3",
                                               "thintree:3,1,3",
                                               "clos:radix=8,taper=3",
                                               "clos:radix=9,levels=3,taper=2x1,top=2",
                                               "rail:gpus=4,nodes=3,groups=3",
                                               "rail:gpus=2,nodes=4,groups=2,spines=3",
                                               "star:n=8,hosts=4"};
    return even.contains(spec);
}

class EveryFamily : public testing::TestWithParam<std::string> {};

TEST_P(EveryFamily, PortsAreSound) { expect_sound_ports(make_topology(GetParam()).network); }

TEST_P(EveryFamily, RoutingsKeepWhatTheyClaim) {
    Topology topology = make_topology(GetParam());
    std::vector<std::string> names;
    for (RoutingAlgorithm const& routing : all_routings())
        if (routing.for_any_graph()) names.push_back(routing.name);
    names.insert(names.end(), {"greedy-sum:per=destination", "greedy-max:per=destination"});
    for (OwnRouting const& own : topology.routings) {
        names.push_back(own.name);
        if (own.name == "minimal") names.insert(names.end(), {"valiant:via=group", "valiant:via=other-group"});
        if (own.name == "dor")
            names.insert(names.end(), {"dor:ties=minus", "dor:ties=parity", "dor:ties=random", "dor:ties=random-pair"});
        for (char const* const by_digit : {"smodk", "dmodk", "round-robin-up"})
            if (own.name == by_digit) names.push_back(own.name + ":digit=children");
        if (own.name == "dor" && (GetParam().starts_with("torus:5x3x2") || GetParam().starts_with("torus:3x3x3") ||
                                  GetParam().starts_with("mesh:4x3x2") || GetParam().starts_with("hyperx:3x3x2")))
            names.push_back("dor:order=yzx");
    }
    EXPECT_TRUE(std::find(names.begin(), names.end(), topology.usual_routing) != names.end()) << topology.usual_routing;
    Fabric fabric;
    fabric.network = topology.network;
    std::size_t const hosts = fabric.network.hosts().size();
    for (std::string const& name : names) {
        SCOPED_TRACE(name);
        if (name == "updn" && facts_of(fabric.network).one_way_links > 0) {
            EXPECT_THROW(make_tables(topology, {name, 7}), InputError);
            continue;
        }
        if (name == "ftree" && !is_even_tree(GetParam())) {
            EXPECT_THROW(make_tables(topology, {name, 7}), InputError);
            continue;
        }
        Routes routes = make_routes(topology, with_some_traffic({name, 7}, topology.network));
        fabric.tables = std::move(routes.tables);
        fabric.routing = std::move(routes.routing);
        EXPECT_EQ(fabric.routing->depends_on_source(), depends_on_source(topology, {name, 7}));  // known beforehand
        RoutingClaims const claims = claims_of(topology, name);
        RoutedPairs const pairs = walk_all_pairs(fabric, topology.hosts_do == HostsDo::forward);
        EXPECT_EQ(pairs.failed, 0u) << pairs.first_failure;
        EXPECT_EQ(pairs.delivered, hosts * (hosts - 1));
        if (claims.minimal) {
            EXPECT_EQ(pairs.longer, 0u);
        }
        if (claims.deadlock_free) {
            EXPECT_FALSE(pairs.cyclic);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Small, EveryFamily, testing::ValuesIn(small_networks), [](auto const& tested) {
    std::string name;
    for (char const c : tested.param) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
});

TEST(EveryFamily, EachHasASmallNetworkAndAnExampleThatCanBeMade) {
    for (Family const& family : all_families()) {
        EXPECT_EQ(name_of_spec(family.example), family.name);
        EXPECT_TRUE(is_topology_spec(family.example));
        bool met = false;
        bool const needs_file = std::any_of(family.parameters.begin(), family.parameters.end(),
                                            [](Parameter const& one) { return one.kind == ParameterKind::file; });
        if (needs_file) continue;  // it has a test of its own
        for (std::string const& spec : small_networks) met = met || name_of_spec(spec) == family.name;
        EXPECT_TRUE(met) << family.name;
        EXPECT_FALSE(make_topology(family.example).network.hosts().empty()) << family.example;
    }
}

TEST(EveryFamily, SeedsDecideAndNothingElse) {
    Topology const topology = make_topology("hyperx:4x4,hosts=2");
    auto const entries = [&](std::string const& routing, std::uint64_t seed) {
        ForwardingTables const tables = make_tables(topology, {routing, seed});
        std::vector<Port> all;
        for (std::size_t n = 0; n < topology.network.nodes().size(); ++n)
            for (Lid lid = 1; lid <= topology.network.max_lid(); ++lid) all.push_back(tables.port(Node{n}, lid));
        return all;
    };
    EXPECT_EQ(entries("random", 5), entries("random", 5));
    EXPECT_NE(entries("random", 5), entries("random", 6));
    EXPECT_EQ(entries("minhop", 5), entries("minhop", 6));
}

}  // namespace
}  // namespace tailback::every_family_test
