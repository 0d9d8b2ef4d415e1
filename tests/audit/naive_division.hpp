// Flows that divide in equal parts over all ways of fewest links, a LAG being one next hop that is divided over its
// members: by walking each destination by itself, over every pairing of hosts.
#pragma once

#include "host/audit/changes/returned_cables.hpp"
#include "host/model/network.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace tailback::naive_division {

/// Cables between switches, by lower switch, higher switch, number among those between the two; switches are counted
/// from 0.
using Cable = std::tuple<std::uint32_t, std::uint32_t, int>;

inline std::uint32_t number_of(Network const& network, Node node) {
    std::uint32_t number = 0;
    for (std::uint32_t n = 0; n < node.value; ++n) number += network.is_switch(Node{n}) ? 1 : 0;
    return number;
}

inline Network without(Network const& whole, std::function<bool(Cable const&)> const& fails) {
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

inline std::vector<Host> every_host_of(Network const& network) {
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < network.hosts().size(); ++h) hosts.emplace_back(h);
    return hosts;
}

/// All cables between two switches are one LAG, told by the switch that comes first.
inline Lags lags_of_bundles(Network const& whole) {
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
        for (Host const s : every_host_of(network_))
            for (Host const d : every_host_of(network_))
                if (!(s == d))
                    for (auto const& [link, share] : shares(s, d)) sum[link] += share;
        double most = 0;
        for (auto const& [link, load] : sum) most = std::max(most, load);
        return most;
    }
    /// Mean over all orders of the hosts, of which the first half sends to the second: of 1 / the most on the way.
    double bandwidth() const {
        std::vector<Host> order = every_host_of(network_);
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

/// Tries the cables that `gone` names and holds every number to the naive one; `lags` of the whole network.
/// @param today the LAGs of the network without these cables; null = the same
inline CableReturns expect_naive(Network const& whole, std::vector<Cable> const& gone, Lags const& lags,
                                 Lags const* today = nullptr) {
    auto const is_gone = [&](Cable const& one) { return std::find(gone.begin(), gone.end(), one) != gone.end(); };
    Network const now = without(whole, is_gone);
    std::vector<MissingCable> const missing = cables_gone(whole, now, &lags);
    EXPECT_EQ(missing.size(), gone.size());
    std::vector<Host> const hosts = every_host_of(now);
    CableReturns const found =
        try_divided_cables(now, today != nullptr ? today : &lags, hosts, missing, "ar:minimal", 1);
    EXPECT_EQ(found.draws, 1000u);
    double const before = Naive(now, lags).bandwidth();
    EXPECT_NEAR(found.as_it_is.largest, Naive(now, lags).largest_of_all_pairs(), 1e-9);
    EXPECT_NEAR(found.as_it_is.bandwidth.value_or(0), before, 0.02);
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
        EXPECT_NEAR(one.gain.value_or(2), naive.bandwidth() - before, std::max(found.error, 1e-9));
    }
    return found;
}

}  // namespace tailback::naive_division
