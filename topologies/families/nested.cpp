// Nested networks: small tori under another network. One rule of composition serves any network above: where it has
// hosts it gets uplinks of the tori. (Navaridas, Lant, Pascual, Lujan, Goodacre: "Design Exploration of Multi-tier
// Interconnection Networks for Exascale Systems", ICPP 2019; INRFlow's nesttree and nestghc)
#include "topologies/families/families.hpp"
#include "topologies/families/parameters.hpp"
#include "topologies/families/torus_shape.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/forwarding_graph.hpp"
#include "topologies/layout.hpp"
#include "topologies/routing.hpp"

#include <fmt/format.h>

#include <memory>

namespace tailback::topologies {
namespace {

/// The tori and where their uplinks are: uplink i of a torus at its switch floor(i * switches / uplinks), behind the
/// ports of hosts and of the torus. Torus t has the places t * uplinks .. of the hosts of the network above.
struct NestShape {
    TorusShape torus;
    DimensionOrder order;
    std::uint32_t switches = 1;  ///< of a torus
    std::uint32_t uplinks = 1;
    std::uint32_t tori = 1;
    std::vector<std::uint32_t> nearest;  ///< by switch of a torus: the uplink of fewest hops, of equal ones the first

    std::uint32_t switch_of_uplink(std::uint32_t uplink) const {
        return static_cast<std::uint32_t>(std::uint64_t{uplink} * switches / uplinks);
    }
    model::Port uplink_port() const { return torus.hosts + 2 * static_cast<model::Port>(torus.sizes.size()) + 1; }
    std::uint32_t inner() const { return tori * switches; }

    std::uint32_t hops(std::uint32_t v, std::uint32_t t) const {
        std::uint32_t sum = 0;
        for (std::uint32_t const n : torus.sizes) {
            std::uint32_t const a = v % n, b = t % n, ahead = b >= a ? b - a : b + n - a;
            sum += std::min(ahead, n - ahead);
            v /= n, t /= n;
        }
        return sum;
    }
    void find_nearest() {
        nearest.assign(switches, 0);
        for (std::uint32_t v = 0; v < switches; ++v)
            for (std::uint32_t u = 1; u < uplinks; ++u)
                if (hops(v, switch_of_uplink(u)) < hops(v, switch_of_uplink(nearest[v]))) nearest[v] = u;
    }
    model::Port port_to(std::uint32_t v, std::uint32_t t) const {
        TorusStep const step = dor_step(torus, v, t, order);
        return step.plus ? torus.plus_port(step.dimension) : torus.minus_port(step.dimension);
    }
    /// Of a switch of the tori towards a switch of the tori.
    model::Port next_port(std::uint32_t v, std::uint32_t t) const {
        if (v / switches == t / switches) return port_to(v % switches, t % switches);
        std::uint32_t const out = switch_of_uplink(nearest[v % switches]);
        return v % switches == out ? uplink_port() : port_to(v % switches, out);
    }
    /// The place among the hosts of the network above by which a switch of the tori is reached.
    std::uint32_t entrance(std::uint32_t t) const { return t / switches * uplinks + nearest[t % switches]; }
};

NestShape nest_shape(Arguments const& a, std::uint64_t places) {
    NestShape shape;
    shape.torus = {a.numbers("torus"), a.number("hosts"), true, false};
    if (shape.torus.sizes.size() > TorusShape::most_dimensions)
        a.refuse("the torus has more than 16 dimensions", "", "choose fewer");
    std::uint64_t switches = 1;
    for (std::uint32_t d = 0; d < shape.torus.sizes.size(); ++d) {
        shape.order.dimensions.push_back({d, static_cast<std::uint32_t>(switches)});
        switches = capped_product(switches, shape.torus.sizes[d]);
        if (switches > std::uint64_t{1} << 20)
            a.refuse("a torus has more than 2^20 switches", "", "choose smaller ones");
    }
    shape.switches = static_cast<std::uint32_t>(switches);
    shape.uplinks = a.number("uplinks");
    if (shape.uplinks > shape.switches)
        a.refuse(fmt::format("{} uplinks for a torus of {} switches", shape.uplinks, shape.switches),
                 "a switch has one at most", "choose fewer uplinks");
    if (places % shape.uplinks != 0)
        a.refuse(fmt::format("the network above has {} places for uplinks", places),
                 fmt::format("they are no multiple of the {} of a torus", shape.uplinks), "choose other sizes");
    std::uint64_t const tori = places / shape.uplinks;
    if (capped_product(tori, switches) > std::uint64_t{1} << 24)
        a.refuse("it has more than 2^24 switches", "", "choose smaller parameters");
    shape.tori = static_cast<std::uint32_t>(tori);
    return shape;
}

void lay_tori(Layout& layout, NestShape const& shape) {
    layout.attach_hosts(shape.torus.hosts);
    for (std::uint32_t s = 0; s < shape.inner(); ++s) {
        std::uint32_t const v = s % shape.switches;
        layout.name(layout.switch_at(s),
                    fmt::format("T{}_{}", s / shape.switches, grid_switch_name(shape.torus.sizes, v).substr(1)));
        layout.ports(layout.switch_at(s), shape.uplink_port() - 1);
        for (auto const& [d, stride] : shape.order.dimensions) {
            std::uint32_t const n = shape.torus.sizes[d], at = v / stride % n;
            bool const last = at + 1 == n;
            if (n == 1 || (last && n == 2)) continue;  // two switches share one cable
            std::uint32_t const next = last ? s - stride * (n - 1) : s + stride;
            layout.cable(layout.switch_at(s), shape.torus.plus_port(d), layout.switch_at(next),
                         shape.torus.minus_port(d));
        }
    }
}

/// The switches of the network above, with their cables as they are and uplinks in place of hosts.
void lay_network_above(Layout& layout, NestShape const& shape, model::Network const& above) {
    auto const hosts = static_cast<std::uint32_t>(above.hosts().size());
    auto const place = [&](model::Node node) { return layout.switch_at(shape.inner() + node.value - hosts); };
    for (std::uint32_t s = 0; s < above.switches(); ++s) {
        model::Node const node{hosts + s};
        layout.name(place(node), "U" + above[node].name.substr(1));
        layout.ports(place(node), above[node].ports);
    }
    for (std::size_t l = 0; l < above.links().size(); ++l) {
        model::LinkRecord const& link = above[model::Link{l}];
        if (link.to.value < hosts || (link.from.value >= hosts && link.reverse < model::Link{l})) continue;
        if (link.from.value >= hosts) layout.cable(place(link.from), link.from_port, place(link.to), link.to_port);
        else
            layout.cable(layout.switch_at(link.from.value / shape.uplinks * shape.switches +
                                          shape.switch_of_uplink(link.from.value % shape.uplinks)),
                         shape.uplink_port(), place(link.to), link.to_port);
    }
}

/// @param places hosts of the network above. @param sizes its switches and their cables, those of hosts included.
Topology make_nested(Arguments const& a, std::uint64_t places, LayoutSizes const& sizes, TopologySpec const& above) {
    auto const shape = std::make_shared<NestShape>(nest_shape(a, places));
    std::uint64_t const inner = shape->inner(), hosts = capped_product(inner, shape->torus.hosts);
    Layout layout(a, {hosts, capped_sum(inner, sizes.switches),
                      capped_sum(capped_sum(hosts, capped_product(inner, shape->torus.sizes.size())), sizes.cables)});
    shape->find_nearest();
    Topology const upper = make_topology(above);
    lay_tori(layout, *shape);
    lay_network_above(layout, *shape, upper.network);
    Topology topology;
    topology.network = layout.finish();
    topology.usual_routing = "nested";
    topology.routings.push_back(
        {"nested", {}, [shape, upper](model::Network const& network, Arguments const&, std::uint64_t seed) {
             model::ForwardingTables const tables = make_tables(upper, RoutingSpec(upper.usual_routing, seed));
             auto const first_above = static_cast<std::uint32_t>(upper.network.hosts().size());
             std::uint32_t const all_hosts = shape->inner() * shape->torus.hosts;
             return tables_by_destination(
                 network, HostsDo::send, [&](std::uint32_t v, std::uint32_t t, std::uint32_t number) -> model::Port {
                     if (number >= all_hosts) return model::ForwardingTables::no_entry;
                     if (v < shape->inner()) return shape->next_port(v, t);
                     return tables.port(model::Node{first_above + v - shape->inner()}, shape->entrance(t) + 1);
                 });
         }});
    return topology;
}

Topology make_nesttree(Arguments const& a) {
    XgftSpec spec;
    spec.children = a.numbers("m");
    spec.parents = a.numbers("w");
    XgftShape const tree(spec);
    if (tree.parents[0] != 1)
        a.refuse("an uplink has several parents", "w begins with another number than 1", "let it");
    LayoutSizes sizes;
    for (std::size_t level = 0; level < tree.height; ++level) {
        sizes.switches += tree.nodes[level + 1];
        sizes.cables = capped_sum(sizes.cables, tree.nodes[level] * tree.parents[level]);
    }
    return make_nested(
        a, tree.nodes[0], sizes,
        TopologySpec(fmt::format("xgft:m={},w={}", joined(spec.children, "x"), joined(spec.parents, "x"))));
}

Topology make_nestghc(Arguments const& a) {
    std::vector<std::uint32_t> const dims = a.numbers("sizes");
    std::uint32_t const each = a.number("each");
    LayoutSizes sizes{0, 1, 0};
    std::uint64_t degree = 0;
    for (std::uint32_t const n : dims) {
        sizes.switches = capped_product(sizes.switches, n);
        degree = capped_sum(degree, n - 1);
    }
    std::uint64_t const places = capped_product(sizes.switches, each);
    sizes.cables = capped_sum(places, capped_product(sizes.switches, degree) / 2);
    return make_nested(a, places, sizes, TopologySpec(fmt::format("hyperx:{},hosts={}", joined(dims, "x"), each)));
}

std::vector<Parameter> torus_parameters() {
    Parameter torus = sizes_parameter(1, 1 << 16);
    torus.name = "torus";
    torus.summary = "switches in each dimension of a torus";
    torus.aliases = {};
    return {torus, number_parameter("uplinks", "of a torus to the network above", 1, 1 << 20)};
}

std::vector<Parameter> with_hosts(std::vector<Parameter> parameters, std::vector<Parameter> more) {
    for (Parameter& parameter : more) parameters.push_back(std::move(parameter));
    parameters.push_back(hosts_parameter("every switch of a torus"));
    return parameters;
}

}  // namespace

Family nesttree_family() {
    return {"nesttree",
            "NestTree (Navaridas et al. 2019): small tori under a fat tree, whose hosts are the uplinks of the tori",
            "tori m_1*..*m_h/uplinks; hosts on their switches; the switches of xgft:m=..,w=.. above",
            with_hosts(torus_parameters(), {{.name = "m",
                                             .kind = ParameterKind::numbers,
                                             .summary = "children of a switch of the tree, from the leaves; of those "
                                                        "the children are uplinks",
                                             .least = 1,
                                             .most = 65534},
                                            {.name = "w",
                                             .kind = ParameterKind::numbers,
                                             .summary = "parents, beginning with the uplinks' (1)",
                                             .least = 1,
                                             .most = 65534}}),
            "nesttree:torus=2x2x2,uplinks=2,m=4x4,w=1x4",
            make_nesttree};
}

Family nestghc_family() {
    return {"nestghc",
            "NestGHC (Navaridas et al. 2019): small tori under a generalised hypercube, whose hosts are the uplinks of "
            "the tori",
            "tori each*n_1*n_2*../uplinks; hosts on their switches; n_1*n_2*.. switches above",
            with_hosts(torus_parameters(),
                       {sizes_parameter(), number_parameter("each", "uplinks on every switch above", 1, 65000, "1")}),
            "nestghc:torus=2x2x2,uplinks=2,sizes=4x4,each=4",
            make_nestghc};
}

}  // namespace tailback::topologies
