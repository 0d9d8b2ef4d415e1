// In a product of rings and paths two cables of a switch lead along different dimensions exactly when they are sides of
// a square of four switches, whose opposite sides lead along the same one; a ring of three is a triangle. (Four in a
// ring are a square, too: two dimensions of two.) So squares and triangles tell which cables are of one dimension.
// Without these cables the network falls into layers, which are the coordinates; then every cable is counted.
#include "topologies/families/torus/found_torus.hpp"

#include "host/base/disjoint_sets.hpp"
#include "host/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace tailback::topologies {
namespace {

[[noreturn]] void refuse_torus(std::string const& why) {
    throw base::InputError({}, "dor finds no whole torus or mesh in this network", why,
                           "choose another routing, such as minhop, updn or dfsssp");
}

}  // namespace

class TorusSearch {
public:
    TorusSearch(ForwardingGraph const& graph, model::Network const& network, FoundTorus& found)
        : graph_(graph), network_(network), found_(found), sides_(graph.size()), alone_(graph.size()) {
        check_kind();
        list_sides();
        check_connected();
        find_dimensions();
        for (std::uint32_t c = 0; c < dimensions_; ++c) lay_out(c);
        join_rings_of_four();
        number_switches();
        count_cables();
        list_ports();
    }

private:
    /// All cables of a switch to another one.
    struct Side {
        std::uint32_t to = 0, edge = 0;
        std::vector<model::Port> ports;
    };
    /// One dimension: its layers in a row, or in a ring.
    struct Axis {
        std::uint32_t size = 0;
        bool closed = false;
        model::Port lowest = 0;
        std::vector<std::uint32_t> at;       // by forwarder: its layer
        std::vector<std::uint32_t> classes;  // of its cables
        std::set<model::Port> ports;
    };

    std::string name(std::uint32_t v) const { return network_.describe(graph_.nodes[v]); }
    Side const* side(std::uint32_t v, std::uint32_t to) const {
        auto const at = std::lower_bound(sides_[v].begin(), sides_[v].end(), to,
                                         [](Side const& one, std::uint32_t w) { return one.to < w; });
        return at != sides_[v].end() && at->to == to ? &*at : nullptr;
    }

    void check_kind() const {
        for (model::LinkRecord const& link : network_.links())
            if (!link.reverse.exists()) refuse_torus("it has one-way links");
        for (model::Node const node : graph_.nodes)
            if (!network_.is_switch(node)) refuse_torus("its hosts have several cables and choose among them");
        if (graph_.size() < 2) refuse_torus("it has fewer than two switches");
    }

    void list_sides() {
        constexpr std::size_t most = 2 * TorusShape::most_dimensions;
        for (std::uint32_t v = 0; v < graph_.size(); ++v) {
            std::map<std::uint32_t, std::vector<model::Port>> by_neighbour;
            for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a)
                if (graph_.arcs[a].to != v) by_neighbour[graph_.arcs[a].to].push_back(graph_.arcs[a].port);
            if (by_neighbour.size() > most)
                refuse_torus(
                    fmt::format("{} is joined to {} switches, and a torus of {} dimensions joins none to more "
                                "than {}",
                                name(v), by_neighbour.size(), TorusShape::most_dimensions, most));
            for (auto& [to, ports] : by_neighbour)
                sides_[v].push_back({to, to < v ? side(to, v)->edge : edges_++, std::move(ports)});
        }
    }

    void check_connected() const {
        std::vector<std::uint32_t> hops, order;
        graph_.distances(0, hops, order);
        for (std::uint32_t v = 0; v < graph_.size(); ++v)
            if (hops[v] == none) refuse_torus(fmt::format("no cables lead from {} to {}", name(v), name(0)));
    }

    void find_dimensions() {
        base::DisjointSets classes(edges_);
        std::vector<std::uint32_t> common;
        for (std::uint32_t v = 0; v < graph_.size(); ++v)
            for (std::size_t i = 0; i < sides_[v].size(); ++i)
                for (std::size_t j = 0; j < i; ++j) {
                    Side const &a = sides_[v][i], &b = sides_[v][j];
                    common.clear();
                    for (Side const& far : sides_[a.to])
                        if (far.to != v && side(b.to, far.to) != nullptr) common.push_back(far.to);
                    bool const triangle = side(a.to, b.to) != nullptr;
                    if (common.size() > (triangle ? 0u : 1u)) refuse_common(a.to, b.to, common.size() + 1, triangle);
                    if (common.empty()) {
                        classes.join(a.edge, b.edge);
                        ++alone_[v];
                    } else {
                        classes.join(a.edge, side(b.to, common[0])->edge);
                        classes.join(b.edge, side(a.to, common[0])->edge);
                    }
                }
        std::map<std::uint32_t, std::uint32_t> numbers;
        class_of_.resize(edges_);
        for (std::uint32_t e = 0; e < edges_; ++e)
            class_of_[e] = numbers.try_emplace(classes.of(e), std::uint32_t(numbers.size())).first->second;
        dimensions_ = static_cast<std::uint32_t>(numbers.size());
    }
    [[noreturn]] void refuse_common(std::uint32_t a, std::uint32_t b, std::size_t count, bool joined) const {
        check_neighbours(graph_.size() / 8);
        refuse_torus(fmt::format("{} and {} are {}joined to {} other switches both, in a torus to {} at most", name(a),
                                 name(b), joined ? "joined, and they are " : "", count, joined ? 1 : 2));
    }

    /// Where all switches but a few have equally many neighbours, one that has one or two more or less is what is
    /// wrong.
    void check_neighbours(std::size_t most_others) const {
        std::map<std::size_t, std::uint32_t> counts;
        for (auto const& sides : sides_) ++counts[sides.size()];
        auto const usual = std::max_element(counts.begin(), counts.end(),
                                            [](auto const& a, auto const& b) { return a.second < b.second; });
        std::uint32_t const others = graph_.size() - usual->second;
        std::size_t const neighbours = usual->first;
        if (others > std::min<std::size_t>(most_others, graph_.size() / 2) || neighbours < 2) return;
        for (bool const more : {true, false})
            for (std::uint32_t v = 0; v < graph_.size(); ++v)
                if (std::size_t const n = sides_[v].size();
                    more ? n > neighbours && n <= neighbours + 2 : n < neighbours && n + 2 >= neighbours)
                    refuse_torus(fmt::format("{} is joined to {} {}, and {} of {} switches are to {}: {}", name(v), n,
                                             n == 1 ? "switch" : "switches", usual->second, graph_.size(), neighbours,
                                             more ? "a cable is one too many" : "a cable or a switch is missing"));
    }
    /// The switch whose cables are fewest sides of squares, of those where three or more would lead along one
    /// dimension.
    [[noreturn]] void refuse_rows() const {
        check_neighbours(sides_[0].size() + 2);
        std::uint32_t worst = none;
        std::string named;
        for (std::uint32_t v = 0; v < graph_.size(); ++v) {
            if (worst != none && alone_[v] <= alone_[worst]) continue;
            for (std::uint32_t c = 0; c < dimensions_; ++c) {
                std::vector<std::uint32_t> along;
                for (Side const& one : sides_[v])
                    if (class_of_[one.edge] == c) along.push_back(one.to);
                if (along.size() < 3) continue;
                worst = v;
                named = name(along[0]) + ", " + name(along[1]) + " and " + name(along[2]);
                break;
            }
        }
        if (worst == none) refuse_torus("its cables do not lie in rows and columns");
        refuse_torus(
            fmt::format("around {} the cables close no squares as in rows and columns: those to {} would all "
                        "lead along one dimension",
                        name(worst), named));
    }

    /// The layers of one dimension: what hangs together without its cables.
    void lay_out(std::uint32_t c) {
        Axis axis;
        axis.classes = {c};
        std::vector<std::uint32_t> layer(graph_.size(), none), queue;
        for (std::uint32_t start = 0; start < graph_.size(); ++start) {
            if (layer[start] != none) continue;
            layer[start] = axis.size++;
            queue.assign(1, start);
            for (std::size_t at = 0; at < queue.size(); ++at)
                for (Side const& one : sides_[queue[at]])
                    if (class_of_[one.edge] != c && layer[one.to] == none) {
                        layer[one.to] = layer[start];
                        queue.push_back(one.to);
                    }
        }
        struct Beside {
            std::uint32_t layer;
            model::Port port;  // the lowest that leads there
        };
        std::vector<std::vector<Beside>> beside(axis.size);
        for (std::uint32_t v = 0; v < graph_.size(); ++v)
            for (Side const& one : sides_[v]) {
                if (class_of_[one.edge] != c) continue;
                axis.ports.insert(one.ports.begin(), one.ports.end());
                std::uint32_t const here = layer[v], there = layer[one.to];
                if (here == there) refuse_rows();
                auto const known = std::find_if(beside[here].begin(), beside[here].end(),
                                                [&](Beside const& b) { return b.layer == there; });
                if (known == beside[here].end()) beside[here].push_back({there, one.ports[0]});
                else known->port = std::min(known->port, one.ports[0]);
                if (beside[here].size() > 2) refuse_rows();
            }
        std::vector<std::uint32_t> ends;
        for (std::uint32_t l = 0; l < axis.size; ++l)
            if (beside[l].size() == 1) ends.push_back(l);
        axis.closed = ends.empty();
        axis.lowest = *axis.ports.begin();
        std::uint32_t at = axis.closed ? 0 : ends[beside[ends[1]][0].port < beside[ends[0]][0].port ? 1 : 0];
        std::vector<std::uint32_t> place(axis.size, none);
        for (std::uint32_t coordinate = 0; at != none; ++coordinate) {
            place[at] = coordinate;
            std::uint32_t next = none;
            model::Port port = 0;
            for (Beside const& b : beside[at])
                if (place[b.layer] == none && (next == none || b.port < port)) next = b.layer, port = b.port;
            at = next;
        }
        for (std::uint32_t v = 0; v < graph_.size(); ++v) axis.at.push_back(place[layer[v]]);
        axes_.push_back(std::move(axis));
    }

    /// Two dimensions of two whose cables use the same two ports, as those of no third one do, are a ring.
    void join_rings_of_four() {
        auto const alike = [&](Axis const& a, Axis const& b) { return b.size == 2 && a.ports == b.ports; };
        std::vector<Axis> joined;
        for (std::size_t i = 0; i < axes_.size(); ++i) {
            Axis& a = axes_[i];
            auto const same = [&](Axis const& b) { return alike(a, b); };
            bool const ring = a.size == 2 && std::count_if(axes_.begin(), axes_.end(), same) == 2 &&
                              a.ports.size() == 2 * cables_of(a) && cables_of(a) != 0;
            auto const first = std::find_if(axes_.begin(), axes_.end(), same);
            if (!ring || cables_of(*first) != cables_of(*std::find_if(first + 1, axes_.end(), same))) {
                joined.push_back(a);
                continue;
            }
            if (&*first != &a) continue;
            Axis& b = *std::find_if(first + 1, axes_.end(), same);
            auto const port_of_first = [&](Axis const& one) {
                for (Side const& s : sides_[0])
                    if (class_of_[s.edge] == one.classes[0]) return s.ports[0];
                return model::Port{0};
            };
            bool const turned = port_of_first(b) < port_of_first(a);
            Axis ring_axis = turned ? b : a;
            std::vector<std::uint32_t> const& other = turned ? a.at : b.at;
            std::uint32_t const here = ring_axis.at[0], there = other[0];
            for (std::uint32_t v = 0; v < graph_.size(); ++v) {
                bool const along = ring_axis.at[v] != here;
                ring_axis.at[v] = other[v] != there ? (along ? 2 : 3) : (along ? 1 : 0);
            }
            ring_axis.size = 4;
            ring_axis.closed = true;
            ring_axis.classes = {a.classes[0], b.classes[0]};
            joined.push_back(std::move(ring_axis));
        }
        axes_ = std::move(joined);
        std::stable_sort(axes_.begin(), axes_.end(), [](Axis const& a, Axis const& b) { return a.lowest < b.lowest; });
        if (axes_.size() > TorusShape::most_dimensions)
            refuse_torus(fmt::format("it has {} dimensions, and there are {} at most", axes_.size(),
                                     TorusShape::most_dimensions));
    }
    /// Between two neighbours, by the first of its cables.
    std::size_t cables_of(Axis const& axis) const {
        for (Side const& one : sides_[0])
            if (class_of_[one.edge] == axis.classes[0]) return one.ports.size();
        return 0;
    }

    /// Every place once, and every cable that belongs there.
    void number_switches() {
        std::uint64_t all = 1, edges = 0;
        for (Axis const& axis : axes_) all = std::min<std::uint64_t>(all * axis.size, std::uint64_t{1} << 32);
        for (Axis const& axis : axes_) edges += all / axis.size * (axis.closed ? axis.size : axis.size - 1);
        std::vector<std::uint8_t> taken(graph_.size());
        found_.number.assign(graph_.size(), 0);
        for (std::uint32_t v = 0; v < graph_.size() && all == graph_.size(); ++v) {
            std::uint32_t stride = 1;
            for (Axis const& axis : axes_) {
                found_.number[v] += axis.at[v] * stride;
                stride *= axis.size;
            }
            if (taken[found_.number[v]]++ != 0) refuse_rows();
        }
        if (all != graph_.size() || edges != edges_) refuse_rows();
        found_.shape.wraps = std::any_of(axes_.begin(), axes_.end(), [](Axis const& a) { return a.closed; });
        for (std::size_t d = 0; d < axes_.size(); ++d) {
            found_.shape.sizes.push_back(axes_[d].size);
            if (!axes_[d].closed) found_.shape.open |= 1u << d;
        }
    }

    std::size_t axis_of(std::uint32_t edge) const {
        std::size_t d = 0;
        while (std::find(axes_[d].classes.begin(), axes_[d].classes.end(), class_of_[edge]) == axes_[d].classes.end())
            ++d;
        return d;
    }
    /// All neighbours of a dimension are joined by equally many cables.
    void count_cables() {
        found_.cables.assign(axes_.size(), 0);
        struct Pair {
            std::uint32_t a, b;
        };
        std::vector<std::map<std::size_t, std::pair<std::uint32_t, Pair>>> counts(axes_.size());
        for (std::uint32_t v = 0; v < graph_.size(); ++v)
            for (Side const& one : sides_[v])
                if (v < one.to)
                    ++counts[axis_of(one.edge)].try_emplace(one.ports.size(), 0, Pair{v, one.to}).first->second.first;
        for (std::size_t d = 0; d < axes_.size(); ++d) {
            auto const rarer = [](auto const& a, auto const& b) { return a.second.first < b.second.first; };
            auto const rare = std::min_element(counts[d].begin(), counts[d].end(), rarer);
            auto const usual = counts[d].size() > 1 && counts[d].begin() == rare ? std::next(rare) : counts[d].begin();
            if (usual != rare)
                refuse_torus(fmt::format("{} and {} are joined by {} {}, other switches of the same dimension by {}",
                                         name(rare->second.second.a), name(rare->second.second.b), rare->first,
                                         rare->first == 1 ? "cable" : "cables", usual->first));
            found_.cables[d] = static_cast<std::uint32_t>(usual->first);
        }
    }

    void list_ports() {
        found_.ports_.resize(std::size_t{graph_.size()} * axes_.size() * 2);
        for (std::uint32_t v = 0; v < graph_.size(); ++v)
            for (Side const& one : sides_[v]) {
                std::size_t const d = axis_of(one.edge);
                std::uint32_t const n = axes_[d].size, a = axes_[d].at[v], b = axes_[d].at[one.to];
                bool const plus = axes_[d].closed ? (a + 1) % n == b : b > a;
                found_.ports_[(v * axes_.size() + d) * 2 + (plus ? 0 : 1)] = one.ports;
            }
    }

    ForwardingGraph const& graph_;
    model::Network const& network_;
    FoundTorus& found_;
    std::vector<std::vector<Side>> sides_;  // by forwarder, by neighbour
    std::vector<std::uint32_t> alone_;      // by forwarder: pairs of its sides that belong to no square
    std::uint32_t edges_ = 0, dimensions_ = 0;
    std::vector<std::uint32_t> class_of_;  // by edge
    std::vector<Axis> axes_;
};

FoundTorus::FoundTorus(ForwardingGraph const& graph, model::Network const& network) {
    TorusSearch(graph, network, *this);
}

}  // namespace tailback::topologies
