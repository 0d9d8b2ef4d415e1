// Tori and meshes found in their cables. Definition: a numbering of the switches by coordinates such that two are
// neighbours exactly when they differ by one step in one coordinate. Held to that definition itself, to the tables of
// the families that know their coordinates, and to a fabric that OpenSM was given.
#include "topologies/families/torus/found_torus.hpp"

#include "host/base/error.hpp"
#include "host/formats/formats.hpp"
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/networks/rebuilt.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <random>
#include <set>

namespace tailback::found_torus_test {
namespace {

Topology plain(Network network) {
    Topology topology;
    topology.network = std::move(network);
    return topology;
}
Topology plain(char const* spec) { return plain(make_topology(spec).network); }

FoundTorus found(Network const& net) { return {ForwardingGraph(net, HostsDo::send), net}; }
std::string refusal(Network const& net, std::string const& routing = "dor") {
    try {
        make_tables(plain(net), routing);
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

/// The definition, from all pairs of switches.
void expect_coordinates(Network const& net, FoundTorus const& torus) {
    ForwardingGraph const graph(net, HostsDo::send);
    std::set<std::pair<std::uint32_t, std::uint32_t>> joined;
    for (Link const cable : cables_of_switches(net))
        joined.emplace(graph.index[net[cable].from.value], graph.index[net[cable].to.value]);
    std::uint32_t all = 1;
    for (std::uint32_t const n : torus.shape.sizes) all *= n;
    ASSERT_EQ(all, graph.size());
    EXPECT_EQ(std::set(torus.number.begin(), torus.number.end()).size(), graph.size());
    for (std::uint32_t v = 0; v < graph.size(); ++v)
        for (std::uint32_t w = v + 1; w < graph.size(); ++w) {
            unsigned differ = 0, steps = 0;
            std::uint32_t a = torus.number[v], b = torus.number[w];
            for (std::size_t d = 0; d < torus.shape.sizes.size(); ++d) {
                std::uint32_t const n = torus.shape.sizes[d], low = std::min(a % n, b % n),
                                    high = std::max(a % n, b % n);
                differ += low != high;
                steps += high - low == 1 || ((torus.shape.open >> d & 1) == 0 && low == 0 && high == n - 1 && n > 1);
                a /= n, b /= n;
            }
            EXPECT_EQ(differ == 1 && steps == 1, joined.contains({v, w}) || joined.contains({w, v})) << v << " " << w;
        }
}

/// Flows between all pairs of cabled hosts on every link, walked step by step.
std::vector<std::vector<std::pair<std::size_t, std::size_t>>> flows(Network const& net,
                                                                    ForwardingTables const& tables) {
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> on(net.links().size());
    for (std::size_t s = 0; s < net.hosts().size(); ++s)
        for (std::size_t t = 0; t < net.hosts().size(); ++t) {
            Link const up = net.up_link(Host{s});
            if (s == t || !up.exists() || !net.up_link(Host{t}).exists()) continue;
            Node at = net[up].to;
            for (unsigned steps = 0; net.is_switch(at) && steps < 100; ++steps) {
                std::size_t l = 0;
                while (l < net.links().size() &&
                       !(net[Link{l}].from == at && net[Link{l}].from_port == tables.port(at, net[Host{t}].lid)))
                    ++l;
                if (l == net.links().size()) break;
                on[l].emplace_back(s, t);
                at = net[Link{l}].to;
            }
            EXPECT_EQ(at, net[Host{t}].node) << s << " to " << t;
        }
    return on;
}
/// How many links between switches carry so many flows.
std::map<std::size_t, std::size_t> loads(Network const& net, ForwardingTables const& tables) {
    std::map<std::size_t, std::size_t> found;
    auto const on = flows(net, tables);
    for (std::size_t l = 0; l < on.size(); ++l)
        if (net.is_switch(net[Link{l}].from) && net.is_switch(net[Link{l}].to)) ++found[on[l].size()];
    return found;
}
/// The largest matching of sources and destinations on one link between switches, by augmenting paths.
std::size_t worst_permutation(Network const& net, ForwardingTables const& tables) {
    std::size_t worst = 0;
    auto const on = flows(net, tables);
    for (std::size_t l = 0; l < on.size(); ++l) {
        if (!net.is_switch(net[Link{l}].from) || !net.is_switch(net[Link{l}].to)) continue;
        std::map<std::size_t, std::vector<std::size_t>> to;
        for (auto const& [s, t] : on[l]) to[s].push_back(t);
        std::map<std::size_t, std::size_t> source_of;
        std::size_t matched = 0;
        for (auto const& [s, unused] : to) {
            std::set<std::size_t> seen;
            std::function<bool(std::size_t)> const grow = [&](std::size_t one) {
                for (std::size_t const t : to[one]) {
                    if (!seen.insert(t).second) continue;
                    if (source_of.contains(t) && !grow(source_of[t])) continue;
                    source_of[t] = one;
                    return true;
                }
                return false;
            };
            matched += grow(s);
        }
        worst = std::max(worst, matched);
    }
    return worst;
}

struct Expected {
    char const* spec;
    std::vector<std::uint32_t> sizes;
    std::uint32_t open;  // bits of dimensions without wrap-around, those of size 2 among them
};

TEST(FoundTorus, HasTheCoordinatesOfWhatWasMade) {
    for (auto const& [spec, sizes, open] : std::vector<Expected>{{"torus:2x3", {2, 3}, 1},
                                                                 {"torus:3x3", {3, 3}, 0},
                                                                 {"torus:4x4", {4, 4}, 0},
                                                                 {"torus:3x4x5", {3, 4, 5}, 0},
                                                                 {"torus:5x5", {5, 5}, 0},
                                                                 {"torus:4x2", {4, 2}, 2},
                                                                 {"torus:2x2x2", {2, 2, 2}, 7},
                                                                 {"torus:4x4x4", {4, 4, 4}, 0},
                                                                 {"mesh:3x4", {3, 4}, 3},
                                                                 {"mesh:4x4x2", {4, 4, 2}, 7},
                                                                 {"mesh:9", {9}, 1},
                                                                 {"ring:7", {7}, 0},
                                                                 {"ring:3", {3}, 0},
                                                                 {"ring:4", {4}, 0},
                                                                 {"ring:2", {2}, 1},
                                                                 {"hypercube:3", {2, 2, 2}, 7}}) {
        Network const net = make_topology(spec).network;
        for (unsigned seed = 0; seed < 3; ++seed) {
            SCOPED_TRACE(std::string(spec) + " " + std::to_string(seed));
            Network const read = seed == 0 ? net : shuffled(net, seed);
            FoundTorus const torus = found(read);
            EXPECT_EQ(torus.shape.sizes, sizes);
            EXPECT_EQ(torus.shape.open, open);
            EXPECT_EQ(torus.cables, std::vector<std::uint32_t>(sizes.size(), 1));
            expect_coordinates(read, torus);
        }
    }
}

/// Ports that say nothing: four in a ring are two dimensions of two.
TEST(FoundTorus, NeedsNoOrderOfPorts) {
    std::mt19937 random(7);
    for (auto const& [spec, sizes, open] : std::vector<Expected>{{"torus:3x4x5", {2, 2, 3, 5}, 2},
                                                                 {"torus:5x6", {5, 6}, 0},
                                                                 {"torus:4x4", {2, 2, 2, 2}, 4},
                                                                 {"mesh:3x4", {3, 4}, 2}}) {
        Network const net = make_topology(spec).network;
        std::map<std::pair<std::size_t, Port>, Port> ports;
        for (std::size_t n = 0; n < net.nodes().size(); ++n) {
            std::vector<Port> order;
            for (Port p = 1; p <= net[Node{n}].ports; ++p) order.push_back(p);
            std::shuffle(order.begin(), order.end(), random);
            for (Port p = 1; p <= net[Node{n}].ports; ++p) ports[{n, p}] = order[p - 1];
        }
        Network const mixed = rebuilt(net, {}, {}, [&](Node n, Port p) { return ports.at({n.value, p}); });
        FoundTorus const torus = found(mixed);
        std::vector<std::uint32_t> sorted = torus.shape.sizes;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_EQ(sorted, sizes) << spec;
        EXPECT_EQ(std::popcount(torus.shape.open), static_cast<int>(open)) << spec;
        expect_coordinates(mixed, torus);
        Fabric const fabric{mixed, make_tables(plain(mixed), "dor:ties=parity"), true};
        RoutedPairs const pairs = walk_all_pairs(fabric, false);
        EXPECT_EQ(pairs.failed + pairs.longer, 0u) << spec << pairs.first_failure;
    }
}

/// In the order in which they are made: entry by entry.
TEST(FoundTorus, GivesTheTablesOfTheFamily) {
    std::size_t compared = 0;
    for (std::string const spec : {"torus:4x4x4,hosts=2", "torus:2x3,hosts=3", "torus:6x5", "mesh:3x4,hosts=2",
                                   "mesh:2x2", "ring:8", "ring:7,hosts=2", "hypercube:4", "torus:4x2"})
        for (std::string const options :
             {"", ":ties=minus", ":ties=parity", ":ties=random", ":order=yx", ":order=zyx"}) {
            Topology const made = make_topology(spec);
            std::size_t const dimensions = found(made.network).shape.sizes.size();
            if (options.starts_with(":order") && options.size() - 7 != dimensions) continue;
            if (options == ":ties=random" && spec.starts_with("hypercube")) continue;
            SCOPED_TRACE(spec + options);
            RoutingSpec const routing("dor" + options, 5);
            ForwardingTables const ours = make_tables(plain(made.network), routing),
                                   theirs = make_tables(made, routing);
            for (std::size_t n = 0; n < made.network.nodes().size(); ++n)
                for (Lid lid = 1; made.network.is_switch(Node{n}) && lid <= made.network.max_lid(); ++lid, ++compared)
                    ASSERT_EQ(ours.port(Node{n}, lid), theirs.port(Node{n}, lid)) << n << " " << lid;
            EXPECT_EQ(claims_of(plain(made.network), routing).deadlock_free, claims_of(made, routing).deadlock_free);
            EXPECT_FALSE(depends_on_source(plain(made.network), routing));
        }
    EXPECT_GT(compared, 50'000u);
}

TEST(FoundTorus, ReadBackHasTheSameLoads) {
    for (std::string const spec : {"torus:4x4x4,hosts=2", "torus:2x3,hosts=2", "torus:5x4", "mesh:3x4"})
        for (std::string const routing : {"dor", "dor:ties=parity"}) {
            SCOPED_TRACE(spec + " " + routing);
            Topology const made = make_topology(spec);
            Network const read = shuffled(made.network, 11);
            ForwardingTables const ours = make_tables(plain(read), routing), theirs = make_tables(made, routing);
            EXPECT_EQ(loads(read, ours), loads(made.network, theirs));
            if (spec != "torus:4x4x4,hosts=2" || routing == "dor") continue;
            EXPECT_EQ(loads(read, ours), (std::map<std::size_t, std::size_t>{{128, 384}}));
            EXPECT_EQ(worst_permutation(read, ours), 8u);
        }
}

/// The fabric of a subnet manager's simulation, whose GUIDs are in no order.
TEST(FoundTorus, IsWhatOpensmWasGiven) {
    Disagreements disagreements;
    Network const net =
        read_fabric(fixture("sharing/torus3d-444.ibnetdiscover.out.xz"), std::nullopt, disagreements).network;
    FoundTorus const torus = found(net);
    EXPECT_EQ(torus.shape.sizes, (std::vector<std::uint32_t>{4, 4, 4}));
    EXPECT_EQ(torus.shape.open, 0u);
    expect_coordinates(net, torus);
    ForwardingTables const tables = make_tables(plain(net), "dor:ties=parity");
    EXPECT_EQ(loads(net, tables), (std::map<std::size_t, std::size_t>{{128, 384}}));
    EXPECT_EQ(worst_permutation(net, tables), 8u);
}

/// Two cables between all neighbours of one dimension or of all, a ring of two among them; hosts of one switch and the
/// next share them out.
TEST(FoundTorus, SharesParallelCables) {
    for (std::string const spec : {"torus:6x3,hosts=2", "torus:2x3,hosts=2", "mesh:3x2,hosts=2"}) {
        SCOPED_TRACE(spec);
        Network const net = make_topology(spec).network;
        std::vector<NewCable> more;
        for (Link const cable : cables_of_switches(net)) more.push_back({net[cable].from, net[cable].to});
        Network const twice = rebuilt(net, {}, more);
        EXPECT_EQ(found(twice).cables, (std::vector<std::uint32_t>{2, 2}));
        expect_coordinates(twice, found(twice));
        std::map<std::size_t, std::size_t> half;
        for (auto const& [flows, links] : loads(net, make_tables(plain(net), "dor:ties=parity")))
            half[flows / 2] += 2 * links;
        EXPECT_EQ(loads(twice, make_tables(plain(twice), "dor:ties=parity")), half);
        std::string const text = refusal(rebuilt(twice, {cables_of_switches(twice)[0]}, {}));
        EXPECT_NE(text.find("by 1 cable, other switches of the same dimension by 2"), std::string::npos) << text;
    }
    Network const net = make_topology("torus:2x3").network;  // a ring of two by two cables
    std::vector<NewCable> more;
    FoundTorus const torus = found(net);
    ForwardingGraph const graph(net, HostsDo::send);
    for (Link const cable : cables_of_switches(net))
        if (torus.number[graph.index[net[cable].from.value]] / 2 == torus.number[graph.index[net[cable].to.value]] / 2)
            more.push_back({net[cable].from, net[cable].to});
    EXPECT_EQ(more.size(), 3u);
    EXPECT_EQ(found(rebuilt(net, {}, more)).cables, (std::vector<std::uint32_t>{2, 1}));
}

/// Rings in one dimension, rows in the other, and no host on some switches.
TEST(FoundTorus, MixesRingsAndRows) {
    Network const net = make_topology("torus:6x5").network;
    FoundTorus const whole = found(net);
    ForwardingGraph const graph(net, HostsDo::send);
    std::set<Link> gone = {net.up_link(Host{3}), net.up_link(Host{17})};
    for (Link const cable : cables_of_switches(net)) {
        std::uint32_t const a = whole.number[graph.index[net[cable].from.value]] / 6,
                            b = whole.number[graph.index[net[cable].to.value]] / 6;
        if (std::min(a, b) == 0 && std::max(a, b) == 4) gone.insert(cable);
    }
    EXPECT_EQ(gone.size(), 8u);
    Network const mixed = rebuilt(net, gone, {});
    FoundTorus const torus = found(mixed);
    EXPECT_EQ(torus.shape.sizes, (std::vector<std::uint32_t>{6, 5}));
    EXPECT_EQ(torus.shape.open, 2u);
    EXPECT_TRUE(torus.shape.wraps);
    expect_coordinates(mixed, torus);
    ForwardingTables const tables = make_tables(plain(mixed), "dor:ties=parity");
    auto const ways = flows(mixed, tables);
    auto const distances = host_distances(mixed, false);
    std::size_t steps = 0, least = 0;
    for (auto const& on : ways) steps += on.size();
    for (std::size_t s = 0; s < net.hosts().size(); ++s)
        for (std::size_t t = 0; t < net.hosts().size(); ++t)
            if (s != t && s != 3 && t != 3 && s != 17 && t != 17) least += distances[s][t] - 1;  // but the host's link
    EXPECT_EQ(steps, least);
}

TEST(FoundTorus, NeedsNoEvenHosts) {
    Network const net = make_topology("torus:3x4,hosts=2").network;
    std::set<Link> gone;
    for (std::size_t h : {0u, 1u, 5u, 9u}) gone.insert(net.up_link(Host{h}));
    Network const uneven = rebuilt(net, gone, {});
    expect_coordinates(uneven, found(uneven));
    loads(uneven, make_tables(plain(uneven), "dor:ties=parity"));  // walks all pairs
}

TEST(FoundTorus, RefusesWhatIsNone) {
    auto const expect = [](Network const& net, std::string const& reason) {
        std::string const text = refusal(net);
        EXPECT_NE(text.find("dor finds no whole torus or mesh in this network ("), std::string::npos) << text;
        EXPECT_NE(text.find(reason), std::string::npos) << text;
    };
    auto const of = [](char const* spec) { return make_topology(spec).network; };
    expect(of("xgft:m=4x4,w=1x3"), "joined to 4 other switches both, in a torus to 2 at most");
    expect(of("star:8"), "would all lead along one dimension");
    expect(of("dragonfly:a=4,p=2,h=2"), "are joined, and they are joined to 2 other switches both, in a torus to 1");
    expect(of("fully-connected:5"), "are joined, and they are joined to 3 other switches both");
    expect(of("crossbar:4"), "fewer than two switches");
    expect(of("torus:4x3,links=one"), "one-way links");
    expect(of("star:40"), "and a torus of 16 dimensions joins none to more than 32");
    Network const torus = of("torus:5x5");
    std::vector<Link> const all = cables_of_switches(torus);
    expect(rebuilt(torus, {all[0]}, {}),
           "is joined to 3 switches, and 23 of 25 switches are to 4: a cable or a switch");
    Node const from = torus[all[0]].from;  // one end moves to a switch further on
    expect(rebuilt(torus, {all[0]}, {{from, Node{from.value + 12}}}),
           "is joined to 5 switches, and 23 of 25 switches are to 4: a cable is one too many");
    std::set<Link> of_one;
    for (Link const cable : all)
        if (torus[cable].from == from || torus[cable].to == from) of_one.insert(cable);
    expect(rebuilt(torus, of_one, {}), "no cables lead from");
    expect(rebuilt(torus, {all[0], all[20]},
                   {{torus[all[0]].from, torus[all[20]].from}, {torus[all[0]].to, torus[all[20]].to}}),
           "around ");
    for (std::string const options : {"dor:ties=random-pair", "dor:lanes=dateline"})
        EXPECT_NE(refusal(torus, options).find("generated tori"), std::string::npos);
    EXPECT_NE(refusal(torus, "dor:order=zyx").find("there are 2"), std::string::npos);
}

/// Some cables moved or cut: what is found holds, all else is refused.
TEST(FoundTorus, FindsOnlyWhatIsThere) {
    std::mt19937 random(3);
    std::size_t refused = 0, kept = 0;
    for (char const* const spec : {"torus:4x4", "torus:3x3", "torus:2x3", "mesh:3x4", "hypercube:3", "ring:5"})
        for (unsigned i = 0; i < 150; ++i) {
            Network const net = make_topology(spec).network;
            std::vector<Link> const all = cables_of_switches(net);
            std::set<Link> gone;
            std::vector<NewCable> more;
            for (unsigned changes = 1 + i % 3; changes > 0; --changes) {
                Link const cut = all[random() % all.size()], beside = all[random() % all.size()];
                gone.insert(cut);
                if (random() % 4 != 0 && net[cut].from != net[beside].to)
                    more.push_back({net[cut].from, net[beside].to});
            }
            Network const changed = rebuilt(net, gone, more);
            try {
                expect_coordinates(changed, found(changed));
                ++kept;
            } catch (InputError const&) {
                ++refused;
            }
        }
    EXPECT_GT(refused, 600u);
    EXPECT_GT(kept, 20u);  // a cable put back, a ring that is cut
}

TEST(FoundTorus, IsAmongTheRoutingsOfItsNetworkAlone) {
    EXPECT_EQ(own_routings(plain("torus:3x3")), std::vector<std::string>{"dor:ties=parity"});
    EXPECT_EQ(own_routings(make_topology("torus:3x3")),
              (std::vector<std::string>{"dor", "romm", "rlb", "dor:ties=parity"}));
    EXPECT_NE(refusal(make_topology("torus:3x3").network, "dmodk").find("has no routing \"dmodk\""), std::string::npos);
    try {
        make_tables(make_topology("xgft:m=2x2,w=1x2"), "dor");  // a family that has others does not look
        ADD_FAILURE();
    } catch (InputError const& error) {
        EXPECT_NE(std::string(error.what()).find("has no routing \"dor\""), std::string::npos);
    }
}

}  // namespace
}  // namespace tailback::found_torus_test
