// Coordinates and shortest vectors of the relatives of the torus: arithmetic on numbers alone.
#pragma once

#include "host/model/network.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace tailback::topologies {

/// Switch s = x + n_1 * (y + n_2 * z). Stepping up over the end of dimension d > 0 adds twists[d-1] to x (mod n_1).
/// Hosts on ports 1..hosts, then two ports a dimension: up, down.
struct TwistedShape {
    std::vector<std::uint32_t> sizes;   ///< two or three
    std::vector<std::uint32_t> twists;  ///< one fewer
    std::uint32_t hosts = 1;

    model::Port plus_port(std::size_t d) const { return hosts + 1 + 2 * static_cast<model::Port>(d); }

    /// The switch one step up in dimension d.
    std::uint32_t ahead(std::uint32_t s, std::size_t d) const {
        std::uint32_t at[3] = {s % sizes[0], s / sizes[0] % sizes[1], sizes.size() > 2 ? s / sizes[0] / sizes[1] : 0};
        if (++at[d] == sizes[d]) {
            at[d] = 0;
            if (d > 0) at[0] = (at[0] + twists[d - 1]) % sizes[0];
        }
        return at[0] + sizes[0] * (at[1] + sizes[1] * at[2]);
    }

    /// Towards t: of all ways round the other dimensions the one of fewest steps, its first dimension with any first.
    model::Port next_port(std::uint32_t v, std::uint32_t t) const {
        std::int64_t const nx = sizes[0];
        std::int64_t const x = t % sizes[0] - std::int64_t(v % sizes[0]);
        std::int64_t const y = t / sizes[0] % sizes[1] - std::int64_t(v / sizes[0] % sizes[1]);
        std::int64_t const z = sizes.size() > 2 ? t / sizes[0] / sizes[1] - std::int64_t(v / sizes[0] / sizes[1]) : 0;
        std::int64_t const nz = sizes.size() > 2 ? sizes[2] : 1, twist_z = sizes.size() > 2 ? twists[1] : 0;
        std::int64_t const most_y = nx / (2 * sizes[1]) + 2, most_z = sizes.size() > 2 ? nx / (2 * nz) + 2 : 0;
        std::int64_t best[3] = {0, 0, 0}, least = INT64_MAX;
        for (std::int64_t wz = -most_z; wz <= most_z; ++wz)
            for (std::int64_t wy = -most_y; wy <= most_y; ++wy) {
                std::int64_t step_x = (x - wy * twists[0] - wz * twist_z) % nx;
                if (step_x < 0) step_x += nx;
                if (2 * step_x > nx) step_x -= nx;
                std::int64_t const step_y = y + wy * sizes[1], step_z = z + wz * nz;
                std::int64_t const steps = std::abs(step_x) + std::abs(step_y) + std::abs(step_z);
                if (steps >= least) continue;
                least = steps;
                best[0] = step_x, best[1] = step_y, best[2] = step_z;
            }
        for (std::size_t d = 0; d < 3; ++d)
            if (best[d] != 0) return plus_port(d) + (best[d] > 0 ? 0 : 1);
        return 0;
    }
};

/// Switch s is joined to s + b, s - b, s + (b - 1), s - (b - 1), all modulo n, on the ports after those of its hosts.
struct MidimewShape {
    std::uint32_t n = 5, b = 2, hosts = 1;

    model::Port next_port(std::uint32_t v, std::uint32_t t) const {
        bool const backward = t > v ? 2 * std::uint64_t{t - v} > n : 2 * std::uint64_t{v - t} <= n;
        std::uint32_t const apart = t > v ? t - v : v - t;
        std::int64_t const m = 2 * std::uint64_t{apart} > n ? n - apart : apart;
        std::int64_t const q = m / b, r = m % b;
        std::int64_t x = q + r, y = -r;
        if (r != 0 && q + r >= b - r) {
            x = q + r - (b - 1);
            y = b - r;
        }
        if (backward) {
            x = -x;
            y = -y;
        }
        if (x != 0) return hosts + (x > 0 ? 1 : 2);
        return hosts + (y > 0 ? 3 : 4);
    }
};
inline MidimewShape midimew_shape(std::uint32_t n, std::uint32_t hosts) {
    std::uint32_t b = 1;
    while (2 * std::uint64_t{b} * b < n) ++b;
    return {n, b, hosts};
}

/// Switch s = x + nx * y, with neighbours +-(1, 0), +-(0, 1), +-(1, 1), in this order on the ports after those of its
/// hosts.
struct TriangularShape {
    std::uint32_t nx = 3, ny = 3, hosts = 1;

    model::Port next_port(std::uint32_t v, std::uint32_t t) const {
        std::int64_t const x = std::int64_t(t % nx) - v % nx, y = std::int64_t(t / nx) - v / nx;
        std::int64_t best_x = 0, best_y = 0, least = INT64_MAX;
        for (std::int64_t const dx : {x, x > 0 ? x - nx : x + nx})
            for (std::int64_t const dy : {y, y > 0 ? y - ny : y + ny}) {
                std::int64_t const steps =
                    (dx > 0) == (dy > 0) ? std::max(std::abs(dx), std::abs(dy)) : std::abs(dx) + std::abs(dy);
                if (steps >= least) continue;
                least = steps;
                best_x = dx, best_y = dy;
            }
        if (best_x != 0 && best_y != 0 && (best_x > 0) == (best_y > 0)) return hosts + (best_x > 0 ? 5 : 6);
        if (best_x != 0) return hosts + (best_x > 0 ? 1 : 2);
        return hosts + (best_y > 0 ? 3 : 4);
    }
};

}  // namespace tailback::topologies
