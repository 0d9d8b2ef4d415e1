// HyperX, hypercubes and full meshes: in every dimension each switch is cabled to all others of its line.
#include "topologies/families/dimension_order.hpp"
#include "topologies/families/families.hpp"
#include "topologies/families/parameters.hpp"
#include "topologies/forwarding_graph.hpp"
#include "topologies/layout.hpp"

namespace tailback::topologies {
namespace {

/// Switch s has coordinate s mod n_1 in the first dimension, floor(s / n_1) mod n_2 in the second, and so on. Hosts are
/// on ports 1..hosts; then come, dimension by dimension, the ports to coordinate +1, +2, .. (around), `cables` of each.
struct HyperxShape {
    std::vector<std::uint32_t> sizes;
    std::uint32_t hosts = 1;
    std::uint32_t cables = 1;

    /// The k-th cable to the coordinate `ahead` further in a dimension whose ports come after `before` others.
    model::Port port(std::uint32_t before, std::uint32_t ahead, std::uint32_t k) const {
        return hosts + before + (ahead - 1) * cables + k + 1;
    }
    struct Dimension {
        std::uint32_t size, stride;
        std::uint32_t before;  ///< ports of the dimensions before it
    };
    /// The dimensions in the order that the options name.
    std::vector<Dimension> ordered(Arguments const& options) const {
        std::vector<Dimension> found;
        for (std::uint32_t const d : dimension_order(options, sizes.size())) {
            Dimension one{sizes[d], 1, 0};
            for (std::uint32_t k = 0; k < d; ++k) {
                one.stride *= sizes[k];
                one.before += (sizes[k] - 1) * cables;
            }
            found.push_back(one);
        }
        return found;
    }
    /// Dimension order: at most one hop a dimension; on several cables by the target's number.
    model::Port dor_port(std::uint32_t v, std::uint32_t t, std::vector<Dimension> const& dimensions) const {
        for (auto const& [n, stride, before] : dimensions) {
            std::uint32_t const a = v / stride % n, b = t / stride % n;
            if (a != b) return port(before, b > a ? b - a : b + n - a, t % cables);
        }
        return 0;
    }
};

Topology build(Arguments const& a, HyperxShape shape) {
    std::uint64_t switches = 1, degree = shape.hosts;
    for (std::uint32_t const n : shape.sizes) {
        switches = capped_product(switches, n);
        degree = capped_sum(degree, capped_product(n - 1, shape.cables));
    }
    if (capped_product(switches, degree) > std::uint64_t{1} << 28)
        a.refuse("it is too large", "more than 2^28 links", "choose smaller parameters");
    Layout layout(a, capped_product(switches, shape.hosts), switches);
    layout.attach_hosts(shape.hosts);
    std::vector<std::uint32_t> at(shape.sizes.size());
    for (std::uint32_t s = 0; s < layout.switches(); ++s) {
        layout.name(layout.switch_at(s), "S" + joined(at));
        std::uint32_t stride = 1, before = 0;
        for (std::size_t d = 0; d < at.size(); ++d) {
            std::uint32_t const n = shape.sizes[d];
            for (std::uint32_t other = at[d] + 1; other < n; ++other)
                for (std::uint32_t k = 0; k < shape.cables; ++k)
                    layout.cable(layout.switch_at(s), shape.port(before, other - at[d], k),
                                 layout.switch_at(s + (other - at[d]) * stride),
                                 shape.port(before, n - (other - at[d]), k));
            stride *= n;
            before += (n - 1) * shape.cables;
        }
        for (std::size_t d = 0; d < at.size() && ++at[d] == shape.sizes[d]; ++d) at[d] = 0;
    }
    Topology topology;
    topology.network = layout.finish();
    topology.usual_routing = "dor";
    topology.routings.push_back({"dor",
                                 {.minimal = true, .deadlock_free = true},
                                 [shape](model::Network const& network, Arguments const& options, std::uint64_t) {
                                     auto const dimensions = shape.ordered(options);
                                     return tables_by(network, HostsDo::send, [&](std::uint32_t v, std::uint32_t t) {
                                         return shape.dor_port(v, t, dimensions);
                                     });
                                 }});
    return topology;
}

}  // namespace

Family hypercube_family() {
    return {"hypercube",
            "binary n-cube: switches whose numbers differ in one bit are joined",
            "switches 2^n; hosts each",
            {number_parameter("n", "dimensions", 1, 24), hosts_parameter()},
            "hypercube:n=6",
            [](Arguments const& a) {
                return build(a, {std::vector<std::uint32_t>(a.number("n"), 2), a.number("hosts"), 1});
            }};
}

Family hyperx_family() {
    return {"hyperx",
            "HyperX, also generalised hypercube and flattened butterfly: full mesh along each dimension",
            "switches n_1*n_2*..; hosts each",
            {sizes_parameter(), hosts_parameter(), cables_parameter()},
            "hyperx:8x8,hosts=8",
            [](Arguments const& a) {
                return build(a, {a.numbers("sizes"), a.number("hosts"), a.number("cables")});
            }};
}

Family fully_connected_family() {
    return {"fully-connected",
            "every switch cabled to every other",
            "switches n; hosts each",
            {number_parameter("n", "switches", 1, 65000), hosts_parameter(), cables_parameter()},
            "fully-connected:n=8,hosts=4",
            [](Arguments const& a) {
                return build(a, {{a.number("n")}, a.number("hosts"), a.number("cables")});
            }};
}

}  // namespace tailback::topologies
