// What a perfect hash comes to on average (docs/roce.md): balls in bins by the published figures and by enumeration,
// the bandwidth of flows against an enumeration of all draws, and means over many seeds.
#include "host/evaluation/adaptive/hash_law.hpp"
#include "host/api/study.hpp"
#include "host/evaluation/adaptive/bracket.hpp"
#include "host/evaluation/adaptive/one_path.hpp"
#include "host/model/capacities.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"
#include "topologies/routings/hashed_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace tailback::hash_law_test {
namespace {

struct Choices {
    explicit Choices(std::string const& spec, ChosenBy by = ChosenBy::switches) {
        Topology const topology = make_topology(spec);
        Routes routes = make_routes(topology, {"ar:minimal", 1});
        fabric = Fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing), nullptr, {}};
        fabric.candidates = std::move(routes.candidates);
        if (by == ChosenBy::hash) fabric.candidates = as_equal_cost(fabric);
        for (std::size_t h = 0; h < fabric.network.hosts().size(); ++h) hosts.emplace_back(h);
        forwarding.emplace(fabric);
        graph.emplace(*forwarding, ChoicesOf::sets, hosts);
    }
    static std::shared_ptr<CandidateSets const> as_equal_cost(Fabric const& fabric) {
        CandidateSets const& from = *fabric.candidates;
        auto sets =
            std::make_shared<CandidateSets>(fabric.network.nodes().size(), from.lids(), "equal", ChosenBy::hash);
        for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n) {
            if (!from.has_row(Node{n})) continue;
            sets->add_row(Node{n});
            for (Lid lid = 1; lid < from.lids(); ++lid)
                if (CandidateSets::Group const group = from.group(Node{n}, lid); group != CandidateSets::no_group)
                    sets->set(Node{n}, lid, LidState::hashed, sets->group_of(Node{n}, from.ports(Node{n}, group)));
        }
        return sets;
    }
    Fabric fabric;
    std::vector<Host> hosts;
    std::optional<Forwarding> forwarding;
    std::optional<ChoiceGraph> graph;
    LinkCosts costs;
};

/// All ways of a flow, by following every port of every set, with their probabilities.
void ways_of(Fabric const& fabric, Link at, Host to, double probability, std::vector<Link> links,
             std::vector<std::pair<double, std::vector<Link>>>& ways) {
    links.push_back(at);
    Node const node = fabric.network[at].to;
    if (node == fabric.network[to].node) return ways.emplace_back(probability, links), void();
    std::vector<Port> ports;
    usable_ports(fabric.network, fabric.tables, fabric.candidates.get(), node, fabric.network[to].lid, ports);
    for (Port const port : ports)
        ways_of(fabric, fabric.network.link_at(node, port), to, probability / double(ports.size()), links, ways);
}

/// Flows of one connection (source, destination, number) take one way together; connections draw each on its own.
double enumerated(Choices const& net, std::vector<HostFlow> const& all) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, double> connections;
    for (HostFlow const& flow : all) ++connections[{flow.source.value, flow.destination.value, flow.connection}];
    std::vector<std::vector<std::pair<double, std::vector<Link>>>> ways;
    std::vector<double> flows;
    for (auto const& [ends, count] : connections) {
        flows.push_back(count);
        Link const up = net.fabric.network.up_link(Host{std::get<0>(ends)});
        ways_of(net.fabric, up, Host{std::get<1>(ends)}, 1, {}, ways.emplace_back());
    }
    double sum = 0;
    std::vector<std::size_t> pick(flows.size());
    for (bool more = true; more;) {
        std::map<std::uint32_t, double> load;
        double probability = 1, rates = 0;
        for (std::size_t f = 0; f < flows.size(); ++f) {
            probability *= ways[f][pick[f]].first;
            for (Link const link : ways[f][pick[f]].second) load[link.value] += flows[f];
        }
        for (std::size_t f = 0; f < flows.size(); ++f) {
            double most = 0;
            for (Link const link : ways[f][pick[f]].second) most = std::max(most, load[link.value]);
            rates += flows[f] / most;
        }
        sum += probability * rates;
        more = false;
        for (std::size_t f = 0; f < flows.size() && !more; ++f) {
            if (++pick[f] < ways[f].size()) more = true;
            else pick[f] = 0;
        }
    }
    return sum;
}

TEST(HashLaw, BallsInBinsHaveTheirPublishedMeans) {
    EXPECT_NEAR(balls_in_bins(8, 8).mean_largest, 2.59723, 5e-6);
    EXPECT_NEAR(balls_in_bins(8, 8).mean_rate, 0.65639, 5e-6);
    EXPECT_NEAR(balls_in_bins(16, 16).mean_largest, 3.07825, 5e-6);
    EXPECT_EQ(balls_in_bins(5, 1).mean_largest, 5);
    for (std::uint32_t balls = 1; balls <= 6; ++balls)
        for (std::uint32_t bins = 1; bins <= 4; ++bins) {
            std::uint64_t all = 1;
            for (std::uint32_t b = 0; b < balls; ++b) all *= bins;
            double largest = 0;
            for (std::uint64_t word = 0; word < all; ++word) {
                std::vector<std::uint32_t> in(bins);
                for (std::uint64_t rest = word, b = 0; b < balls; ++b, rest /= bins) ++in[rest % bins];
                largest += *std::max_element(in.begin(), in.end());
            }
            EXPECT_NEAR(balls_in_bins(balls, bins).mean_largest, largest / double(all), 1e-9);
        }
}

TEST(HashLaw, BandwidthIsTheMeanOverAllDraws) {
    Dice dice;
    for (std::string const spec :
         {"xgft:2;3,3;1,3", "xgft:2;4,2;1,2", "xgft:2;2,4;1,3", "fully-connected:4,hosts=2", "ring:4,hosts=2"})
        for (int round = 0; round < 6; ++round) {
            Choices const net(spec);
            std::vector<HostFlow> flows;
            auto const hosts = static_cast<std::uint32_t>(net.hosts.size());
            while (flows.size() < 6) {
                Host const from{dice(hosts)}, to{dice(hosts)};
                if (!(from == to)) flows.push_back({from, to, 1, round < 3 ? 0 : dice(2)});
                // Again, as another connection of the two hosts, or as a second flow of this one.
                if (!flows.empty() && flows.size() < 6 && round > 1 && dice(2) == 0) {
                    flows.push_back(flows.back());
                    if (dice(2) == 0) ++flows.back().connection;
                }
            }
            std::optional<double> const law = expected_bandwidth(*net.graph, net.costs, flows);
            ASSERT_TRUE(law.has_value()) << spec;
            EXPECT_NEAR(*law, enumerated(net, flows), 1e-9) << spec;
        }
}

/// Every pair of ranks is a connection with a port of its own, also where several ranks sit on a host: what is drawn
/// comes to the law. The 16 flows of a leaf's 4 hosts meet 4 links up; a flow's congestion is 4 at least, as 4 leave
/// its host.
TEST(HashLaw, RanksOfAHostDrawEachForItself) {
    api::StudyRequest request;
    request.network = api::NetworkChoice("xgft:m=4x4,w=1x4");
    request.network.routing = RoutingSpec("ar:minimal");
    request.study.traffic.pattern = "16shift";
    request.placement.ranks_per_node = 4;
    request.study.sample.mappings = 1;
    request.study.measures.metrics = {Metric::hist_acc_band};
    for (std::string const kernel : {"", "linux", "linux,policy=l3"}) {
        SCOPED_TRACE(kernel);
        api::PreparedStudy const study(request);
        BracketOptions options{.optimal_mappings = 1, .hash_draws = 4000};
        options.hash.linux_kernel = !kernel.empty();
        if (kernel == "linux,policy=l3") options.hash.policy = LinuxHashPolicy::layer3;
        Bracket const bracket = evaluate_bracket(study.plan(), options, {.device = DeviceChoice::cpu, .threads = 2});
        ASSERT_TRUE(bracket.expected_bandwidth.has_value());
        // Addresses alone: the 4 flows of a pair of hosts go together, as 1 of weight 4.
        // Addresses alone: the 4 flows of each pair of hosts go together, 4 balls in 4 bins.
        double const law = kernel == "linux,policy=l3" ? balls_in_bins(4, 4).mean_rate / 4 : 0.2078;
        EXPECT_NEAR(*bracket.expected_bandwidth, law, 5e-5);
        EXPECT_NEAR(bracket.of(Division::hashed).mean(Metric::hist_acc_band), *bracket.expected_bandwidth, 0.001);
    }
}

TEST(HashLaw, TwoChoicesOnAWayHaveNoLawHere) {
    Choices const net("kary-ntree:k=2,n=3");
    std::vector<HostFlow> const far = {{Host{0u}, Host{7u}, 1}}, near = {{Host{0u}, Host{2u}, 1}},
                                heavy = {{Host{0u}, Host{2u}, 3}};
    EXPECT_FALSE(expected_bandwidth(*net.graph, net.costs, far).has_value());
    EXPECT_TRUE(expected_bandwidth(*net.graph, net.costs, near).has_value());
    EXPECT_FALSE(expected_bandwidth(*net.graph, net.costs, heavy).has_value());
}

TEST(HashLaw, MeansOverSeedsComeToIt) {
    Choices const net("xgft:2;6,4;1,6");
    std::vector<HostFlow> flows;
    for (std::uint32_t h = 0; h < 24; ++h) flows.push_back({Host{h}, Host{(h * 7 + 6) % 24}, 1});
    std::erase_if(flows, [](HostFlow const& flow) { return flow.source == flow.destination; });
    double const law = *expected_bandwidth(*net.graph, net.costs, flows);
    for (bool const kernel : {false, true}) {
        double sum = 0;
        constexpr int draws = 4000;
        OnePath hashed(*net.graph, net.costs, FlowHash(FlowHashOptions{}));
        for (int seed = 0; seed < draws; ++seed) {
            hashed.set_hash(FlowHash({.seed = std::uint64_t(seed), .linux_kernel = kernel}));
            for (std::uint64_t const congestion : hashed.carry(flows).congestion) sum += 1.0 / double(congestion);
        }
        EXPECT_NEAR(sum / draws, law, 0.15);  // of 24; five standard errors
    }
}

TEST(HashLaw, QueuePairsDivideAFlow) {
    Choices const net("xgft:2;8,2;1,8");
    std::vector<HostFlow> flows;
    for (std::uint32_t h = 0; h < 8; ++h) flows.push_back({Host{h}, Host{h + 8}, 1});
    double before = 0;
    for (std::uint32_t const pairs : {1u, 4u, 64u}) {
        OnePath hashed(*net.graph, net.costs, FlowHash(FlowHashOptions{}), pairs);
        double sum = 0;
        for (int seed = 0; seed < 300; ++seed) {
            hashed.set_hash(FlowHash({.seed = std::uint64_t(seed)}));
            FlowLoads const& found = hashed.carry(flows);
            std::uint64_t total = 0;
            for (std::uint64_t const load : found.loads) total += load;
            EXPECT_EQ(total, 8u * 4 * pairs);  // every part takes four links
            sum += double(found.largest()) / pairs;
        }
        EXPECT_TRUE(before == 0 || sum < before)
            << sum << " after " << before;  // the more parts, the nearer to equal division, where it is 1
        before = sum;
    }
    EXPECT_LT(before / 300, 1.5);
}

TEST(HashLaw, EcmpOverSetsIsEcmpOnTheNetwork) {
    for (std::string const routing :
         {"ecmp", "ecmp:hash=same", "ecmp:hash=linux,seed=5", "ecmp:hash=linux,policy=l3"}) {
        std::string const spec = "kary-ntree:k=3,n=3";
        Choices const net(spec, ChosenBy::hash);
        auto const by_sets = pairs_by_sets(net.fabric, {routing, 7});
        Topology const topology = make_topology(spec);
        auto const plain = std::dynamic_pointer_cast<PairRoutes const>(make_routes(topology, {routing, 7}).routing);
        for (Host const s : net.hosts)
            for (Host const d : net.hosts) {
                if (s == d) continue;
                std::vector<Link> one, other;
                EXPECT_TRUE(by_sets->append(net.fabric.network, s, d, one));
                EXPECT_TRUE(plain->append(topology.network, s, d, other));
                EXPECT_EQ(one, other) << routing;
            }
    }
}

TEST(HashLaw, OneSeedForAllSwitchesPolarises) {
    // Up two levels of k ports each, the second choice repeats the first: k of k^2 ways to the top are taken.
    auto const tops = [](std::string const& routing) {
        Topology const topology = make_topology("kary-ntree:k=4,n=3");
        auto const pairs = std::dynamic_pointer_cast<PairRoutes const>(make_routes(topology, {routing, 1}).routing);
        std::map<std::uint32_t, int> used;
        for (std::uint32_t d = 32; d < 64; ++d) {
            std::vector<Link> links;
            pairs->append(topology.network, Host{0u}, Host{d}, links);
            ++used[topology.network[links[2]].to.value];
        }
        return used.size();
    };
    EXPECT_LE(tops("ecmp:hash=same"), 4u);
    EXPECT_LE(tops("ecmp:hash=linux,seed=9"), 4u);
    EXPECT_GT(tops("ecmp:hash=linux"), 8u);
    EXPECT_GT(tops("ecmp"), 8u);
}

}  // namespace
}  // namespace tailback::hash_law_test
