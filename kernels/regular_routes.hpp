// Routes that are arithmetic: of a regular network no table is kept, the next link is computed. Each type has the
// interface of kernels/routes.hpp; host/study_plan fills the views, topologies/regular says what the slots are.
#pragma once

#include "kernels/portable.hpp"
#include "kernels/problem.hpp"

namespace tailback {

/// What the three have in common: a route is kept as its two hosts, and always delivered.
struct RegularRoutes {
    struct Kept {
        std::uint32_t source, destination;  ///< hosts
    };
    std::uint32_t const* host_of_seat;

    TAILBACK_HD explicit RegularRoutes(Problem const& p) : host_of_seat(p.group) {}
    TAILBACK_KERNEL std::uint32_t const* place(std::uint32_t, std::uint32_t destination) const { return host_of_seat + destination; }
    TAILBACK_KERNEL Kept find(std::uint32_t source_host, std::uint32_t destination) const {
        return {source_host, host_of_seat[destination]};
    }
    TAILBACK_KERNEL std::uint32_t fate(Kept const&) const { return 0; }
    static constexpr bool pads = false;
};

/// Dimension-order routing: ring after ring, the shorter way round. A route's links in one ring are neighbours in memory.
struct TorusRoutes : RegularRoutes {
    TorusView view;

    TAILBACK_HD explicit TorusRoutes(Problem const& p) : RegularRoutes(p), view(p.torus) {}
    template <class Visit>
    TAILBACK_KERNEL void each(Kept const& route, Visit&& visit) const {
        std::uint32_t const s = route.source / view.hosts, t = route.destination / view.hosts;
        std::uint32_t rest_s = s, rest_t = t, low = 0, stride = 1;  // low: t's coordinates so far, as a number
        for (std::uint32_t d = 0; d < view.dimensions; ++d) {
            std::uint32_t const n = view.size[d], a = rest_s % n, b = rest_t % n;
            rest_s /= n;
            rest_t /= n;
            if (a != b) {
                bool const rings = view.one_way || (view.wraps && n > 2);
                std::uint32_t const ahead = b > a ? b - a : b + n - a;
                bool plus = b > a;
                if (view.one_way) plus = true;
                else if (rings && 2 * std::uint64_t{ahead} == n) plus = view.tie == 0 || (view.tie == 2 && a % 2 == 0);
                else if (rings) plus = 2 * std::uint64_t{ahead} < n;
                // The ring: coordinates below d are t's by now, those above still s's.
                std::uint32_t const first = (2 * d + (plus ? 0 : 1)) * view.switches + (rest_s * stride + low) * n;
                if (plus) {
                    std::uint32_t const stop = b > a ? b : n;
                    for (std::uint32_t at = a; at < stop; ++at) visit(first + at);
                    if (b < a)
                        for (std::uint32_t at = 0; at < b; ++at) visit(first + at);
                } else {
                    std::uint32_t const stop = b < a ? b + 1 : 0;
                    for (std::uint32_t at = stop; at <= a; ++at) visit(first + at);
                    if (b > a)
                        for (std::uint32_t at = b + 1; at < n; ++at) visit(first + at);
                }
            }
            low += b * stride;
            stride *= n;
        }
    }
};

/// D-mod-K on a generalised fat tree: up by the destination's digits to the first common subtree, and down the only way.
struct TreeRoutes : RegularRoutes {
    TreeView view;

    TAILBACK_HD explicit TreeRoutes(Problem const& p) : RegularRoutes(p), view(p.tree) {}
    template <class Visit>
    TAILBACK_KERNEL void each(Kept const& route, Visit&& visit) const {
        std::uint32_t s = route.source, t = route.destination;  // the subtrees they are in
        for (std::uint32_t level = 1; level < view.height; ++level) {
            s /= view.children[level - 1];
            t /= view.children[level - 1];
            if (s == t) return;
            std::uint32_t const twins = view.twins[level], parents = view.parents[level];
            std::uint32_t const u = route.destination % twins, q = route.destination / twins % parents;
            visit(view.first_up[level] + (s * twins + u) * parents + q);
            visit(view.first_down[level] + (t * twins + u) * parents + q);
        }
    }
};

/// Minimal routing on a dragonfly: at most one local, one global and one local link; of parallel global links that with the
/// fewest local ones, of equals by the destination's switch.
struct DragonflyRoutes : RegularRoutes {
    DragonflyView view;

    TAILBACK_HD explicit DragonflyRoutes(Problem const& p) : RegularRoutes(p), view(p.dragonfly) {}

    /// The global port of group v / a by which switch v sends to switch t of another group.
    TAILBACK_KERNEL std::uint32_t global_port(std::uint32_t v, std::uint32_t t) const {
        std::uint32_t const from = v / view.a, to = t / view.a, s = v % view.a, end = t % view.a;
        std::uint32_t const* const ports = view.port_to + (std::size_t{from} * view.groups + to) * view.rounds;
        if (view.rounds == 1) return ports[0];
        auto const cost = [&](std::uint32_t port) {
            std::uint32_t const far = view.far_port[std::size_t{from} * view.ports_in_use + port];
            return (port / view.h != s ? 1u : 0u) + (far / view.h != end ? 1u : 0u);
        };
        std::uint32_t least = 3, equals = 0;
        for (std::uint32_t c = 0; c < view.rounds; ++c) {
            std::uint32_t const now = cost(ports[c]);
            equals = now < least ? 1 : equals + (now == least ? 1 : 0);
            least = now < least ? now : least;
        }
        std::uint32_t skip = t % equals;
        for (std::uint32_t c = 0;; ++c)
            if (cost(ports[c]) == least && skip-- == 0) return ports[c];
    }
    TAILBACK_KERNEL std::uint32_t local_slot(std::uint32_t v, std::uint32_t s) const {
        std::uint32_t const from = v % view.a;
        return v * (view.a - 1) + (s > from ? s - from : s + view.a - from) - 1;
    }
    template <class Visit>
    TAILBACK_KERNEL void each(Kept const& route, Visit&& visit) const {
        std::uint32_t v = route.source / view.p;
        std::uint32_t const t = route.destination / view.p;
        while (v / view.a != t / view.a) {
            std::uint32_t const group = v / view.a, port = global_port(v, t), s = port / view.h;
            if (v % view.a != s) {
                visit(local_slot(v, s));
                v = group * view.a + s;
            } else {
                visit(view.first_global + v * view.h + port % view.h);
                std::size_t const end = std::size_t{group} * view.ports_in_use + port;
                v = view.far_group[end] * view.a + view.far_port[end] / view.h;
            }
        }
        if (v != t) visit(local_slot(v, t % view.a));
    }
};

}  // namespace tailback
