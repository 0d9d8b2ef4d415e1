#include "host/search/bounds/flow_graphs.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace tailback::search {
namespace {

/// @param order switches in an order in which flow to the first of them meets them last
/// @param may whether a bundle may carry flow; if so, it leads to an earlier switch of `order`
template <class May>
FlowsToOne ways_by(Bundles const& bundles, Demand const& demand, std::span<std::uint32_t const> order, May may) {
    std::uint32_t const switches = bundles.switches(), to = order.front();
    std::vector<double> amount(switches);
    std::vector<bool> reached(switches), has_way(switches);
    for (std::uint32_t const s : order) has_way[s] = true;
    for (Demand::Part const& part : demand.to(to))
        if (has_way[part.from]) amount[part.from] = double(part.amount), reached[part.from] = true;
    FlowsToOne flows;
    std::vector<std::uint32_t> place(switches);
    for (std::size_t i = order.size(); i-- > 1;) {
        std::uint32_t const s = order[i];
        if (!reached[s]) continue;
        place[s] = flows.places();
        flows.demand.push_back(amount[s]);
        flows.first_way.push_back(static_cast<std::uint32_t>(flows.ways.size()));
        for (std::uint32_t b = bundles.first(s); b < bundles.first(s + 1); ++b)
            if (has_way[bundles[b].to] && may(b)) {
                reached[bundles[b].to] = true;
                flows.ways.push_back({bundles[b].to, b});
            }
    }
    flows.first_way.push_back(static_cast<std::uint32_t>(flows.ways.size()));
    place[to] = flows.places();
    for (FlowsToOne::Way& way : flows.ways) way.to = place[way.to];
    return flows;
}

}  // namespace

FlowsToOne shortest_ways(Bundles const& bundles, Demand const& demand, std::uint32_t to) {
    std::vector<std::uint32_t> links;
    std::vector<std::uint32_t> const order = bundles.nearest_first(to, links);
    FlowsToOne flows =
        ways_by(bundles, demand, order, [&](std::uint32_t b) { return links[bundles[b].to] < links[bundles[b].from]; });
    flows.divide_equally();
    return flows;
}

FlowsToOne falling_ways(Bundles const& bundles, Demand const& demand, std::uint32_t to, std::span<double const> price,
                        std::span<double const> away, FlowsToOne const& before) {
    std::vector<double> carries(bundles.all().size());
    std::vector<std::uint32_t> waits_for(bundles.switches());  // how many switches that flow goes on to
    for (std::uint32_t p = 0; p < before.places(); ++p) {
        std::uint32_t const first = before.first_way[p], end = before.first_way[p + 1];
        double const through = std::accumulate(before.flow.begin() + first, before.flow.begin() + end, 0.0);
        for (std::uint32_t w = first; w < end; ++w) {
            Bundle const& bundle = bundles[before.ways[w].link];
            double const little = away[bundle.to] < away[bundle.from] ? 1e-6 : 1e-2;  // of what leads farther away
            if (before.flow[w] <= through * little) continue;
            carries[before.ways[w].link] = before.flow[w];
            ++waits_for[bundle.from];
        }
    }
    // Nearest first, but behind all that flow goes on to.
    std::uint32_t const none = SwitchGraph::none;
    std::vector<std::uint32_t> order, rank(bundles.switches(), none);
    std::vector<double> least(rank.size(), std::numeric_limits<double>::infinity());  // by ways to earlier switches
    std::set<std::pair<double, std::uint32_t>> ready = {{0, to}};
    double mean = 0;
    while (!ready.empty()) {
        auto const [far, s] = *ready.begin();
        ready.erase(ready.begin());
        rank[s] = static_cast<std::uint32_t>(order.size());
        order.push_back(s);
        mean += far;
        for (std::uint32_t const b : bundles.into(s)) {
            std::uint32_t const from = bundles[b].from;
            if (carries[b] > 0) --waits_for[from];
            if (rank[from] != none) continue;
            least[from] = std::min(least[from], price[b] + far);
            if (waits_for[from] == 0) ready.insert({away[from], from});
        }
    }
    mean /= double(order.size());
    FlowsToOne flows = ways_by(bundles, demand, order, [&](std::uint32_t b) {
        std::uint32_t const from = bundles[b].from, next = bundles[b].to;
        return rank[next] < rank[from] && (carries[b] > 0 || price[b] + away[next] <= least[from] + mean / 4);
    });
    flows.flow.resize(flows.ways.size());
    std::vector<double> here(flows.demand);
    here.push_back(0);
    for (std::uint32_t p = 0; p < flows.places(); ++p) {
        std::uint32_t const first = flows.first_way[p], end = flows.first_way[p + 1];
        double carried = 0, shortest = std::numeric_limits<double>::infinity();
        std::uint32_t nearest = first;
        for (std::uint32_t w = first; w < end; ++w) {
            std::uint32_t const b = flows.ways[w].link;
            carried += carries[b];
            if (double const far = price[b] + away[bundles[b].to]; far < shortest) shortest = far, nearest = w;
        }
        for (std::uint32_t w = first; w < end; ++w) {
            double const share = carried > 1e-12 ? carries[flows.ways[w].link] / carried : w == nearest ? 1 : 0;
            flows.flow[w] = here[p] * share;
            here[flows.ways[w].to] += flows.flow[w];
        }
    }
    return flows;
}

}  // namespace tailback::search
