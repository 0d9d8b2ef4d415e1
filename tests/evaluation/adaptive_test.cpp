// Candidate sets and the four ways to use them (docs/semantics.md, Adaptive routing): equal division at every switch
// against exact fractions and closed forms, hash draws against `ecmp` and the law of balls in bins, the optimum against
// exact linear programs, and the bracket between them.
#include "host/api/study.hpp"
#include "host/evaluation/adaptive/bracket.hpp"
#include "host/evaluation/adaptive/one_path.hpp"
#include "host/report/adaptive/bracket_report.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>

namespace tailback::adaptive_test {
namespace {

Fabric routed(std::string const& spec, std::string const& routing) {
    Topology const topology = make_topology(spec);
    Routes routes = make_routes(topology, {routing, 1});
    Fabric fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing), nullptr, {}};
    fabric.candidates = std::move(routes.candidates);
    return fabric;
}
std::vector<Host> hosts_of(Fabric const& fabric) {
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < fabric.network.hosts().size(); ++h) hosts.emplace_back(h);
    return hosts;
}

/// Everything that loads are computed from.
struct Adaptive {
    Adaptive(std::string const& spec, std::string const& routing)
        : fabric(routed(spec, routing)),
          hosts(hosts_of(fabric)),
          forwarding(fabric),
          costs(link_costs(fabric.network, CapacityKind::unit)),
          graph(forwarding, ChoicesOf::sets, hosts),
          fixed(forwarding, ChoicesOf::static_entries, hosts),
          plan(graph, hosts, 2) {}
    Fabric fabric;
    std::vector<Host> hosts;
    Forwarding forwarding;
    LinkCosts costs;
    ChoiceGraph graph, fixed;
    SplitPlan plan;
};

std::vector<HostFlow> random_flows(Adaptive const& net, std::uint32_t count, Dice& dice, bool weights) {
    std::vector<HostFlow> flows;
    auto const hosts = static_cast<std::uint32_t>(net.hosts.size());
    for (std::uint32_t f = 0; f < count; ++f) {
        Host const from{dice(hosts)}, to{dice(hosts)};
        if (from != to) flows.push_back({from, to, weights ? 1 + dice(5) : 1});
    }
    return flows;
}
std::vector<HostFlow> shift_flows(Adaptive const& net, std::size_t by) {
    std::vector<HostFlow> flows;
    for (std::size_t h = 0; h < net.hosts.size(); ++h)
        if (by % net.hosts.size() != 0) flows.push_back({Host{h}, Host{(h + by) % net.hosts.size()}, 1});
    return flows;
}

struct Fraction {
    std::int64_t over = 0, under = 1;
    Fraction& operator+=(Fraction const& more) {
        std::int64_t const common = std::lcm(under, more.under);
        over = over * (common / under) + more.over * (common / more.under);
        under = common;
        std::int64_t const by = std::gcd(over, under);
        over /= by, under /= by;
        return *this;
    }
    double value() const { return double(over) / double(under); }
};

/// The definition, taken at its word: a part of a flow at a node goes on in as many equal parts as the candidate set
/// has ports; at the switch of the destination it leaves by the table's entry.
void divide_by_hand(Fabric const& fabric, Node at, Lid lid, Fraction part, std::vector<Fraction>& loads,
                    std::set<std::uint32_t>& used) {
    if (fabric.network.owner(lid).node == at) return;
    std::vector<Port> ports;
    auto const group = fabric.candidates->group(at, lid);
    if (group == CandidateSets::no_group) ports = {fabric.tables.port(at, lid)};
    else ports.assign(fabric.candidates->ports(at, group).begin(), fabric.candidates->ports(at, group).end());
    for (Port const port : ports) {
        Link const link = fabric.network.link_at(at, port);
        ASSERT_TRUE(link.exists());
        Fraction const share{part.over, part.under * std::int64_t(ports.size())};
        loads[link.value] += share;
        used.insert(link.value);
        divide_by_hand(fabric, fabric.network[link].to, lid, share, loads, used);
    }
}

char const* const networks[] = {
    "xgft:2;4,4;1,2",        "xgft:3;2,3,4;1,2,3", "torus:4x3",  "jellyfish:switches=12,degree=4,hosts=2,seed=3",
    "dragonfly:a=3,p=2,h=1", "hyperx:3x3",         "hypercube:3"};

TEST(SplitPlan, RowsComeAfterThoseThatSendToThemAndStandBesideThoseThatSendToTheSame) {
    for (std::string const spec : networks) {
        SCOPED_TRACE(spec);
        Adaptive const net(spec, "ar:minimal");
        std::size_t shared = 0;
        for (std::uint32_t c = 0; c < net.graph.classes().size(); ++c) {
            std::set<std::uint32_t> seen;
            std::set<std::vector<std::uint32_t>> sent_to;
            std::vector<std::uint32_t> before;
            for (SplitPlan::Step const& step : net.plan.steps(c)) {
                EXPECT_TRUE(seen.insert(step.row).second);
                if (ChoiceGraph::is_mark(step.group)) continue;
                auto const targets = net.plan.targets(step.group);
                for (std::uint32_t const next : targets) EXPECT_FALSE(seen.contains(next)) << next;
                std::vector<std::uint32_t> rows(targets.begin(), targets.end());
                std::sort(rows.begin(), rows.end());
                shared += rows == before;
                EXPECT_TRUE(sent_to.insert(rows).second || rows == before);
                before = rows;
            }
        }
        if (spec.starts_with("xgft")) {
            EXPECT_GT(shared, 0u);
        }
    }
}

/// Far ahead less than a unit is left of a flow, and some ports get nothing: it uses them all the same, and what was
/// carried before does not show.
TEST(EqualSplit, WhatIsLessThanAUnitUsesItsLinksAllTheSame) {
    Adaptive const net("mesh:2x40", "ar:minimal");
    ASSERT_GT(net.plan.error(), 0);
    EqualSplit used(net.plan, net.costs);
    Dice dice;
    for (std::size_t h = 1; h < net.hosts.size(); ++h) {
        used.carry(random_flows(net, 300, dice, true));
        std::vector<HostFlow> const flows = {{Host{0}, Host{h}}, {Host{7}, Host{8}, 3}};
        EqualSplit fresh(net.plan, net.costs);
        EXPECT_EQ(used.carry(flows).congestion, fresh.carry(flows).congestion) << h;
    }
}

TEST(EqualSplit, FollowsTheDefinitionWithExactFractions) {
    Dice dice;
    for (std::string const spec : networks)
        for (std::string const routing : {"ar:minimal", "ar:updn", "ar:ftree"}) {
            if (routing == "ar:ftree" && !spec.starts_with("xgft")) continue;
            SCOPED_TRACE(spec + " " + routing);
            Adaptive const net(spec, routing);
            ASSERT_EQ(net.plan.error(), 0);
            EqualSplit split(net.plan, net.costs);
            for (int trial = 0; trial < 3; ++trial) {
                std::vector<HostFlow> const flows = random_flows(net, 12, dice, trial > 0);
                std::vector<Fraction> loads(net.fabric.network.links().size());
                std::vector<std::set<std::uint32_t>> used(flows.size());
                for (std::size_t f = 0; f < flows.size(); ++f) {
                    Link const up = net.fabric.network.up_link(flows[f].source);
                    loads[up.value] += {std::int64_t(flows[f].weight), 1};
                    used[f].insert(up.value);
                    divide_by_hand(net.fabric, net.fabric.network[up].to, net.fabric.network[flows[f].destination].lid,
                                   {std::int64_t(flows[f].weight), 1}, loads, used[f]);
                }
                FlowLoads const& found = split.carry(flows);
                auto const unit = std::int64_t(net.plan.unit());
                EXPECT_EQ(found.failed, 0u);
                for (std::size_t l = 0; l < loads.size(); ++l)
                    EXPECT_EQ(std::int64_t(found.loads[l]) * loads[l].under, loads[l].over * unit) << "link " << l;
                for (std::size_t f = 0; f < flows.size(); ++f) {
                    double worst = 0;
                    for (std::uint32_t const link : used[f]) worst = std::max(worst, loads[link].value());
                    EXPECT_DOUBLE_EQ(double(found.congestion[f]) / double(unit), worst);
                }
            }
        }
}

TEST(EqualSplit, AllPairsAreTheSumOfAllFlows) {
    for (std::string const spec : networks) {
        SCOPED_TRACE(spec);
        Adaptive const net(spec, "ar:minimal");
        EqualSplit split(net.plan, net.costs);
        std::vector<HostFlow> flows;
        for (Host const from : net.hosts)
            for (Host const to : net.hosts)
                if (from != to) flows.push_back({from, to, 1});
        FlowLoads const& sum = split.carry(flows);
        for (unsigned const threads : {1u, 2u}) {
            std::vector<std::uint64_t> const loads = split.all_pairs(net.hosts, threads);
            for (std::size_t l = 0; l < loads.size(); ++l)
                if (net.fabric.between_switches(Link{l})) {
                    EXPECT_EQ(loads[l], sum.loads[l]) << "link " << l;
                }
        }
    }
}

TEST(EqualSplit, AShiftOnASlimTreeHasBandwidthParentsByHosts) {
    // XGFT(2; d, L; 1, u): hosts of a leaf shifted by d all leave it, so each of its u links up carries d/u.
    for (auto const& [d, l, u] : {std::tuple{4, 6, 2}, {6, 5, 4}, {12, 8, 7}, {18, 4, 5}}) {
        Adaptive const net("xgft:2;" + std::to_string(d) + "," + std::to_string(l) + ";1," + std::to_string(u),
                           "ar:minimal");
        EqualSplit split(net.plan, net.costs);
        FlowLoads const& found = split.carry(shift_flows(net, std::size_t(d)));
        for (std::uint64_t const congestion : found.congestion)
            EXPECT_EQ(congestion * std::uint64_t(u), std::uint64_t(d) * net.plan.unit());
    }
}

TEST(EqualSplit, FullTreesHaveFullBandwidthForAnyPermutation) {
    Dice dice;
    Adaptive const net("xgft:3;3,3,6;1,3,3", "ar:ftree");
    EqualSplit split(net.plan, net.costs);
    std::vector<std::uint32_t> to(net.hosts.size());
    std::iota(to.begin(), to.end(), 0u);
    for (int trial = 0; trial < 50; ++trial) {
        for (std::uint32_t i = static_cast<std::uint32_t>(to.size()); i > 1; --i) std::swap(to[i - 1], to[dice(i)]);
        std::vector<HostFlow> flows;
        for (std::size_t h = 0; h < to.size(); ++h)
            if (to[h] != h) flows.push_back({Host{h}, Host{to[h]}, 1});
        for (std::uint64_t const congestion : split.carry(flows).congestion) EXPECT_EQ(congestion, net.plan.unit());
    }
}

TEST(EqualSplit, RoundedUnitsStayWithinTheirBound) {
    // So many different group sizes one after the other that no unit below 2^36 divides by all of them.
    Adaptive const net("jellyfish:switches=60,degree=3,hosts=1,seed=5", "ar:minimal");
    EqualSplit split(net.plan, net.costs);
    std::vector<HostFlow> const flows = shift_flows(net, 7);
    FlowLoads const& found = split.carry(flows);
    std::vector<double> exact(found.loads.size());
    // The same in floating point: every flow alone, by the definition.
    std::function<void(Node, Lid, double)> const divide = [&](Node at, Lid lid, double part) {
        if (net.fabric.network.owner(lid).node == at) return;
        auto const group = net.fabric.candidates->group(at, lid);
        Port const fixed = net.fabric.tables.port(at, lid);
        std::span<Port const> const ports = group == CandidateSets::no_group ? std::span<Port const>(&fixed, 1)
                                                                             : net.fabric.candidates->ports(at, group);
        for (Port const port : ports) {
            Link const link = net.fabric.network.link_at(at, port);
            exact[link.value] += part / double(ports.size());
            divide(net.fabric.network[link].to, lid, part / double(ports.size()));
        }
    };
    for (HostFlow const& flow : flows) {
        Link const up = net.fabric.network.up_link(flow.source);
        exact[up.value] += 1;
        divide(net.fabric.network[up].to, net.fabric.network[flow.destination].lid, 1);
    }
    for (std::size_t l = 0; l < exact.size(); ++l)
        EXPECT_NEAR(double(found.loads[l]) / double(net.plan.unit()), exact[l], net.plan.error() + 1e-9);
}

TEST(OnePath, StaticEntriesAreTheTablesAndHashesAreEcmp) {
    Dice dice;
    for (std::string const spec : networks) {
        SCOPED_TRACE(spec);
        Adaptive const net(spec, "ar:minimal");
        Topology const topology = make_topology(spec);
        Fabric const ecmp{topology.network,
                          ForwardingTables(topology.network, 0),
                          true,
                          make_routes(topology, {"ecmp", 7}).routing,
                          nullptr,
                          {}};
        OnePath fixed(net.fixed, net.costs, std::nullopt), hashed(net.graph, net.costs, FlowHash({.seed = 7}));
        std::vector<HostFlow> const flows = random_flows(net, 30, dice, true);
        for (auto const& [path, fabric] : {std::pair{&fixed, &net.fabric}, {&hashed, &ecmp}}) {
            std::vector<std::uint64_t> loads(net.fabric.network.links().size());
            for (HostFlow const& flow : flows)
                for (Link const link :
                     trace_from_host(*fabric, flow.source, fabric->network[flow.destination].lid).links)
                    loads[link.value] += flow.weight;
            EXPECT_EQ(path->carry(flows).loads, loads);
        }
    }
}

TEST(OnePath, HashesFallAsBallsIntoBins) {
    // 8 flows from one leaf to another over 8 spines: n balls in m bins, whose law is
    // P(max <= k) = n! m^-n [x^n] (sum_{i<=k} x^i / i!)^m. The mean of the largest is 2.59723 for 8 on 8.
    Adaptive const net("xgft:2;8,2;1,8", "ar:minimal");
    std::vector<HostFlow> const flows = shift_flows(net, 8);
    double largest = 0, rate = 0;
    constexpr int draws = 40000;
    for (int seed = 0; seed < draws; ++seed) {
        OnePath hashed(net.graph, net.costs, FlowHash({.seed = std::uint64_t(seed)}));
        FlowLoads const& found = hashed.carry(std::span(flows).first(8));
        largest += double(found.largest());
        std::uint64_t used = 0;
        for (std::uint32_t k = 0; k < net.fabric.network.links().size(); ++k) {
            LinkRecord const& link = net.fabric.network[Link{k}];
            used += found.loads[k] > 0 && net.fabric.between_switches(Link{k}) &&
                    link.from == net.fabric.network[net.fabric.network.up_link(Host{0u})].to;
        }
        rate += double(used) / 8;
    }
    EXPECT_NEAR(largest / draws, 2.59723, 0.02);  // five standard errors
    EXPECT_NEAR(rate / draws, 0.65639, 0.004);    // 1 - (1 - 1/8)^8
}

/// A flow's variables, one for each port of each switch that it may meet, and the linear program over all flows.
double least_largest_by_glpsol(Adaptive const& net, std::vector<HostFlow> const& flows) {
    TemporaryFolder folder;
    std::filesystem::path const model = folder / "model.lp", answer = folder / "answer.txt";
    std::map<std::uint32_t, std::string> on_link;
    std::map<std::uint32_t, std::uint64_t> entering;  // on the links of sources
    std::string balances;
    for (std::size_t f = 0; f < flows.size(); ++f) {
        Lid const lid = net.fabric.network[flows[f].destination].lid;
        std::map<std::uint32_t, std::string> in, out;
        Link const up = net.fabric.network.up_link(flows[f].source);
        entering[up.value] += flows[f].weight;
        std::vector<Node> queue = {net.fabric.network[up].to};
        std::set<std::uint32_t> met = {queue[0].value};
        for (std::size_t i = 0; i < queue.size(); ++i) {
            Node const at = queue[i];
            if (net.fabric.network.owner(lid).node == at) continue;
            auto const group = net.fabric.candidates->group(at, lid);
            Port const fixed = net.fabric.tables.port(at, lid);
            std::span<Port const> const ports = group == CandidateSets::no_group
                                                    ? std::span<Port const>(&fixed, 1)
                                                    : net.fabric.candidates->ports(at, group);
            for (Port const port : ports) {
                Link const link = net.fabric.network.link_at(at, port);
                std::string const name = "x" + std::to_string(f) + "_" + std::to_string(link.value);
                out[at.value] += " + " + name;
                in[net.fabric.network[link].to.value] += " - " + name;
                on_link[link.value] += " + " + name;
                if (met.insert(net.fabric.network[link].to.value).second) queue.push_back(net.fabric.network[link].to);
            }
        }
        for (Node const at : queue)
            if (net.fabric.network.owner(lid).node != at)
                balances +=
                    out[at.value] + in[at.value] + " = " + std::to_string(at == queue[0] ? flows[f].weight : 0) + "\n";
    }
    std::ofstream file(model);
    file << "Minimize\n worst\nSubject To\n" << balances;
    for (auto const& [link, weight] : entering) file << "worst >= " << weight << "\n";
    for (auto const& [link, sum] : on_link) file << sum << " - worst <= 0\n";
    file << "End\n";
    file.close();
    Finished const run = run_program("/usr/bin/env", {"glpsol", "--lp", model, "-o", answer});
    std::ifstream read(answer);
    for (std::string line; std::getline(read, line);)
        if (line.starts_with("Objective:")) return std::stod(line.substr(line.find('=') + 1));
    ADD_FAILURE() << "glpsol gave no answer: " << run.out << run.err;
    return 0;
}

TEST(OptimalSplit, BoundsHoldTheOptimumOfExactLinearPrograms) {
    if (run_program("/usr/bin/env", {"glpsol", "--version"}).code != 0)
        GTEST_SKIP() << "glpsol is not installed (Debian: glpk-utils)";
    Dice dice;
    std::vector<std::pair<std::string, std::string>> cases;
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        std::uint32_t const switches = 8 + seed, odd = switches % 2 * (seed % 3 % 2 == 0 ? 1 : 0);
        std::uint32_t const degree = 3 + seed % 3 + odd;  // their product is even
        cases.emplace_back(fmt::format("jellyfish:switches={},degree={},hosts=2,seed={}", switches, degree, seed),
                           seed % 2 == 0 ? "ar:minimal" : "ar:updn");
    }
    for (std::string const spec : {"torus:4x4", "torus:3x3x3", "torus:5x6", "hyperx:3x4", "hyperx:5x5", "hypercube:4",
                                   "hypercube:5", "dragonfly:a=4,p=2,h=2", "mesh:4x5", "mesh:6x6"})
        cases.emplace_back(spec, "ar:minimal");
    for (std::string const spec :
         {"xgft:2;4,6;1,2", "xgft:2;5,5;1,3", "xgft:3;2,3,4;1,2,2", "xgft:3;3,2,3;1,3,2", "xgft:2;6,8;1,4",
          "xgft:3;2,2,2;1,2,2", "xgft:2;8,4;1,5", "xgft:3;4,2,2;1,2,3", "xgft:2;3,9;1,2", "xgft:2;7,7;1,2"})
        cases.emplace_back(spec, "ar:ftree");
    ASSERT_EQ(cases.size(), 50u);
    for (auto const& [spec, routing] : cases) {
        SCOPED_TRACE(spec + " " + routing);
        Adaptive const net(spec, routing);
        ASSERT_LE(net.fabric.network.switches(), 40u);
        std::vector<HostFlow> const flows = random_flows(net, 16, dice, dice(2) == 1);
        double const exact = least_largest_by_glpsol(net, flows);
        OptimalSplit const found = find_optimal_split(net.plan, net.costs, flows);
        EXPECT_LE(found.lower, exact * (1 + 1e-6));
        EXPECT_GE(found.upper, exact * (1 - 1e-6));
        EXPECT_TRUE(found.within(0.01)) << found.lower << " .. " << found.upper;
    }
}

TEST(OptimalSplit, BoundsMeetOnToriWhereManyDivisionsAreNearlyOptimal) {
    // The certificate: no division has a largest congestion below `lower`, and the one found has `upper`.
    for (std::string const spec : {"torus:8x8x8", "torus:16x16", "hyperx:6x6,hosts=4"}) {
        Adaptive const net(spec, "ar:minimal");
        Dice dice;
        std::vector<std::uint32_t> to(net.hosts.size());
        std::iota(to.begin(), to.end(), 0u);
        for (int trial = 0; trial < 5; ++trial) {
            SCOPED_TRACE(fmt::format("{} {}", spec, trial));
            for (std::uint32_t i = static_cast<std::uint32_t>(to.size()); i > 1; --i) std::swap(to[i - 1], to[dice(i)]);
            std::vector<HostFlow> flows;
            for (std::size_t h = 0; h < to.size(); ++h)
                if (to[h] != h) flows.push_back({Host{h}, Host{to[h]}, 1});
            OptimalSplit const found = find_optimal_split(net.plan, net.costs, flows);
            EXPECT_TRUE(found.within(0.01)) << found.lower << " .. " << found.upper;
            EXPECT_LE(found.lower, found.upper);
            EXPECT_LT(found.sweeps, 300u);
            for (std::size_t l = 0; l < found.loads.size(); ++l) EXPECT_LE(found.loads[l], found.upper * (1 + 1e-9));
        }
    }
}

TEST(Bracket, NoDivisionIsBetterThanTheOptimumAndEachColumnIsItself) {
    for (std::string const spec : networks) {
        SCOPED_TRACE(spec);
        api::StudyRequest request;
        request.network = api::NetworkChoice(spec);
        request.network.routing = RoutingSpec("ar:minimal");
        request.study.sample.mappings = 21;
        request.study.traffic.pattern = "rand";
        request.study.measures.metrics = {Metric::hist_acc_band, Metric::sum_max_cong, Metric::dep_max_delay};
        api::PreparedStudy const study(request);
        // By mapping: static, equal, hash, the same again beside the optimum, the optimum, its bound.
        std::array<std::vector<double>, 8> largest;
        auto const bracket_on = [&](unsigned threads) {
            BracketStudy const prepared(study.plan(), {.optimal_mappings = 20}, threads);
            std::span const columns = prepared.columns().columns();
            for (std::vector<double>& numbers : largest) numbers.clear();
            ExecutionOptions execution{.device = DeviceChoice::cpu, .threads = threads};
            execution.per_mapping = [&](std::uint64_t, std::span<MappingTally const> tallies) {
                if (tallies.size() < columns.size()) return;  // behind those of the optimum
                for (std::size_t c = 0; c < largest.size(); ++c)
                    largest[c].push_back(number_of(*columns[c].plan, Metric::sum_max_cong, tallies[c]));
            };
            return prepared.conclude(evaluate(columns, execution));
        };
        Bracket const bracket = bracket_on(2);
        auto const of_two = largest;
        bracket_on(1);
        EXPECT_EQ(largest, of_two);
        for (StudyColumn const& column : bracket.columns) EXPECT_EQ(column.failed(), 0u);
        for (std::size_t m = 0; m < 20; ++m) {
            double const best = largest[6][m], bound = largest[7][m];
            EXPECT_LE(bound, best * (1 + 1e-9));
            EXPECT_LE(best, bound * 1.01 + 1e-9);
            for (std::size_t c = 0; c < 3; ++c) {
                EXPECT_EQ(largest[c][m], largest[3 + c][m]) << c;
                EXPECT_LE(bound, largest[c][m] * (1 + 1e-9)) << c;
                // Every column but that of the tables divides over the same groups, and so do these tables.
                EXPECT_LE(best, largest[c][m] * (1 + 1e-11)) << c;
            }
        }
        Evaluation const plain = api::evaluate(study);
        for (Metric const metric : metrics_of_columns) {
            Distribution const &one = plain.numbers.at(metric), &other = *bracket.of(Division::fixed).number(metric);
            EXPECT_EQ(other.integers(), one.integers());
            EXPECT_EQ(other.ci99(), one.ci99());
        }
        ASSERT_EQ(largest[0].size(), 20u);
        EXPECT_NEAR(bracket.largest_where_optimal(Division::fixed),
                    std::accumulate(largest[0].begin(), largest[0].end(), 0.0) / 20, 1e-12);
        // Where the optimum is found of all mappings, the columns are those beside it.
        Bracket const whole =
            evaluate_bracket(study.plan(), {.optimal_mappings = 21}, {.device = DeviceChoice::cpu, .threads = 1});
        for (Division const division : {Division::fixed, Division::equal, Division::hashed})
            EXPECT_EQ(whole.largest_where_optimal(division), bracket.of(division).mean(Metric::sum_max_cong));
        EXPECT_EQ(whole.optimal_mappings, 21u);
    }
}

/// Means are over delivered flows: columns that lose different parts of the flows are not compared.
TEST(Bracket, WhereFlowsAreLostNothingIsSaidOfWorth) {
    api::StudyRequest request;
    request.network = api::NetworkChoice("torus:4x4");
    request.network.routing = RoutingSpec("ar:minimal");
    request.study.sample.mappings = 5;
    api::PreparedStudy const study(request);
    Bracket bracket = evaluate_bracket(study.plan(), {}, {.device = DeviceChoice::cpu, .threads = 1});
    BracketReport const report{study.plan(), bracket, "", {{{"audit", {"--network", "torus:4x4"}}}}};
    EXPECT_EQ(report.verdict().find("not known"), std::string::npos) << report.verdict();
    Evaluation& equal = bracket.of(Division::equal).result;
    equal.unreachable = 30, equal.delivered -= 30;
    EXPECT_EQ(report.verdict(), fmt::format("What adaptive routing is worth here is not known: 30 of {0} flows are "
                                            "not delivered under equal, 0 of {0} under static.",
                                            equal.delivered + 30));
    ASSERT_EQ(report.next_steps().size(), 1u);
    EXPECT_EQ(report.next_steps()[0].what, "find out why flows are not delivered");
    EXPECT_EQ(report.next_steps()[0].command, (std::vector<std::string>{"audit", "--network", "torus:4x4"}));
    Evaluation& fixed = bracket.of(Division::fixed).result;
    fixed.unreachable = 30, fixed.delivered -= 30;  // the same: the means are of as many
    EXPECT_EQ(report.verdict().find("not known"), std::string::npos) << report.verdict();
}

/// What some columns alone have stands in the table, with a dash for the others.
TEST(Bracket, TellsInWordsEachMetricThatAColumnHas) {
    api::StudyRequest request;
    request.network = api::NetworkChoice("torus:4x4");
    request.network.routing = RoutingSpec("ar:minimal");
    request.study.sample.mappings = 5;
    request.study.measures.metrics = {Metric::hist_acc_band, Metric::sum_max_cong, Metric::route_length};
    api::PreparedStudy const study(request);
    Bracket const bracket = evaluate_bracket(study.plan(), {}, {.device = DeviceChoice::cpu, .threads = 1});
    std::ostringstream text;
    write_text(text, document_of(BracketReport{study.plan(), bracket, "", {}}), 100);
    std::string const length = fmt::format("{:.4f}", bracket.of(Division::fixed).mean(Metric::route_length));
    EXPECT_EQ(bracket.of(Division::equal).number(Metric::route_length), nullptr);
    EXPECT_NE(text.str().find("route_length"), std::string::npos) << text.str();
    EXPECT_NE(text.str().find(length), std::string::npos) << text.str();
}

/// The optimum is known between two bounds, and of the first mappings alone: no more is said.
TEST(Bracket, SaysOfOtherDivisionsWhatIsProved) {
    api::StudyRequest request;
    request.network = api::NetworkChoice("xgft:m=4x4x4,w=1x2x2");
    request.network.routing = RoutingSpec("ar:minimal");
    request.study.sample.mappings = 12;
    request.study.traffic.pattern = "bisect";
    request.study.measures.metrics.assign(std::begin(metrics_of_columns), std::end(metrics_of_columns));
    api::PreparedStudy const study(request);
    Bracket const bracket = evaluate_bracket(study.plan(), {}, {.device = DeviceChoice::cpu, .threads = 1});
    BracketReport const report{study.plan(), bracket, ""};
    double const equal = bracket.largest_where_optimal(Division::equal),
                 found = bracket.largest_where_optimal(Division::optimal), least = bracket.optimum_at_least;
    ASSERT_LT(least, equal * (1 - 1e-9));
    EXPECT_LE(least, found * (1 + 1e-9));
    std::string const verdict = report.verdict();
    EXPECT_NE(verdict.find("the mean largest load of the first 10 mappings by"), std::string::npos) << verdict;
    std::string const most = fmt::format("more than {:.1f} %", std::ceil(1000 * (1 - least / equal)) / 10);
    EXPECT_NE(verdict.find(most), std::string::npos) << verdict;
    std::ostringstream text;
    write_text(text, document_of(report), 100);
    std::size_t const second =
        text.str().find("Over the first 10 mappings alone, the least possible largest congestion");
    ASSERT_NE(second, std::string::npos) << text.str();
    EXPECT_EQ(text.str().substr(0, second).find("\n  optimal  0."), std::string::npos) << "of fewer mappings";
    EXPECT_NE(text.str().find("\n  optimal  0.", second), std::string::npos) << text.str();
}

TEST(Bracket, RefusesRoutesWithoutChoices) {
    Finished const run = run_tailback({"bracket", "--network", "torus:4x4"});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("candidate sets"), std::string::npos) << run.err;
    EXPECT_EQ(run_tailback({"evaluate", "--network", "torus:4x4", "--optimal-mappings", "3"}).code, 2);
}

}  // namespace
}  // namespace tailback::adaptive_test
