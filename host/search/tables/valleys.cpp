#include "host/search/tables/valleys.hpp"

#include "host/search/tables/updown_hops.hpp"

#include <algorithm>

namespace tailback::search {
namespace {

constexpr std::uint32_t nowhere = SwitchGraph::none;

/// Pairs of switches with hosts that have links between them, but no way by the order.
std::vector<std::vector<std::uint32_t>> parted(SwitchGraph const& graph, std::span<std::uint32_t const> place) {
    std::vector<std::vector<std::uint32_t>> without(graph.switches());
    UpDownHops ways(graph, place);
    for (std::uint32_t t = 0; t < graph.switches(); ++t) {
        if (graph.hosts_at(t) == 0) continue;
        ways.find(t);
        std::vector<std::uint32_t> linked;  // found where it is needed, which is seldom
        for (std::uint32_t s = 0; s < graph.switches(); ++s) {
            if (graph.hosts_at(s) == 0 || ways.hops()[s] != nowhere) continue;
            if (linked.empty()) linked = graph.distances_to(t);
            if (linked[s] != nowhere) without[t].push_back(s);
        }
    }
    return without;
}

/// Which switches have ways to a side: to all of it, and to none of it.
struct Reach {
    std::vector<std::uint8_t> all, none;
    Reach(SwitchGraph const& graph, UpDownHops& ways, std::vector<std::uint32_t> const& side)
        : all(graph.switches(), 1), none(graph.switches(), 1) {
        for (std::uint32_t const t : side) {
            ways.find(t);
            for (std::uint32_t v = 0; v < graph.switches(); ++v) (ways.hops()[v] == nowhere ? all : none)[v] = 0;
        }
    }
};

/// False where there is none.
bool find_bottom(SwitchGraph const& graph, std::span<std::uint32_t const> place, Valley& valley) {
    UpDownHops ways(graph, place);
    Reach const near(graph, ways, valley.near), far(graph, ways, valley.far);
    for (std::uint32_t m = 0; m < graph.switches(); ++m) {
        std::uint32_t p = nowhere, q = nowhere;
        bool is_lowest = true;
        for (Arc const& arc : graph.arcs_of(m)) {
            is_lowest = is_lowest && place[arc.to] < place[m];
            if (arc.reverse == nowhere || place[arc.to] > place[m]) continue;
            if (p == nowhere && near.all[arc.to] && far.none[arc.to]) p = arc.to;
            if (q == nowhere && far.all[arc.to] && near.none[arc.to]) q = arc.to;
        }
        if (!is_lowest || p == nowhere || q == nowhere) continue;
        valley.near_top = p;
        valley.bottom = m;
        valley.far_top = q;
        return true;
    }
    return false;
}

}  // namespace

std::vector<Valley> find_valleys(SwitchGraph const& graph, std::span<std::uint32_t const> place) {
    std::vector<std::vector<std::uint32_t>> const without = parted(graph, place);
    std::vector<std::uint8_t> side(graph.switches());  // 0 = not met
    std::vector<Valley> valleys;
    for (std::uint32_t start = 0; start < graph.switches(); ++start) {
        if (without[start].empty() || side[start] != 0) continue;
        Valley valley;
        bool has_sides = true;
        std::vector<std::uint32_t> queue = {start};
        side[start] = 1;
        for (std::size_t at = 0; at < queue.size(); ++at) {
            (side[queue[at]] == 1 ? valley.near : valley.far).push_back(queue[at]);
            for (std::uint32_t const other : without[queue[at]]) {
                has_sides = has_sides && side[other] != side[queue[at]];
                if (side[other] != 0) continue;
                side[other] = static_cast<std::uint8_t>(3 - side[queue[at]]);
                queue.push_back(other);
            }
        }
        if (has_sides && find_bottom(graph, place, valley)) valleys.push_back(std::move(valley));
    }
    return valleys;
}

}  // namespace tailback::search
