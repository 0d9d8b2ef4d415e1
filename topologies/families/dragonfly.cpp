// Dragonfly (Kim, Dally, Scott, Abts: "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008): groups of
// fully joined switches, groups joined by global links; and Dragonfly+ (Shpiner et al., HiPINEB 2017), also Megafly,
// whose groups are two-level trees.
#include "host/model/service_levels.hpp"
#include "topologies/families/dragonfly_shape.hpp"
#include "topologies/families/families.hpp"
#include "topologies/families/parameters.hpp"
#include "topologies/forwarding_graph.hpp"
#include "topologies/layout.hpp"
#include "topologies/regular.hpp"
#include "topologies/routing.hpp"
#include "topologies/routings/lane_layers.hpp"

#include <fmt/format.h>

#include <memory>

namespace tailback::topologies {
namespace {

/// Switch s of group g is number g*a + s. Its hosts are on ports 1..p; then comes the way to switch s + 1, s + 2, .. of
/// the group (around), then the global ports: the j-th is number s*h + j of the group.
struct DragonflyShape {
    std::uint32_t a, p, h;
    GlobalLinks global;

    model::Port local_port(std::uint32_t s, std::uint32_t t) const { return p + (t > s ? t - s : t + a - s); }
    model::Port global_port(std::uint32_t port) const { return p + a + port % h; }

    /// Minimal in the sense of dragonflies: at most one global link. Of several links between two groups the one that
    /// needs the fewest local hops, of equals by the target's number.
    model::Port minimal_port(std::uint32_t v, std::uint32_t t) const {
        std::uint32_t const from = v / a, to = t / a, s = v % a, end = t % a;
        if (from == to) return local_port(s, end);
        std::uint32_t best = 0, best_cost = 3, equals = 0;
        for (std::uint32_t c = 0; c < global.rounds(); ++c) {
            std::uint32_t const port = global.port_to(from, to, c);
            std::uint32_t const cost = (port / h != s) + (global.far(from, port).port / h != end);
            if (cost > best_cost) continue;
            equals = cost < best_cost ? 1 : equals + 1;
            best_cost = cost;
        }
        std::uint32_t skip = t % equals;
        for (std::uint32_t c = 0; c < global.rounds(); ++c) {
            std::uint32_t const port = global.port_to(from, to, c);
            std::uint32_t const cost = (port / h != s) + (global.far(from, port).port / h != end);
            if (cost != best_cost) continue;
            best = port;
            if (skip-- == 0) break;
        }
        return best / h == s ? global_port(best) : local_port(s, best / h);
    }
};

/// Lane 1 behind a global link, lane 0 before it (Kim et al.): a local link of the destination's group waits for none
/// of the source's.
std::shared_ptr<model::RoutingLanes const> lanes_by_global_link(model::Fabric const& fabric, model::Port first_global) {
    model::Network const& network = fabric.network;
    check_levels_fit(network);
    auto const found = std::make_shared<model::RoutingLanes>(
        model::RoutingLanes{model::ServiceLevels(network), model::LaneMaps(network)});
    for (std::size_t d = 0; d < network.hosts().size(); ++d)
        for (std::size_t s = 0; s < network.hosts().size(); ++s)
            found->levels.add(model::Host{s}, network[model::Host{d}].lid, 0);
    model::LaneMap before, behind;
    for (unsigned level = 0; level < model::service_level_count; ++level) {
        before.set(level, 0);
        behind.set(level, 1);
    }
    for (std::size_t n = 0; n < network.nodes().size(); ++n) {
        model::Node const node{n};
        if (!network.is_switch(node)) continue;
        for (model::Port in = 0; in <= network[node].ports && found->maps->has_port(node, in); ++in)
            for (model::Port out = 1; out <= network[node].ports && found->maps->has_port(node, out); ++out)
                found->maps->set(node, in, out, in < first_global ? before : behind, {});
    }
    return found;
}

Topology make_dragonfly(Arguments const& arguments) {
    std::uint32_t const a = arguments.number("a"), p = arguments.number("p"), h = arguments.number("h");
    std::uint32_t const groups = groups_of(arguments, std::uint64_t{a} * h);
    std::uint64_t const switches = capped_product(a, groups);
    std::uint64_t const hosts = capped_product(switches, p);
    LayoutSizes const sizes{hosts, switches, capped_sum(hosts, capped_product(switches, std::uint64_t{a} - 1 + h) / 2)};
    check_sizes(arguments, sizes);
    auto const shape = std::make_shared<DragonflyShape const>(
        DragonflyShape{a, p, h, GlobalLinks(arguments, arrangement_of(arguments), groups, a, h)});
    Layout layout(arguments, sizes);
    layout.attach_hosts(p);
    for (std::uint32_t g = 0; g < groups; ++g) {
        for (std::uint32_t s = 0; s < a; ++s) {
            model::Node const here = layout.switch_at(g * a + s);
            layout.name(here, fmt::format("S{}_{}", g, s));
            layout.ports(here, p + a - 1 + h);
            for (std::uint32_t t = s + 1; t < a; ++t)
                layout.cable(here, shape->local_port(s, t), layout.switch_at(g * a + t), shape->local_port(t, s));
        }
        for (std::uint32_t port = 0; port < shape->global.ports_in_use(); ++port) {
            GlobalEnd const end = shape->global.far(g, port);
            if (end.group > g)
                layout.cable(layout.switch_at(g * a + port / h), shape->global_port(port),
                             layout.switch_at(end.group * a + end.port / h), shape->global_port(end.port));
        }
    }
    Topology topology;
    topology.network = layout.finish();
    topology.usual_routing = "minimal";
    for (std::uint32_t v = 0; v < switches; ++v) topology.groups.push_back(v / a);
    topology.routings.push_back(
        {"minimal",
         {},
         [shape](model::Network const& network, Arguments const&, std::uint64_t) {
             return tables_by(network, HostsDo::send,
                              [&](std::uint32_t v, std::uint32_t t) { return shape->minimal_port(v, t); });
         },
         nullptr,
         [first_global = p + a](Arguments const& options, std::uint64_t) -> model::FindLanes {
             if (options.word("lanes") == "one") return nullptr;
             return [=](model::Fabric const& fabric) { return lanes_by_global_link(fabric, first_global); };
         },
         [shape](Arguments const&, std::uint64_t) -> NextPort {
             return [shape](std::uint32_t v, std::uint32_t t, std::uint32_t) { return shape->minimal_port(v, t); };
         }});
    return topology;
}

/// The shape and the global links without the network.
class RegularDragonfly final : public RegularNetwork {
public:
    RegularDragonfly(Arguments const& a, std::uint32_t groups, RoutingParts const& parts)
        : shape_{a.number("a"), a.number("p"), a.number("h"),
                 GlobalLinks(a, arrangement_of(a), groups, a.number("a"), a.number("h"))} {
        words = a.text();
        routing = "minimal";
        GlobalLinks const& global = shape_.global;
        Sizes const sizes = sizes_of(a, groups);
        finish(sizes.hosts, sizes.switches, sizes.slots,
               sizes.local + std::uint64_t{global.groups()} * global.ports_in_use());
        for (std::uint32_t from = 0; from < global.groups(); ++from)
            for (std::uint32_t to = 0; to < global.groups(); ++to)
                for (std::uint32_t c = 0; c < global.rounds(); ++c) {
                    std::uint32_t const port = from == to ? 0 : global.port_to(from, to, c);
                    links_.push_back(
                        {static_cast<std::uint16_t>(port), static_cast<std::uint16_t>(global.far(from, port).port)});
                }
        pairs_differ = parts.by_middle;
        group_only_ = parts.group_only;
        longest = pairs_differ ? 6 : 3;
        host_switches = switches;
        hosts_each = shape_.p;
        view_ = {kernels::Divisor(shape_.a),
                 kernels::Divisor(shape_.p),
                 kernels::Divisor(shape_.h),
                 global.groups(),
                 global.rounds(),
                 static_cast<std::uint32_t>(sizes.local),
                 links_.data()};
    }
    /// Null for more global ports than a GlobalLink can number. @throws InputError for one that is too large.
    static std::unique_ptr<RegularDragonfly> make(Arguments const& a, RoutingParts const& parts) {
        std::uint32_t const groups = groups_of(a, std::uint64_t{a.number("a")} * a.number("h"));
        Sizes const sizes = sizes_of(a, groups);
        check_formula_sizes(a.text(), sizes.hosts, sizes.switches, sizes.slots);  // before the table of global links
        auto network = std::make_unique<RegularDragonfly>(a, groups, parts);
        return network->ports_fit() ? std::move(network) : nullptr;
    }
    bool ports_fit() const { return shape_.global.ports_in_use() <= 0x10000; }
    void describe(kernels::Problem& problem) const override {
        problem.routes.form = pairs_differ ? kernels::RouteForm::dragonfly_by_middle : kernels::RouteForm::dragonfly;
        problem.routes.formula.dragonfly = view_;
        problem.routes.middle = {seed, 1, group_only_};
    }
    std::string switch_name(std::uint32_t number) const override {
        return fmt::format("S{}_{}", number / shape_.a, number % shape_.a);
    }
    void neighbours(std::uint32_t number, std::vector<std::uint32_t>& found) const override {
        std::uint32_t const a = shape_.a, first = number / a * a, s = number % a;
        for (std::uint32_t k = 1; k < a; ++k) found.push_back(first + (s + k) % a);
        for (std::uint32_t j = 0; j < shape_.h; ++j)
            if (std::uint32_t const port = s * shape_.h + j; port < shape_.global.ports_in_use()) {
                GlobalEnd const end = shape_.global.far(number / a, port);
                found.push_back(end.group * a + end.port / shape_.h);
            }
    }
    model::LinkEnds ends(std::uint32_t slot) const override {
        std::uint32_t const a = shape_.a;
        if (slot < view_.first_global) {
            std::uint32_t const v = slot / (a - 1), s = v % a, t = (s + slot % (a - 1) + 1) % a;
            return {switch_name(v), shape_.local_port(s, t), switch_name(v / a * a + t), shape_.local_port(t, s)};
        }
        std::uint32_t const v = (slot - view_.first_global) / shape_.h,
                            port = v % a * shape_.h + (slot - view_.first_global) % shape_.h;
        if (port >= shape_.global.ports_in_use()) return {};
        GlobalEnd const end = shape_.global.far(v / a, port);
        return {switch_name(v), shape_.global_port(port), switch_name(end.group * a + end.port / shape_.h),
                shape_.global_port(end.port)};
    }

private:
    struct Sizes {
        std::uint64_t hosts, switches, local, slots;
    };
    static Sizes sizes_of(Arguments const& a, std::uint32_t groups) {
        std::uint64_t const switches = capped_product(a.number("a"), groups),
                            local = capped_product(switches, a.number("a") - std::uint64_t{1});
        return {capped_product(switches, a.number("p")), switches, local,
                capped_sum(local, capped_product(switches, a.number("h")))};
    }

    DragonflyShape shape_;
    std::vector<kernels::GlobalLink> links_;
    kernels::DragonflyView view_;
    bool group_only_ = false;
};

/// Leaves of group g are the switches g*leaves .. of the first half of all, spines those of the second. Ports of a
/// leaf: p hosts, then the spines; of a spine: the leaves, then h global ports.
struct DragonflyPlusShape {
    std::uint32_t leaves, spines, p, h;
    GlobalLinks global;

    bool is_leaf(std::uint32_t v) const { return v < leaves * global.groups(); }
    std::uint32_t group_of(std::uint32_t v) const {
        return is_leaf(v) ? v / leaves : (v - leaves * global.groups()) / spines;
    }
    model::Port to_leaf(std::uint32_t t) const { return t % leaves + 1; }
    model::Port to_spine(std::uint32_t s) const { return p + s + 1; }

    /// Inside a group up to a spine and down; between groups up to a spine that is joined to the other group, across
    /// and down. Of several spines or links the destination's number chooses, so that hosts of a leaf are reached by
    /// different ones.
    model::Port minimal_port(std::uint32_t v, std::uint32_t t, std::uint32_t number) const {
        std::uint32_t const from = group_of(v), to = group_of(t);
        std::uint32_t const all_leaves = leaves * global.groups(),
                            spine_t = is_leaf(t) ? number % spines : (t - all_leaves) % spines;
        if (from == to) {
            if (is_leaf(v)) return to_spine(spine_t);
            return is_leaf(t) ? to_leaf(t) : to_leaf(number);
        }
        std::uint32_t const wanted = global.port_to(from, to, number % global.rounds());
        if (is_leaf(v)) return to_spine(wanted / h);
        std::uint32_t const own = (v - all_leaves) % spines;
        if (wanted / h == own) return leaves + wanted % h + 1;
        for (std::uint32_t c = 0; c < global.rounds(); ++c)  // packets of other routings only
            if (std::uint32_t const port = global.port_to(from, to, c); port / h == own) return leaves + port % h + 1;
        return to_leaf(number);
    }
};

Topology make_dragonfly_plus(Arguments const& arguments) {
    std::uint32_t const leaves = arguments.number("leaves"),
                        spines = arguments.given("spines") ? arguments.number("spines") : leaves;
    std::uint32_t const p = arguments.number("p"), h = arguments.number("h");
    std::uint32_t const groups = groups_of(arguments, std::uint64_t{spines} * h);
    std::uint64_t const all_leaves = capped_product(leaves, groups), all_spines = capped_product(spines, groups);
    LayoutSizes const sizes{
        capped_product(all_leaves, p), capped_sum(all_leaves, all_spines),
        capped_sum(capped_product(all_leaves, spines + std::uint64_t{p}), capped_product(all_spines, h) / 2)};
    check_sizes(arguments, sizes);
    GlobalLinks const global(arguments, arrangement_of(arguments), groups, spines, h);
    Layout layout(arguments, sizes);
    layout.attach_hosts(p);
    auto const spine = [&](std::uint32_t g, std::uint32_t s) { return layout.switch_at(all_leaves + g * spines + s); };
    for (std::uint32_t g = 0; g < groups; ++g) {
        for (std::uint32_t s = 0; s < spines; ++s) {
            layout.name(spine(g, s), fmt::format("S{}_P{}", g, s));
            layout.ports(spine(g, s), leaves + h);
            for (std::uint32_t l = 0; l < leaves; ++l)
                layout.cable(layout.switch_at(g * leaves + l), p + s + 1, spine(g, s), l + 1);
        }
        for (std::uint32_t l = 0; l < leaves; ++l)
            layout.name(layout.switch_at(g * leaves + l), fmt::format("S{}_L{}", g, l));
        for (std::uint32_t port = 0; port < global.ports_in_use(); ++port) {
            GlobalEnd const end = global.far(g, port);
            if (end.group > g)
                layout.cable(spine(g, port / h), leaves + port % h + 1, spine(end.group, end.port / h),
                             leaves + end.port % h + 1);
        }
    }
    Topology topology;
    topology.network = layout.finish();
    topology.usual_routing = "minimal";
    for (std::uint64_t v = 0; v < all_leaves + all_spines; ++v)
        topology.groups.push_back(static_cast<std::uint32_t>(v < all_leaves ? v / leaves : (v - all_leaves) / spines));
    auto const shape = std::make_shared<DragonflyPlusShape const>(DragonflyPlusShape{leaves, spines, p, h, global});
    topology.routings.push_back({"minimal",
                                 {.minimal = true, .deadlock_free = true},
                                 [shape](model::Network const& network, Arguments const&, std::uint64_t) {
                                     return tables_by_destination(
                                         network, HostsDo::send,
                                         [&](std::uint32_t v, std::uint32_t t, std::uint32_t number) {
                                             return shape->minimal_port(v, t, number);
                                         });
                                 },
                                 nullptr,
                                 nullptr,
                                 [shape](Arguments const&, std::uint64_t) -> NextPort {
                                     return [shape](std::uint32_t v, std::uint32_t t, std::uint32_t number) {
                                         return shape->minimal_port(v, t, number);
                                     };
                                 }});
    return topology;
}

std::vector<Parameter> followed_by_global(std::vector<Parameter> first) {
    for (Parameter& parameter : global_parameters()) first.push_back(std::move(parameter));
    return first;
}

}  // namespace

Family dragonfly_family() {
    return {"dragonfly",
            "groups of fully joined switches; global links between groups",
            "hosts a*p*groups; switches a*groups; groups a*h+1 unless given",
            followed_by_global({number_parameter("a", "switches of a group", 1, 65000),
                                number_parameter("p", "hosts of a switch", 1, 65000),
                                number_parameter("h", "global ports of a switch", 1, 65000)}),
            "dragonfly:a=4,p=2,h=2,arrangement=palmtree",
            make_dragonfly,
            nullptr,
            [](Arguments const& a, RoutingSpec const* routing) -> std::unique_ptr<RegularNetwork> {
                RoutingParts const parts = parts_of(routing);
                if (parts.base != nullptr && parts.base->name() != "minimal") return nullptr;
                return RegularDragonfly::make(a, parts);
            }};
}

Family dragonfly_plus_family() {
    return {"dragonfly+",
            "Dragonfly+ or Megafly: groups of leaf and spine switches; global links between spines",
            "hosts p*leaves*groups; switches (leaves+spines)*groups; groups spines*h+1 unless given",
            followed_by_global({number_parameter("leaves", "leaf switches of a group", 1, 32000),
                                number_parameter("p", "hosts of a leaf", 1, 32000),
                                number_parameter("h", "global ports of a spine", 1, 32000),
                                {.name = "spines",
                                 .summary = "spine switches of a group (otherwise as many as leaves)",
                                 .least = 1,
                                 .most = 32000,
                                 .optional = true}}),
            "dragonfly+:leaves=4,p=4,h=4",
            make_dragonfly_plus};
}

}  // namespace tailback::topologies
