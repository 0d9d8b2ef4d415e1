// Networks of diameter two from finite fields: Slim Fly (Besta, Hoefler, SC'14; the graphs of McKay, Miller, Siran) and
// PolarFly (Lakhotia et al., SC'22; the polarity graphs of Erdos and Renyi, and Brown).
#include "topologies/families/families.hpp"
#include "topologies/families/galois_field.hpp"
#include "topologies/families/parameters.hpp"
#include "topologies/layout.hpp"

#include <fmt/format.h>

namespace tailback::topologies {
namespace {

constexpr std::uint32_t most_order = 2048;

std::uint32_t slimfly_degree(std::uint32_t q) {
    return q % 4 == 3 ? (3 * q + 1) / 2 : q % 4 == 1 ? (3 * q - 1) / 2 : 3 * q / 2;
}
std::uint32_t slimfly_hosts(Arguments const& a, std::uint32_t q) {
    return a.given("hosts") ? a.number("hosts") : (slimfly_degree(q) + 1) / 2;
}
std::uint64_t slimfly_switches(std::uint32_t q) { return 2 * std::uint64_t{q} * q; }
std::uint32_t polarfly_hosts(Arguments const& a, std::uint32_t q) {
    return a.given("hosts") ? a.number("hosts") : (q + 2) / 2;
}
std::uint64_t polarfly_switches(std::uint32_t q) { return std::uint64_t{q} * q + q + 1; }

/// @param can_be_made whether the network is one for a q that is a power of a prime.
template <class CanBeMade>
void check_order(Arguments const& a, std::uint32_t q, CanBeMade&& can_be_made) {
    if (GaloisField::exists(q)) return;
    std::string near;
    auto const good = [&](std::uint32_t p) { return GaloisField::exists(p) && can_be_made(p); };
    std::uint32_t below = q, above = q;
    while (below >= 2 && !good(below)) --below;
    while (above <= most_order && !good(above)) ++above;
    if (below >= 2) near = std::to_string(below);
    if (above <= most_order) near += (near.empty() ? "" : " and ") + std::to_string(above);
    a.refuse(fmt::format("{} is not a power of a prime", q), "there is no field of that order",
             near.empty() ? "choose fewer hosts"
                          : fmt::format("the nearest that can be made {} {}",
                                        below >= 2 && above <= most_order ? "are" : "is", near));
}

bool is_held(std::uint64_t switches, std::uint64_t hosts) {
    return capped_sum(switches, capped_product(switches, hosts)) <= std::uint64_t{1} << 24;
}

/// q = 4w + delta. Switches (0, x, y) and (1, m, c) with x, y, m, c in GF(q): (0, x, y) ~ (0, x, y') when y - y' is in
/// X, (1, m, c) ~ (1, m, c') when c - c' is in X', (0, x, y) ~ (1, m, c) when y = m x + c.
Topology make_slimfly(Arguments const& a) {
    std::uint32_t const q = a.number("q");
    check_order(a, q, [&](std::uint32_t p) { return p > 2 && is_held(slimfly_switches(p), slimfly_hosts(a, p)); });
    if (q % 4 == 2)
        a.refuse("q leaves remainder 2 when divided by 4", "the construction needs q = 4w - 1, 4w or 4w + 1",
                 "choose another q");
    std::uint32_t const hosts = slimfly_hosts(a, q);
    std::uint64_t const switches = slimfly_switches(q);
    std::uint64_t const all = capped_product(switches, hosts);
    Layout layout(a, {all, switches, capped_sum(all, capped_product(switches, 2 * std::uint64_t{q}) / 2)});
    layout.attach_hosts(hosts);
    GaloisField const field(q);
    std::vector<std::uint8_t> in_x(q), in_x_prime(q);
    auto const take = [&](std::vector<std::uint8_t>& set, std::uint32_t exponent) {
        set[field.power_of_primitive(exponent)] = 1;
    };
    if (q % 4 == 3) {
        std::uint32_t const w = (q + 1) / 4;
        for (std::uint32_t e = 0; e <= 2 * w - 2; e += 2) take(in_x, e);
        for (std::uint32_t e = 2 * w - 1; e <= 4 * w - 3; e += 2) take(in_x, e);
        for (std::uint32_t e = 1; e <= 2 * w - 1; e += 2) take(in_x_prime, e);
        for (std::uint32_t e = 2 * w; e <= 4 * w - 2; e += 2) take(in_x_prime, e);
    } else {
        for (std::uint32_t e = 0; e <= q - 2; e += 2) take(in_x, e);
        for (std::uint32_t e = 1; e <= q - 1; e += 2) take(in_x_prime, e);
    }
    PortsInOrder ports(layout, hosts);
    for (std::uint32_t column = 0; column < 2 * q; ++column)
        for (std::uint32_t y = 0; y < q; ++y) {
            layout.name(layout.switch_at(column * q + y), fmt::format("S{}_{}_{}", column / q, column % q, y));
            for (std::uint32_t z = y + 1; z < q; ++z)
                if ((column < q ? in_x : in_x_prime)[field.subtract(y, z)]) ports.cable(column * q + y, column * q + z);
        }
    for (std::uint32_t x = 0; x < q; ++x)
        for (std::uint32_t m = 0; m < q; ++m)
            for (std::uint32_t c = 0; c < q; ++c)
                ports.cable(x * q + field.add(field.multiply(m, x), c), (q + m) * q + c);
    Topology topology;
    topology.network = layout.finish();
    return topology;
}

/// Points of the projective plane over GF(q), by their first coordinate that is not 0 being 1; joined when orthogonal.
Topology make_polarfly(Arguments const& a) {
    std::uint32_t const q = a.number("q");
    check_order(a, q, [&](std::uint32_t p) { return is_held(polarfly_switches(p), polarfly_hosts(a, p)); });
    std::uint32_t const hosts = polarfly_hosts(a, q);
    std::uint64_t const switches = polarfly_switches(q);
    std::uint64_t const all = capped_product(switches, hosts);
    Layout layout(a, {all, switches, capped_sum(all, capped_product(switches, q + std::uint64_t{1}) / 2)});
    layout.attach_hosts(hosts);
    GaloisField const field(q);
    // Point numbers: (1, b, c) is b*q + c, (0, 1, c) is q^2 + c, (0, 0, 1) is q^2 + q.
    auto const number = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {  // of any multiple of a point
        auto const inverse = [&](std::uint32_t e) {
            for (std::uint32_t i = 1; i < q; ++i)
                if (field.multiply(e, i) == 1) return i;
            return 0u;
        };
        if (x != 0) {
            std::uint32_t const scale = x == 1 ? 1 : inverse(x);
            return field.multiply(y, scale) * q + field.multiply(z, scale);
        }
        return y != 0 ? q * q + field.multiply(z, y == 1 ? 1 : inverse(y)) : q * q + q;
    };
    PortsInOrder ports(layout, hosts);
    auto const minus = [&](std::uint32_t e) { return field.subtract(0, e); };
    for (std::uint32_t v = 0; v < switches; ++v) {
        std::uint32_t const x = v < q * q ? 1 : 0, y = v < q * q ? v / q : v < q * q + q ? 1 : 0;
        std::uint32_t const z = v < q * q ? v % q : v < q * q + q ? v - q * q : 1;
        layout.name(layout.switch_at(v), fmt::format("S{}_{}_{}", x, y, z));
        auto const join = [&](std::uint32_t w) {
            if (w > v) ports.cable(v, w);
        };
        // All points orthogonal to (x, y, z): a line of q + 1.
        if (z != 0) {
            // (1, b, c) with c = -(x + y b)/z, then (0, 1, c) with c = -y/z; by multiples: (z, z b, -(x + y b)), (0, z,
            // -y)
            for (std::uint32_t b = 0; b < q; ++b)
                join(number(z, field.multiply(z, b), minus(field.add(x, field.multiply(y, b)))));
            join(number(0, z, minus(y)));
        } else if (y != 0) {
            // b = -x/y, any c: (y, -x, c), then (0, 0, 1)
            for (std::uint32_t c = 0; c < q; ++c) join(number(y, minus(x), field.multiply(y, c)));
            join(q * q + q);
        } else {
            for (std::uint32_t c = 0; c < q; ++c) join(number(0, 1, c));  // orthogonal to (1, 0, 0)
            join(q * q + q);
        }
    }
    Topology topology;
    topology.network = layout.finish();
    return topology;
}

Parameter hosts_by_degree() {
    Parameter parameter =
        number_parameter("hosts", "hosts on every switch (otherwise half the degree, rounded up)", 1, 60000);
    parameter.optional = true;
    return parameter;
}

}  // namespace

Family slimfly_family() {
    return {"slimfly",
            "Slim Fly: diameter two, from the field of q elements (q a power of a prime, not of the form 4w+2)",
            "switches 2*q^2 of degree (3q-d)/2, where q = 4w+d, d in -1, 0, 1; hosts each",
            {number_parameter("q", "order of the field", 3, most_order), hosts_by_degree()},
            "slimfly:q=5",
            make_slimfly};
}

Family polarfly_family() {
    return {"polarfly",
            "PolarFly: diameter two, the polarity graph of the projective plane over the field of q elements",
            "switches q^2+q+1 of degree q+1, q+1 of them of degree q; hosts each",
            {number_parameter("q", "order of the field, a power of a prime", 2, most_order), hosts_by_degree()},
            "polarfly:q=7",
            make_polarfly};
}

}  // namespace tailback::topologies
