// Server-centric networks: hosts with a few ports forward for others, switches only join neighbours. BCube, DCell,
// FiConn, HCN, BCN, DPillar, SWCube, KNK star, each with its own routing.
#include "host/base/extensions.hpp"
#include "topologies/families/parameters.hpp"
#include "topologies/families/proxy_routes.hpp"
#include "topologies/families/server_shapes.hpp"
#include "topologies/forwarding_graph.hpp"
#include "topologies/layout.hpp"
#include "topologies/registry.hpp"
#include "topologies/routings/pairs.hpp"

#include <fmt/format.h>

namespace tailback::topologies {
namespace {

/// The network of a shape that knows `next_port(node, host)`: nodes are hosts, then switches.
template <class Shape>
Topology finished(Layout& layout, Shape shape, std::string routing, RoutingClaims claims) {
    Topology topology;
    topology.network = layout.finish();
    topology.hosts_do = HostsDo::forward;
    topology.usual_routing = routing;
    std::uint32_t const hosts = layout.hosts();
    auto const next_port = [shape, hosts](std::uint32_t v, std::uint32_t t) {
        return t < hosts ? shape.next_port(v, t) : model::ForwardingTables::no_entry;
    };
    topology.routings.push_back({std::move(routing), claims,
                                 [next_port](model::Network const& network, Arguments const&, std::uint64_t) {
                                     return tables_by(network, HostsDo::forward, next_port);
                                 },
                                 nullptr, nullptr,
                                 [next_port](Arguments const&, std::uint64_t) -> NextPort {
                                     return [next_port](std::uint32_t v, std::uint32_t t, std::uint32_t) {
                                         return next_port(v, t);
                                     };
                                 }});
    return topology;
}

/// Switches by their digits.
void name_cube(Layout& layout, CubeOfSwitches const& cube) {
    for (std::uint32_t s = 0; s < layout.switches(); ++s)
        layout.name(layout.switch_at(s), grid_switch_name(std::vector<std::uint32_t>(cube.k, cube.n), s));
}

Topology make_bcube(Arguments const& a) {
    BcubeShape const shape{a.number("n"), a.number("k")};
    std::uint64_t const hosts = capped_power(shape.n, shape.k),
                        switches = capped_product(shape.k, capped_power(shape.n, shape.k - 1));
    Layout layout(a, {hosts, switches, capped_product(hosts, shape.k)});
    for (std::uint32_t h = 0; h < layout.hosts(); ++h)
        for (std::uint32_t level = 0; level < shape.k; ++level)
            layout.cable(layout.host(h), level + 1, model::Node{shape.switch_of(h, level)}, shape.digit(h, level) + 1);
    for (std::uint32_t s = 0; s < layout.switches(); ++s) {
        std::uint32_t const each = layout.switches() / shape.k;
        layout.name(layout.switch_at(s), fmt::format("S{}_{}", s / each, s % each));
    }
    return finished(layout, shape, "dimensional", {.minimal = true, .deadlock_free = true});
}

/// Hosts n*s .. on switch s, in order, then the cables between parts. A host has up to `ports`.
template <class Shape>
Topology make_recursive(Arguments const& a, Shape const& shape, std::uint64_t hosts, std::uint32_t ports) {
    if (hosts % shape.n != 0) a.refuse("hosts do not fill switches", "", "choose other parameters");
    Layout layout(a, {hosts, hosts / shape.n, capped_product(hosts, ports + std::uint64_t{1}) / 2});
    for (std::uint32_t h = 0; h < layout.hosts(); ++h)
        layout.cable(layout.host(h), 1, layout.switch_at(h / shape.n), h % shape.n + 1);
    for (std::uint32_t h = 0; h < layout.hosts(); ++h)
        shape.each_partner(h, [&](model::Port port, std::uint32_t partner, model::Port partner_port) {
            if (partner > h) layout.cable(layout.host(h), port, layout.host(partner), partner_port);
        });
    return finished(layout, shape, "recursive", {});
}

/// DCell or FiConn, with both routings. A host has up to `ports`.
Topology with_proxies(Arguments const& a, DcellShape shape, std::uint32_t ports) {
    shape.beta = a.word("rule") == "beta";
    Topology topology = make_recursive(a, shape, shape.size.back(), ports);
    topology.routings.push_back({"proxy", {}, nullptr, [shape](Arguments const& options, std::uint64_t seed) {
                                     return std::make_shared<ProxyRoutes>(shape, pairs_text(options, seed));
                                 }});
    return topology;
}

/// Which hosts of two parts are joined. @param name the network's
Parameter rule_parameter(std::string const& name) {
    return {.name = "rule",
            .kind = ParameterKind::choice,
            .fallback = "alpha",
            .summary = "which hosts join two parts: alpha (" + name +
                       "), or beta of its generalisation, which shares "
                       "the load among the cables of a level (Kliegl et al. 2010)",
            .choices = {"alpha", "beta"}};
}

Topology make_dcell(Arguments const& a) {
    std::uint32_t const n = a.number("n"), k = a.number("k");
    DcellShape shape{n, {n}, {0}};
    for (std::uint32_t level = 1; level <= k; ++level) {
        std::uint64_t const parts = capped_sum(shape.size.back(), 1);
        if (capped_product(shape.size.back(), parts) > std::uint64_t{1} << 24)
            a.refuse("it has more than 2^24 hosts", "", "choose smaller parameters");
        shape.size.push_back(static_cast<std::uint32_t>(shape.size.back() * parts));
        shape.step.push_back(0);
    }
    return with_proxies(a, std::move(shape), k + 1);
}

/// As DCell, but a host has two ports, so that only every 2^k-th host has a cable of level k.
Topology make_ficonn(Arguments const& a) {
    std::uint32_t const n = a.number("n"), k = a.number("k");
    if (n % 2 != 0) a.refuse("n is odd", "half of a switch's hosts take the next level's cables", "choose an even n");
    DcellShape shape{n, {n}, {0}};
    for (std::uint32_t level = 1; level <= k; ++level) {
        std::uint64_t const size = shape.size.back();
        if (size % (std::uint64_t{1} << level) != 0)
            a.refuse(fmt::format("level {} has no whole number of free ports", level),
                     fmt::format("{} hosts of level {}", size, level - 1), "choose another n");
        std::uint64_t const parts = size / (std::uint64_t{1} << level) + 1;
        if (size * parts > std::uint64_t{1} << 24)
            a.refuse("it has more than 2^24 hosts", "", "choose smaller parameters");
        shape.size.push_back(static_cast<std::uint32_t>(size * parts));
        shape.step.push_back(1u << level);
    }
    return with_proxies(a, std::move(shape), 2);
}

Topology make_hcn(Arguments const& a) {
    HcnShape shape{a.number("n"), a.number("n"), a.number("h")};
    std::uint64_t const hosts = capped_power(shape.n, shape.h + std::uint64_t{1});
    if (hosts > std::uint64_t{1} << 24) a.refuse("it has more than 2^24 hosts", "", "choose smaller parameters");
    shape.copies = 1;
    return make_recursive(a, shape, hosts, 2);
}

Topology make_bcn(Arguments const& a) {
    std::uint32_t const alpha = a.number("alpha"), beta = a.number("beta");
    HcnShape shape{alpha, alpha + beta, a.number("h")};
    std::uint64_t const leaves = capped_power(alpha, shape.h);
    std::uint64_t const copies = capped_sum(capped_product(leaves, beta), 1);
    std::uint64_t const hosts = capped_product(capped_product(leaves, alpha + std::uint64_t{beta}), copies);
    if (hosts > std::uint64_t{1} << 24) a.refuse("it has more than 2^24 hosts", "", "choose smaller parameters");
    shape.copies = static_cast<std::uint32_t>(copies);
    return make_recursive(a, shape, hosts, 2);
}

Topology make_dpillar(Arguments const& a) {
    std::uint32_t const n = a.number("n"), k = a.number("k");
    if (n % 2 != 0) a.refuse("n is odd", "half of a switch's ports go to each of two columns", "choose an even n");
    std::uint64_t const rows = capped_power(n / 2, k), hosts = capped_product(k, rows);
    if (hosts > std::uint64_t{1} << 24) a.refuse("it has more than 2^24 hosts", "", "choose smaller parameters");
    DpillarShape const shape{n / 2, k, static_cast<std::uint32_t>(rows)};
    Layout layout(a, {hosts, hosts / (n / 2), capped_product(hosts, 2)});
    for (std::uint32_t h = 0; h < layout.hosts(); ++h) {
        std::uint32_t const column = h / shape.rows, row = h % shape.rows, before = (column + k - 1) % k;
        layout.cable(layout.host(h), 1, model::Node{shape.switch_of(column, row)}, shape.digit(row, column) + 1);
        layout.cable(layout.host(h), 2, model::Node{shape.switch_of(before, row)},
                     shape.m + shape.digit(row, before) + 1);
    }
    return finished(layout, shape, "columns", {});
}

Topology make_swcube(Arguments const& a) {
    SwcubeShape const shape{{a.number("n"), a.number("k")}};
    std::uint64_t const switches = capped_power(shape.cube.n, shape.cube.k),
                        hosts = capped_product(switches, std::uint64_t{shape.cube.n - 1} * shape.cube.k) / 2;
    Layout layout(a, {hosts, switches, capped_product(hosts, 2)});
    for (std::uint32_t h = 0; h < layout.hosts(); ++h) {
        auto const [i, low, high] = shape.ends(h);
        std::uint32_t const a_low = shape.cube.digit(low, i), a_high = shape.cube.digit(high, i);
        layout.cable(layout.host(h), 1, layout.switch_at(low), shape.cube.port_to(i, a_low, a_high));
        layout.cable(layout.host(h), 2, layout.switch_at(high), shape.cube.port_to(i, a_high, a_low));
    }
    name_cube(layout, shape.cube);
    return finished(layout, shape, "dimensional", {.minimal = true});
}

Topology make_knkstar(Arguments const& a) {
    KnkStarShape const shape{{a.number("n"), a.number("k")}};
    std::uint64_t const switches = capped_power(shape.cube.n, shape.cube.k),
                        hosts = capped_product(switches, std::uint64_t{shape.cube.n - 1} * shape.cube.k);
    Layout layout(a, {hosts, switches, capped_sum(hosts, hosts / 2)});
    for (std::uint32_t h = 0; h < layout.hosts(); ++h) {
        layout.cable(layout.host(h), 1, layout.switch_at(h / shape.degree()), h % shape.degree() + 1);
        if (std::uint32_t const other = shape.partner(h); other > h)
            layout.cable(layout.host(h), 2, layout.host(other), 2);
    }
    name_cube(layout, shape.cube);
    return finished(layout, shape, "dimensional", {.minimal = true});
}

Family bcube_family() {
    return {
        "bcube",
        "BCube (Guo et al., SIGCOMM 2009): hosts with k ports, host addresses of k digits, a switch joins those "
        "that differ in one digit",
        "hosts n^k; switches k*n^(k-1)",
        {number_parameter("n", "ports of a switch", 2, 65000), number_parameter("k", "digits, ports of a host", 1, 24)},
        "bcube:n=4,k=2",
        make_bcube};
}
Family dcell_family() {
    return {"dcell",
            "DCell (Guo et al., SIGCOMM 2008): t_k = t_(k-1)*(t_(k-1)+1) hosts, each two parts of a level joined by "
            "one cable",
            "hosts t_k, t_0 = n; switches t_k/n",
            {number_parameter("n", "hosts of a switch", 2, 65000),
             number_parameter("k", "levels above the switches", 0, 8), rule_parameter("DCell")},
            "dcell:n=4,k=1",
            make_dcell};
}
Family ficonn_family() {
    return {
        "ficonn",
        "FiConn (Li et al., INFOCOM 2009): like DCell with hosts of two ports; half of the free ones go to each level",
        "hosts N_k = N_(k-1)*(N_(k-1)/2^k+1), N_0 = n; switches N_k/n",
        {number_parameter("n", "hosts of a switch, even", 2, 65000),
         number_parameter("k", "levels above the switches", 0, 8), rule_parameter("FiConn")},
        "ficonn:n=4,k=2",
        make_ficonn};
}
Family hcn_family() {
    return {"hcn",
            "HCN (Guo et al., TPDS 2013): hosts of two ports, n parts of each level fully joined",
            "hosts n^(h+1); switches n^h",
            {number_parameter("n", "hosts of a switch", 2, 65000),
             number_parameter("h", "levels above the switches", 0, 24)},
            "hcn:n=4,h=2",
            make_hcn};
}
Family bcn_family() {
    return {
        "bcn",
        "BCN (Guo et al., TPDS 2013) of gamma = h: alpha^h*beta+1 copies of an HCN of the alpha masters, joined by "
        "the beta slaves of each switch",
        "hosts alpha^h*(alpha+beta)*(alpha^h*beta+1); switches alpha^h*(alpha^h*beta+1)",
        {number_parameter("alpha", "masters of a switch", 2, 32000),
         number_parameter("beta", "slaves of a switch", 1, 32000), number_parameter("h", "levels of masters", 0, 24)},
        "bcn:alpha=2,beta=2,h=1",
        make_bcn};
}
Family dpillar_family() {
    return {"dpillar",
            "DPillar (Liao, Yin, Gao, 2010): k columns of hosts in a circle, switches of column c join hosts of "
            "columns c and c+1 that differ in digit c",
            "hosts k*(n/2)^k; switches k*(n/2)^(k-1)",
            {number_parameter("n", "ports of a switch, even", 2, 65000), number_parameter("k", "columns", 2, 24)},
            "dpillar:n=4,k=3",
            make_dpillar};
}
Family swcube_family() {
    return {"swcube",
            "SWCube (Li, Wu, INFOCOM 2014): a generalised hypercube of switches, on each of whose links a host of two "
            "ports forwards",
            "hosts n^k*(n-1)*k/2; switches n^k",
            {number_parameter("n", "switches in each dimension", 2, 32000), number_parameter("k", "dimensions", 1, 24)},
            "swcube:n=4,k=2",
            make_swcube};
}
Family knkstar_family() {
    return {"knkstar",
            "KNK star (Erickson, Navaridas, Stewart 2016): a generalised hypercube of switches, each of whose links is "
            "two hosts of two ports that are joined",
            "hosts n^k*(n-1)*k; switches n^k",
            {number_parameter("n", "switches in each dimension", 2, 32000), number_parameter("k", "dimensions", 1, 24)},
            "knkstar:n=4,k=2",
            make_knkstar};
}

}  // namespace

void register_server_centric(Registry& registry) {
    for (Family const& family : {bcube_family(), dcell_family(), ficonn_family(), hcn_family(), bcn_family(),
                                 dpillar_family(), swcube_family(), knkstar_family()})
        base::insert_before(registry.families, "nesttree", family);
    registry.routings.insert(
        registry.routings.end(),
        {
            {"dimensional",
             "server-centric: corrects the digits of the address one after the other",
             "bcube, swcube, knkstar",
             {},
             "dimensional",
             {},
             nullptr},
            {"recursive",
             "server-centric: by the link that joins the parts in which source and destination are, part by part",
             "dcell, ficonn, hcn, bcn",
             {},
             "recursive",
             {},
             nullptr},
            {"proxy",
             "server-centric: as recursive, but through the third part that makes the route shortest, where one does; "
             "routes depend on the source",
             "dcell, ficonn",
             {},
             "proxy",
             {},
             nullptr},
            {"columns",
             "server-centric: around the columns, setting a digit at each, then on to the column",
             "dpillar",
             {},
             "columns",
             {},
             nullptr},
        });
}

}  // namespace tailback::topologies
