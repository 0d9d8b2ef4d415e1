// Routes that are arithmetic: of a regular network no table is kept, the next link is computed. A way lists the slots
// from host to host; the two Routes types below give it the interface of kernels/evaluate/routes.hpp.
// topologies/regular says what the slots are.
#pragma once

#include "kernels/common/middle.hpp"
#include "kernels/common/portable.hpp"
#include "kernels/evaluate/problem.hpp"

namespace tailback::kernels {

/// Calls visit(slot) for each slot of the runs that each_run(visit_run) tells, visit_run(first slot, how many).
template <class EachRun, class Visit>
TAILBACK_KERNEL void each_of_runs(EachRun&& each_run, Visit&& visit) {
    each_run([&](std::uint32_t first, std::uint32_t count) {
        TAILBACK_ROLLED
        for (std::uint32_t slot = first; slot < first + count; ++slot) visit(slot);
    });
}

/// The slots of a way of at most `width` links, and padding where there are fewer.
template <class Formula, class LinkWord, std::uint32_t width>
TAILBACK_KERNEL void find_padded(Formula const& way, std::uint32_t source, std::uint32_t destination,
                                 std::uint32_t padding, LinkWord (&slots)[width]) {
    std::uint32_t links = 0;
    way.each(source, destination, [&](std::uint32_t slot) { slots[links++] = static_cast<LinkWord>(slot); });
    for (; links < width; ++links) slots[links] = static_cast<LinkWord>(padding);
}

/// Calls visit(slot) for what way.find finds.
template <class Formula, class Visit>
TAILBACK_KERNEL void each_found(Formula const& way, std::uint32_t source, std::uint32_t destination, Visit&& visit) {
    constexpr std::uint32_t none = ~0u;
    std::uint32_t slots[Formula::most_links];
    way.find(source, destination, none, slots);
    for (std::uint32_t const slot : slots)
        if (slot != none) visit(slot);
}

/// Dimension-order routing on a torus, ring by ring the shorter way round. A route's links in one ring are neighbours
/// in memory: one run of slots, or two where it passes the end.
struct TorusFormula {
    TorusView view;
    TAILBACK_HD explicit TorusFormula(Problem const& p) : view(p.routes.formula.torus) {}

    template <class Visit>
    TAILBACK_KERNEL void each(std::uint32_t source, std::uint32_t destination, Visit&& visit) const {
        each_of_runs([&](auto&& visit_run) { each_run(source, destination, visit_run); }, visit);
    }
    /// Most runs of a route.
    static constexpr std::uint32_t most_runs = 2 * 16;
    /// The first dimension first.
    template <class VisitRun>
    TAILBACK_KERNEL void each_run(std::uint32_t source, std::uint32_t destination, VisitRun&& visit_run) const {
        std::uint32_t rest_s = view.hosts.quotient(source), rest_t = view.hosts.quotient(destination);
        std::uint32_t low = 0, stride = 1;  // low: the destination's coordinates so far, as a number
        for (std::uint32_t d = 0; d < view.dimensions; ++d) {
            Divisor const size = view.size[d];
            std::uint32_t const n = size.by, upper_s = size.quotient(rest_s), upper_t = size.quotient(rest_t);
            std::uint32_t const a = size.remainder(rest_s, upper_s), b = size.remainder(rest_t, upper_t);
            rest_s = upper_s;
            rest_t = upper_t;
            // The ring: coordinates below d are the destination's by now, those above still the source's.
            if (a != b) go_round(d, n, rest_s * stride + low, a, b, visit_run);
            low += b * stride;
            stride *= n;
        }
    }
    /// In the view's order, between switches.
    template <class VisitRun>
    TAILBACK_KERNEL void each_run_in_order(std::uint32_t at, std::uint32_t target, VisitRun&& visit_run) const {
        for (std::uint32_t k = 0; k < view.dimensions; ++k) {
            std::uint32_t const d = view.order[k];
            Divisor const size = view.size[d], stride = view.stride[d];
            std::uint32_t const whole_s = stride.quotient(at), whole_t = stride.quotient(target),
                                upper = size.quotient(whole_s);
            std::uint32_t const a = size.remainder(whole_s, upper), b = size.remainder(whole_t, size.quotient(whole_t));
            if (a != b) go_round(d, size.by, upper * stride.by + stride.remainder(at, whole_s), a, b, visit_run);
            at += (b - a) * stride.by;  // modulo 2^32
        }
    }

private:
    /// From coordinate a to coordinate b of a ring of n switches in dimension d.
    template <class VisitRun>
    TAILBACK_KERNEL void go_round(std::uint32_t d, std::uint32_t n, std::uint32_t ring, std::uint32_t a,
                                  std::uint32_t b, VisitRun&& visit_run) const {
        bool const rings = view.wraps != 0 && n > 2;
        std::uint32_t const ahead = b > a ? b - a : b + n - a;
        bool plus = b > a;
        if (view.one_way != 0) plus = true;
        else if (rings && 2 * std::uint64_t{ahead} == n) plus = view.tie == 0 || (view.tie == 2 && a % 2 == 0);
        else if (rings) plus = 2 * std::uint64_t{ahead} < n;
        std::uint32_t const first = (2 * d + (plus ? 0 : 1)) * view.switches + ring * n;
        if (plus) {
            visit_run(first + a, (b > a ? b : n) - a);
            if (b < a && b > 0) visit_run(first, b);
        } else {
            std::uint32_t const last = b < a ? b + 1 : 0;
            visit_run(first + last, a + 1 - last);
            if (b > a && b + 1 < n) visit_run(first + b + 1, n - b - 1);
        }
    }
};

/// Dimension order in any order of dimensions; and Valiant, in dimension order to the middle and from there. No link is
/// used twice: the two parts share a ring only where each stays in it, and two ways of at most half a ring in one
/// direction do not overlap.
struct TorusByMiddle {
    TorusFormula direct;
    MiddleView middle;
    TAILBACK_HD explicit TorusByMiddle(Problem const& p) : direct(p), middle(p.routes.middle) {}

    template <class Visit>
    TAILBACK_KERNEL void each(std::uint32_t source, std::uint32_t destination, Visit&& visit) const {
        each_of_runs([&](auto&& visit_run) { each_run(source, destination, visit_run); }, visit);
    }
    static constexpr std::uint32_t most_runs = 2 * TorusFormula::most_runs;
    template <class VisitRun>
    TAILBACK_KERNEL void each_run(std::uint32_t source, std::uint32_t destination, VisitRun&& visit_run) const {
        std::uint32_t const target = direct.view.hosts.quotient(destination);
        std::uint32_t at = direct.view.hosts.quotient(source);
        if (at == target) return;
        bool const drawn = middle.drawn != 0;
        std::uint32_t next = drawn ? drawn_middle(middle.seed, source, destination, direct.view.switches) : target;
        for (std::uint32_t part = 0; part < (drawn ? 2u : 1u);
             ++part) {  // a loop, so that there is one copy of the walk
            direct.each_run_in_order(at, next, visit_run);
            at = next;
            next = target;
        }
    }
};

/// D-mod-K on a generalised fat tree: up by the destination's digits to the first common subtree, and down the only
/// way. S-mod-K: by the source's.
struct TreeFormula {
    TreeView view;
    TAILBACK_HD explicit TreeFormula(Problem const& p) : view(p.routes.formula.tree) {}

    template <class Visit>
    TAILBACK_KERNEL void each(std::uint32_t source, std::uint32_t destination, Visit&& visit) const {
        each_placed(source, destination, view.height, [&](std::uint32_t, std::uint32_t slot) { visit(slot); });
    }
    /// Of trees of up to width / 2 + 1 levels.
    template <class LinkWord, std::uint32_t width>
    TAILBACK_KERNEL void find(std::uint32_t source, std::uint32_t destination, std::uint32_t padding,
                              LinkWord (&slots)[width]) const {
        for (LinkWord& slot : slots) slot = static_cast<LinkWord>(padding);
        each_placed(source, destination, width / 2 + 1,
                    [&](std::uint32_t k, std::uint32_t slot) { slots[k] = static_cast<LinkWord>(slot); });
    }

private:
    /// Calls visit(k, slot) for the links of the levels below `levels`: up 0, 2, .., down 1, 3, ..
    template <class Visit>
    TAILBACK_KERNEL void each_placed(std::uint32_t source, std::uint32_t destination, std::uint32_t levels,
                                     Visit&& visit) const {
        std::uint32_t s = source, t = destination;  // the subtrees they are in
        std::uint32_t const chooser = source * view.up_by_source + destination * view.up_by_destination;
        for (std::uint32_t level = 1; level < levels; ++level) {
            s = view.children[level - 1].quotient(s);
            t = view.children[level - 1].quotient(t);
            if (s == t) return;
            Divisor const twins = view.twins[level], parents = view.parents[level];
            std::uint32_t const round = twins.quotient(chooser), u = twins.remainder(chooser, round);
            std::uint32_t const q = parents.remainder(round, parents.quotient(round));
            visit(2 * level - 2, view.first_up[level] + (s * twins.by + u) * parents.by + q);
            visit(2 * level - 1, view.first_down[level] + (t * twins.by + u) * parents.by + q);
        }
    }
};

/// Minimal routing on a dragonfly: at most one local, one global and one local link; of parallel global links that with
/// the fewest local ones, of equals by the destination's switch.
struct DragonflyFormula {
    DragonflyView view;
    TAILBACK_HD explicit DragonflyFormula(Problem const& p) : view(p.routes.formula.dragonfly) {}

    static constexpr std::uint32_t most_links = 3;
    /// Each link in a place of its own: an array that is indexed by how many there are would lie in a GPU's memory.
    TAILBACK_KERNEL void find(std::uint32_t source, std::uint32_t destination, std::uint32_t padding,
                              std::uint32_t (&slots)[most_links]) const {
        for (std::uint32_t& slot : slots) slot = padding;
        At at = place(view.p.quotient(source));
        std::uint32_t const t = view.p.quotient(destination);
        go_to_group(at, t, slots);
        go_on_in_group(at, t, slots);
    }
    template <class Visit>
    TAILBACK_KERNEL void each(std::uint32_t source, std::uint32_t destination, Visit&& visit) const {
        each_found(*this, source, destination, visit);
    }

    /// A switch by its group and its number there.
    struct At {
        std::uint32_t group, number;
    };
    TAILBACK_KERNEL At place(std::uint32_t v) const {
        std::uint32_t const group = view.a.quotient(v);
        return {group, view.a.remainder(v, group)};
    }
    /// Towards switch t until its group is reached: a local link, and a global one.
    TAILBACK_KERNEL void go_to_group(At& here, std::uint32_t t, std::uint32_t (&slots)[most_links]) const {
        std::uint32_t const to = view.a.quotient(t), end = view.a.remainder(t, to);
        if (here.group == to) return;
        GlobalLink link;
        std::uint32_t by;
        TAILBACK_ROLLED
        for (;;) {
            link = link_to(here, to, end, t);
            by = view.h.quotient(link.port);
            if (here.number == by) break;
            slots[0] = local_slot(here.group, here.number, by);
            here.number = by;  // that switch chooses again, among its own
        }
        slots[1] = view.first_global + (here.group * view.a.by + by) * view.h.by + view.h.remainder(link.port, by);
        here = {to, view.h.quotient(link.far_port)};
    }
    /// To switch t of the same group, by a local link.
    TAILBACK_KERNEL void go_on_in_group(At& here, std::uint32_t t, std::uint32_t (&slots)[most_links]) const {
        std::uint32_t const end = view.a.remainder(t, here.group);
        if (here.number != end) slots[2] = local_slot(here.group, here.number, end);
        here.number = end;
    }

private:
    /// The link by which a switch sends to switch t, number `end` of group `to`.
    TAILBACK_KERNEL GlobalLink link_to(At from, std::uint32_t to, std::uint32_t end, std::uint32_t t) const {
        GlobalLink const* const links = view.links + (std::size_t{from.group} * view.groups + to) * view.rounds;
        if (view.rounds == 1) return links[0];
        auto const cost = [&](GlobalLink link) {
            return (view.h.quotient(link.port) != from.number ? 1u : 0u) +
                   (view.h.quotient(link.far_port) != end ? 1u : 0u);
        };
        std::uint32_t least = 3, equals = 0;
        TAILBACK_ROLLED
        for (std::uint32_t c = 0; c < view.rounds; ++c) {
            std::uint32_t const now = cost(links[c]);
            equals = now < least ? 1 : equals + (now == least ? 1 : 0);
            least = now < least ? now : least;
        }
        std::uint32_t skip = t % equals;
        TAILBACK_ROLLED
        for (std::uint32_t c = 0;; ++c)
            if (cost(links[c]) == least && skip-- == 0) return links[c];
    }
    TAILBACK_KERNEL std::uint32_t local_slot(std::uint32_t group, std::uint32_t from, std::uint32_t to) const {
        return (group * view.a.by + from) * (view.a.by - 1) + (to > from ? to - from : to + view.a.by - from) - 1;
    }
};

/// Valiant on a dragonfly: minimally to the middle switch (or until its group is reached), then minimally on. What a
/// route does between two uses of a link is left out.
struct DragonflyByMiddle {
    DragonflyFormula direct;
    MiddleView middle;
    std::uint32_t switches;
    TAILBACK_HD explicit DragonflyByMiddle(Problem const& p)
        : direct(p),
          middle(p.routes.middle),
          switches(p.routes.formula.dragonfly.a.by * p.routes.formula.dragonfly.groups) {}

    static constexpr std::uint32_t most_links = 2 * DragonflyFormula::most_links;
    TAILBACK_KERNEL void find(std::uint32_t source, std::uint32_t destination, std::uint32_t padding,
                              std::uint32_t (&slots)[most_links]) const {
        constexpr std::uint32_t half = DragonflyFormula::most_links;
        std::uint32_t first[half] = {padding, padding, padding}, second[half] = {padding, padding, padding};
        std::uint32_t const v = direct.view.p.quotient(source), t = direct.view.p.quotient(destination);
        DragonflyFormula::At at = direct.place(v);
        bool const stays = middle.group_only != 0 && at.group == direct.view.a.quotient(t);
        if (v != t && !stays) {
            std::uint32_t const by = drawn_middle(middle.seed, source, destination, switches);
            direct.go_to_group(at, by, first);
            if (middle.group_only == 0) direct.go_on_in_group(at, by, first);
        }
        if (v != t) {
            direct.go_to_group(at, t, second);
            direct.go_on_in_group(at, t, second);
        }
        bool goes_on = true;  // until a link that the second part has, too
        std::uint32_t from = 0;
        for (std::uint32_t i = 0; i < half; ++i) {
            std::uint32_t same = half;
            for (std::uint32_t j = half; j-- > 0;) same = first[i] == second[j] ? j : same;
            bool const meets = goes_on && first[i] != padding && same < half;
            from = meets ? same : from;
            goes_on = goes_on && !meets;
            slots[i] = goes_on ? first[i] : padding;
        }
        for (std::uint32_t j = 0; j < half; ++j) slots[half + j] = j >= from ? second[j] : padding;
    }
    template <class Visit>
    TAILBACK_KERNEL void each(std::uint32_t source, std::uint32_t destination, Visit&& visit) const {
        each_found(*this, source, destination, visit);
    }
};

/// Dimension order on a HyperX: at most one link in every dimension; of several cables by the destination's switch.
struct HyperxFormula {
    HyperxView view;
    TAILBACK_HD explicit HyperxFormula(Problem const& p) : view(p.routes.formula.hyperx) {}

    template <class Visit>
    TAILBACK_KERNEL void each(std::uint32_t source, std::uint32_t destination, Visit&& visit) const {
        each_placed(source, destination, view.dimensions, [&](std::uint32_t, std::uint32_t slot) { visit(slot); });
    }
    /// Of up to `width` dimensions.
    template <class LinkWord, std::uint32_t width>
    TAILBACK_KERNEL void find(std::uint32_t source, std::uint32_t destination, std::uint32_t padding,
                              LinkWord (&slots)[width]) const {
        for (LinkWord& slot : slots) slot = static_cast<LinkWord>(padding);
        each_placed(source, destination, width,
                    [&](std::uint32_t k, std::uint32_t slot) { slots[k] = static_cast<LinkWord>(slot); });
    }

private:
    /// Calls visit(k, slot) for the link of each dimension k below `most` in which source and destination differ.
    template <class Visit>
    TAILBACK_KERNEL void each_placed(std::uint32_t source, std::uint32_t destination, std::uint32_t most,
                                     Visit&& visit) const {
        std::uint32_t at = view.hosts.quotient(source);
        std::uint32_t const t = view.hosts.quotient(destination),
                            cable = view.cables.remainder(t, view.cables.quotient(t));
        for (std::uint32_t k = 0; k < most && k < view.dimensions; ++k) {
            HyperxView::Dimension const& d = view.dimension[k];
            std::uint32_t const here = d.stride.quotient(at), there = d.stride.quotient(t);
            std::uint32_t const a = d.size.remainder(here, d.size.quotient(here)),
                                b = d.size.remainder(there, d.size.quotient(there));
            if (a == b) continue;
            std::uint32_t const ahead = b > a ? b - a : b + d.size.by - a;
            visit(k, at * view.degree + d.before + (ahead - 1) * view.cables.by + cable);
            at += (b - a) * d.stride.by;  // modulo 2^32
        }
    }
};

/// A way computed each time it is asked for: for long routes. What is kept are the two hosts.
template <class Formula>
struct ComputedRoutes {
    struct Kept {
        std::uint32_t source, destination;
    };
    std::uint32_t const* host_of_index;
    Formula way;

    TAILBACK_HD explicit ComputedRoutes(Problem const& p) : host_of_index(p.routes.group), way(p) {}
    TAILBACK_KERNEL Kept find(std::uint32_t source_host, std::uint32_t destination) const {
        return {source_host, host_of_index[destination]};
    }
    TAILBACK_KERNEL std::uint32_t fate(Kept const&) const { return 0; }
    template <class Visit>
    TAILBACK_KERNEL void each(Kept const& route, Visit&& visit) const {
        way.each(route.source, route.destination, visit);
    }
    static constexpr bool pads = false;
    static constexpr bool stored = false;
};

/// A way of at most `width` links, computed once where a team keeps routes. Short ones are padded, in any place.
template <class Formula, std::uint32_t width>
struct RememberedRoutes {
    struct alignas(8) Kept {
        std::uint32_t slot[width];
    };
    std::uint32_t const* host_of_index;
    std::uint32_t inner;
    Formula way;

    TAILBACK_HD explicit RememberedRoutes(Problem const& p)
        : host_of_index(p.routes.group), inner(p.routes.inner), way(p) {}
    TAILBACK_KERNEL Kept find(std::uint32_t source_host, std::uint32_t destination) const {
        Kept route;
        way.find(source_host, host_of_index[destination], inner, route.slot);
        return route;
    }
    TAILBACK_KERNEL std::uint32_t fate(Kept const&) const { return 0; }
    template <class Visit>
    TAILBACK_KERNEL void each(Kept const& route, Visit&& visit) const {
        for (std::uint32_t k = 0; k < width; ++k) visit(route.slot[k]);
    }
    TAILBACK_HD Kept empty() const {
        Kept route;
        for (std::uint32_t& slot : route.slot) slot = inner;
        return route;
    }
    static constexpr bool pads = true;
    static constexpr bool stored = false;
};

}  // namespace tailback::kernels
