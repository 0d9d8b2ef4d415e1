// Up*/down* (Schroeder et al., "Autonet", 1991): links have a direction, towards the roots or away from them, without a
// cycle; a route goes up, then down, never up again. So no cycle of waiting links can be, on any graph.
#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/formats/read/roots.hpp"
#include "topologies/routings/any_graph.hpp"
#include "topologies/routings/candidates.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace tailback::topologies {
namespace {

/// Which forwarders a search goes on from: those that let packets through, or hosts too, as the audit judges given
/// roots.
enum class Through : std::uint8_t { transit, all };

/// Hops to the nearest of some forwarders, by links in either direction. Keeps its memory between searches.
class Hops {
public:
    explicit Hops(ForwardingGraph const& graph) : graph_(graph), hops_(graph.size(), none) {}
    void find(std::vector<std::uint32_t> const& starts, Through through) {
        for (std::uint32_t const v : reached_) hops_[v] = none;
        reached_ = starts;
        for (std::uint32_t const v : starts) hops_[v] = 0;
        for (std::size_t at = 0; at < reached_.size(); ++at) {
            std::uint32_t const v = reached_[at];
            if (hops_[v] > 0 && through == Through::transit && !graph_.transit[v]) continue;
            auto const visit = [&](std::uint32_t u) {
                if (hops_[u] != none) return;
                hops_[u] = hops_[v] + 1;
                reached_.push_back(u);
            };
            for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a) visit(graph_.arcs[a].to);
            for (std::uint32_t i = graph_.first_in[v]; i < graph_.first_in[v + 1]; ++i) visit(graph_.in[i]);
        }
    }
    /// None = not reached.
    std::uint32_t operator[](std::uint32_t v) const { return hops_[v]; }
    /// Nearest first.
    std::vector<std::uint32_t> const& reached() const { return reached_; }

private:
    ForwardingGraph const& graph_;
    std::vector<std::uint32_t> hops_, reached_;
};

/// What is left joined of a network: forwarders that let packets through, part by part. A host with cables to several
/// belongs to each of them.
struct Parts {
    std::vector<std::uint32_t> of;                    // by forwarder; none = it lets no packets through
    std::vector<std::vector<std::uint32_t>> members;  // in their order

    Parts(ForwardingGraph const& graph, Hops& hops) : of(graph.size(), none) {
        for (std::uint32_t start = 0; start < graph.size(); ++start) {
            if (!graph.transit[start] || of[start] != none) continue;
            hops.find({start}, Through::transit);
            for (std::uint32_t const v : hops.reached())
                if (graph.transit[v]) of[v] = static_cast<std::uint32_t>(members.size());
            members.emplace_back();
        }
        for (std::uint32_t v = 0; v < graph.size(); ++v)
            if (of[v] != none) members[of[v]].push_back(v);
    }
    template <class Take>
    void each_of(ForwardingGraph const& graph, std::uint32_t v, Take&& take) const {
        if (of[v] != none) return take(of[v]);
        for (std::uint32_t i = graph.first_in[v]; i < graph.first_in[v + 1]; ++i)
            if (of[graph.in[i]] != none) take(of[graph.in[i]]);
    }
};

/// Forwarders in an order from the roots down: earlier = higher; of equally far ones those of smaller GUIDs first, as
/// the audit judges. Lowest are hosts that let no packets through: no route comes down to one and goes on.
class UpDown {
public:
    UpDown(ForwardingGraph const& graph, model::Network const& network, std::vector<std::uint32_t> const& roots,
           Through through, bool neighbours_only = false)
        : graph_(graph), place_(graph.size()) {
        Hops hops(graph);
        hops.find(roots, through);
        if (neighbours_only)
            for (std::uint32_t v = 0; v < graph.size(); ++v) level_.push_back(graph.transit[v] ? hops[v] : none);
        by_place_.resize(graph.size());
        std::iota(by_place_.begin(), by_place_.end(), 0u);
        auto const height = [&](std::uint32_t v) {
            return std::tuple(!graph.transit[v], hops[v], network[graph.nodes[v]].guid, v);
        };
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
                if (place_[u] > place_[v] || down_[u] != none || !allowed(u, v)) continue;
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
                if (place_[to] < place_[v] && hops_[to] != none && (to == target || graph_.transit[to]) &&
                    allowed(v, to))
                    hops_[v] = std::min(hops_[v], hops_[to] + 1);
            }
            if (hops_[v] != none) order.push_back(v);
        }
        auto const add = [&](std::uint32_t v) {
            for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a) {
                std::uint32_t const to = graph_.arcs[a].to;
                bool const goes_down = place_[to] > place_[v];
                bool const usable = (to == target || graph_.transit[to]) && allowed(v, to);
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

    /// By part, of those asked: do its hosts reach each other wherever there is a way at all? (Not all switches: from
    /// root to root there may be no way. Nor aggregation nodes, which sit on roots, too.)
    /// The switches beside hosts that let no packets through are asked in their place, which is more.
    std::vector<std::uint8_t> connects(Parts const& parts, std::vector<std::uint8_t> asked) {
        std::vector<std::uint8_t> enters(graph_.size()), leaves(graph_.size());
        for (std::uint32_t v = 0; v < graph_.size(); ++v) {
            bool const in = graph_.sources[v] > graph_.aggregation[v];
            auto const first = graph_.destinations.begin() + graph_.first_destination[v],
                       last = graph_.destinations.begin() + graph_.first_destination[v + 1];
            bool const out = std::any_of(first, last, [](auto const& to) { return to.host && !to.aggregation; });
            auto const mark = [&](std::uint32_t u) {
                enters[u] |= in;
                leaves[u] |= out;
            };
            if (graph_.transit[v]) mark(v);
            else
                for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a)
                    if (graph_.transit[graph_.arcs[a].to]) mark(graph_.arcs[a].to);
        }
        auto const entrances = [&](std::vector<std::uint32_t> const& of) {
            return std::count_if(of.begin(), of.end(), [&](std::uint32_t v) { return enters[v] != 0; });
        };
        auto const all = entrances(by_place_);
        Candidates found;
        std::vector<std::uint32_t> hops, order;
        for (std::uint32_t target = 0; target < graph_.size(); ++target) {
            bool wanted = false;
            parts.each_of(graph_, target, [&](std::uint32_t part) { wanted |= asked[part] != 0; });
            if (!wanted || !leaves[target]) continue;
            found.clear();
            find(target, found);
            auto const reached = entrances(found.order) + enters[target];
            if (reached == all) continue;
            graph_.distances(target, hops, order);
            if (reached < entrances(order)) parts.each_of(graph_, target, [&](std::uint32_t part) { asked[part] = 0; });
        }
        return asked;
    }

private:
    /// By the cable between them, where those of one level do not count.
    bool allowed(std::uint32_t u, std::uint32_t v) const { return level_.empty() || level_[u] != level_[v]; }

    ForwardingGraph const& graph_;
    std::vector<std::uint32_t> level_;  // hops from the roots; hosts are lowest; empty: cables of one level count
    std::vector<std::uint32_t> place_, by_place_;
    std::vector<std::uint32_t> down_;  // hops when all go down; none = not possible
    std::vector<std::uint32_t> hops_, below_, above_;
};

std::vector<model::Node> named_roots(ForwardingGraph const& graph, model::Network const& network,
                                     std::string const& names) {
    if (names.starts_with("file:")) return formats::read_roots(names.substr(5), network);
    std::vector<model::Node> roots;
    for (std::size_t at = 0; at <= names.size();) {
        std::size_t const end = std::min(names.find('+', at), names.size());
        std::string const name = names.substr(at, end - at);
        model::Node const node = formats::node_of_word(network, name);
        if (!node.exists() || graph.index[node.value] == none) {
            std::vector<std::string> all;
            for (model::Node const n : graph.nodes) all.push_back(network[n].name);
            throw base::InputError({}, "root \"" + name + "\" is not a switch of the network",
                                   base::nearest_hint(name, all),
                                   "give names or GUIDs (0x..) of switches, separated by +, or file:PATH");
        }
        if (std::find(roots.begin(), roots.end(), node) == roots.end()) roots.push_back(node);
        at = end + 1;
    }
    return roots;
}

/// The forwarder of a part with the least largest distance, the first of equals. Looks at 256 of them at most.
std::uint32_t most_central(std::vector<std::uint32_t> const& part, Hops& hops) {
    std::uint32_t best = part[0], best_reach = none;
    for (std::size_t i = 0; i < part.size(); i += part.size() / 256 + 1) {
        hops.find({part[i]}, Through::transit);
        std::uint32_t const reach = hops[hops.reached().back()];
        if (reach < best_reach) {
            best_reach = reach;
            best = part[i];
        }
    }
    return best;
}

/// Where hosts are: aggregation nodes and routers sit on switches of every level, so they count only in parts where
/// there are no others.
struct HostPlaces {
    std::vector<std::uint32_t> forwarders;
    std::vector<std::uint8_t> in_part;  // by part: there are some

    HostPlaces(ForwardingGraph const& graph, model::Network const& network, Parts const& parts)
        : in_part(parts.members.size()) {
        std::vector<std::uint8_t> computes(graph.size()), others(graph.size()), with_computes(parts.members.size());
        for (std::size_t h = 0; h < network.hosts().size(); ++h) {
            std::uint32_t const at = graph.entrance(network, model::Host{h});
            if (at == none) continue;
            bool const is_host = network[model::Host{h}].role == model::HostRole::compute;
            (is_host ? computes : others)[at] = 1;
            parts.each_of(graph, at, [&](std::uint32_t part) {
                in_part[part] = 1;
                if (is_host) with_computes[part] = 1;
            });
        }
        for (std::uint32_t v = 0; v < graph.size(); ++v) {
            bool counts = computes[v];
            if (others[v]) parts.each_of(graph, v, [&](std::uint32_t part) { counts |= !with_computes[part]; });
            if (counts) forwarders.push_back(v);
        }
    }
};

/// All switches of a part of one distance from the hosts: that where most of those are from which no cable leads
/// farther, the larger of equals. In a tree that is its top, whatever hangs off it on the far side.
std::vector<std::uint32_t> tops(ForwardingGraph const& graph, std::vector<std::uint32_t> const& part,
                                Hops const& height) {
    std::vector<std::uint32_t> found, peaks;  // peaks: how many, by distance
    for (std::uint32_t const v : part) {
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

/// Of each part that has hosts and more than one forwarder: its tops if those connect it, else its most central one,
/// which always does: every way down the tree of shortest ways from it is a way down the order.
model::RoutingRoots chosen_roots(ForwardingGraph const& graph, model::Network const& network) {
    Hops hops(graph);
    Parts const parts(graph, hops);
    HostPlaces const places(graph, network, parts);
    hops.find(places.forwarders, Through::transit);
    std::vector<std::vector<std::uint32_t>> by_part(parts.members.size());
    std::vector<std::uint32_t> all;
    std::vector<std::uint8_t> several(parts.members.size());
    for (std::size_t p = 0; p < by_part.size(); ++p) {
        if (!places.in_part[p] || parts.members[p].size() < 2) continue;
        by_part[p] = tops(graph, parts.members[p], hops);
        several[p] = by_part[p].size() > 1;
        all.insert(all.end(), by_part[p].begin(), by_part[p].end());
    }
    std::vector<std::uint8_t> connected = several;
    if (std::find(several.begin(), several.end(), 1) != several.end())
        connected = UpDown(graph, network, all, Through::transit).connects(parts, several);
    model::RoutingRoots roots{model::RootsFrom::farthest, {}};
    auto const add = [&](std::vector<std::uint32_t> const& forwarders) {
        for (std::uint32_t const v : forwarders) roots.nodes.push_back(graph.nodes[v]);
    };
    auto const add_central = [&](std::vector<std::uint32_t> const& part) {
        add({most_central(part, hops)});
        roots.from = model::RootsFrom::central;
    };
    for (std::size_t p = 0; p < by_part.size(); ++p) {
        if (!places.in_part[p] || parts.members[p].size() < 2) continue;
        if (by_part[p].size() == 1 || connected[p]) add(by_part[p]);
        else add_central(parts.members[p]);
    }
    if (roots.nodes.empty() && !parts.members.empty())  // nothing to connect: any will do
        add_central(*std::max_element(parts.members.begin(), parts.members.end(),
                                      [](auto const& a, auto const& b) { return a.size() < b.size(); }));
    return roots;
}

/// The order from the program's own roots is that of its parts; from given ones it is that of the audit.
Through through(model::RoutingRoots const& roots) { return roots.are_given() ? Through::all : Through::transit; }

std::vector<std::uint32_t> forwarders_of(ForwardingGraph const& graph, model::RoutingRoots const& roots) {
    std::vector<std::uint32_t> found;
    for (model::Node const node : roots.nodes) found.push_back(graph.index[node.value]);
    return found;
}

}  // namespace

model::RoutingRoots updn_roots(Topology const& topology, Arguments const& options,
                               std::vector<model::Node> const& listed) {
    model::Network const& network = topology.network;
    ForwardingGraph const graph(network, topology.hosts_do);
    if (options.given("roots"))
        return {model::RootsFrom::parameter, named_roots(graph, network, options.word("roots"))};
    if (!listed.empty()) return {model::RootsFrom::list, listed};
    return chosen_roots(graph, network);
}

std::function<std::vector<std::uint32_t>(std::uint32_t)> updn_sources(ForwardingGraph const& graph,
                                                                      model::Network const& network,
                                                                      model::RoutingRoots const& roots) {
    return [ways = UpDown(graph, network, forwarders_of(graph, roots), through(roots)),
            found = Candidates{}](std::uint32_t target) mutable {
        found.clear();
        ways.find(target, found);
        std::vector<std::uint32_t> sources = found.order;
        sources.push_back(target);
        return sources;
    };
}

std::function<void(std::uint32_t target, Candidates& found)> updn_candidates(ForwardingGraph const& graph,
                                                                             model::Network const& network,
                                                                             model::RoutingRoots const& roots,
                                                                             bool neighbours_only) {
    for (model::LinkRecord const& link : network.links())
        if (!link.reverse.exists())
            throw base::InputError({}, "updn cannot route a network of one-way links",
                                   "it needs both directions of every cable", "choose another routing");
    return [ways = UpDown(graph, network, forwarders_of(graph, roots), through(roots), neighbours_only)](
               std::uint32_t target, Candidates& found) mutable { ways.find(target, found); };
}

std::unique_ptr<DestinationTrees> updn_trees(ForwardingGraph const& graph, DestinationTreesFor const& what,
                                             RoutingInput const& input) {
    auto find = updn_candidates(graph, input.network, input.roots, false);
    return std::make_unique<DestinationTreesByTarget<decltype(find), LeastLoaded>>(graph, what, std::move(find),
                                                                                   LeastLoaded(graph));
}

}  // namespace tailback::topologies
