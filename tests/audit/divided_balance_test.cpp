// Where switches hold sets of ports, an audit judges equal division (docs/semantics.md): loads and what a cable breaks
// against a naive division in fractions, pair by pair; a symmetric Clos of routers is even, one that lacks a link is
// not.
#include "host/audit/changes/what_if.hpp"
#include "host/audit/choices/choices.hpp"
#include "host/audit/worst_case/divided_permutation.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "tests/support/networks/router_fabric.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <functional>
#include <numeric>

namespace tailback::divided_balance_test {
namespace {

struct Fraction {
    std::int64_t p = 0, q = 1;
    Fraction operator+(Fraction const& b) const {
        std::int64_t const above = p * b.q + b.p * q, below = q * b.q, common = std::gcd(above, below);
        return {above / common, below / common};
    }
    Fraction over(std::int64_t k) const { return {p, q * k}; }
    double value() const { return double(p) / double(q); }
};

Fabric routed(std::string const& spec, std::string const& routing) {
    Topology const topology = make_topology(spec);
    Routes routes = make_routes(topology, {routing, 1});
    Fabric fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing), nullptr, {}};
    fabric.candidates = std::move(routes.candidates);
    return fabric;
}

/// Some sets lose ports at random, one always stays.
Fabric thinned(std::string const& spec, std::uint32_t trial) {
    Fabric fabric = routed(spec, "ar:minimal");
    Dice dice{trial};
    auto sets = std::make_shared<CandidateSets>(*fabric.candidates);
    Network const& net = fabric.network;
    for (std::uint32_t n = 0; n < net.nodes().size() && trial > 0; ++n)
        for (Lid lid = 1; lid <= net.max_lid(); ++lid) {
            auto const group = fabric.candidates->group(Node{n}, lid);
            if (group == CandidateSets::no_group || dice(3) > 0) continue;
            std::span const all = fabric.candidates->ports(Node{n}, group);
            std::vector<Port> ports(all.begin(), all.end());
            ports.erase(ports.begin() + dice(static_cast<std::uint32_t>(ports.size())));
            if (!ports.empty()) sets->set(Node{n}, lid, LidState::hashed, sets->group_of(Node{n}, ports));
        }
    fabric.candidates = sets;
    return fabric;
}

std::vector<Port> ports_at(Fabric const& fabric, Node at, Lid lid) {
    auto const group = fabric.candidates->group(at, lid);
    if (group == CandidateSets::no_group) return {fabric.tables.port(at, lid)};
    std::span const ports = fabric.candidates->ports(at, group);
    return {ports.begin(), ports.end()};
}

/// Divides a part of a pair from a node on; `pass` says whether a link lets it through.
void divide(Fabric const& fabric, Node at, Lid lid, Fraction part, std::function<bool(Link, Fraction)> const& pass) {
    if (fabric.network.owner(lid).node == at) return;
    std::vector<Port> const ports = ports_at(fabric, at, lid);
    for (Port const port : ports) {
        Link const link = fabric.network.link_at(at, port);
        Fraction const share = part.over(std::int64_t(ports.size()));
        if (pass(link, share)) divide(fabric, fabric.network[link].to, lid, share, pass);
    }
}

std::vector<Host> hosts_of(Fabric const& fabric) {
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < fabric.network.hosts().size(); ++h) hosts.emplace_back(h);
    return hosts;
}

/// Calls look(fabric, its hosts, trial) for some small networks, each thinned in several ways.
template <class Look>
void for_each_thinned(std::uint32_t trials, Look const& look) {
    for (std::string const spec : {"xgft:2;2,3;1,2", "xgft:3;2,3,2;1,2,3", "torus:3x4", "hyperx:3x3", "ring:4"})
        for (std::uint32_t trial = 0; trial < trials; ++trial) {
            SCOPED_TRACE(spec + " " + std::to_string(trial));
            Fabric const fabric = thinned(spec, trial);
            look(fabric, hosts_of(fabric), trial);
        }
}

TEST(DividedBalance, LoadsAreThoseOfANaiveDivisionInFractions) {
    for_each_thinned(4, [](Fabric const& fabric, std::vector<Host> const& hosts, std::uint32_t) {
        Network const& net = fabric.network;
        std::vector<Fraction> expected(net.links().size());
        auto const add = [&](Link link, Fraction share) {
            expected[link.value] = expected[link.value] + share;
            return true;
        };
        for (Host const from : hosts)
            for (Host const to : hosts) {
                if (from == to) continue;
                Link const up = net.up_link(from);
                add(up, {1, 1});
                divide(fabric, net[up].to, net[to].lid, {1, 1}, add);
            }
        Forwarding const forwarding(fabric);
        ChoiceGraph const graph(forwarding, ChoicesOf::sets, hosts);
        for (unsigned const threads : {1u, 3u}) {
            PairLoads const found = divided_loads(graph, hosts, threads);
            EXPECT_EQ(found.error, 0);
            for (std::size_t l = 0; l < expected.size(); ++l)
                EXPECT_EQ(__int128(found.load[l]) * expected[l].q, __int128(expected[l].p) * __int128(found.unit))
                    << "link " << l << ": " << found.pairs(Link{l}) << " and " << expected[l].value();
        }
    });
}

TEST(DividedBalance, WhatACableBreaksIsThePartThatMeetsIt) {
    for_each_thinned(3, [](Fabric const& fabric, std::vector<Host> const& hosts, std::uint32_t trial) {
        Network const& net = fabric.network;
        Dice dice{trial + 77};
        std::vector<Removal> removals;
        for (int i = 0; i < 3; ++i)
            removals.push_back({"cable", Link{dice(static_cast<std::uint32_t>(net.links().size()))}, Node{}, 0});
        std::vector<Fraction> of_removal(removals.size());
        std::uint64_t met = 0, cut = 0;
        for (Host const from : hosts)
            for (Host const to : hosts) {
                if (from == to) continue;
                Fraction lost;
                auto const pass = [&](Link link, Fraction share) {
                    for (std::size_t r = 0; r < removals.size(); ++r)
                        if (link == removals[r].cable || net[link].reverse == removals[r].cable) {
                            of_removal[r] = of_removal[r] + share;
                            lost = lost + share;
                            return false;
                        }
                    return true;
                };
                Link const up = net.up_link(from);
                if (pass(up, {1, 1})) divide(fabric, net[up].to, net[to].lid, {1, 1}, pass);
                met += lost.p > 0;
                cut += lost.p == lost.q && lost.p > 0;
            }
        WhatIf const found = what_if(Forwarding(fabric), hosts, hosts, removals, 2);
        EXPECT_TRUE(found.divided);
        EXPECT_EQ(found.delivered, hosts.size() * (hosts.size() - 1));
        EXPECT_EQ(found.met, met);
        EXPECT_EQ(found.cut, cut);
        double sum = 0, of_sources = 0;
        for (std::size_t r = 0; r < removals.size(); ++r) {
            bool const again = std::any_of(removals.begin(), removals.begin() + std::ptrdiff_t(r), [&](auto& one) {
                return one.cable == removals[r].cable || net[one.cable].reverse == removals[r].cable;
            });
            if (!again) {
                EXPECT_DOUBLE_EQ(found.removals[r].pairs, of_removal[r].value());
            }
            sum += found.removals[r].pairs;
        }
        for (WhatIf::Source const& one : found.sources) of_sources += one.broken;
        EXPECT_NEAR(found.broken, sum, 1e-9);
        EXPECT_NEAR(found.broken, of_sources, 1e-9);
    });
}

nlohmann::json audited(std::vector<std::string> words) {
    words.insert(words.begin(), "audit");
    words.insert(words.end(), {"--format", "json"});
    Finished const run = run_tailback(words);
    EXPECT_TRUE(run.code == 0 || run.code == 1) << run.err;
    return nlohmann::json::parse(run.out);
}
nlohmann::json audited_folder(router_fabric::All const& all, std::vector<std::string> more = {}) {
    TemporaryFolder const folder;
    router_fabric::write(folder, all, router_fabric::Told::kernel_and_addresses);
    more.insert(more.begin(), {"--network", "frr:" + folder.path()});
    return audited(more);
}

TEST(DividedBalance, ASymmetricClosOfRoutersIsEven) {
    nlohmann::json const sound = audited_folder(router_fabric::routers());
    EXPECT_EQ(sound.at("verdict").at("result"), "sound");
    EXPECT_EQ(sound.at("balance").at("judged_by"), "equal division");
    EXPECT_EQ(sound.at("balance").at("stages").size(), 4u);
    for (auto const& stage : sound.at("balance").at("stages")) EXPECT_EQ(stage.at("x_ideal"), 1.0) << stage;
    // 3 hosts send to 9 others by 2 links.
    EXPECT_EQ(sound.at("balance").at("largest_between_switches"), 13.5);
    EXPECT_EQ(sound.at("bisection").at("judged_by"), "equal division");

    for (std::string const spec : {"xgft:3;4,4,4;1,4,4", "xgft:3;3,5,4;1,3,5"}) {
        nlohmann::json const tree = audited({"--network", spec, "--routing", "ar:minimal", "--worst-case", "none"});
        EXPECT_EQ(tree.at("verdict").at("result"), "sound");
        for (auto const& stage : tree.at("balance").at("stages")) EXPECT_EQ(stage.at("x_ideal"), 1.0) << stage;
        EXPECT_NEAR(tree.at("bisection").at("expected"), 1, 0.2);
    }
}

TEST(DividedBalance, ALeafThatLacksALinkIsNot) {
    router_fabric::All all = router_fabric::routers();
    for (auto& [prefix, hops] : all["leaf1"].routes) hops.pop_back();
    nlohmann::json const lacking = audited_folder(all);
    nlohmann::json const stage = lacking.at("balance").at("stages").at(2);
    EXPECT_EQ(stage.at("pairs"), 108);
    EXPECT_EQ(stage.at("largest"), 27);
    EXPECT_EQ(stage.at("least"), 0);
    EXPECT_EQ(stage.at("x_ideal"), 2.0);

    for (auto& [prefix, hops] : all["leaf2"].routes) hops.erase(hops.begin());
    nlohmann::json const two = audited_folder(all);
    EXPECT_EQ(two.at("balance").at("stages").at(2).at("x_ideal"), 2.0);
}

TEST(DividedBalance, WhatIfAndFailuresOfRoutersGoByTheSets) {
    nlohmann::json const removed = audited_folder(router_fabric::routers(), {"--without-cable", "leaf1:swp49"});
    // 27 pairs leave leaf1 and half of each goes by spine1, 27 come.
    EXPECT_EQ(removed.at("what_if").at("broken"), 27);
    EXPECT_EQ(removed.at("what_if").at("some_routes_break"), 54);
    EXPECT_EQ(removed.at("what_if").at("all_routes_break"), 0);
    nlohmann::json const host = audited_folder(router_fabric::routers(), {"--without-cable", "n11:eth0"});
    EXPECT_EQ(host.at("what_if").at("broken"), 22);
    EXPECT_EQ(host.at("what_if").at("all_routes_break"), 22);

    // A router sees its own dead port: leaves never send there, the spine that lost its cable drops what comes.
    nlohmann::json const failed = audited_folder(router_fabric::routers(), {"--fail-cables", "switch:1"});
    std::uint64_t from_leaves = 0;
    for (auto const& finding : failed.at("findings")) {
        std::string const where = finding.at("where");
        from_leaves += finding.at("kind") != "asymmetric" && where.find("leaf") != std::string::npos;
    }
    EXPECT_EQ(from_leaves, 0u) << failed.at("findings").dump(1);
    EXPECT_EQ(failed.at("choices").at("pairs").at("always_delivered"), 132 - 27);
}

/// The most that a permutation puts on a link, by trying all: over sources, which destinations are taken.
double largest_by_trying(std::vector<std::vector<double>> const& share) {
    std::size_t const n = share.size();
    std::vector<double> best(std::size_t{1} << n, -1);
    best[0] = 0;
    for (std::size_t taken = 0; taken < best.size(); ++taken) {
        auto const source = std::size_t(std::popcount(taken));
        for (std::size_t d = 0; d < n && best[taken] >= 0 && source < n; ++d)
            if ((taken >> d & 1) == 0)
                best[taken | std::size_t{1} << d] =
                    std::max(best[taken | std::size_t{1} << d], best[taken] + share[source][d]);
    }
    return best.back();
}

TEST(DividedBalance, TheWorstPermutationIsThatOfTryingAll) {
    bool any_between = false;
    for_each_thinned(4, [&](Fabric const& fabric, std::vector<Host> const& hosts, std::uint32_t) {
        Network const& net = fabric.network;
        std::vector<std::vector<std::vector<double>>> shares(  // by link, source, destination
            net.links().size(), std::vector<std::vector<double>>(hosts.size(), std::vector<double>(hosts.size())));
        for (Host const s : hosts)
            for (Host const d : hosts)
                if (s != d)
                    divide(fabric, net[net.up_link(s)].to, net[d].lid, {1, 1}, [&](Link link, Fraction part) {
                        shares[link.value][s.value][d.value] += part.value();
                        return true;
                    });
        double worst = 0;
        std::vector<Link> at;
        for (std::size_t l = 0; l < net.links().size(); ++l) {
            if (!fabric.between_switches(Link{l})) continue;
            double const most = largest_by_trying(shares[l]);
            if (most > worst + 1e-9) worst = most, at.clear();
            if (most > worst - 1e-9) at.emplace_back(l);
        }
        Forwarding const forwarding(fabric);
        ChoiceGraph const graph(forwarding, ChoicesOf::sets, hosts);
        auto const found = worst_divided_permutation(graph, hosts, 1);
        ASSERT_TRUE(found);
        EXPECT_TRUE(found->exact);
        EXPECT_NEAR(found->flows, worst, 1e-9);
        EXPECT_EQ(found->link, at.front());
        EXPECT_EQ(found->links, at.size());
        EXPECT_EQ(found->at_least, found->flows);
        // Without time for assignments: what some permutation puts, and what none passes.
        auto const between = worst_divided_permutation(graph, hosts, 1, 0);
        ASSERT_TRUE(between);
        EXPECT_GE(between->flows, worst - 1e-9);
        EXPECT_LE(between->at_least, worst + 1e-9);
        EXPECT_GE(between->at_least, worst / 2);  // greedily
        if (between->exact) EXPECT_NEAR(between->flows, worst, 1e-9);
        any_between = any_between || !between->exact;
    });
    EXPECT_TRUE(any_between);
}

/// Two hosts a leaf and a link to each of two spines: two flows that leave it are one on each. By one next hop they
/// may be two on one.
TEST(DividedBalance, AnAuditTellsTheWorstPermutationByEqualDivision) {
    TemporaryFolder const folder;
    router_fabric::write(folder, router_fabric::routers(), router_fabric::Told::kernel_and_addresses);
    Words const words = {"audit", "--network", "frr:" + folder.path()};
    nlohmann::json const worst =
        nlohmann::json::parse(run_tailback(joined(words, {"--format", "json"})).out)["worst_permutation"];
    EXPECT_DOUBLE_EQ(worst["divided"]["flows"], 1.5);  // three hosts a leaf
    EXPECT_EQ(worst["divided"]["how"], "exact");
    EXPECT_EQ(worst["divided"]["links"], 16);
    EXPECT_EQ(worst["flows"], 3);
    std::string const text = run_tailback(words).out;
    EXPECT_NE(text.find("Where switches divide equally, some permutation of the hosts puts 1.50 flows on one link"),
              text.npos)
        << text;
    nlohmann::json const fixed =
        nlohmann::json::parse(run_tailback({"audit", "torus:3x3", "--format", "json"}).out)["worst_permutation"];
    EXPECT_FALSE(fixed.contains("divided"));
}

}  // namespace
}  // namespace tailback::divided_balance_test
