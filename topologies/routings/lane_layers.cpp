#include "topologies/routings/lane_layers.hpp"

#include "host/base/error.hpp"
#include "host/model/service_levels.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "topologies/forwarding_graph.hpp"

#include <algorithm>

namespace tailback::topologies {
namespace {

constexpr unsigned most_layers = 254;
constexpr std::uint8_t unplaced = 255;

/// All paths of a routed network, from forwarder to host LID, and the layer of each. A dependency is an arc followed by
/// one of its head's arcs.
class LaneLayers {
public:
    LaneLayers(ForwardingGraph const& graph, model::Fabric const& fabric) : graph_(graph), fabric_(fabric) {
        for (std::uint32_t v = 0; v < graph.size(); ++v) {
            if (graph.sources[v] > 0) {
                entrances_.push_back(v);
                hosts_enter_.push_back(graph.sources[v] > graph.aggregation[v]);
            }
            for (std::uint32_t d = graph.first_destination[v]; d < graph.first_destination[v + 1]; ++d)
                if (graph.destinations[d].host)
                    targets_.push_back({graph.destinations[d].lid, v, graph.destinations[d].aggregation});
        }
        if (capped(targets_.size(), graph.size() * sizeof(std::uint32_t) + entrances_.size()) > most_bytes)
            throw base::InputError(
                {}, "there are too many paths to find lanes for",
                std::to_string(targets_.size()) + " destinations on " + std::to_string(graph.size()) + " switches",
                "choose a smaller network");
        layer_.resize(targets_.size() * entrances_.size());
        for (std::size_t path = 0; path < layer_.size(); ++path)
            if (is_apart(path)) layer_[path] = unplaced;
        first_turn_.assign(graph.arcs.size() + 1, 0);
        for (std::size_t a = 0; a < graph.arcs.size(); ++a)
            first_turn_[a + 1] = first_turn_[a] + turns_of(graph.arcs[a].to);
        next_.assign(targets_.size() * graph.size(), none);
        auto const count = static_cast<std::int64_t>(targets_.size());
        kernels::FirstFailure failed;
#pragma omp parallel for schedule(dynamic, 16)
        for (std::int64_t t = 0; t < count; ++t) failed.hold([&] { fill_next(std::size_t(t)); });
        failed.rethrow();
    }

    /// How many layers the paths between hosts take; those of aggregation nodes have none yet.
    unsigned assign_hosts() {
        for (unsigned layer = 0; layer < most_layers; ++layer) {
            count_turns(layer);
            find_knots();
            if (in_cycles_.empty()) return layer + 1;
            index_turns(layer);
            break_cycles(layer);
        }
        return most_layers + 1;
    }

    /// After that: the paths with aggregation nodes at an end on the layers that there are, those between hosts staying
    /// where they are. What finds no layer goes on layer 0. Returns how many paths that is.
    std::size_t assign_aggregation(unsigned layers) {
        std::size_t apart = 0;
        for (std::uint8_t& layer : layer_)
            if (layer == unplaced) {
                layer = 0;
                ++apart;
            }
        if (apart == 0) return 0;
        hosts_stay_ = true;
        for (unsigned layer = 0; layer < layers; ++layer) {
            count_turns(layer);
            find_knots();
            if (in_cycles_.empty()) return 0;
            index_turns(layer);
            break_cycles(layer);
        }
        std::size_t left = 0;
        for (std::uint8_t& layer : layer_)
            if (layer == layers) {
                layer = 0;
                ++left;
            }
        return left;
    }

    unsigned layer(std::size_t target, std::size_t entrance) const {
        return layer_[target * entrances_.size() + entrance];
    }
    std::vector<std::uint32_t> const& entrances() const { return entrances_; }
    std::size_t targets() const { return targets_.size(); }
    model::Lid lid(std::size_t target) const { return targets_[target].lid; }

private:
    struct TargetLid {
        model::Lid lid;
        std::uint32_t at;
        bool aggregation;
    };
    /// A path that only packets of, or to, an aggregation node take.
    bool is_apart(std::size_t path) const {
        return targets_[path / entrances_.size()].aggregation || !hosts_enter_[path % entrances_.size()];
    }
    static std::uint64_t capped(std::uint64_t a, std::uint64_t b) {
        return b != 0 && a > most_bytes / b ? most_bytes + 1 : a * b;
    }
    std::uint32_t turns_of(std::uint32_t v) const { return graph_.first_arc[v + 1] - graph_.first_arc[v]; }

    /// The arc each forwarder sends by to a target.
    void fill_next(std::size_t t) {
        std::uint32_t* const next = next_.data() + t * graph_.size();
        for (std::uint32_t v = 0; v < graph_.size(); ++v) {
            if (v == targets_[t].at) continue;
            model::Port const port = fabric_.tables.port(graph_.nodes[v], targets_[t].lid);
            auto const begin = graph_.arcs.begin() + graph_.first_arc[v],
                       end = graph_.arcs.begin() + graph_.first_arc[v + 1];
            auto const arc = std::lower_bound(begin, end, port,
                                              [](ForwardingGraph::Arc const& a, model::Port p) { return a.port < p; });
            if (arc != end && arc->port == port) next[v] = static_cast<std::uint32_t>(arc - graph_.arcs.begin());
        }
    }

    /// Calls `visit` with every turn of a path.
    template <class Visit>
    void each_turn(std::size_t path, Visit&& visit) const {
        std::size_t const t = path / entrances_.size();
        std::uint32_t const* const next = next_.data() + t * graph_.size();
        std::uint32_t arc = next[entrances_[path % entrances_.size()]];
        for (std::uint32_t steps = 0; arc != none && steps < graph_.size(); ++steps) {
            std::uint32_t const head = graph_.arcs[arc].to, then = next[head];
            if (then == none) return;
            visit(first_turn_[arc] + (then - graph_.first_arc[head]));
            arc = then;
        }
    }
    template <class Visit>
    void each_path(unsigned layer, Visit&& visit) const {
        for (std::size_t path = 0; path < layer_.size(); ++path)
            if (layer_[path] == layer) visit(path);
    }

    void count_turns(unsigned layer) {
        paths_over_.assign(first_turn_.back(), 0);
        stays_.assign(hosts_stay_ ? first_turn_.back() : 0, 0);
        each_path(layer, [&](std::size_t path) {
            bool const stays = hosts_stay_ && !is_apart(path);
            each_turn(path, [&](std::size_t turn) {
                ++paths_over_[turn];
                if (stays) stays_[turn] = 1;
            });
        });
    }
    /// What it costs to give up a turn of a cycle: one that stays is never given up, as those alone make no cycle.
    std::uint64_t cost(std::size_t turn) const {
        return (hosts_stay_ && stays_[turn] ? std::uint64_t{1} << 32 : 0) + paths_over_[turn];
    }

    /// Arcs that lie on cycles, and to which knot each belongs: strongly connected components (Tarjan 1972, without
    /// recursion).
    void find_knots() {
        std::size_t const arcs = graph_.arcs.size();
        component_.assign(arcs, none);
        in_cycles_.clear();
        std::vector<std::uint32_t> number(arcs, none), low(arcs), open, stack, at(arcs);
        std::uint32_t numbered = 0, knots = 0;
        for (std::uint32_t start = 0; start < arcs; ++start) {
            if (number[start] != none) continue;
            stack.assign(1, start);
            number[start] = low[start] = numbered++;
            open.push_back(start);
            while (!stack.empty()) {
                std::uint32_t const a = stack.back(), head = graph_.arcs[a].to;
                if (at[a] < turns_of(head)) {
                    std::uint32_t const k = at[a]++, b = graph_.first_arc[head] + k;
                    if (paths_over_[first_turn_[a] + k] == 0) continue;
                    if (number[b] == none) {
                        number[b] = low[b] = numbered++;
                        open.push_back(b);
                        stack.push_back(b);
                    } else if (component_[b] == none) {
                        low[a] = std::min(low[a], number[b]);
                    }
                    continue;
                }
                stack.pop_back();
                if (!stack.empty()) low[stack.back()] = std::min(low[stack.back()], low[a]);
                if (low[a] != number[a]) continue;
                std::size_t const first =
                    std::size_t(std::find(open.rbegin(), open.rend(), a).base() - open.begin()) - 1;
                for (std::size_t i = first; i < open.size(); ++i) component_[open[i]] = knots;
                if (open.size() - first > 1)
                    in_cycles_.insert(in_cycles_.end(), open.begin() + std::ptrdiff_t(first), open.end());
                open.resize(first);
                ++knots;
            }
        }
        std::sort(in_cycles_.begin(), in_cycles_.end());
    }

    /// Which paths take each turn inside a knot.
    void index_turns(unsigned layer) {
        first_path_.assign(first_turn_.back() + 1, 0);
        for (std::uint32_t const a : in_cycles_)
            for (std::uint32_t k = 0; k < turns_of(graph_.arcs[a].to); ++k)
                if (in_knot(a, k)) first_path_[first_turn_[a] + k + 1] = paths_over_[first_turn_[a] + k];
        for (std::size_t i = 1; i < first_path_.size(); ++i) first_path_[i] += first_path_[i - 1];
        path_over_.resize(first_path_.back());
        std::vector<std::uint64_t> place(first_path_.begin(), first_path_.end() - 1);
        each_path(layer, [&](std::size_t path) {
            each_turn(path, [&](std::size_t turn) {
                if (first_path_[turn] < first_path_[turn + 1])
                    path_over_[place[turn]++] = static_cast<std::uint32_t>(path);
            });
        });
    }
    bool in_knot(std::uint32_t a, std::uint32_t k) const {
        return paths_over_[first_turn_[a] + k] > 0 &&
               component_[graph_.first_arc[graph_.arcs[a].to] + k] == component_[a];
    }

    /// A depth-first search that never leaves a cycle behind: what it has finished with lies on none.
    void break_cycles(unsigned layer) {
        enum : std::uint8_t { unseen, on_stack, finished };
        std::vector<std::uint8_t> state(graph_.arcs.size(), unseen);
        struct Step {
            std::uint32_t arc, turn;
        };
        std::vector<Step> stack;
        auto const turn_id = [&](Step const& step) { return first_turn_[step.arc] + step.turn; };
        for (std::uint32_t const start : in_cycles_) {
            if (state[start] != unseen) continue;
            stack.assign(1, {start, 0});
            state[start] = on_stack;
            while (!stack.empty()) {
                Step& top = stack.back();
                std::uint32_t const head = graph_.arcs[top.arc].to;
                if (top.turn == turns_of(head)) {
                    state[top.arc] = finished;
                    stack.pop_back();
                    continue;
                }
                std::uint32_t const b = graph_.first_arc[head] + top.turn;
                if (!in_knot(top.arc, top.turn) || state[b] == finished) {
                    ++top.turn;
                } else if (state[b] == unseen) {
                    state[b] = on_stack;
                    stack.push_back({b, 0});
                } else {
                    std::size_t first = stack.size() - 1;
                    while (stack[first].arc != b) --first;
                    auto const weakest = std::min_element(
                        stack.begin() + std::ptrdiff_t(first), stack.end(),
                        [&](Step const& x, Step const& y) { return cost(turn_id(x)) < cost(turn_id(y)); });
                    move_on(turn_id(*weakest), layer);
                    std::size_t whole = 0;  // up to where the stack is still a path
                    while (whole + 1 < stack.size() && paths_over_[turn_id(stack[whole])] > 0) ++whole;
                    for (std::size_t i = whole + 1; i < stack.size(); ++i) state[stack[i].arc] = unseen;
                    stack.resize(whole + 1);
                }
            }
        }
    }
    void move_on(std::size_t turn, unsigned layer) {
        for (std::uint64_t i = first_path_[turn]; i < first_path_[turn + 1]; ++i) {
            std::size_t const path = path_over_[i];
            if (layer_[path] != layer) continue;
            layer_[path] = static_cast<std::uint8_t>(layer + 1);
            each_turn(path, [&](std::size_t t) { --paths_over_[t]; });
        }
    }

    ForwardingGraph const& graph_;
    model::Fabric const& fabric_;
    std::vector<std::uint32_t> entrances_;
    std::vector<std::uint8_t> hosts_enter_;  // by entrance
    bool hosts_stay_ = false;
    std::vector<std::uint8_t> stays_;  // by turn: a path takes it that must not move
    std::vector<TargetLid> targets_;
    std::vector<std::uint8_t> layer_;        // [target][entrance]
    std::vector<std::uint32_t> next_;        // [target][forwarder] arc
    std::vector<std::uint64_t> first_turn_;  // by arc
    std::vector<std::uint32_t> paths_over_;  // by turn
    std::vector<std::uint32_t> component_, in_cycles_;
    std::vector<std::uint64_t> first_path_;  // by turn, into path_over_
    std::vector<std::uint32_t> path_over_;
};

std::shared_ptr<model::RoutingLanes const> find_layers(model::Fabric const& fabric, HostsDo hosts_do, unsigned lanes) {
    model::Network const& network = fabric.network;
    ForwardingGraph const graph(network, hosts_do);
    check_levels_fit(network);
    LaneLayers layers(graph, fabric);
    unsigned const needed = layers.assign_hosts();
    if (needed > lanes) {
        std::string const wanted =
            needed > most_layers ? "more than " + std::to_string(most_layers) : std::to_string(needed);
        throw base::InputError(
            {}, "the routes need " + wanted + " virtual lanes",
            "there are " + std::to_string(lanes) + "; most hardware has 8, 15 are the most that InfiniBand knows",
            needed <= 15 ? "if the switches have that many, dfsssp:lanes=" + wanted +
                               "; otherwise choose another routing: updn needs one lane"
                         : "choose another routing, updn needs one lane");
    }
    auto found = std::make_shared<model::RoutingLanes>(model::RoutingLanes{model::ServiceLevels(network)});
    if (std::size_t const left = layers.assign_aggregation(lanes); left > 0)
        found->left_over =
            std::to_string(lanes) +
            " virtual lanes suffice for the hosts, not for all aggregation nodes: " + std::to_string(left) +
            " paths (from a switch to a LID) of theirs found none without a circle and are on lane 0";
    std::vector<std::vector<model::Host>> entering(graph.size());
    for (std::size_t h = 0; h < network.hosts().size(); ++h) {
        std::uint32_t const at = graph.entrance(network, model::Host{h});
        if (at != none) entering[at].push_back(model::Host{h});
    }
    for (std::size_t t = 0; t < layers.targets(); ++t)
        for (std::size_t e = 0; e < layers.entrances().size(); ++e)
            for (model::Host const host : entering[layers.entrances()[e]])
                found->levels.add(host, layers.lid(t), layers.layer(t, e));
    return found;
}

}  // namespace

void check_levels_fit(model::Network const& network) {
    std::uint64_t const hosts = network.hosts().size(), bytes = hosts * hosts * sizeof(std::uint16_t);
    if (bytes > most_bytes)
        throw base::InputError({}, "the service levels of all pairs need " + std::to_string(bytes >> 30) + " GiB",
                               "4 GiB is the limit", "choose a smaller network, or a routing for one lane");
}

model::FindLanes lanes_by_layers(Topology const& topology, Arguments const& options) {
    return [hosts_do = topology.hosts_do, lanes = options.number("lanes")](model::Fabric const& fabric) {
        return find_layers(fabric, hosts_do, lanes);
    };
}

}  // namespace tailback::topologies
