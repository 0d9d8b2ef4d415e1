#include "host/search/places/place_problem.hpp"

#include <algorithm>
#include <map>

namespace tailback::search {
namespace {

void tidy(std::vector<PlacedFlow>& flows) {
    std::erase_if(flows, [](PlacedFlow const& flow) { return flow.source == flow.destination || flow.weight == 0; });
    std::sort(flows.begin(), flows.end());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < flows.size(); ++i)
        if (kept > 0 && flows[kept - 1].source == flows[i].source &&
            flows[kept - 1].destination == flows[i].destination)
            flows[kept - 1].weight += flows[i].weight;
        else flows[kept++] = flows[i];
    flows.resize(kept);
}

}  // namespace

PackedWays const* Ways::packed() const {
    std::call_once(lists_->packing, [&] {
        std::size_t longest = 0;
        std::uint32_t most = 0;
        for (std::size_t n = 0; n + 1 < lists_->first.size(); ++n) longest = std::max(longest, way(n).size());
        for (std::uint32_t const link : lists_->links) most = std::max(most, link);
        if (longest > 15 || most > UINT16_MAX) return;
        PackedWays& packed = lists_->packed;
        packed.row = longest > 7 ? 16 : 8;
        packed.words.resize((lists_->first.size() - 1) * packed.row);
        for (std::size_t n = 0; n + 1 < lists_->first.size(); ++n) {
            std::uint16_t* const at = packed.words.data() + n * packed.row;
            std::size_t links = 0;
            for (std::uint32_t const link : way(n)) at[links++] = static_cast<std::uint16_t>(link);
            at[packed.row - 1] = static_cast<std::uint16_t>(links);
        }
    });
    return lists_->packed.row > 0 ? &lists_->packed : nullptr;
}

Order filled(PlaceProblem const& problem, Order order) {
    std::vector<bool> taken(problem.places());
    for (std::uint32_t const place : order) taken[place] = true;
    std::vector<Order> empty(1);  // by zone
    for (std::uint32_t place = 0; place < problem.places(); ++place) {
        std::uint32_t const zone = problem.zone.empty() ? 0 : problem.zone[place];
        if (zone >= empty.size()) empty.resize(zone + 1);
        if (!taken[place]) empty[zone].push_back(place);
    }
    Order rest;
    for (Order const& of_zone : empty) {
        auto const groups_end = of_zone.begin() + std::ptrdiff_t(of_zone.size() / problem.kept * problem.kept);
        order.insert(order.end(), of_zone.begin(), groups_end);
        rest.insert(rest.end(), groups_end, of_zone.end());
    }
    order.insert(order.end(), rest.begin(), rest.end());
    return order;
}

std::vector<PlacedLevel> tidied(std::vector<PlacedLevel> levels) {
    std::map<std::vector<PlacedFlow>, std::size_t> known;
    std::vector<PlacedLevel> kept;
    for (PlacedLevel& level : levels) {
        tidy(level.flows);
        if (level.flows.empty()) continue;
        auto const [at, is_new] = known.emplace(level.flows, kept.size());
        if (is_new) kept.push_back(std::move(level));
        else kept[at->second].times += level.times;
    }
    return kept;
}

PlacedLevel all_in_one(std::span<PlacedLevel const> levels) {
    PlacedLevel all;
    for (PlacedLevel const& level : levels)
        for (PlacedFlow flow : level.flows) {
            flow.weight *= level.times;
            all.flows.push_back(flow);
        }
    tidy(all.flows);
    return all;
}

}  // namespace tailback::search
