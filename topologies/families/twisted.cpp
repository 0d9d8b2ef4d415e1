// Relatives of the two-dimensional torus: twisted torus, midimew, and the triangular torus of SpiNNaker. Each routes by
// shortest vectors of steps, first dimension first.
#include "topologies/families/dimension_order.hpp"
#include "topologies/families/families.hpp"
#include "topologies/families/parameters.hpp"
#include "topologies/families/twisted_shapes.hpp"
#include "topologies/forwarding_graph.hpp"
#include "topologies/layout.hpp"

#include <fmt/format.h>

namespace tailback::topologies {
namespace {

template <class Shape>
Topology with_dor(Layout& layout, Shape shape) {
    Topology topology;
    topology.network = layout.finish();
    topology.usual_routing = "dor";
    topology.routings.push_back(
        {"dor",
         {.minimal = true},
         [shape](model::Network const& network, Arguments const& options, std::uint64_t) {
             refuse_order_and_lanes(options);
             return tables_by(network, HostsDo::send,
                              [&](std::uint32_t v, std::uint32_t t) { return shape.next_port(v, t); });
         },
         nullptr,
         nullptr,
         [shape](Arguments const& options, std::uint64_t) -> NextPort {
             refuse_order_and_lanes(options);
             return [shape](std::uint32_t v, std::uint32_t t, std::uint32_t) { return shape.next_port(v, t); };
         }});
    return topology;
}

Topology make_twisted_torus(Arguments const& a) {
    TwistedShape shape{a.numbers("sizes"), {}, a.number("hosts")};
    if (shape.sizes.size() < 2 || shape.sizes.size() > 3)
        a.refuse("it has not two or three dimensions", "", "write as in twisted-torus:16x8");
    for (std::uint32_t const n : shape.sizes)
        if (n < 3)
            a.refuse("a dimension is shorter than 3", "its wrap-around cable would be a second one",
                     "choose 3 or more");
    shape.twists =
        a.given("twist") ? a.numbers("twist") : std::vector<std::uint32_t>(shape.sizes.size() - 1, shape.sizes[0] / 2);
    if (shape.twists.size() + 1 != shape.sizes.size())
        a.refuse(fmt::format("{} twists", shape.twists.size()),
                 fmt::format("{} dimensions wrap around beside the first", shape.sizes.size() - 1),
                 "give one for each");
    for (std::uint32_t const t : shape.twists)
        if (t >= shape.sizes[0])
            a.refuse("a twist is not smaller than the first dimension", "", "take it modulo that size");
    std::uint64_t switches = 1;
    for (std::uint32_t const n : shape.sizes) switches = capped_product(switches, n);
    std::uint64_t const hosts = capped_product(switches, shape.hosts);
    Layout layout(a, {hosts, switches, capped_sum(hosts, capped_product(switches, shape.sizes.size()))});
    layout.attach_hosts(shape.hosts);
    for (std::uint32_t s = 0; s < layout.switches(); ++s) {
        std::uint32_t rest = s;
        std::vector<std::uint32_t> at;
        for (std::uint32_t const n : shape.sizes) {
            at.push_back(rest % n);
            rest /= n;
        }
        layout.name(layout.switch_at(s), "S" + joined(at));
        for (std::size_t d = 0; d < at.size(); ++d)
            layout.cable(layout.switch_at(s), shape.plus_port(d), layout.switch_at(shape.ahead(s, d)),
                         shape.plus_port(d) + 1);
    }
    return with_dor(layout, shape);
}

Topology make_midimew(Arguments const& a) {
    MidimewShape const shape = midimew_shape(a.number("n"), a.number("hosts"));
    std::uint64_t const hosts = capped_product(shape.n, shape.hosts);
    Layout layout(a, {hosts, shape.n, capped_sum(hosts, 2 * std::uint64_t{shape.n})});
    layout.attach_hosts(shape.hosts);
    for (std::uint32_t s = 0; s < shape.n; ++s) {
        layout.cable(layout.switch_at(s), shape.hosts + 1, layout.switch_at((s + shape.b) % shape.n), shape.hosts + 2);
        layout.cable(layout.switch_at(s), shape.hosts + 3, layout.switch_at((s + shape.b - 1) % shape.n),
                     shape.hosts + 4);
    }
    return with_dor(layout, shape);
}

Topology make_triangular_torus(Arguments const& a) {
    std::vector<std::uint32_t> const sizes = a.numbers("sizes");
    if (sizes.size() != 2) a.refuse("it has not two dimensions", "", "write as in triangular-torus:8x8");
    TriangularShape const shape{sizes[0], sizes[1], a.number("hosts")};
    std::uint64_t const switches = capped_product(shape.nx, shape.ny);
    std::uint64_t const hosts = capped_product(switches, shape.hosts);
    Layout layout(a, {hosts, switches, capped_sum(hosts, capped_product(switches, 3))});
    layout.attach_hosts(shape.hosts);
    for (std::uint32_t y = 0; y < shape.ny; ++y)
        for (std::uint32_t x = 0; x < shape.nx; ++x) {
            model::Node const here = layout.switch_at(y * shape.nx + x);
            std::uint32_t const right = (x + 1) % shape.nx, above = (y + 1) % shape.ny;
            layout.name(here, fmt::format("S{}_{}", x, y));
            layout.cable(here, shape.hosts + 1, layout.switch_at(y * shape.nx + right), shape.hosts + 2);
            layout.cable(here, shape.hosts + 3, layout.switch_at(above * shape.nx + x), shape.hosts + 4);
            layout.cable(here, shape.hosts + 5, layout.switch_at(above * shape.nx + right), shape.hosts + 6);
        }
    return with_dor(layout, shape);
}

}  // namespace

Family twisted_torus_family() {
    return {"twisted-torus",
            "torus of two or three dimensions whose wrap-around cables of the others are shifted along the first",
            "switches n_1*n_2*..; hosts each",
            {sizes_parameter(),
             hosts_parameter(),
             {.name = "twist",
              .kind = ParameterKind::numbers,
              .summary = "shift of the wrap-around of each dimension but the first (otherwise half the first size)",
              .most = 65000,
              .optional = true}},
            "twisted-torus:16x8",
            make_twisted_torus};
}

Family midimew_family() {
    return {"midimew",
            "circulant graph of degree 4 with the least distances: joined to +-b and +-(b-1), b = ceil(sqrt(n/2))",
            "switches n; hosts each",
            {number_parameter("n", "switches", 5, 1 << 24), hosts_parameter()},
            "midimew:13",
            make_midimew};
}

Family triangular_torus_family() {
    return {"triangular-torus",
            "two-dimensional torus with one diagonal, as SpiNNaker's: six neighbours",
            "switches n_1*n_2; hosts each",
            {sizes_parameter(3), hosts_parameter()},
            "triangular-torus:8x8",
            make_triangular_torus};
}

}  // namespace tailback::topologies
