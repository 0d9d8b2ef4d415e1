// The routing `ftree`. Definition: the tables of OpenSM 3.3.23's engine of that name, entry by entry, for all LIDs on
// all switches, where it takes a network; where it does not, its reason. Held to what OpenSM wrote. And what any
// routing of trees owes: all pairs that a way up and down joins are delivered, by the shortest such way, without a
// cycle.
#include "host/base/error.hpp"
#include "host/formats/formats.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/failures.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace tailback::ftree_test {
namespace {

Fabric read(std::filesystem::path const& network, std::optional<std::filesystem::path> const& tables) {
    Disagreements disagreements;
    return read_fabric(network.string(), tables ? std::optional(tables->string()) : std::nullopt, disagreements);
}

Topology plain(Network network) {
    Topology topology;
    topology.network = std::move(network);
    return topology;
}

/// Entries that the tables have in common, and the first that differs; fails when there is one.
std::size_t expect_the_same(Network const& net, ForwardingTables const& ours, ForwardingTables const& theirs) {
    std::size_t same = 0;
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        if (!net.is_switch(Node{n})) continue;
        for (Lid lid = 1; lid <= net.max_lid(); ++lid) {
            if (ours.port(Node{n}, lid) != theirs.port(Node{n}, lid)) {
                ADD_FAILURE() << net.describe(Node{n}) << ", LID " << lid << ": " << ours.port(Node{n}, lid)
                              << " instead of " << theirs.port(Node{n}, lid);
                return same;
            }
            same += ours.port(Node{n}, lid) != ForwardingTables::no_entry;
        }
    }
    return same;
}

std::size_t expect_opensms(std::filesystem::path const& network, std::filesystem::path const& tables,
                           std::string const& routing) {
    SCOPED_TRACE(tables.string() + " " + routing);
    Fabric const fabric = read(network, tables);
    return expect_the_same(fabric.network, make_tables(plain(fabric.network), routing), fabric.tables);
}

/// The reason of a refusal; empty where there is none.
std::string refusal(Topology const& topology, std::string const& routing) {
    try {
        make_tables(topology, routing);
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

TEST(Ftree, HasTheEntriesOfOpensm) {
    std::filesystem::path const tree16 = fixtures() / "opensm/ft2-16", others = fixtures() / "opensm/ftree";
    auto const of = [&](char const* folder, std::string const& routing) {
        return expect_opensms(others / folder / "ibnetdiscover.out.xz", others / folder / "opensm-lfts.dump.xz",
                              routing);
    };
    std::string const roots = "roots=file:";
    EXPECT_EQ(expect_opensms(tree16 / "minhop/ibnetdiscover.out.xz", tree16 / "ftree/opensm-lfts.dump.xz", "ftree"),
              130u);
    EXPECT_EQ(of("hosts-missing", "ftree"), 3114u);  // leaves of five hosts, and one of one
    EXPECT_EQ(of("damaged", "ftree:" + roots + (others / "damaged/roots.txt").string()), 433u);  // parallel cables
    EXPECT_EQ(of("aggregation", "ftree:compute=hosts," + roots + (others / "aggregation/roots.txt").string()), 163u);
}

TEST(FtreeDataShared, HasTheEntriesOfOpensm) {
    if (!shared_data_is_there()) GTEST_SKIP() << "no ../shared/data";
    for (auto const& [name, entries] :
         std::map<std::string, std::size_t>{{"ft2-16", 130}, {"ft3-324", 19296}, {"ft3-648", 63954}}) {
        std::filesystem::path const folder = shared_data() / "opensm" / name,
                                    network = folder / "minhop/ibnetdiscover.out.xz";
        EXPECT_EQ(expect_opensms(network, folder / "ftree/opensm-lfts.dump.xz", "ftree"), entries);
        std::filesystem::path const list =
            folder / (std::filesystem::exists(folder / "roots.txt") ? "roots.txt" : "roots.txt.xz");
        EXPECT_EQ(
            expect_opensms(network, folder / "ftree-roots/opensm-lfts.dump.xz", "ftree:roots=file:" + list.string()),
            entries);
    }
}

/// OpenSM's own reasons are in result.json beside the fabrics.
TEST(FtreeDataShared, RefusesWhatOpensmRefuses) {
    if (!shared_data_is_there()) GTEST_SKIP() << "no ../shared/data";
    auto const of = [&](std::string const& folder, std::string const& options = "") {
        return refusal(plain(read(shared_data() / folder / "minhop/ibnetdiscover.out.xz", std::nullopt).network),
                       "ftree" + options);
    };
    auto const expect = [](std::string const& text, char const* reason) {
        EXPECT_NE(text.find(reason), std::string::npos) << text;
    };
    std::string const roots = ":roots=file:" + (shared_data() / "public").string();
    expect(of("opensm/torus3d-444"), "(every switch has hosts, so there are no levels)");
    expect(of("public/real-selene-compute"), "(every switch has hosts or aggregation nodes); give the roots and");
    expect(of("public/real-selene-compute", roots + "/real-selene-compute/roots.txt.xz"),
           "0 below the roots, and the leaves are 2 below them); give the roots and compute=hosts");
    expect(of("public/real-topograph-ndr582", roots + "/real-topograph-ndr582/roots.txt"),
           "0 below the roots, and the leaves are 1 below them)");
    expect(of("public/real-loginoff-fdr144"), "1 below the roots, and the leaves are 2 below them)");
    expect(
        of("public/real-selene-storage"),
        "(0xb8599f0300fcc20c) has 16 switches below it, switch \"MF0;SSPINE1-13:MQM8700/U1\" (0x1c34da0300728a06) has "
        "15)");
}

TEST(Ftree, RefusesWhatIsNoTreeToIt) {
    for (auto const& [spec, reason] : std::vector<std::pair<std::string, std::string>>{
             {"torus:4x4", "every switch has hosts"},
             {"dragonfly:a=4,p=2,h=2", "every switch has hosts"},
             {"dragonfly+:leaves=2,p=2,h=2", "a cable joins"},
             {"crossbar:24", "it has fewer than two switches or two hosts"},
             {"kary-ntree:k=2,n=9", "it has 9 levels of switches, OpenSM's ftree takes 2 to 8"},
             {"xgft:m=3x4,w=2x2", "its hosts have several cables"},
             {"bcube:n=4,k=1", "its hosts have several cables"},
             {"xgft:m=4x4,w=1x4,hosts=3", "all compute nodes are on one switch"},
             {"torus:4x3,links=one", "it has one-way links"}}) {
        std::string const told = refusal(make_topology(spec), "ftree");
        EXPECT_NE(told.find("ftree cannot route this network ("), std::string::npos) << spec << ": " << told;
        EXPECT_NE(told.find(reason), std::string::npos) << spec << ": " << told;
    }
    std::string const lmc = refusal(
        plain(read(fixtures() / "opensm/ft2-16/dfsssp-lmc2/ibnetdiscover.out.xz", std::nullopt).network), "ftree");
    EXPECT_NE(lmc.find("one LID a port, and its LMC is 2"), std::string::npos) << lmc;
    Topology const tree = make_topology("xgft:m=4x4,w=1x4");
    std::string const low = refusal(tree, "ftree:roots=S1_1");
    EXPECT_NE(low.find("0 below the roots"), std::string::npos) << low;
    EXPECT_NE(refusal(tree, "ftree:roots=S3_0").find("is not a switch of the network"), std::string::npos);
    EXPECT_EQ(refusal(tree, "ftree"), "");
}

Topology damaged(std::string const& spec, std::string const& cables, std::uint64_t seed) {
    Topology topology = make_topology(spec);
    Failures failures;
    failures.cables = parse_failures("", cables, true);
    failures.seed = seed;
    topology.network = degrade(topology.network, failures).network;
    return topology;
}

/// An uneven tree wants roots, which the refusal says; with them ftree delivers what up*/down* from the same delivers,
/// by ways as short, and no packets wait for each other in a circle.
TEST(Ftree, TakesDamagedTreesWithRoots) {
    std::size_t refused = 0, cut = 0;
    for (auto const& [spec, roots] : std::vector<std::pair<std::string, std::string>>{
             {"xgft:m=4x4,w=1x4", "S2_0+S2_1+S2_2+S2_3"}, {"xgft:3;2,2,3;1,2,2;1,2,3", "S3_0+S3_1+S3_2+S3_3"}})
        for (std::string const cables : {"1", "4", "25%"})
            for (std::uint64_t seed = 1; seed <= 5; ++seed) {
                SCOPED_TRACE(spec + " without " + cables + ", seed " + std::to_string(seed));
                Topology const topology = damaged(spec, cables, seed);
                std::string const told = refusal(topology, "ftree");
                refused += told.find("switches of a level differ") != std::string::npos &&
                           told.find("ftree:roots=" + roots + " or") != std::string::npos;
                auto const walk = [&](std::string const& routing) {
                    return walk_all_pairs({topology.network, make_tables(topology, routing + ":roots=" + roots), true},
                                          false);
                };
                RoutedPairs const ours = walk("ftree"), wanted = walk("updn");
                EXPECT_EQ(ours.delivered, wanted.delivered);
                EXPECT_EQ(ours.by_links, wanted.by_links);
                EXPECT_FALSE(ours.cyclic);
                cut += wanted.failed > 0;
            }
    EXPECT_GT(refused, 10u);
    EXPECT_GT(cut, 0u);
}

/// Whole trees whose switches have a multiple of their parents as children (docs/design/0008).
TEST(Ftree, TakesTheWaysOfDmodk) {
    for (char const* const spec : {"kary-ntree:k=4,n=2", "kary-ntree:k=2,n=4", "mport-ntree:m=6,n=2",
                                   "xgft:m=6x4x3,w=1x3x2", "xgft:m=4x4,w=1x4,hosts=13"}) {
        Topology const topology = make_topology(spec);
        Fabric const ours{topology.network, make_tables(topology, "ftree"), true},
            theirs{topology.network, make_tables(topology, "dmodk"), true};
        for (std::size_t s = 0; s < topology.network.hosts().size(); ++s)
            for (std::size_t d = 0; d < topology.network.hosts().size(); ++d) {
                if (s == d) continue;
                Lid const lid = topology.network[Host{d}].lid;
                ASSERT_EQ(trace_from_host(ours, Host{s}, lid).links, trace_from_host(theirs, Host{s}, lid).links)
                    << spec << ": " << s << " to " << d;
            }
    }
}

/// Roots are told: those that were given, or its own.
TEST(Ftree, TellsItsRoots) {
    Topology const tree = make_topology("xgft:m=4x4,w=1x4");
    Routes const own = make_routes(tree, "ftree"), given = make_routes(tree, "ftree:roots=S2_0+S2_1+S2_2+S2_3");
    EXPECT_EQ(own.roots.from, RootsFrom::farthest);
    EXPECT_EQ(given.roots.from, RootsFrom::parameter);
    EXPECT_EQ(own.roots.nodes, given.roots.nodes);
    EXPECT_EQ(own.roots.nodes.size(), 4u);
    EXPECT_TRUE(RoutingSpec("ftree").wants_roots());
    Routes const listed = make_routes(tree, {"ftree", 1, given.roots.nodes});
    EXPECT_EQ(listed.roots.from, RootsFrom::list);
    expect_the_same(tree.network, listed.tables, own.tables);
}

}  // namespace
}  // namespace tailback::ftree_test
