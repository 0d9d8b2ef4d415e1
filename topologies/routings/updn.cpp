// Up*/down* (Schroeder et al., "Autonet", 1991): links have a direction, towards the roots or away from them, without a
// cycle; a route goes up, then down, never up again. So no cycle of waiting links can be, on any graph.
#include "host/error.hpp"
#include "host/formats/roots.hpp"
#include "host/nearest.hpp"
#include "topologies/routings/any_graph.hpp"
#include "topologies/routings/candidates.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace tailback {
namespace {

constexpr std::uint32_t none = ForwardingGraph::none;

/// Hops to the nearest of `starts`, by links in either direction.
std::vector<std::uint32_t> hops_from(ForwardingGraph const& graph, std::vector<std::uint32_t> const& starts) {
    std::vector<std::uint32_t> hops(graph.size(), none), queue = starts;
    for (std::uint32_t const v : starts) hops[v] = 0;
    for (std::size_t at = 0; at < queue.size(); ++at) {
        std::uint32_t const v = queue[at];
        auto const visit = [&](std::uint32_t u) {
            if (hops[u] != none) return;
            hops[u] = hops[v] + 1;
            queue.push_back(u);
        };
        for (std::uint32_t a = graph.first_arc[v]; a < graph.first_arc[v + 1]; ++a) visit(graph.arcs[a].to);
        for (std::uint32_t i = graph.first_in[v]; i < graph.first_in[v + 1]; ++i) visit(graph.in[i]);
    }
    return hops;
}

/// Forwarders in an order from the roots down: earlier = higher; of equally far ones those of smaller GUIDs first, as
/// the audit judges.
class UpDown {
public:
    UpDown(ForwardingGraph const& graph, Network const& network, std::vector<std::uint32_t> const& roots)
        : graph_(graph), place_(graph.size()) {
        std::vector<std::uint32_t> const hops = hops_from(graph, roots);
        by_place_.resize(graph.size());
        std::iota(by_place_.begin(), by_place_.end(), 0u);
        auto const height = [&](std::uint32_t v) { return std::tuple(hops[v], network[graph.nodes[v]].guid, v); };
        std::sort(by_place_.begin(), by_place_.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return height(a) < height(b); });
        for (std::uint32_t i = 0; i < graph.size(); ++i) place_[by_place_[i]] = i;
    }

    void find(std::uint32_t target, Candidates& found) {
        down_.assign(graph_.size(), none);
        hops_ = {};
        below_.assign(1, target);
        down_[target] = 0;
        for (std::size_t at = 0; at < below_.size(); ++at) {  // whoever can go all the way down
            std::uint32_t const v = below_[at];
            if (v != target && !graph_.transit[v]) continue;
            for (std::uint32_t i = graph_.first_in[v]; i < graph_.first_in[v + 1]; ++i) {
                std::uint32_t const u = graph_.in[i];
                if (place_[u] > place_[v] || down_[u] != none) continue;
                down_[u] = down_[v] + 1;
                below_.push_back(u);
            }
        }
        hops_ = down_;
        std::vector<std::uint32_t>& order = above_;
        order.clear();
        for (std::uint32_t const v :
             by_place_) {  // the others go up until they can: their higher neighbours come first
            if (down_[v] != none) continue;
            for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a) {
                std::uint32_t const to = graph_.arcs[a].to;
                if (place_[to] < place_[v] && hops_[to] != none && graph_.transit[to])
                    hops_[v] = std::min(hops_[v], hops_[to] + 1);
            }
            if (hops_[v] != none) order.push_back(v);
        }
        auto const add = [&](std::uint32_t v) {
            for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a) {
                std::uint32_t const to = graph_.arcs[a].to;
                bool const goes_down = place_[to] > place_[v];
                bool const usable = to == target || graph_.transit[to];
                bool const fits = down_[v] != none ? goes_down && down_[to] != none && down_[to] + 1 == down_[v]
                                                   : !goes_down && hops_[to] != none && hops_[to] + 1 == hops_[v];
                if (usable && fits) found.arcs.push_back(a);
            }
            found.order.push_back(v);
            found.first.push_back(static_cast<std::uint32_t>(found.arcs.size()));
        };
        for (std::size_t i = 1; i < below_.size(); ++i) add(below_[i]);
        for (std::uint32_t const v : order) add(v);
    }

    /// Does every pair of hosts connect? (Not every pair of switches: from root to root there may be no way. Nor
    /// aggregation nodes, which sit on roots, too.)
    bool connects() {
        Candidates found;
        auto const entrance = [&](std::uint32_t v) { return graph_.sources[v] > graph_.aggregation[v]; };
        std::size_t entrances = 0;
        for (std::uint32_t v = 0; v < graph_.size(); ++v) entrances += entrance(v);
        for (std::uint32_t target = 0; target < graph_.size(); ++target) {
            auto const first = graph_.destinations.begin() + graph_.first_destination[target],
                       last = graph_.destinations.begin() + graph_.first_destination[target + 1];
            if (std::none_of(first, last, [](auto const& to) { return to.host && !to.aggregation; })) continue;
            found.clear();
            find(target, found);
            std::size_t reached = entrance(target);
            for (std::uint32_t const v : found.order) reached += entrance(v);
            if (reached < entrances) return false;
        }
        return true;
    }

private:
    ForwardingGraph const& graph_;
    std::vector<std::uint32_t> place_, by_place_;
    std::vector<std::uint32_t> down_;  // hops when all go down; none = not possible
    std::vector<std::uint32_t> hops_, below_, above_;
};

std::vector<Node> named_roots(ForwardingGraph const& graph, Network const& network, std::string const& names) {
    if (names.starts_with("file:")) return read_roots(names.substr(5), network);
    std::vector<Node> roots;
    for (std::size_t at = 0; at <= names.size();) {
        std::size_t const end = std::min(names.find('+', at), names.size());
        std::string const name = names.substr(at, end - at);
        Node const node = node_of_word(network, name);
        if (!node.exists() || graph.index[node.value] == none) {
            std::vector<std::string> all;
            for (Node const n : graph.nodes) all.push_back(network[n].name);
            std::string const meant = meant_name(name, all);
            throw InputError({}, "root \"" + name + "\" is no switch of the network",
                             meant.empty() ? "" : "the nearest is \"" + meant + "\"",
                             "give names or GUIDs (0x..) of switches, divided by +, or file:PATH");
        }
        if (std::find(roots.begin(), roots.end(), node) == roots.end()) roots.push_back(node);
        at = end + 1;
    }
    return roots;
}

/// The forwarder with the least largest distance, the first of equals. Looks at 256 of them at most.
std::uint32_t most_central(ForwardingGraph const& graph) {
    std::uint32_t best = 0, best_reach = none;
    std::uint32_t const step = graph.size() / 256 + 1;
    for (std::uint32_t v = 0; v < graph.size(); v += step) {
        if (!graph.transit[v]) continue;
        std::uint32_t reach = 0;
        for (std::uint32_t const h : hops_from(graph, {v})) reach = std::max(reach, h);
        if (reach < best_reach) {
            best_reach = reach;
            best = v;
        }
    }
    return best;
}

/// Where hosts are: aggregation nodes and routers sit on switches of every level, so they count only where there are no
/// others.
std::vector<std::uint32_t> forwarders_of_hosts(ForwardingGraph const& graph, Network const& network) {
    std::vector<std::uint8_t> computes(graph.size()), others(graph.size());
    bool any = false;
    for (std::size_t h = 0; h < network.hosts().size(); ++h) {
        std::uint32_t const at = graph.entrance(network, Host{h});
        if (at == none) continue;
        bool const is_host = network[Host{h}].role == HostRole::compute;
        (is_host ? computes : others)[at] = 1;
        any |= is_host;
    }
    std::vector<std::uint32_t> found;
    for (std::uint32_t v = 0; v < graph.size(); ++v)
        if ((any ? computes : others)[v]) found.push_back(v);
    return found;
}

/// All switches of one distance from the hosts: that where most of those are from which no cable leads farther, the
/// larger of equals. In a tree that is its top, whatever hangs off it on the far side.
std::vector<std::uint32_t> tops(ForwardingGraph const& graph, std::vector<std::uint32_t> const& height) {
    std::vector<std::uint32_t> found, peaks;  // peaks: how many, by distance
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
        if (height[v] == none || height[v] == 0) continue;
        found.push_back(v);
        if (peaks.size() <= height[v]) peaks.resize(height[v] + 1);
        bool peak = true;
        for (std::uint32_t a = graph.first_arc[v]; a < graph.first_arc[v + 1]; ++a)
            peak = peak && height[graph.arcs[a].to] <= height[v];
        peaks[height[v]] += peak;
    }
    std::uint32_t best = 0;
    for (std::uint32_t h = 1; h < peaks.size(); ++h)
        if (peaks[h] >= peaks[best]) best = h;
    std::erase_if(found, [&](std::uint32_t v) { return height[v] != best; });
    return found;
}

std::vector<std::uint32_t> forwarders_of(ForwardingGraph const& graph, RoutingRoots const& roots) {
    std::vector<std::uint32_t> found;
    for (Node const node : roots.nodes) found.push_back(graph.index[node.value]);
    return found;
}

}  // namespace

RoutingRoots updn_roots(Topology const& topology, Arguments const& options, std::vector<Node> const& listed) {
    Network const& network = topology.network;
    ForwardingGraph const graph(network, topology.hosts_do);
    if (options.given("roots")) return {RootsFrom::parameter, named_roots(graph, network, options.word("roots"))};
    if (!listed.empty()) return {RootsFrom::list, listed};
    auto const nodes_of = [&](std::vector<std::uint32_t> const& forwarders) {
        std::vector<Node> nodes;
        for (std::uint32_t const v : forwarders) nodes.push_back(graph.nodes[v]);
        return nodes;
    };
    std::vector<std::uint32_t> const found = tops(graph, hops_from(graph, forwarders_of_hosts(graph, network)));
    if (!found.empty() && UpDown(graph, network, found).connects()) return {RootsFrom::farthest, nodes_of(found)};
    return {RootsFrom::central, nodes_of({most_central(graph)})};
}

bool updn_connects(ForwardingGraph const& graph, Network const& network, RoutingRoots const& roots) {
    return UpDown(graph, network, forwarders_of(graph, roots)).connects();
}

std::unique_ptr<Trees> updn_trees(ForwardingGraph const& graph, TreesFor const& what, RoutingInput const& input) {
    for (LinkRecord const& link : input.network.links())
        if (!link.reverse.exists())
            throw InputError({}, "updn cannot route a network of one-way links",
                             "whoever comes up by a cable must come down by it", "choose another routing");
    auto find = [ways = UpDown(graph, input.network, forwarders_of(graph, input.roots))](
                    std::uint32_t target, Candidates& found) mutable { ways.find(target, found); };
    return std::make_unique<TreesByTarget<decltype(find), LeastLoaded>>(graph, what, std::move(find),
                                                                        LeastLoaded(graph));
}

}  // namespace tailback
