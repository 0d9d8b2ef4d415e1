#include "host/search/bounds/demand.hpp"

#include <algorithm>

namespace tailback::search {

std::uint32_t lids_of(SwitchGraph const& graph, std::uint32_t seat) {
    return 1u << graph.network()[graph.seats()[seat].host].lmc;
}

Demand Demand::all_pairs(SwitchGraph const& graph) {
    Demand demand;
    std::vector<std::uint64_t> lids(graph.switches());
    std::vector<std::uint32_t> senders;
    for (std::uint32_t i = 0; i < graph.seats().size(); ++i) lids[graph.seats()[i].at] += lids_of(graph, i);
    for (std::uint32_t s = 0; s < graph.switches(); ++s)
        if (graph.hosts_at(s) > 0) senders.push_back(s);
    demand.first_.push_back(0);
    for (std::uint32_t d = 0; d < graph.switches(); ++d) {
        if (lids[d] > 0)
            for (std::uint32_t const s : senders)
                if (s != d) {
                    demand.parts_.push_back({s, graph.hosts_at(s) * lids[d]});
                    demand.total_ += demand.parts_.back().amount;
                }
        demand.first_.push_back(demand.parts_.size());
    }
    return demand;
}

Demand Demand::of_flows(SwitchGraph const& graph, std::span<SeatFlow const> flows) {
    Sums sums;
    for (SeatFlow const& flow : flows) {
        std::uint32_t const from = graph.seats()[flow.from].at, to = graph.seats()[flow.to].at;
        if (from != to && flow.amount > 0) sums[{to, from}] += flow.amount;
    }
    return of_sums(graph.switches(), sums);
}

Demand Demand::of_sums(std::uint32_t switches, Sums const& sums) {
    Demand demand;
    demand.first_.assign(switches + std::size_t{1}, 0);
    for (auto const& [ends, amount] : sums) {
        demand.parts_.push_back({ends.second, amount});
        ++demand.first_[ends.first + 1];
        demand.total_ += amount;
    }
    for (std::uint32_t d = 0; d < switches; ++d) demand.first_[d + 1] += demand.first_[d];
    return demand;
}

}  // namespace tailback::search
