// Tori, meshes and rings of any number of dimensions, with dimension-order routing.
#include "host/base/error.hpp"
#include "host/model/service_levels.hpp"
#include "topologies/draws.hpp"
#include "topologies/families/dimension_order.hpp"
#include "topologies/families/families.hpp"
#include "topologies/families/parameters.hpp"
#include "topologies/families/torus/torus_rlb.hpp"
#include "topologies/families/torus/torus_romm.hpp"
#include "topologies/families/torus_shape.hpp"
#include "topologies/forwarding_graph.hpp"
#include "topologies/layout.hpp"
#include "topologies/routing.hpp"
#include "topologies/routings/lane_layers.hpp"
#include "topologies/routings/pairs.hpp"

#include <algorithm>

namespace tailback::topologies {
namespace {

TorusShape shape_of(Arguments const& a, std::vector<std::uint32_t> sizes, bool wraps, bool one_way) {
    if (sizes.size() > TorusShape::most_dimensions) a.refuse("it has more than 16 dimensions", "", "choose fewer");
    return {std::move(sizes), a.number("hosts"), wraps, one_way};
}

Ties ties_of(Arguments const& options) {
    std::string const& word = options.word("ties");
    return word == "minus"         ? Ties::minus
           : word == "parity"      ? Ties::parity
           : word == "random"      ? Ties::random
           : word == "random-pair" ? Ties::random_pair
                                   : Ties::plus;
}

}  // namespace

DimensionOrder order_of(TorusShape const& shape, Arguments const& options, std::uint64_t seed) {
    DimensionOrder order{{}, options.given("ties") ? ties_of(options) : Ties::plus, seed};
    for (std::uint32_t const d : dimension_order(options, shape.sizes.size())) {
        std::uint32_t stride = 1;
        for (std::uint32_t k = 0; k < d; ++k) stride *= shape.sizes[k];
        order.dimensions.push_back({d, stride});
    }
    return order;
}

namespace {

/// A ring longer than three has a dateline between its last switch and its first. A route that passes it goes round
/// that ring on lane 1, all others on lane 0: as no route is longer than half of the ring, neither lane has a cycle.
/// Each such dimension has a bit of the service level (as OpenSM's torus-2QoS has them), and the port that leads into
/// the dimension tells which bit counts.
class DatelineLanes {
public:
    DatelineLanes(TorusShape shape, DimensionOrder order) : shape_(std::move(shape)), order_(std::move(order)) {
        for (std::uint32_t d = 0; d < shape_.sizes.size(); ++d)
            if (shape_.wraps && shape_.sizes[d] > 3) ringed_.push_back(d);
        if (shape_.one_way)
            throw base::InputError({}, "there are no dateline lanes for one-way links",
                                   "a route may go all around a ring", "choose dfsssp");
        if (ringed_.size() > 4)
            throw base::InputError({}, std::to_string(ringed_.size()) + " dimensions have rings longer than three",
                                   "each takes a bit of the service level, which has four", "choose dfsssp");
    }
    bool needed() const { return !ringed_.empty(); }

    std::shared_ptr<model::RoutingLanes const> operator()(model::Fabric const& fabric) const {
        model::Network const& network = fabric.network;
        check_levels_fit(network);
        auto const found = std::make_shared<model::RoutingLanes>(
            model::RoutingLanes{model::ServiceLevels(network), model::LaneMaps(network)});
        model::RoutingLanes& lanes = *found;
        std::vector<model::Host> hosts;
        std::vector<model::Node> switches;
        for (std::size_t h = 0; h < network.hosts().size(); ++h) hosts.push_back(model::Host{h});
        for (std::size_t n = 0; n < network.nodes().size(); ++n)
            if (network.is_switch(model::Node{n})) switches.push_back(model::Node{n});
        for (std::size_t t = 0; t < hosts.size(); ++t)
            for (std::size_t s = 0; s < hosts.size(); s += shape_.hosts) {
                unsigned const level = level_of(static_cast<std::uint32_t>(s / shape_.hosts),
                                                static_cast<std::uint32_t>(t / shape_.hosts));
                for (std::size_t k = s; k < s + shape_.hosts; ++k)
                    lanes.levels.add(hosts[k], network[hosts[t]].lid, level);
            }
        for (model::Node const node : switches)
            for (model::Port out = 1; out <= network[node].ports; ++out) {
                model::LaneMap map{0};
                for (std::size_t bit = 0; bit < ringed_.size(); ++bit)
                    if (out == shape_.plus_port(ringed_[bit]) || out == shape_.minus_port(ringed_[bit]))
                        for (unsigned level = 0; level < model::service_level_count; ++level)
                            map.set(level, level >> bit & 1);
                for (model::Port in = 0; in <= network[node].ports; ++in)
                    if (lanes.maps->has_port(node, in) && lanes.maps->has_port(node, out))
                        lanes.maps->set(node, in, out, map, {});
            }
        return found;
    }

private:
    unsigned level_of(std::uint32_t v, std::uint32_t t) const {
        unsigned level = 0;
        while (v != t) {
            TorusStep const step = dor_step(shape_, v, t, order_);
            std::uint32_t stride = 1;
            for (std::uint32_t k = 0; k < step.dimension; ++k) stride *= shape_.sizes[k];
            std::uint32_t const n = shape_.sizes[step.dimension], a = v / stride % n, b = t / stride % n;
            for (std::size_t bit = 0; bit < ringed_.size(); ++bit)
                if (ringed_[bit] == step.dimension && step.plus == (b < a)) level |= 1u << bit;
            v = v - a * stride + b * stride;
        }
        return level;
    }

    TorusShape shape_;
    DimensionOrder order_;
    std::vector<std::uint32_t> ringed_;
};

/// Names of switches, and cables between neighbours.
void connect(Layout& layout, TorusShape const& shape) {
    std::vector<std::uint32_t> at(shape.sizes.size());
    for (std::uint32_t s = 0; s < layout.switches(); ++s) {
        model::Node const here = layout.switch_at(s);
        layout.name(here, "S" + joined(at));
        layout.ports(here, shape.hosts + 2 * static_cast<model::Port>(shape.sizes.size()));
        std::uint32_t stride = 1;
        for (std::size_t d = 0; d < shape.sizes.size(); ++d) {
            std::uint32_t const n = shape.sizes[d];
            bool const last = at[d] + 1 == n;
            bool const two_alone = n == 2 && !shape.one_way && last;  // its cable is the other's
            if (n > 1 && (!last || (shape.wraps && !two_alone))) {
                std::uint32_t const next = last ? s - stride * (n - 1) : s + stride;
                if (shape.one_way)
                    layout.one_way(here, shape.plus_port(d), layout.switch_at(next), shape.minus_port(d));
                else layout.cable(here, shape.plus_port(d), layout.switch_at(next), shape.minus_port(d));
            }
            stride *= n;
        }
        for (std::size_t d = 0; d < at.size() && ++at[d] == shape.sizes[d]; ++d) at[d] = 0;
    }
}

OwnRouting dor_routing(TorusShape const& shape) {
    bool const rings_are_short = std::all_of(shape.sizes.begin(), shape.sizes.end(),
                                             [&](std::uint32_t n) { return n <= (shape.one_way ? 2u : 3u); });
    auto const dor_port = [shape](std::uint32_t v, std::uint32_t t, DimensionOrder const& order) {
        TorusStep const step = dor_step(shape, v, t, order);
        return step.plus ? shape.plus_port(step.dimension) : shape.minus_port(step.dimension);
    };
    return {"dor",
            {.minimal = true, .deadlock_free = !shape.wraps || rings_are_short},
            [=](model::Network const& network, Arguments const& options, std::uint64_t seed) {
                DimensionOrder const order = order_of(shape, options, seed);
                return tables_by(network, HostsDo::send,
                                 [&](std::uint32_t v, std::uint32_t t) { return dor_port(v, t, order); });
            },
            [shape](Arguments const& options, std::uint64_t seed) -> std::shared_ptr<model::PairRoutes const> {
                DimensionOrder order = order_of(shape, options, seed);
                if (order.ties != Ties::random_pair) return nullptr;
                if (options.word("lanes") != "one")
                    throw base::InputError({}, "dateline lanes are for routes that a forwarding table holds",
                                           "with ties=random-pair they depend on the source", "choose ties=random");
                return make_torus_pairs(shape, std::move(order), 1, pairs_text(options, seed));
            },
            [shape](Arguments const& options, std::uint64_t seed) -> model::FindLanes {
                if (options.word("lanes") == "one") return nullptr;
                DatelineLanes lanes(shape, order_of(shape, options, seed));
                if (!lanes.needed()) return nullptr;
                return lanes;
            },
            [=](Arguments const& options, std::uint64_t seed) -> NextPort {
                return [=, order = order_of(shape, options, seed)](std::uint32_t v, std::uint32_t t, std::uint32_t) {
                    return dor_port(v, t, order);
                };
            }};
}

Topology build(Arguments const& a, TorusShape shape) {
    std::uint64_t switches = 1;
    for (std::uint32_t const n : shape.sizes) switches = capped_product(switches, n);
    std::uint64_t const hosts = capped_product(switches, shape.hosts);
    Layout layout(a, {hosts, switches, capped_sum(hosts, capped_product(switches, shape.sizes.size()))});
    layout.attach_hosts(shape.hosts);
    connect(layout, shape);
    Topology topology;
    topology.network = layout.finish();
    topology.usual_routing = "dor";
    topology.routings.push_back(dor_routing(shape));
    topology.routings.push_back(
        {"romm", {.minimal = true}, nullptr, [shape](Arguments const& options, std::uint64_t seed) {
             return make_torus_pairs(shape, order_of(shape, options, seed), 2, pairs_text(options, seed));
         }});
    topology.routings.push_back({"rlb", {}, nullptr, [shape](Arguments const& options, std::uint64_t seed) {
                                     return make_rlb_pairs(shape, options.word("threshold") == "quarter", seed,
                                                           pairs_text(options, seed));
                                 }});
    return topology;
}

/// The shape without the network.
class RegularTorus final : public RegularNetwork {
public:
    RegularTorus(Arguments const& a, TorusShape shape, DimensionOrder const& order, bool by_middle)
        : shape_(std::move(shape)) {
        words = a.text();
        routing = "dor";
        pairs_differ = by_middle;
        std::uint64_t all = 1;
        for (std::uint32_t const n : shape_.sizes) all = capped_product(all, n);
        std::size_t const dimensions = shape_.sizes.size();
        std::uint64_t inner_links = 0;
        for (std::uint32_t const n : shape_.sizes) {
            bool const closed = shape_.one_way ? n > 1 : shape_.wraps && n > 2;
            inner_links += all / n * (closed ? n : n - 1) * (shape_.one_way ? 1 : 2);
            longest += shape_.one_way ? n - 1 : shape_.wraps ? n / 2 : n - 1;
        }
        finish(capped_product(all, shape_.hosts), all, capped_product(2 * dimensions, all), inner_links);
        host_switches = switches;
        hosts_each = shape_.hosts;
        view_.dimensions = static_cast<std::uint32_t>(dimensions);
        view_.hosts = kernels::Divisor(shape_.hosts);
        view_.switches = switches;
        std::transform(shape_.sizes.begin(), shape_.sizes.end(), view_.size,
                       [](std::uint32_t n) { return kernels::Divisor(n); });
        view_.wraps = shape_.wraps;
        view_.one_way = shape_.one_way;
        view_.tie = order.ties == Ties::plus ? 0 : order.ties == Ties::minus ? 1 : 2;
        for (std::size_t k = 0; k < dimensions; ++k) {
            auto const& [d, stride] = order.dimensions[k];
            view_.order[k] = static_cast<std::uint8_t>(d);
            view_.stride[d] = kernels::Divisor(stride);
        }
        if (by_middle) longest *= 2;
    }
    void describe(kernels::Problem& problem) const override {
        bool const in_order = std::is_sorted(view_.order, view_.order + view_.dimensions);
        problem.routes.form =
            pairs_differ || !in_order ? kernels::RouteForm::torus_by_middle : kernels::RouteForm::torus;
        problem.routes.formula.torus = view_;
        problem.routes.middle = {seed, pairs_differ, 0};
    }
    std::string switch_name(std::uint32_t number) const override { return grid_switch_name(shape_.sizes, number); }
    void neighbours(std::uint32_t number, std::vector<std::uint32_t>& found) const override {
        std::uint32_t stride = 1;
        for (std::uint32_t const n : shape_.sizes) {
            for (bool const plus : {true, false})
                if (std::uint32_t const there = beside(number, n, stride, plus); there != number)
                    found.push_back(there);
            stride *= n;
        }
    }
    model::LinkEnds ends(std::uint32_t slot) const override {
        std::uint32_t const d = slot / switches / 2;
        bool const plus = slot / switches % 2 == 0;
        std::uint32_t const n = shape_.sizes[d], at = slot % switches, coordinate = at % n, ring = at / n;
        std::uint32_t stride = 1;
        for (std::uint32_t k = 0; k < d; ++k) stride *= shape_.sizes[k];
        std::uint32_t const from = ring / stride * stride * n + coordinate * stride + ring % stride;
        std::uint32_t const to = beside(from, n, stride, plus);
        if (to == from) return {};
        return {switch_name(from), plus ? shape_.plus_port(d) : shape_.minus_port(d), switch_name(to),
                plus ? shape_.minus_port(d) : shape_.plus_port(d)};
    }

private:
    /// The switch behind a port; the switch itself where there is none.
    std::uint32_t beside(std::uint32_t number, std::uint32_t n, std::uint32_t stride, bool plus) const {
        std::uint32_t const at = number / stride % n;
        bool const closed = shape_.one_way ? n > 1 : shape_.wraps && n > 2;
        if (!plus && shape_.one_way) return number;
        if (plus) return at + 1 < n ? number + stride : closed ? number - stride * (n - 1) : number;
        return at > 0 ? number - stride : closed ? number + stride * (n - 1) : number;
    }
    TorusShape shape_;
    kernels::TorusView view_;
};

std::unique_ptr<RegularNetwork> regular(Arguments const& a, TorusShape shape, RoutingSpec const* routing) {
    RoutingParts const parts = parts_of(routing);
    if (parts.by_middle && (parts.group_only || shape.one_way))
        return nullptr;  // one way round a ring both parts could share links
    if (parts.base != nullptr && parts.base->name() != "dor") return nullptr;
    DimensionOrder const order =
        order_of(shape, (parts.base != nullptr ? *parts.base : RoutingSpec("dor")).arguments(), 0);
    if (order.ties == Ties::random || order.ties == Ties::random_pair) return nullptr;
    return std::make_unique<RegularTorus>(a, std::move(shape), order, parts.by_middle);
}

Parameter links_parameter() {
    return {.name = "links",
            .kind = ParameterKind::choice,
            .fallback = "both",
            .summary = "both ways, or one (only to the next higher coordinate)",
            .choices = {"both", "one"}};
}

}  // namespace

Family torus_family() {
    return {
        "torus",
        "n-dimensional torus; two switches of a dimension of size 2 share one cable",
        "switches n_1*n_2*..; hosts each",
        {sizes_parameter(1, 1 << 24), hosts_parameter(), links_parameter()},
        "torus:8x8x8,hosts=2",
        [](Arguments const& a) { return build(a, shape_of(a, a.numbers("sizes"), true, a.word("links") == "one")); },
        nullptr,
        [](Arguments const& a, RoutingSpec const* routing) {
            return regular(a, shape_of(a, a.numbers("sizes"), true, a.word("links") == "one"), routing);
        }};
}

Family mesh_family() {
    return {"mesh",
            "n-dimensional mesh: a torus without its wrap-around cables",
            "switches n_1*n_2*..; hosts each",
            {sizes_parameter(1, 1 << 24), hosts_parameter()},
            "mesh:8x8",
            [](Arguments const& a) { return build(a, shape_of(a, a.numbers("sizes"), false, false)); },
            nullptr,
            [](Arguments const& a, RoutingSpec const* routing) {
                return regular(a, shape_of(a, a.numbers("sizes"), false, false), routing);
            }};
}

Family ring_family() {
    return {"ring",
            "switches in a ring: a torus of one dimension",
            "switches n; hosts each",
            {number_parameter("n", "switches", 1, 1 << 24), hosts_parameter(), links_parameter()},
            "ring:n=8",
            [](Arguments const& a) { return build(a, shape_of(a, {a.number("n")}, true, a.word("links") == "one")); },
            nullptr,
            [](Arguments const& a, RoutingSpec const* routing) {
                return regular(a, shape_of(a, {a.number("n")}, true, a.word("links") == "one"), routing);
            }};
}

}  // namespace tailback::topologies
