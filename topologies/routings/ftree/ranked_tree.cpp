#include "topologies/routings/ftree/ranked_tree.hpp"

#include "host/base/error.hpp"
#include "host/formats/write/identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace tailback::topologies {
namespace {

constexpr std::uint32_t least_levels = 2, most_levels = 8;
constexpr char const* other_routing = "choose another routing, such as updn or minhop";
constexpr std::size_t most_named = 8;  // roots that a message lists
constexpr char const* give_compute =
    "give the roots and compute=hosts, as OpenSM is given -a and -u: ftree:roots=file:PATH,compute=hosts";

[[noreturn]] void refuse_tree(std::string const& why, std::string const& what_to_do = other_routing) {
    throw base::InputError({}, "ftree cannot route this network", why, what_to_do);
}

/// OpenSM keeps GUIDs as they come over the wire and compares them as the machine reads them: by their last byte first.
std::uint64_t last_byte_first(std::uint64_t guid) {
    std::uint64_t turned = 0;
    for (int i = 0; i < 8; ++i, guid >>= 8) turned = turned << 8 | (guid & 0xFF);
    return turned;
}

/// Hops by cables to the nearest of `starts`; none = no way.
std::vector<std::uint32_t> hops_from(ForwardingGraph const& graph, std::vector<std::uint32_t> queue) {
    std::vector<std::uint32_t> hops(graph.size(), none);
    for (std::uint32_t const v : queue) hops[v] = 0;
    for (std::size_t at = 0; at < queue.size(); ++at)
        for (std::uint32_t a = graph.first_arc[queue[at]]; a < graph.first_arc[queue[at] + 1]; ++a)
            if (std::uint32_t const to = graph.arcs[a].to; hops[to] == none) {
                hops[to] = hops[queue[at]] + 1;
                queue.push_back(to);
            }
    return hops;
}

/// An endpoint that ftree routes; it leaves out those of routers.
struct TreeHost {
    std::uint32_t at = 0;           // forwarder
    std::uint32_t destination = 0;  // in ForwardingGraph::destinations
    model::Host host;
};

std::vector<TreeHost> tree_hosts(ForwardingGraph const& graph, model::Network const& network) {
    std::vector<TreeHost> found;
    for (std::uint32_t v = 0; v < graph.size(); ++v)
        for (std::uint32_t d = graph.first_destination[v]; d < graph.first_destination[v + 1]; ++d) {
            if (!graph.destinations[d].host) break;  // hosts come first
            model::Host const host = network.owner(graph.destinations[d].lid).host;
            if (network[host].role != model::HostRole::router) found.push_back({v, d, host});
        }
    return found;
}

/// Makes the tree step by step, and refuses what OpenSM's ftree does.
class TreeRanking {
public:
    TreeRanking(ForwardingGraph const& graph, model::Network const& network, model::RoutingRoots const& roots,
                bool aggregation_computes, RankedTree& tree)
        : graph_(graph),
          network_(network),
          given_(roots.are_given()),
          tree_(tree),
          identity_(network),
          endpoints_(tree_hosts(graph, network)) {
        for (TreeHost const& one : endpoints_)
            computes_.push_back(aggregation_computes || network[one.host].role == model::HostRole::compute);
        check_endpoints();
        std::vector<std::uint32_t> starts;
        for (model::Node const node : roots.nodes) starts.push_back(graph.index[node.value]);
        tree.level = hops_from(graph, std::move(starts));
        list_hosts();
        find_leaf_level();
        list_bundles();
        number_switches();
        list_leaves();
        if (!given_) check_even();
    }

private:
    static std::string give_roots(std::string const& roots) {
        return "give the roots, as OpenSM's -a does: ftree:roots=" + roots + " or roots=file:PATH";
    }
    /// Those of the moment, as `roots=` takes them; where they are many, how one writes them.
    std::string words_of_roots() const {
        std::string words;
        std::size_t named = 0;
        for (std::uint32_t const v : tree_.by_guid) {
            if (tree_.level[v] != 0) continue;
            if (++named > most_named) return "NAME+NAME";
            model::NodeRecord const& node = network_[graph_.nodes[v]];
            words += (named > 1 ? "+" : "") + (node.guid != 0 ? fmt::format("{:#018x}", node.guid) : node.name);
        }
        return words;
    }
    std::string name(std::uint32_t v) const { return network_.describe(graph_.nodes[v]); }
    bool has_level(std::uint32_t v) const { return tree_.level[v] != none; }

    void check_endpoints() const {
        for (model::LinkRecord const& link : network_.links())
            if (!link.reverse.exists()) refuse_tree("it has one-way links");
        for (model::Node const node : graph_.nodes)
            if (!network_.is_switch(node)) refuse_tree("its hosts have several cables and choose among them");
        for (TreeHost const& one : endpoints_)
            if (network_[one.host].lmc > 0)
                refuse_tree("OpenSM's ftree takes one LID a port, and its LMC is " +
                            std::to_string(network_[one.host].lmc));
        if (graph_.size() < 2 || endpoints_.size() < 2) refuse_tree("it has fewer than two switches or two hosts");
    }

    void list_hosts() {
        for (std::uint32_t v = 0; v < graph_.size(); ++v)
            if (has_level(v)) tree_.by_guid.push_back(v);
        std::sort(tree_.by_guid.begin(), tree_.by_guid.end(), [&](std::uint32_t a, std::uint32_t b) {
            auto const key = [&](std::uint32_t v) { return last_byte_first(identity_.guid[graph_.nodes[v]]); };
            return std::tuple(key(a), a) < std::tuple(key(b), b);
        });
        std::vector<std::tuple<std::uint64_t, model::Port, std::size_t>> by_guid;
        for (std::size_t i = 0; i < endpoints_.size(); ++i)
            if (has_level(endpoints_[i].at)) {
                model::HostRecord const& host = network_[endpoints_[i].host];
                by_guid.emplace_back(last_byte_first(identity_.guid[host.node]), host.port, i);
            }
        std::sort(by_guid.begin(), by_guid.end());
        tree_.has_hosts.resize(graph_.size());
        tree_.hosts.resize(graph_.size());
        for (auto const& [guid, port, i] : by_guid) {
            TreeHost const& one = endpoints_[i];
            tree_.has_hosts[one.at] = 1;
            if (computes_[i]) tree_.hosts[one.at].push_back(one.destination);
            else tree_.others.emplace_back(one.at, one.destination);
            if (computes_[i] && leaf_ == none) leaf_ = tree_.level[one.at];  // of the first one
        }
        for (std::vector<std::uint32_t>& hosts : tree_.hosts)
            std::sort(hosts.begin(), hosts.end(), [&](std::uint32_t a, std::uint32_t b) {
                return graph_.destinations[a].port < graph_.destinations[b].port;
            });
    }

    void find_leaf_level() {
        bool const aggregates = std::any_of(endpoints_.begin(), endpoints_.end(), [&](TreeHost const& one) {
            return network_[one.host].role == model::HostRole::aggregation;
        });
        std::uint32_t lowest = 0;
        for (std::uint32_t const v : tree_.by_guid) lowest = std::max(lowest, tree_.level[v]);
        if (lowest == 0 && tree_.by_guid.size() > 1) {
            if (given_) refuse_tree("no other switch hangs off the roots");
            if (aggregates) refuse_tree("every switch has hosts or aggregation nodes", give_compute);
            refuse_tree("every switch has hosts, so there are no levels");
        }
        if (leaf_ == none) refuse_tree("no compute node hangs off the roots");
        if (!given_) leaf_ = lowest;
        if (leaf_ + 1 < least_levels || leaf_ + 1 > most_levels)
            refuse_tree(fmt::format("it has {} {} of switches, OpenSM's ftree takes {} to {}", leaf_ + 1,
                                    leaf_ == 0 ? "level" : "levels", least_levels, most_levels));
        for (std::size_t i = 0; i < endpoints_.size(); ++i) {
            TreeHost const& one = endpoints_[i];
            if (!computes_[i] || !has_level(one.at) || tree_.level[one.at] == leaf_) continue;
            bool const aggregation = network_[one.host].role == model::HostRole::aggregation;
            refuse_tree(
                fmt::format("{} is on {}, {} below the roots, and the leaves are {} below them",
                            network_.describe(network_[one.host].node), name(one.at), tree_.level[one.at], leaf_),
                aggregation ? give_compute
                : given_    ? other_routing
                            : give_roots("NAME+NAME"));
        }
    }

    void list_bundles() {
        std::vector<std::uint32_t> arc_of(network_.links().size(), none),
            next(graph_.first_arc.begin(), graph_.first_arc.end() - 1), link_of(graph_.arcs.size());
        for (std::size_t l = 0; l < network_.links().size(); ++l) {
            model::LinkRecord const& link = network_[model::Link{l}];
            std::uint32_t const from = graph_.index[link.from.value], to = graph_.index[link.to.value];
            if (from == none || to == none) continue;
            arc_of[l] = next[from]++;
            link_of[arc_of[l]] = static_cast<std::uint32_t>(l);
        }
        tree_.up.resize(graph_.size());
        tree_.down.resize(graph_.size());
        for (std::uint32_t const v : tree_.by_guid) {
            std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> by_neighbour;  // and its arcs
            for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a) {
                std::uint32_t const to = graph_.arcs[a].to;
                if (to == v) continue;
                auto found = std::find_if(by_neighbour.begin(), by_neighbour.end(),
                                          [&](auto const& one) { return one.first == to; });
                if (found == by_neighbour.end()) found = by_neighbour.insert(found, {to, {}});
                found->second.push_back(a);
            }
            for (auto const& [to, arcs] : by_neighbour) {
                if (tree_.level[to] == tree_.level[v])
                    refuse_tree(fmt::format("a cable joins {} and {}, both {} below the roots", name(v), name(to),
                                            tree_.level[v]));
                auto& side = tree_.level[to] < tree_.level[v] ? tree_.up[v] : tree_.down[v];
                side.push_back(static_cast<std::uint32_t>(tree_.bundles.size()));
                auto const first = static_cast<std::uint32_t>(tree_.cables.size());
                for (std::uint32_t const a : arcs) {
                    std::uint32_t const back = arc_of[network_[model::Link{link_of[a]}].reverse.value];
                    tree_.cables.push_back({static_cast<std::uint16_t>(back - graph_.first_arc[to])});
                }
                tree_.bundles.push_back({to, first, static_cast<std::uint32_t>(tree_.cables.size())});
            }
        }
    }

    /// From leaf to leaf, starting at the first: a number for every switch, of a digit a level. Two neighbours differ
    /// in the digit of their cables alone; it takes the least that is free.
    void number_switches() {
        using Number = std::vector<std::uint32_t>;
        std::vector<Number> numbers(graph_.size());
        std::set<Number> taken;
        auto const first = std::find_if(tree_.by_guid.begin(), tree_.by_guid.end(),
                                        [&](std::uint32_t v) { return !tree_.hosts[v].empty(); });
        std::vector<std::uint32_t> queue = {*first};
        numbers[*first].assign(leaf_ + 1, 0);
        numbers[*first][0] = leaf_;
        taken.insert(numbers[*first]);
        for (std::size_t at = 0; at < queue.size(); ++at) {
            std::uint32_t const v = queue[at];
            auto const visit = [&](std::vector<std::uint32_t> const& side) {
                for (std::uint32_t const b : side) {
                    std::uint32_t const to = tree_.bundles[b].to;
                    if (!numbers[to].empty()) continue;
                    Number number = numbers[v];
                    std::uint32_t& digit = number[std::max(tree_.level[v], tree_.level[to])];
                    number[0] = tree_.level[to];
                    for (digit = 0; taken.contains(number);) ++digit;
                    taken.insert(number);
                    numbers[to] = std::move(number);
                    queue.push_back(to);
                }
            };
            if (tree_.level[v] < leaf_) visit(tree_.down[v]);
            visit(tree_.up[v]);
        }
        std::sort(queue.begin(), queue.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return numbers[a] < numbers[b]; });
        tree_.place.assign(graph_.size(), none);
        for (std::uint32_t i = 0; i < queue.size(); ++i) tree_.place[queue[i]] = i;
        for (auto* const sides : {&tree_.up, &tree_.down})
            for (std::vector<std::uint32_t>& side : *sides)
                std::stable_sort(side.begin(), side.end(), [&](std::uint32_t a, std::uint32_t b) {
                    return tree_.place[tree_.bundles[a].to] < tree_.place[tree_.bundles[b].to];
                });
    }

    /// Switches without compute nodes count among the leaves where they lie between others.
    void list_leaves() {
        std::vector<std::uint32_t>& leaves = tree_.leaves;
        std::copy_if(tree_.by_guid.begin(), tree_.by_guid.end(), std::back_inserter(leaves),
                     [&](std::uint32_t v) { return tree_.level[v] == leaf_; });
        std::stable_sort(leaves.begin(), leaves.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return tree_.place[a] < tree_.place[b]; });
        auto const used = [&](std::uint32_t v) { return !tree_.hosts[v].empty(); };
        leaves.erase(std::find_if(leaves.rbegin(), leaves.rend(), used).base(), leaves.end());
        leaves.erase(leaves.begin(), std::find_if(leaves.begin(), leaves.end(), used));
        if (leaves.size() < 2) refuse_tree("all compute nodes are on one switch");
        for (std::uint32_t const v : leaves) tree_.most_hosts = std::max(tree_.most_hosts, tree_.hosts[v].size());
    }

    /// Against the first switch of each level, as OpenSM compares them.
    void check_even() const {
        std::vector<std::uint32_t> first(leaf_ + 1, none);
        auto const cables = [&](std::uint32_t b) { return tree_.bundles[b].last - tree_.bundles[b].first; };
        auto const compare = [&](char const* what, std::size_t ours, std::uint32_t v, std::size_t theirs) {
            if (ours != theirs)
                refuse_tree(fmt::format("switches of a level differ: {} has {} {}, {} has {}", name(v), ours, what,
                                        name(first[tree_.level[v]]), theirs),
                            give_roots(words_of_roots()));
        };
        for (std::uint32_t const v : tree_.by_guid) {
            std::uint32_t& like = first[tree_.level[v]];
            if (like == none) {
                like = v;
                continue;
            }
            bool const inner = tree_.level[v] != leaf_;
            compare("switches above it", tree_.up[v].size(), v, tree_.up[like].size());
            if (inner) compare("switches below it", tree_.down[v].size(), v, tree_.down[like].size());
            for (std::uint32_t const b : tree_.up[v])
                compare("cables to one above it", cables(b), v, cables(tree_.up[like][0]));
            if (inner && !tree_.down[v].empty())
                compare("cables to the first below it", cables(tree_.down[v][0]), v, cables(tree_.down[like][0]));
        }
    }

    ForwardingGraph const& graph_;
    model::Network const& network_;
    bool given_;
    RankedTree& tree_;
    formats::FabricIdentity identity_;
    std::vector<TreeHost> endpoints_;
    std::vector<bool> computes_;  // by endpoint
    std::uint32_t leaf_ = none;   // the level of the compute nodes
};

}  // namespace

RankedTree::RankedTree(ForwardingGraph const& graph, model::Network const& network, model::RoutingRoots const& roots,
                       bool aggregation_computes) {
    TreeRanking(graph, network, roots, aggregation_computes, *this);
}

model::RoutingRoots farthest_from_hosts(ForwardingGraph const& graph, model::Network const& network) {
    std::vector<std::uint32_t> starts;
    for (TreeHost const& one : tree_hosts(graph, network)) starts.push_back(one.at);
    std::vector<std::uint32_t> const hops = hops_from(graph, std::move(starts));
    std::uint32_t most = 0;
    for (std::uint32_t const h : hops) most = h == none ? most : std::max(most, h);
    model::RoutingRoots roots{model::RootsFrom::farthest, {}};
    for (std::uint32_t v = 0; v < graph.size(); ++v)
        if (hops[v] == most) roots.nodes.push_back(graph.nodes[v]);
    return roots;
}

}  // namespace tailback::topologies
