// Coordinates of tori and meshes and dimension-order routing on them: arithmetic on numbers alone.
#pragma once

#include "host/base/spec.hpp"
#include "host/model/network.hpp"
#include "topologies/draws.hpp"

#include <cstdint>
#include <vector>

namespace tailback::topologies {

/// Switch s has coordinate s mod n_1 in the first dimension, floor(s / n_1) mod n_2 in the second, and so on. Its hosts
/// are on ports 1..hosts; then come, dimension by dimension, the port to the next higher coordinate and the one to the
/// next lower.
struct TorusShape {
    static constexpr std::size_t most_dimensions = 16;

    std::vector<std::uint32_t> sizes;
    std::uint32_t hosts = 1;
    bool wraps = true;
    bool one_way = false;
    std::uint32_t open = 0;  ///< of one that was found: bit d = dimension d has no wrap-around, though others may

    /// There are two ways round dimension d.
    bool closed(std::size_t d) const { return wraps && sizes[d] > 2 && (open >> d & 1) == 0; }

    model::Port plus_port(std::size_t d) const { return hosts + 1 + 2 * static_cast<model::Port>(d); }
    model::Port minus_port(std::size_t d) const { return hosts + 2 + 2 * static_cast<model::Port>(d); }
};

/// Which way round a ring when both are equally long.
enum class Ties : std::uint8_t { plus, minus, parity, random, random_pair };

/// Dimension-order routing of one torus.
struct DimensionOrder {
    struct Dimension {
        std::uint32_t number, stride;
    };
    std::vector<Dimension> dimensions;  ///< in the order in which they are corrected
    Ties ties = Ties::plus;
    std::uint64_t seed = 0;  ///< of random ties
};

/// What the options of dimension-order routing say. @throws InputError for an order that does not fit the shape.
DimensionOrder order_of(TorusShape const& shape, base::Arguments const& options, std::uint64_t seed);

/// A step of a route: along which dimension, to the higher coordinate or to the lower.
struct TorusStep {
    std::uint32_t dimension = 0;
    bool plus = false;
};

/// The step of switch v towards switch t != v: the first dimension in which they differ, the shorter way. A packet
/// meets a tie only where it enters a ring, so `parity` (even coordinate: plus) and `random` decide once for each route
/// and ring.
inline TorusStep dor_step(TorusShape const& shape, std::uint32_t v, std::uint32_t t, DimensionOrder const& order) {
    for (auto const& [d, stride] : order.dimensions) {
        std::uint32_t const n = shape.sizes[d], a = v / stride % n, b = t / stride % n;
        if (a == b) continue;
        bool plus = b > a;
        if (shape.one_way || shape.closed(d)) {
            std::uint32_t const ahead = b > a ? b - a : b + n - a;
            plus = shape.one_way || 2 * std::uint64_t{ahead} < n;
            if (!shape.one_way && 2 * std::uint64_t{ahead} == n)
                plus = order.ties == Ties::plus || (order.ties == Ties::parity && a % 2 == 0) ||
                       (order.ties == Ties::random && drawn_word(order.seed, BuildStream::ties, v, t, d) % 2 == 0);
        }
        return {d, plus};
    }
    return {};
}

}  // namespace tailback::topologies
