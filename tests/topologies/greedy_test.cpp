// Routings that know the traffic. Definition: pairs of hosts by falling bytes (of equal ones the first named first),
// each takes, of all shortest routes, the one with the least sum (greedy-sum) or the least maximum (greedy-max) of
// bytes/capacity over its links between switches, of equal ones the one by the lowest port where they part; under
// per=destination only routes count that agree with what earlier pairs have fixed at a switch for that destination.
// Held to a search through all shortest routes, and to the numbers of PFSim.
#include "host/formats/formats.hpp"
#include "host/model/routes/trace.hpp"
#include "host/study/plan/host_traffic.hpp"
#include "host/study/traffic_flows.hpp"
#include "host/traffic/formats.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>

namespace tailback::greedy_test {
namespace {

using namespace traffic;

// ---- against a search through all shortest routes -----------------------------------------------------------------

using Path = std::vector<std::uint32_t>;  ///< links

/// All shortest routes of two hosts, by depth-first search in the order of ports.
class AllShortest {
public:
    explicit AllShortest(Network const& network) : network_(network) {}

    std::vector<Path> between(std::uint32_t source, std::uint32_t destination) {
        found_.clear();
        for (std::size_t links = 1; found_.empty() && links < 20; ++links) {
            Path path;
            extend(network_[Host{source}].node, network_[Host{destination}].node, links, path);
        }
        return found_;
    }

private:
    void extend(Node at, Node target, std::size_t left, Path& path) {
        if (at == target) {
            if (left == 0) found_.push_back(path);
            return;
        }
        if (left == 0 || (!path.empty() && network_[at].kind != NodeKind::switch_node)) return;
        for (std::uint32_t i = 0; i < network_.link_count(at); ++i) {
            Link const link{network_.first_link(at).value + i};
            path.push_back(link.value);
            extend(network_[link].to, target, left - 1, path);
            path.pop_back();
        }
    }

    Network const& network_;
    std::vector<Path> found_;
};

/// The routes by the definition.
std::vector<Path> naive_routes(Network const& network, HostTraffic const& traffic, bool sum, bool per_destination) {
    std::vector<std::size_t> order(traffic.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return traffic[a].bytes > traffic[b].bytes; });
    std::map<std::uint32_t, std::uint64_t> load;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> fixed;  // by node and destination
    std::vector<Path> routes(traffic.size());
    AllShortest shortest(network);
    for (std::size_t const i : order) {
        std::uint32_t const to = traffic[i].destination.value;
        std::optional<std::uint64_t> best;
        for (Path const& path : shortest.between(traffic[i].source.value, to)) {
            std::uint64_t cost = 0;
            bool agrees = true;
            for (std::size_t l = 1; l + 1 < path.size(); ++l) {
                cost = sum ? cost + load[path[l]] : std::max(cost, load[path[l]]);
                auto const at = fixed.find({network[Link{path[l]}].from.value, to});
                agrees = agrees && (at == fixed.end() || at->second == path[l]);
            }
            if ((per_destination && !agrees) || (best && *best <= cost)) continue;
            best = cost;
            routes[i] = path;
        }
        for (std::size_t l = 1; l + 1 < routes[i].size(); ++l) {
            load[routes[i][l]] += traffic[i].bytes;
            fixed[{network[Link{routes[i][l]}].from.value, to}] = routes[i][l];
        }
    }
    return routes;
}

HostTraffic random_traffic(std::size_t hosts, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> pairs;
    for (std::size_t i = 0; i < 4 * hosts; ++i)
        if (std::uint32_t const a = random() % hosts, b = random() % hosts; a != b) pairs[{a, b}] = 1 + random() % 5;
    HostTraffic traffic;
    for (auto const& [pair, bytes] : pairs) traffic.push_back({Host{pair.first}, Host{pair.second}, bytes});
    std::shuffle(traffic.begin(), traffic.end(), random);
    return traffic;
}

TEST(Greedy, IsTheSearchThroughAllShortestRoutes) {
    std::uint32_t seed = 0;
    for (char const* const spec : {"torus:4x4", "xgft:m=3x3x2,w=1x2x2", "dragonfly:a=4,p=2,h=2", "hypercube:n=4",
                                   "jellyfish:switches=12,degree=4,hosts=2", "hyperx:3x3,hosts=2"})
        for (bool const sum : {true, false})
            for (bool const per_destination : {true, false}) {
                SCOPED_TRACE(std::string(spec) + (sum ? ", sum" : ", max") + (per_destination ? ", destination" : ""));
                Topology const topology = make_topology(TopologySpec(spec));
                HostTraffic const traffic = random_traffic(topology.network.hosts().size(), ++seed);
                std::string const name =
                    std::string(sum ? "greedy-sum" : "greedy-max") + (per_destination ? ":per=destination" : "");
                Routes routes = make_routes(topology, RoutingSpec(name).with_traffic(traffic));
                Fabric const fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing)};
                std::vector<Path> const want = naive_routes(topology.network, traffic, sum, per_destination);
                for (std::size_t i = 0; i < traffic.size(); ++i) {
                    Route const route =
                        trace_from_host(fabric, traffic[i].source, topology.network[traffic[i].destination].lid);
                    EXPECT_EQ(route.fate, Fate::delivered);
                    Path got;
                    for (Link const link : route.links) got.push_back(link.value);
                    ASSERT_EQ(got, want[i]) << i;
                }
                // Pairs without traffic have shortest routes, too.
                AllShortest shortest(topology.network);
                for (std::uint32_t d = 1; d < topology.network.hosts().size(); d += 3) {
                    Route const route = trace_from_host(fabric, Host{0u}, topology.network[Host{d}].lid);
                    EXPECT_EQ(route.fate, Fate::delivered);
                    EXPECT_EQ(route.links.size(), shortest.between(0, d).at(0).size());
                }
            }
}

// ---- PFSim's numbers ----------------------------------------------------------------------------------------------

/// The largest sum of bytes on a link between switches, and of flows between ranks.
struct Most {
    std::uint64_t bytes = 0, flows = 0;
    bool operator==(Most const&) const = default;
};

/// A trace's ranks eight to a host, its traffic summed up over the hosts.
struct OnHosts {
    FlowList flows;
    std::vector<std::uint64_t> pairs_of_ranks;  ///< that send anything, by flow
};

OnHosts on_hosts(TrafficMatrix const& matrix, bool cyclic) {
    std::uint32_t const hosts = matrix.ranks / 8;
    auto const host = [&](std::uint32_t rank) { return cyclic ? rank % hosts : rank / 8; };
    OnHosts sums;
    sums.flows.ranks = sums.flows.measured_ranks = hosts;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> at;
    for_each_row(matrix, [&](Entry const& entry) {
        std::uint32_t const from = host(entry.source), to = host(entry.destination);
        if (from == to) return;
        auto const [place, is_new] = at.try_emplace({from, to}, sums.flows.flows.size());
        if (is_new) {
            sums.flows.flows.push_back({from, to});
            sums.flows.weights.push_back(0);
            sums.pairs_of_ranks.push_back(0);
        }
        sums.flows.weights[place->second] += entry.bytes;
        ++sums.pairs_of_ranks[place->second];
    });
    sums.flows.levels = {Level{.first_flow = 0, .flow_count = sums.flows.flows.size()}};
    return sums;
}

Most most_on_a_link(Fabric const& fabric, OnHosts const& sums) {
    std::map<std::uint32_t, Most> links;
    Network const& network = fabric.network;
    for (std::size_t f = 0; f < sums.flows.flows.size(); ++f) {
        Flow const flow = sums.flows.flows[f];
        for (Link const link : trace_from_host(fabric, Host{flow.source}, network[Host{flow.destination}].lid).links) {
            if (!fabric.between_switches(link)) continue;
            links[link.value].bytes += sums.flows.weights[f];
            links[link.value].flows += sums.pairs_of_ranks[f];
        }
    }
    Most most;
    for (auto const& [link, load] : links) {
        most.bytes = std::max(most.bytes, load.bytes);
        most.flows = std::max(most.flows, load.flows);
    }
    return most;
}

Most most_by(Topology const& topology, std::string const& routing, OnHosts const& sums) {
    HostTraffic traffic;
    for (std::size_t f = 0; f < sums.flows.flows.size(); ++f)
        traffic.push_back(
            {Host{sums.flows.flows[f].source}, Host{sums.flows.flows[f].destination}, sums.flows.weights[f]});
    Routes routes = make_routes(topology, RoutingSpec(routing).with_traffic(traffic));
    Fabric const fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing)};
    return most_on_a_link(fabric, sums);
}

/// CG of 128 ranks on the cluster "milk": 4 edge switches of five hosts, 2 core switches. The largest load of a link
/// between switches and the most flows on one, as PFSim printed them.
TEST(Greedy, HasTheNumbersOfPfsim) {
    if (!shared_data_is_there()) GTEST_SKIP() << "no ../shared/data";
    std::filesystem::path const folder = shared_data() / "traffic/pfprof";
    TrafficMatrix const matrix = read_traffic((folder / "cg-c-128.tar.gz").string());
    OnHosts const block = on_hosts(matrix, false), cyclic = on_hosts(matrix, true);
    Disagreements strict(true);
    Topology milk;
    milk.network = with_lids(read_fabric((folder / "milk.graphml").string(), std::nullopt, strict).network);
    EXPECT_EQ(most_by(milk, "greedy-sum", block), (Most{3'260'400'000, 100}));
    EXPECT_EQ(most_by(milk, "greedy-max", block), (Most{2'964'262'664, 114}));
    EXPECT_EQ(most_by(milk, "greedy-sum", cyclic), (Most{10'522'987'972, 71}));
    EXPECT_EQ(most_by(milk, "greedy-max", cyclic), (Most{10'374'525'380, 70}));
    Topology const tree = make_topology("xgft:m=5x4,w=1x2");
    EXPECT_EQ(most_by(tree, "dmodk", block), (Most{5'928'262'656, 88}));
    EXPECT_EQ(most_by(tree, "dmodk", cyclic), (Most{11'708'587'972, 79}));
    EXPECT_EQ(most_by(tree, "greedy-max", cyclic), (Most{10'374'525'380, 70}));
}

// ---- in commands --------------------------------------------------------------------------------------------------

/// Four flows from one leaf to four hosts of another, two ways up: each way takes the bytes of two, 7 + 1 and 5 + 3.
TEST(Greedy, InEvaluateKnowsTheTrafficOfTheStudy) {
    TemporaryFolder const folder;
    std::ofstream(folder / "flows") << "0 4 7\n1 5 5\n2 6 3\n3 7 1\n";
    for (char const* const routing : {"greedy-sum", "greedy-max:per=destination"}) {
        Finished const run =
            run_tailback({"evaluate", "--network", "xgft:m=4x2,w=1x2", "--routing", routing, "--pattern",
                          "file:" + (folder / "flows"), "--mapping", "identity", "--metric", "sum_max_cong"});
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_NE(run.out.find("  mean    8.0000\n"), std::string::npos) << run.out;
        EXPECT_NE(run.err.find("knows the traffic of mapping 0"), std::string::npos) << run.err;
    }
    Finished const drawn =
        run_tailback({"evaluate", "--network", "xgft:m=4x2,w=1x2", "--routing", "greedy-sum", "--pattern", "rand"});
    EXPECT_EQ(drawn.code, 2);
    EXPECT_NE(drawn.err.find("the pattern draws its flows"), std::string::npos) << drawn.err;
}

TEST(Greedy, ElsewhereWantsAFile) {
    TemporaryFolder const folder;
    std::ofstream(folder / "traffic.edges") << "# ranks 8\n0 4 7\n1 5 5\n2 6 3\n3 7 1\n";
    Words const network = {"trace", "--network", "xgft:m=4x2,w=1x2", "H1", "H5", "--routing"};
    Finished const without = run_tailback(joined(network, {"greedy-sum"}));
    EXPECT_EQ(without.code, 2);
    EXPECT_NE(without.err.find("needs traffic"), std::string::npos) << without.err;
    Finished const with = run_tailback(joined(network, {"greedy-sum:file=" + (folder / "traffic.edges")}));
    EXPECT_EQ(with.code, 0) << with.err;
    Finished const too_many = run_tailback({"trace", "--network", "xgft:m=2x2,w=1x2", "--routing",
                                            "greedy-max:file=" + (folder / "traffic.edges"), "H1", "H2"});
    EXPECT_EQ(too_many.code, 2);
    EXPECT_NE(too_many.err.find("the traffic is of 8 ranks"), std::string::npos) << too_many.err;
}

}  // namespace
}  // namespace tailback::greedy_test
