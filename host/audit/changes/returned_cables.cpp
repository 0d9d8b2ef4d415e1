#include "host/audit/changes/returned_cables.hpp"

#include "host/audit/loads/levels.hpp"
#include "host/base/error.hpp"
#include "host/model/fabric/network_match.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tailback::audit {
namespace {

/// Ports without a cable, the lowest first.
class FreePorts {
public:
    explicit FreePorts(model::Network const& network) : network_(network), used_(network.nodes().size()) {
        for (std::size_t l = 0; l < network.links().size(); ++l) {
            model::LinkRecord const& link = network[model::Link{l}];
            use(link.from, link.from_port);
            use(link.to, link.to_port);
        }
    }
    bool is_free(model::Node node, model::Port port) const {
        std::vector<std::uint8_t> const& used = used_[node.value];
        return port > 0 && (port >= used.size() || used[port] == 0);
    }
    /// A port up to this; 0 where the switch has none.
    model::Port take(model::Node node, model::Port last) {
        for (model::Port port = 1; port <= last; ++port)
            if (is_free(node, port)) return use(node, port), port;
        return 0;
    }
    /// A port without a cable of the LAG that a link leaves by; 0 where there is none.
    model::Port take_member(model::Lags const& lags, model::Node node, model::Port of) {
        for (model::Port const port : lags.of(node, of))
            if (is_free(node, port)) return use(node, port), port;
        return 0;
    }
    /// Is the last port of every switch cabled? Then nobody has told how many ports switches have, or none is free.
    bool are_last_cabled() const {
        for (std::size_t n = 0; n < used_.size(); ++n)
            if (model::Node const node{n}; network_.is_switch(node) && is_free(node, network_[node].ports))
                return false;
        return true;
    }
    void use(model::Node node, model::Port port) {
        std::vector<std::uint8_t>& used = used_[node.value];
        if (port >= used.size()) used.resize(std::size_t{port} + 1);
        used[port] = 1;
    }

private:
    model::Network const& network_;
    std::vector<std::vector<std::uint8_t>> used_;  // by node, port
};

/// How many cables lie between switches, and how many there would be if a switch were as most of those are that have
/// the same neighbours.
class Bundling {
public:
    using Cables = std::map<std::uint32_t, std::uint32_t>;  // by neighbour

    explicit Bundling(model::Network const& network)
        : cables_(network.nodes().size()), level_(levels_of(network).of_node) {
        for (std::size_t l = 0; l < network.links().size(); ++l) {
            model::LinkRecord const& link = network[model::Link{l}];
            if (network.is_switch(link.from) && network.is_switch(link.to) && !(link.from == link.to))
                ++cables_[link.from.value][link.to.value];
        }
    }
    std::uint32_t count(std::uint32_t from, std::uint32_t to) const {
        auto const found = cables_[from].find(to);
        return found == cables_[from].end() ? 0 : found->second;
    }
    /// The neighbours to which at least two thirds of its like have more cables: so many. Who is like it is asked for
    /// neighbours nearer to hosts and farther from them apart.
    Cables usual_of(std::uint32_t from) const {
        std::map<std::uint32_t, std::vector<std::uint32_t>> neighbours;  // by level
        for (auto const& [near, count] : cables_[from]) neighbours[level_[near]].push_back(near);
        Cables usual;
        for (auto const& [level, near] : neighbours) add_usual(from, level, near, usual);
        return usual;
    }

private:
    void add_usual(std::uint32_t from, std::uint32_t level, std::vector<std::uint32_t> const& neighbours,
                   Cables& usual) const {
        Cables common;  // by switch: these neighbours that both have
        for (std::uint32_t const near : neighbours)
            for (auto const& [other, its] : cables_[near])
                if (other != from && level_[other] == level_[from]) ++common[other];
        std::map<std::uint32_t, Cables> times;  // by neighbour and number of cables: how often
        std::uint32_t like = 0;
        for (auto const& [other, shared] : common) {
            auto const alike =
                static_cast<std::size_t>(std::count_if(cables_[other].begin(), cables_[other].end(),
                                                       [&](auto const& one) { return level_[one.first] == level; }));
            if (2 * shared < neighbours.size() || 2 * shared < alike) continue;
            ++like;
            for (auto const& [near, count] : cables_[other])
                if (near != from && level_[near] == level) ++times[near][count];
        }
        for (auto const& [near, counts] : times)
            for (auto const& [count, often] : counts)
                if (3 * often >= 2 * like && count > this->count(from, near)) usual[near] = count;
    }

    std::vector<Cables> cables_;
    std::vector<std::uint32_t> level_;
};

/// By node the last port that a cable could be put in: where files do not tell how many ports a switch has, as many as
/// the switches of its level are seen to have.
std::vector<model::Port> last_ports(model::Network const& network, FreePorts const& ports) {
    std::vector<std::uint32_t> const level = levels_of(network).of_node;
    std::map<std::uint32_t, model::Port> most;  // by level
    std::vector<model::Port> last(network.nodes().size());
    for (std::size_t n = 0; n < last.size(); ++n) {
        last[n] = network[model::Node{n}].ports;
        if (network.is_switch(model::Node{n})) most[level[n]] = std::max(most[level[n]], last[n]);
    }
    if (!ports.are_last_cabled()) return last;
    for (std::size_t n = 0; n < last.size(); ++n)
        if (network.is_switch(model::Node{n})) last[n] = most[level[n]];
    return last;
}

/// A link from one switch to another where all of these are one LAG, or the only one is of a LAG; else none.
model::Link the_lag_between(model::Network const& network, model::Lags const* lags, model::Node from, model::Node to) {
    if (lags == nullptr) return {};
    model::Link first;
    std::size_t links = 0;
    for (std::uint32_t i = 0; i < network.link_count(from); ++i) {
        model::Link const one{network.first_link(from).value + i};
        if (!(network[one].to == to)) continue;
        if (!first.exists()) first = one;
        ++links;
    }
    if (!first.exists()) return {};
    model::LinkRecord const& link = network[first];
    bool const is_member = !lags->of(link.from, link.from_port).empty() || !lags->of(link.to, link.to_port).empty();
    return is_member && lags->sharers(network, first).size() == links ? first : model::Link{};
}

/// Of the cables that were one LAG with a link, one that is still there.
model::Link member_left(model::Network const& before, model::Lags const& lags, model::NetworkMatch const& match,
                        model::Link link) {
    for (model::Link const one : lags.sharers(before, link))
        if (match.link_after[one].exists()) return match.link_after[one];
    return {};
}

}  // namespace

std::vector<MissingCable> cables_gone(model::Network const& before, model::Network const& now,
                                      model::Lags const* lags) {
    model::NetworkMatch const match(before, now);
    bool any = false;
    for (std::size_t n = 0; n < now.nodes().size(); ++n)
        any = any || (now.is_switch(model::Node{n}) && match.node_before[model::Node{n}].exists());
    if (!any)
        throw base::InputError({}, "no switch of the older network is in this one", "they are two fabrics",
                               "name an older dump of the same fabric", "return-cables");
    FreePorts const ports(now);
    std::vector<MissingCable> gone;
    for (std::size_t l = 0; l < before.links().size(); ++l) {
        model::LinkRecord const& link = before[model::Link{l}];
        if (!before.is_switch(link.from) || !before.is_switch(link.to) || match.link_after[model::Link{l}].exists())
            continue;
        if (link.reverse.exists() && link.reverse.value < l) continue;
        model::Node const from = match.node_after[link.from], to = match.node_after[link.to];
        if (!from.exists() || !to.exists() || !ports.is_free(from, link.from_port) || !ports.is_free(to, link.to_port))
            continue;
        gone.push_back({from, to, link.from_port, link.to_port,
                        lags != nullptr ? member_left(before, *lags, match, model::Link{l}) : model::Link{}});
    }
    return gone;
}

std::vector<MissingCable> cables_of_uneven_bundles(model::Network const& network, model::Lags const* lags) {
    Bundling const bundling(network);
    FreePorts ports(network);
    std::vector<model::Port> const last = last_ports(network, ports);
    std::vector<MissingCable> missing;
    for (std::uint32_t from = 0; from < network.nodes().size(); ++from)
        for (auto const& [to, usual] : bundling.usual_of(from)) {
            if (to < from) continue;
            std::map<std::uint32_t, std::uint32_t> const back = bundling.usual_of(to);
            auto const agrees = back.find(from);
            if (agrees == back.end()) continue;
            model::Link const lag = the_lag_between(network, lags, model::Node{from}, model::Node{to});
            auto const take = [&](std::uint32_t node, model::Port of) {
                model::Port const member = lag.exists() ? ports.take_member(*lags, model::Node{node}, of) : 0;
                return member != 0 ? member : ports.take(model::Node{node}, last[node]);
            };
            for (std::uint32_t have = bundling.count(from, to); have < std::min(usual, agrees->second); ++have) {
                model::Port const one = take(from, lag.exists() ? network[lag].from_port : 0),
                                  other = take(to, lag.exists() ? network[lag].to_port : 0);
                if (one == 0 || other == 0) break;
                missing.push_back({model::Node{from}, model::Node{to}, one, other, lag});
            }
        }
    return missing;
}

}  // namespace tailback::audit
