#include "host/search/tables/legal_ways.hpp"

#include "host/base/memory.hpp"
#include "host/search/tables/updown_hops.hpp"

#include <algorithm>

namespace tailback::search {
namespace {

constexpr std::uint32_t no_legal_way = SwitchGraph::none;

/// Whose turn down and up again leads to a switch.
struct Bend {
    Valley const* valley = nullptr;
    std::uint32_t top = 0, far_top = 0;  ///< on the side of who sends, and of the switch
};
Bend bend_to(std::uint32_t target, std::span<Valley const> valleys) {
    for (Valley const& valley : valleys) {
        if (std::find(valley.far.begin(), valley.far.end(), target) != valley.far.end())
            return {&valley, valley.near_top, valley.far_top};
        if (std::find(valley.near.begin(), valley.near.end(), target) != valley.near.end())
            return {&valley, valley.far_top, valley.near_top};
    }
    return {};
}

/// Hops of those who have none, over the valley: by their ways to its top, as far as nobody on them has other ways.
/// @param to_top ways to the top @return whom it leads
std::vector<std::uint8_t> lead_over(SwitchGraph const& graph, Bend const& bend, UpDownHops& to_top, UpDownHops& ways) {
    std::vector<std::uint32_t>& hops = ways.hops();
    hops[bend.valley->bottom] = hops[bend.far_top] + 1;
    std::vector<std::uint8_t> led(graph.switches());
    std::vector<std::uint32_t> order;
    to_top.find(bend.top);
    for (std::uint32_t v = 0; v < graph.switches(); ++v)
        if (hops[v] == no_legal_way && to_top.hops()[v] != no_legal_way) order.push_back(v);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return to_top.hops()[a] < to_top.hops()[b]; });
    for (std::uint32_t const v : order) {
        bool leads = v == bend.top;
        for (std::uint32_t a = graph.first_arc(v); a < graph.first_arc(v + 1) && !leads; ++a)
            leads = led[graph[a].to] && to_top.takes(a) && to_top.hops()[graph[a].to] + 1 == to_top.hops()[v];
        if (!leads) continue;
        led[v] = 1;
        hops[v] = hops[bend.valley->bottom] + 1 + to_top.hops()[v];
    }
    return led;
}

}  // namespace

LegalWays::LegalWays(SwitchGraph const& graph, std::uint32_t slack)
    : ways_(graph.switches()),
      number_(graph.switches(), no_legal_way),
      words_((graph.arcs().size() + 63) / 64),
      slack_(slack) {
    std::uint64_t count = 0;
    for (std::uint32_t s = 0; s < graph.switches(); ++s)
        if (graph.hosts_at(s) > 0) number_[s] = static_cast<std::uint32_t>(count++);
    base::require_memory("the ways to all switches",
                         count * (words_ * 8 + std::uint64_t{graph.switches()} * 8 + graph.arcs().size() * 2),
                         "choose a part of the fabric");
    bits_.assign(count * words_, 0);
    if (slack > 0) most_hops_.assign(count * graph.switches(), 0);
}

void LegalWays::set(std::uint32_t target, WaysTo ways) {
    std::uint64_t* const bits = bits_.data() + std::size_t{number_[target]} * words_;
    std::fill_n(bits, words_, 0);
    for (std::uint32_t const arc : ways.arcs) bits[arc / 64] |= std::uint64_t{1} << (arc % 64);
    ways_[target] = std::move(ways);
}

/// With slack an arc may lead less near, or away, as far as ways can be so long.
template <class May>
void LegalWays::set(SwitchGraph const& graph, std::uint32_t target, std::span<std::uint32_t const> hops,
                    May const& may) {
    set(target, ways_by_hops(graph, hops, may));
    if (slack_ == 0) return;
    std::uint64_t* const bits = bits_.data() + std::size_t{number_[target]} * words_;
    std::uint16_t* const most = most_hops_.data() + std::size_t{number_[target]} * ways_.size();
    for (std::uint32_t v = 0; v < graph.switches(); ++v) {
        if (hops[v] == no_legal_way || hops[v] == 0) continue;
        most[v] = static_cast<std::uint16_t>(std::min<std::uint32_t>(hops[v] + slack_, 0xFFFF));
        for (std::uint32_t a = graph.first_arc(v); a < graph.first_arc(v + 1); ++a)
            if (std::uint32_t const to = hops[graph[a].to]; to != no_legal_way && to + 1 <= hops[v] + slack_ && may(a))
                bits[a / 64] |= std::uint64_t{1} << (a % 64);
    }
}

LegalWays LegalWays::shortest(SwitchGraph const& graph, std::uint32_t slack) {
    LegalWays ways(graph, slack);
    for (std::uint32_t s = 0; s < graph.switches(); ++s)
        if (graph.hosts_at(s) > 0) ways.set(graph, s, graph.distances_to(s), [](std::uint32_t) { return true; });
    return ways;
}

LegalWays LegalWays::by_order(SwitchGraph const& graph, std::span<std::uint32_t const> place,
                              std::span<Valley const> valleys, std::uint32_t slack) {
    LegalWays ways(graph, slack);
    UpDownHops found(graph, place), to_top(graph, place);
    for (std::uint32_t s = 0; s < graph.switches(); ++s) {
        if (graph.hosts_at(s) == 0) continue;
        found.find(s);
        Bend const bend = bend_to(s, valleys);
        bool const bends = bend.valley != nullptr && found.hops()[bend.top] == no_legal_way &&
                           found.hops()[bend.far_top] != no_legal_way;
        std::vector<std::uint8_t> led(graph.switches());
        if (bends) led = lead_over(graph, bend, to_top, found);
        ways.set(graph, s, found.hops(), [&](std::uint32_t a) {
            Arc const& arc = graph[a];
            if (bends && arc.from == bend.valley->bottom) return arc.to == bend.far_top;
            if (bends && arc.from == bend.top) return arc.to == bend.valley->bottom;
            return led[arc.from] ? led[arc.to] != 0 && to_top.takes(a) : found.takes(a) && !led[arc.to];
        });
    }
    return ways;
}

}  // namespace tailback::search
