// The routes of OpenSM's ftree (3.3.23), entry by entry. Destinations come one after the other, leaf by leaf. From a
// destination's leaf a main route climbs to a root by the cables that the fewest destinations were given so far;
// secondary ones climb by all others. From every switch on the way it goes down again, to give those below it an entry
// that leads up, by the cables that the fewest were given; what has an entry that is as short keeps it.
#include "topologies/routings/ftree/ftree.hpp"
#include "host/io/progress.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "topologies/routings/any_graph.hpp"
#include "topologies/routings/ftree/ranked_tree.hpp"

#include <algorithm>

namespace tailback::topologies {
namespace {

class FtreeRoutes {
public:
    FtreeRoutes(ForwardingGraph const& graph, RankedTree tree, model::ForwardingTables& tables)
        : graph_(graph),
          tree_(std::move(tree)),
          tables_(tables),
          chosen_(graph.size()),
          hops_(graph.size()),
          changed_(graph.size()) {}

    void route_all() {
        io::Progress progress("computing the routes", tree_.leaves.size(), "leaves");
        for (std::uint32_t const leaf : tree_.leaves) {
            for (std::uint32_t const d : tree_.hosts[leaf]) route(leaf, d, Counts::yes);
            // A leaf with fewer hosts than another takes its turns as if it had as many.
            for (std::size_t i = tree_.hosts[leaf].size(); i < tree_.most_hosts; ++i) route(leaf, none, Counts::yes);
            progress.add(1);
        }
        for (auto const& [v, d] : tree_.others) route(v, d, Counts::yes);
        for (std::uint32_t const v : tree_.by_guid)
            for (std::uint32_t d = graph_.first_destination[v]; d < graph_.first_destination[v + 1]; ++d)
                if (!graph_.destinations[d].host) route(v, d, Counts::no);
    }

private:
    static constexpr std::uint16_t no_way = 0xFFFF;
    /// Whether a route up counts on the bundles and cables that it is given.
    enum class Counts : std::uint8_t { yes, no };

    /// @param d a destination at `target`; none = a host that is missing.
    void route(std::uint32_t target, std::uint32_t d, Counts counts) {
        stop_.heed();
        std::fill(hops_.begin(), hops_.end(), no_way);
        hops_[target] = 0;
        climb(target, none, counts);
        if (d == none) return;
        ForwardingGraph::Destination const& to = graph_.destinations[d];
        for (std::uint32_t v = 0; v < graph_.size(); ++v)
            if (hops_[v] != no_way)
                tables_.set(graph_.nodes[v], to.lid,
                            v == target ? to.port : graph_.arcs[graph_.first_arc[v] + chosen_[v]].port);
    }

    /// Up from v to all above it, whatever their level. @param from where the way came up from; none = it starts at v.
    void climb(std::uint32_t v, std::uint32_t from, Counts counts) {
        unsigned const hops = hops_[v] + 1u;
        descend(v, from);
        sort(tree_.up[v]);
        bool first = true;
        for (std::uint32_t const b : tree_.up[v]) {
            RankedTree::Bundle& bundle = tree_.bundles[b];
            bool const main = first && counts == Counts::yes;
            first = false;
            if (hops >= hops_[bundle.to]) continue;
            RankedTree::Cable& cable = least_used(bundle);
            if (main) {
                ++bundle.routes;
                ++cable.routes;
            }
            enter(bundle.to, cable, hops);
            climb(bundle.to, v, main ? Counts::yes : Counts::no);
        }
    }

    /// Down from v to all below it but `from`. Gives whether an endpoint is reached by a route that is new.
    bool descend(std::uint32_t v, std::uint32_t from) {
        unsigned const hops = hops_[v] + 1u;
        if (changed_[v]) sort(tree_.down[v]);
        changed_[v] = 0;
        bool reaches = tree_.has_hosts[v] != 0;
        for (std::uint32_t const b : tree_.down[v]) {
            RankedTree::Bundle& bundle = tree_.bundles[b];
            if (bundle.to == from || hops >= hops_[bundle.to]) continue;
            RankedTree::Cable& cable = least_used(bundle);
            enter(bundle.to, cable, hops);
            if (!descend(bundle.to, none)) continue;
            ++bundle.routes;
            ++cable.routes;
            changed_[v] = 1;
            reaches = true;
        }
        return reaches;
    }

    void enter(std::uint32_t to, RankedTree::Cable const& cable, unsigned hops) {
        chosen_[to] = cable.back;
        hops_[to] = static_cast<std::uint16_t>(hops);
    }
    RankedTree::Cable& least_used(RankedTree::Bundle const& bundle) {
        return *std::min_element(tree_.cables.begin() + bundle.first, tree_.cables.begin() + bundle.last,
                                 [](auto const& a, auto const& b) { return a.routes < b.routes; });
    }
    /// By routes, equally many by place; nearly in order before, since a route changes few.
    void sort(std::vector<std::uint32_t>& side) {
        auto const comes_first = [&](std::uint32_t a, std::uint32_t b) {
            RankedTree::Bundle const &one = tree_.bundles[a], &other = tree_.bundles[b];
            return one.routes != other.routes ? one.routes < other.routes : tree_.place[one.to] < tree_.place[other.to];
        };
        for (std::size_t i = 1; i < side.size(); ++i)
            for (std::size_t at = i; at > 0 && comes_first(side[at], side[at - 1]); --at)
                std::swap(side[at], side[at - 1]);
    }

    ForwardingGraph const& graph_;
    RankedTree tree_;
    model::ForwardingTables& tables_;
    std::vector<std::uint16_t> chosen_;  // by forwarder: its arc, counted from its first one
    std::vector<std::uint16_t> hops_;    // to the destination of the moment
    std::vector<std::uint8_t> changed_;  // by forwarder: routes were counted on its bundles down
    kernels::StopWish stop_ = kernels::StopWish::now();
};

}  // namespace

model::RoutingRoots ftree_roots(Topology const& topology, Arguments const& options,
                                std::vector<model::Node> const& listed) {
    if (options.given("roots") || !listed.empty()) return updn_roots(topology, options, listed);
    return farthest_from_hosts(ForwardingGraph(topology.network, topology.hosts_do), topology.network);
}

Routes ftree_routes(Topology const& topology, RoutingSpec const& spec) {
    ForwardingGraph const graph(topology.network, topology.hosts_do);
    model::RoutingRoots roots = ftree_roots(topology, spec.arguments(), spec.roots());
    RankedTree tree(graph, topology.network, roots, spec.arguments().word("compute") == "all");
    Routes routes{tables_of(graph, topology.network)};
    FtreeRoutes(graph, std::move(tree), routes.tables).route_all();
    routes.roots = std::move(roots);
    return routes;
}

}  // namespace tailback::topologies
