// Tarjan's components without recursion, then breadth-first searches inside each of them.
#include "host/audit/deadlock/channel_cycles.hpp"

#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"

#include <algorithm>
#include <numeric>

namespace tailback::audit {
namespace {

constexpr std::uint32_t none = 0xFFFFFFFFu;

/// The dependencies as lists: channel number = link * lanes + lane.
struct Graph {
    std::vector<std::uint64_t> first;
    std::vector<std::uint32_t> next;
    std::uint32_t size() const { return static_cast<std::uint32_t>(first.size() - 1); }
};

/// Only of channels that may be on a cycle: those that wait for nobody, or for whom nobody waits, are left out, round
/// after round. A sound tree is gone after as many rounds as its routes have links, and its millions of dependencies
/// are never listed.
Graph graph_of(model::Forwarding const& forwarding, ChannelDependencies const& dependencies) {
    constexpr int most_rounds = 16;  // long chains end in the lists below
    unsigned const lanes = dependencies.lanes();
    auto const number = [&](Channel const& channel) { return std::size_t{channel.link.value} * lanes + channel.lane; };
    std::size_t const channels = forwarding.fabric().network.links().size() * lanes;
    std::vector<bool> left(channels, true), waits(channels), waited_for(channels);
    auto const each_left = [&](auto found) {
        dependencies.each([&](Channel const& from, std::uint32_t, Channel const& to) {
            if (left[number(from)] && left[number(to)]) found(number(from), number(to));
        });
    };
    bool fewer = true;
    for (int round = 0; round < most_rounds && fewer; ++round) {
        std::fill(waits.begin(), waits.end(), false);
        std::fill(waited_for.begin(), waited_for.end(), false);
        each_left([&](std::size_t from, std::size_t to) { waits[from] = waited_for[to] = true; });
        fewer = false;
        for (std::size_t c = 0; c < channels; ++c) {
            bool const stays = waits[c] && waited_for[c];
            fewer |= left[c] && !stays;
            left[c] = left[c] && stays;
        }
    }
    Graph graph;
    graph.first.resize(channels + 1);
    each_left([&](std::size_t from, std::size_t) { ++graph.first[from + 1]; });
    std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
    // Beside them, what is kept by channel: here, by the components and by the search for cycles.
    base::require_memory(base::counted(graph.first.back(), "dependency", "dependencies") + " between links",
                         graph.first.back() * sizeof(std::uint32_t) + channels * 48,
                         "audit some of the hosts (--hosts), or find a larger machine");
    graph.next.resize(graph.first.back());
    std::vector<std::uint64_t> at(graph.first.begin(), graph.first.end() - 1);
    each_left([&](std::size_t from, std::size_t to) { graph.next[at[from]++] = static_cast<std::uint32_t>(to); });
    return graph;
}

/// Component numbers by channel.
std::vector<std::uint32_t> components_of(Graph const& graph) {
    struct Frame {
        std::uint32_t channel;
        std::uint64_t edge;
    };
    std::vector<std::uint32_t> order(graph.size(), none), low(graph.size()), component(graph.size(), none), open;
    std::vector<Frame> path;
    std::uint32_t counter = 0, components = 0;
    auto const enter = [&](std::uint32_t channel) {
        order[channel] = low[channel] = counter++;
        open.push_back(channel);
        path.push_back({channel, graph.first[channel]});
    };
    for (std::uint32_t root = 0; root < graph.size(); ++root) {
        if (order[root] != none) continue;
        enter(root);
        while (!path.empty()) {
            auto const [channel, edge] = path.back();
            if (edge < graph.first[channel + 1]) {
                ++path.back().edge;
                std::uint32_t const next = graph.next[edge];
                if (order[next] == none) enter(next);
                else if (component[next] == none) low[channel] = std::min(low[channel], order[next]);
                continue;
            }
            path.pop_back();
            if (!path.empty()) low[path.back().channel] = std::min(low[path.back().channel], low[channel]);
            if (low[channel] != order[channel]) continue;
            for (std::uint32_t member = none; member != channel;) {
                member = open.back();
                open.pop_back();
                component[member] = components;
            }
            ++components;
        }
    }
    return component;
}

/// Breadth first from one channel, inside its component.
class Search {
public:
    explicit Search(Graph const& graph, std::vector<std::uint32_t> const& component)
        : graph_(graph), component_(component), seen_(graph.size(), none), before_(graph.size()) {}

    /// The shortest cycle through `start` with fewer than `limit` channels; empty when there is none. Adds the
    /// dependencies looked at to `steps`.
    std::vector<std::uint32_t> cycle_through(std::uint32_t start, std::size_t limit, std::uint64_t& steps) {
        queue_.assign(1, start);
        seen_[start] = start;
        std::size_t depth = 1, level_end = 1;  // a dependency looked at now closes a cycle of `depth` channels
        for (std::size_t at = 0; at < queue_.size(); ++at) {
            if (at == level_end) {
                ++depth;
                level_end = queue_.size();
            }
            if (depth >= limit) return {};
            std::uint32_t const channel = queue_[at];
            for (std::uint64_t edge = graph_.first[channel]; edge < graph_.first[channel + 1]; ++edge) {
                ++steps;
                std::uint32_t const next = graph_.next[edge];
                if (next == start) {
                    std::vector<std::uint32_t> cycle{channel};
                    while (cycle.back() != start) cycle.push_back(before_[cycle.back()]);
                    std::reverse(cycle.begin(), cycle.end());
                    return cycle;
                }
                if (component_[next] != component_[start] || seen_[next] == start) continue;
                seen_[next] = start;
                before_[next] = channel;
                queue_.push_back(next);
            }
        }
        return {};
    }

private:
    Graph const& graph_;
    std::vector<std::uint32_t> const& component_;
    std::vector<std::uint32_t> seen_;  // the last start that met it
    std::vector<std::uint32_t> before_, queue_;
};

}  // namespace

bool has_cycles(model::Forwarding const& forwarding, ChannelDependencies const& dependencies) {
    Graph const graph = graph_of(forwarding, dependencies);
    std::vector<std::uint32_t> const component = components_of(graph);
    for (std::uint32_t channel = 0; channel < graph.size(); ++channel)
        for (std::uint64_t edge = graph.first[channel]; edge < graph.first[channel + 1]; ++edge)
            if (component[graph.next[edge]] == component[channel]) return true;
    return false;
}

std::vector<ChannelCycle> find_cycles(model::Forwarding const& forwarding, ChannelDependencies const& dependencies,
                                      std::uint64_t most_steps) {
    Graph const graph = graph_of(forwarding, dependencies);
    std::vector<std::uint32_t> const component = components_of(graph);

    std::vector<std::uint32_t> members(graph.size());
    std::iota(members.begin(), members.end(), 0u);
    std::stable_sort(members.begin(), members.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return component[a] < component[b]; });

    std::vector<ChannelCycle> cycles;
    Search search(graph, component);
    std::uint64_t steps = 0;
    for (std::size_t begin = 0, end; begin < members.size(); begin = end) {
        end = begin + 1;
        while (end < members.size() && component[members[end]] == component[members[begin]]) ++end;
        std::vector<std::uint32_t> best;
        ChannelCycle cycle;
        for (std::size_t i = begin; i < end; ++i) {
            if (!best.empty() && steps > most_steps) {
                cycle.shortest = false;
                break;
            }
            std::uint64_t looked_at = 0;
            std::vector<std::uint32_t> found =
                search.cycle_through(members[i], best.empty() ? none : best.size(), looked_at);
            if (!best.empty()) steps += looked_at;
            if (!found.empty()) best = std::move(found);
            if (end - begin == 1 || best.size() <= 1) break;
        }
        if (best.empty()) continue;
        std::rotate(best.begin(), std::min_element(best.begin(), best.end()), best.end());
        cycle.component = end - begin;
        for (std::uint32_t const channel : best)
            cycle.channels.push_back({model::Link{channel / dependencies.lanes()},
                                      static_cast<std::uint8_t>(channel % dependencies.lanes())});
        cycles.push_back(std::move(cycle));
    }
    std::stable_sort(cycles.begin(), cycles.end(), [](ChannelCycle const& a, ChannelCycle const& b) {
        if (a.component != b.component) return a.component > b.component;
        return a.channels.front().link < b.channels.front().link ||
               (a.channels.front().link == b.channels.front().link &&
                a.channels.front().lane < b.channels.front().lane);
    });
    return cycles;
}

}  // namespace tailback::audit
