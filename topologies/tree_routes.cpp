#include "topologies/tree_routes.hpp"

#include "host/error.hpp"
#include "topologies/routing.hpp"
#include "topologies/routings/any_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback {

namespace {

OwnRouting const* formula(Topology const& topology, std::string const& spec) {
    for (OwnRouting const& own : topology.routings)
        if (own.name == name_of_spec(spec) && own.next_port) return &own;
    return nullptr;
}

/// Every step computed when it is asked for.
class FormulaTrees final : public Trees {
public:
    FormulaTrees(ForwardingGraph const& graph, std::function<Port(std::uint32_t, std::uint32_t)> const& next_port)
        : Trees(graph, {TreesTo::route_flows, 1}), next_port_(next_port) {}
    std::uint32_t arc(std::uint32_t v, std::uint32_t t, std::uint32_t) const override {
        auto const begin = graph().arcs.begin() + graph().first_arc[v],
                   end = graph().arcs.begin() + graph().first_arc[v + 1];
        Port const port = next_port_(v, t);
        auto const found = std::lower_bound(begin, end, port, [](auto const& arc, Port p) { return arc.port < p; });
        return found == end || found->port != port ? ForwardingGraph::none
                                                   : static_cast<std::uint32_t>(found - graph().arcs.begin());
    }

private:
    std::uint32_t targets_at_once() override { return graph().size(); }
    bool has_rows() const override { return false; }
    void make() override {}

    std::function<Port(std::uint32_t, std::uint32_t)> const& next_port_;
};

}  // namespace

bool TreeRoutes::serve(Topology const& topology, std::string const& spec) {
    return find_routing(spec).trees != nullptr || formula(topology, spec) != nullptr;
}

TreeRoutes::TreeRoutes(Topology const& topology, std::string const& spec, std::uint64_t seed,
                       std::vector<Node> const& listed)
    : graph_(topology.network, topology.hosts_do), routing_(find_routing(spec)), seed_(seed) {
    Arguments const arguments = routing_arguments(spec);
    text_ = fmt::format("{}, seed {}", arguments.text(), seed);
    if (OwnRouting const* const own = formula(topology, spec)) {
        next_port_ = own->next_port;
        return;
    }
    if (routing_.trees == nullptr) {
        std::string names;
        for (Routing const& routing : all_routings())
            if (routing.trees != nullptr) names += (names.empty() ? "" : ", ") + routing.name;
        throw InputError(
            {}, "routes by \"" + spec + "\" are not made destination by destination",
            "that is for routings for any graph that tables can hold, and for those of server-centric networks",
            "choose one of " + names + ", or leave out --routes trees");
    }
    if (routing_.roots != nullptr) roots_ = routing_.roots(topology, arguments, listed);
}

std::unique_ptr<Trees> TreeRoutes::start(Network const& network, unsigned threads) const {
    if (next_port_) return std::make_unique<FormulaTrees>(graph_, next_port_);
    return routing_.trees(graph_, {TreesTo::route_flows, threads}, {network, seed_, roots_});
}

bool TreeRoutes::connects(Network const& network, std::vector<Host> const& hosts) const {
    // All of them to one forwarder that lets packets through, and from there to all of them.
    auto const through = std::find_if(graph_.transit.begin(), graph_.transit.end(), [](auto t) { return t != 0; });
    if (through == graph_.transit.end()) return false;
    auto const middle = static_cast<std::uint32_t>(through - graph_.transit.begin());
    std::vector<std::uint32_t> hops, queue;
    graph_.distances(middle, hops, queue);
    std::vector<bool> reached(graph_.size());
    queue.assign(1, middle);
    reached[middle] = true;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        if (!graph_.transit[queue[i]]) continue;
        for (std::uint32_t a = graph_.first_arc[queue[i]]; a < graph_.first_arc[queue[i] + 1]; ++a)
            if (std::uint32_t const to = graph_.arcs[a].to; !reached[to]) {
                reached[to] = true;
                queue.push_back(to);
            }
    }
    std::vector<bool> left_at(network.max_lid() + 1);  // by LID: some forwarder that is reached has it
    for (std::uint32_t const v : queue)
        for (std::uint32_t d = graph_.first_destination[v]; d < graph_.first_destination[v + 1]; ++d)
            left_at[graph_.destinations[d].lid] = true;
    bool const all = std::all_of(hosts.begin(), hosts.end(), [&](Host const host) {
        std::uint32_t const at = graph_.entrance(network, host);
        return at != ForwardingGraph::none && hops[at] != ForwardingGraph::none && network[host].lid != 0 &&
               left_at[network[host].lid];
    });
    // From one root every switch is reached by going down; from several there may be no way between two.
    return all && (roots_.nodes.size() <= 1 || updn_connects(graph_, network, roots_));
}

}  // namespace tailback
