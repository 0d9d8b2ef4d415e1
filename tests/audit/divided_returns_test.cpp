// Missing cables of networks whose switches divide flows, tried by equal division. Definition: routes are all ways of
// fewest links; a switch sends what it has for a destination in equal parts by all its next hops, where a LAG is one,
// divided over its members. Held to a recomputation that walks each destination by itself, over every pairing of hosts.
#include "host/audit/changes/returned_cables.hpp"
#include "host/model/network.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

namespace tailback::divided_returns_test {
namespace {

/// Cables between switches, by lower switch, higher switch, number among those between the two; switches are counted
/// from 0.
using Cable = std::tuple<std::uint32_t, std::uint32_t, int>;

std::uint32_t number_of(Network const& network, Node node) {
    std::uint32_t number = 0;
    for (std::uint32_t n = 0; n < node.value; ++n) number += network.is_switch(Node{n}) ? 1 : 0;
    return number;
}

Network without(Network const& whole, std::function<bool(Cable const&)> const& fails) {
    NetworkBuilder builder(true);
    for (std::size_t n = 0; n < whole.nodes().size(); ++n) builder.add_node(whole[Node{n}]);
    for (std::size_t h = 0; h < whole.hosts().size(); ++h) builder.add_host(whole[Host{h}]);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> number;
    for (std::size_t l = 0; l < whole.links().size(); ++l) {
        LinkRecord const& link = whole[Link{l}];
        if (whole.is_switch(link.from) && whole.is_switch(link.to)) {
            if (link.to < link.from) continue;
            auto const [a, b] = std::minmax({number_of(whole, link.from), number_of(whole, link.to)});
            if (fails({a, b, number[{a, b}]++})) continue;
        } else if (link.reverse.value < l) {
            continue;
        }
        builder.add_link(link);
        builder.add_link(whole[link.reverse]);
    }
    Disagreements disagreements;
    return builder.finish(disagreements, "");
}

std::vector<Host> all_hosts(Network const& network) {
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < network.hosts().size(); ++h) hosts.emplace_back(h);
    return hosts;
}

/// All cables between two switches are one LAG, told by the switch that comes first.
Lags lags_of_bundles(Network const& whole) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Port>> ports;
    for (std::size_t l = 0; l < whole.links().size(); ++l)
        if (LinkRecord const& link = whole[Link{l}]; whole.is_switch(link.from) && whole.is_switch(link.to))
            if (link.from < link.to) ports[{link.from.value, link.to.value}].push_back(link.from_port);
    Lags lags;
    for (auto const& [ends, members] : ports) lags.add(Node{ends.first}, members);
    return lags;
}

/// Shares of links on the way from one host to another, host links left out, where flows divide equally.
using Shares = std::map<std::uint32_t, double>;  // by link

class Naive {
public:
    Naive(Network const& network, Lags const& lags) : network_(network), lags_(lags) {}

    Shares shares(Host source, Host destination) const {
        std::uint32_t const to = switch_of(destination), from = switch_of(source);
        std::vector<int> const far = distances(to);
        std::vector<double> here(far.size());
        here[from] = 1;
        Shares found;
        for (int left = far[from]; left > 0; --left)
            for (std::uint32_t node = 0; node < far.size(); ++node)
                if (far[node] == left && here[node] > 0) divide(node, far, here, found);
        return found;
    }
    double largest_of_all_pairs() const {
        Shares sum;
        for (Host const s : all_hosts(network_))
            for (Host const d : all_hosts(network_))
                if (!(s == d))
                    for (auto const& [link, share] : shares(s, d)) sum[link] += share;
        double most = 0;
        for (auto const& [link, load] : sum) most = std::max(most, load);
        return most;
    }
    /// Mean over all orders of the hosts, of which the first half sends to the second: of 1 / the most on the way.
    double bandwidth() const {
        std::vector<Host> order = all_hosts(network_);
        std::map<std::pair<Host, Host>, Shares> ways;
        for (Host const s : order)
            for (Host const d : order)
                if (!(s == d)) ways[{s, d}] = shares(s, d);
        std::size_t const half = order.size() / 2;
        double sum = 0;
        std::size_t count = 0;
        do {
            Shares load;
            for (std::size_t i = 0; i < half; ++i)
                for (auto const& [link, share] : ways[{order[i], order[i + half]}]) load[link] += share;
            for (std::size_t i = 0; i < half; ++i, ++count) {
                double most = 1;  // on the hosts' own links
                for (auto const& [link, share] : ways[{order[i], order[i + half]}]) most = std::max(most, load[link]);
                sum += 1 / most;
            }
        } while (std::next_permutation(order.begin(), order.end()));
        return sum / double(count);
    }

private:
    std::uint32_t switch_of(Host host) const { return network_[network_.up_link(host)].to.value; }
    std::vector<int> distances(std::uint32_t to) const {
        std::vector<int> far(network_.nodes().size(), -1);
        std::vector<std::uint32_t> next = {to};
        far[to] = 0;
        for (std::size_t i = 0; i < next.size(); ++i)
            for (std::size_t l = 0; l < network_.links().size(); ++l)
                if (LinkRecord const& link = network_[Link{l}];
                    link.to.value == next[i] && network_.is_switch(link.from) && far[link.from.value] < 0) {
                    far[link.from.value] = far[next[i]] + 1;
                    next.push_back(link.from.value);
                }
        return far;
    }
    void divide(std::uint32_t node, std::vector<int> const& far, std::vector<double>& here, Shares& found) const {
        std::map<std::uint32_t, std::vector<std::uint32_t>> hops;  // links, by the first of their LAG
        for (std::uint32_t l = 0; l < network_.links().size(); ++l) {
            LinkRecord const& link = network_[Link{l}];
            if (link.from.value != node || far[link.to.value] != far[node] - 1) continue;
            std::uint32_t lag = l;
            for (std::uint32_t other = 0; other < l; ++other)
                if (is_one_lag(link, network_[Link{other}])) lag = std::min(lag, other);
            hops[lag].push_back(l);
        }
        for (auto const& [lag, links] : hops)
            for (std::uint32_t const l : links) {
                double const part = here[node] / double(hops.size()) / double(links.size());
                found[l] += part;
                here[network_[Link{l}].to.value] += part;
            }
    }
    bool is_one_lag(LinkRecord const& a, LinkRecord const& b) const {
        auto const has = [&](Node node, Port one, Port other) {
            for (auto const& [at, ports] : lags_.all())
                if (at == node && std::find(ports.begin(), ports.end(), one) != ports.end() &&
                    std::find(ports.begin(), ports.end(), other) != ports.end())
                    return true;
            return false;
        };
        return a.from == b.from && a.to == b.to &&
               (has(a.from, a.from_port, b.from_port) || has(a.to, a.to_port, b.to_port));
    }

    Network const& network_;
    Lags const& lags_;
};

/// Tries the cables that `fails` names and holds every number to the naive one; `lags` of the whole network.
CableReturns expect_naive(Network const& whole, std::vector<Cable> const& gone, Lags const& lags) {
    auto const is_gone = [&](Cable const& one) { return std::find(gone.begin(), gone.end(), one) != gone.end(); };
    Network const now = without(whole, is_gone);
    std::vector<MissingCable> const missing = cables_gone(whole, now, &lags);
    EXPECT_EQ(missing.size(), gone.size());
    std::vector<Host> const hosts = all_hosts(now);
    CableReturns const found = try_divided_cables(now, &lags, hosts, missing, "ar:minimal", 1);
    EXPECT_EQ(found.draws, 1000u);
    double const before = Naive(now, lags).bandwidth();
    EXPECT_NEAR(found.as_it_is.largest, Naive(now, lags).largest_of_all_pairs(), 1e-9);
    EXPECT_NEAR(found.as_it_is.bandwidth, before, 0.02);
    EXPECT_LE(found.least, found.as_it_is.largest + 1e-9);
    EXPECT_EQ(found.cables.size(), gone.size());
    for (ReturnedCable const& one : found.cables) {
        Network const with = without(whole, [&](Cable const& cable) {
            if (!is_gone(cable)) return false;
            auto const [low, high] = std::minmax(one.cable.from, one.cable.to);
            Port port = 0;  // of the lower switch
            int number = 0;
            for (std::size_t l = 0; l < whole.links().size(); ++l)
                if (LinkRecord const& link = whole[Link{l}]; link.from == low && link.to == high)
                    if (number++ == std::get<2>(cable)) port = link.from_port;
            bool const is_it = std::get<0>(cable) == number_of(whole, low) &&
                               std::get<1>(cable) == number_of(whole, high) &&
                               port == (one.cable.from == low ? one.cable.from_port : one.cable.to_port);
            return !is_it;
        });
        Naive const naive(with, lags);
        EXPECT_NEAR(one.routes.largest, naive.largest_of_all_pairs(), 1e-9);
        EXPECT_LE(one.least, one.routes.largest + 1e-9);
        EXPECT_FALSE(one.routes.collisions.has_value());
        EXPECT_NEAR(one.gain, naive.bandwidth() - before, std::max(found.error, 1e-9));
    }
    return found;
}

TEST(DividedReturns, OfATreeOfEqualCost) {
    Network const whole = make_topology(TopologySpec("xgft:m=2x3,w=1x2")).network;
    CableReturns const found = expect_naive(whole, {{0, 3, 0}, {1, 4, 0}}, {});
    EXPECT_EQ(found.cables.size(), 2u);
}

TEST(DividedReturns, OfARing) {
    Network const whole = make_topology(TopologySpec("ring:6")).network;
    expect_naive(whole, {{0, 1, 0}}, {});
}

/// A LAG of one member less carries what it did: the other has all of it, and its return halves that.
TEST(DividedReturns, OfAMemberOfALag) {
    Network const whole = make_topology(TopologySpec("xgft:m=3x2,w=1x2,p=1x2")).network;
    Lags const lags = lags_of_bundles(whole);
    CableReturns const found = expect_naive(whole, {{0, 2, 1}}, lags);
    ASSERT_EQ(found.cables.size(), 1u);
    EXPECT_TRUE(found.cables[0].stands_out);
    EXPECT_NEAR(found.as_it_is.largest, 2 * found.cables[0].routes.largest, 1e-9);
    // Where no LAG is told three cables share what goes up from that leaf: one carries less than half of it.
    CableReturns const apart = expect_naive(whole, {{0, 2, 1}}, {});
    EXPECT_GT(apart.as_it_is.bandwidth, found.as_it_is.bandwidth);
}

/// A member joins its LAG again where only the older dump tells the LAG, as one of one member alone is none.
TEST(DividedReturns, AMemberJoinsItsLag) {
    Network const whole = make_topology(TopologySpec("xgft:m=2x3,w=1x2,p=1x2")).network;
    Lags const lags = lags_of_bundles(whole);
    Network const now = without(whole, [](Cable const& one) { return one == Cable{0, 3, 1}; });
    std::vector<MissingCable> const missing = cables_gone(whole, now, &lags);
    ASSERT_EQ(missing.size(), 1u);
    ASSERT_TRUE(missing[0].beside.exists());
    Lags less;  // without the LAG that has one member left
    for (auto const& [node, ports] : lags.all())
        if (std::find(ports.begin(), ports.end(), now[missing[0].beside].from_port) == ports.end() ||
            !(node == now[missing[0].beside].from))
            less.add(node, ports);
    EXPECT_EQ(less.all().size(), lags.all().size() - 1);
    CableReturns const told = try_divided_cables(now, &lags, all_hosts(now), missing, "ar:minimal", 1),
                       joined = try_divided_cables(now, &less, all_hosts(now), missing, "ar:minimal", 1);
    EXPECT_EQ(joined.cables[0].routes.largest, told.cables[0].routes.largest);
    EXPECT_EQ(joined.cables[0].routes.bandwidth, told.cables[0].routes.bandwidth);
    EXPECT_EQ(joined.as_it_is.largest, told.as_it_is.largest);
}

/// Where most switches have more cables in their LAG it is the LAG's port without a cable that lacks one.
TEST(DividedReturns, UnevenBundlesLackMembers) {
    Network const whole = make_topology(TopologySpec("xgft:m=3x4,w=1x2,p=1x3")).network;
    Lags const lags = lags_of_bundles(whole);
    Network const now = without(whole, [](Cable const& one) { return one == Cable{2, 5, 1}; });
    std::vector<MissingCable> const missing = cables_of_uneven_bundles(now, &lags);
    ASSERT_EQ(missing.size(), 1u);
    std::vector<MissingCable> const gone = cables_gone(whole, now, &lags);
    ASSERT_EQ(gone.size(), 1u);
    EXPECT_TRUE(missing[0].beside.exists());
    EXPECT_EQ(missing[0].from, gone[0].from);
    EXPECT_EQ(missing[0].from_port, gone[0].from_port);
}

TEST(DividedReturns, StandOutWhereOneLeafHasLostMost) {
    Network const whole = make_topology(TopologySpec("xgft:m=8x8,w=1x8")).network;
    Network const now = without(whole, [&](Cable const& one) {
        auto const [leaf, spine, number] = one;
        return (leaf == 0 && spine >= 11) || (leaf == 5 && spine == 8) || (leaf == 6 && spine == 9);
    });
    std::vector<MissingCable> const gone = cables_gone(whole, now);
    ASSERT_EQ(gone.size(), 7u);
    CableReturns const found = try_divided_cables(now, nullptr, all_hosts(now), gone, "ar:minimal", 1);
    EXPECT_NEAR(found.least, 8 * 56 / 3.0, 0.2);  // 8 hosts send to 56 others over 3 cables
    for (std::size_t i = 0; i < found.cables.size(); ++i) {
        ReturnedCable const& one = found.cables[i];
        bool const of_leaf = number_of(now, std::min(one.cable.from, one.cable.to)) == 0;
        EXPECT_EQ(one.stands_out, of_leaf) << i << " " << one.gain << " +- " << found.error;
        EXPECT_EQ(i < 5, of_leaf) << i;
    }
}

TEST(DividedReturns, AreAllAlikeWhereFailuresAre) {
    Network const whole = make_topology(TopologySpec("xgft:m=8x8,w=1x8")).network;
    Network const now = without(
        whole, [](Cable const& one) { return std::get<0>(one) < 4 && std::get<1>(one) == std::get<0>(one) + 8; });
    std::vector<MissingCable> const gone = cables_gone(whole, now);
    ASSERT_EQ(gone.size(), 4u);
    CableReturns const found = try_divided_cables(now, nullptr, all_hosts(now), gone, "ar:minimal", 1);
    EXPECT_EQ(found.cables.size(), 4u);
    for (ReturnedCable const& one : found.cables) EXPECT_FALSE(one.stands_out) << one.gain << " +- " << found.error;
}

/// A folder of routers is judged by equal division, not by tables of one next hop, and hosts that are left out send
/// nothing.
TEST(DividedReturns, OfAFolderOfRouters) {
    Words const words = {"audit",
                         "--network",
                         "frr:" + fixture("../../examples/roce"),
                         "--fail-cables",
                         "leaf01:swp49,leaf02:swp50",
                         "--return-cables",
                         "failed"};
    Finished const text = run_tailback(words);
    EXPECT_NE(text.out.find("each returned by itself, with next hops made anew"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("Flows divide equally over all next hops of shortest routes"), std::string::npos);
    nlohmann::json const found =
        nlohmann::json::parse(run_tailback(joined(words, {"--format", "json"})).out).at("returned_cables");
    EXPECT_EQ(found.at("routing"), "ar:minimal");
    EXPECT_EQ(found.at("cables").size(), 2u);
    for (nlohmann::json const& one : found.at("cables")) {
        EXPECT_TRUE(one.at("collisions_per_permutation").is_null());
        EXPECT_GE(one.at("largest_load").get<double>(), one.at("bound").get<double>() - 1e-9);
    }
    nlohmann::json const few =
        nlohmann::json::parse(run_tailback(joined(words, {"--format", "json", "--hosts", "node0[1-2]"})).out)
            .at("returned_cables");
    EXPECT_LT(few.at("as_it_is").at("largest_load").get<double>(),
              found.at("as_it_is").at("largest_load").get<double>());
}

}  // namespace
}  // namespace tailback::divided_returns_test
