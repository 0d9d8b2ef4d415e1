#include "host/search/tables/rounds.hpp"

#include <algorithm>

namespace tailback::search {
namespace {

constexpr std::uint32_t no_arc = SwitchGraph::none;

}  // namespace

std::uint64_t run_round(Trees& trees, LegalWays const& legal) {
    SwitchGraph const& graph = trees.graph();
    std::uint64_t changed = 0;
    std::vector<std::uint64_t> price(graph.switches());  // of the way on from a switch
    std::vector<std::uint8_t> has_way(graph.switches());
    for (std::uint32_t t = 0; t < graph.switches(); ++t) {
        std::span const targets = trees.targets_at(t);
        if (targets.empty()) continue;
        WaysTo const& ways = legal.to(t);
        std::fill(has_way.begin(), has_way.end(), 0);
        for (std::uint32_t const v : ways.order) has_way[v] = 1;
        for (std::uint32_t const d : targets) {
            if (trees.targets()[d].stays) continue;
            trees.lift(d);
            price[t] = 0;
            for (std::size_t i = 0; i < ways.order.size(); ++i) {
                std::uint32_t const v = ways.order[i], old = trees.arc(d, v);
                std::uint32_t best = no_arc;
                std::uint64_t least = UINT64_MAX;
                for (std::uint32_t const a : ways.of(i)) {
                    std::uint64_t const sum = trees.load(a) * trees.cost(a) + price[trees.head(a)];
                    if (sum < least || (sum == least && a == old)) {
                        least = sum;
                        best = a;
                    }
                }
                price[v] = least;
                if (best != old) {
                    trees.set_arc(d, v, best);
                    ++changed;
                }
            }
            for (std::uint32_t v = 0; v < graph.switches(); ++v)
                if (has_way[v] == 0) trees.set_arc(d, v, no_arc);
            trees.plant(d);
        }
    }
    return changed;
}

void keep_unused(Trees& trees, LegalWays const& legal, Trees const& before) {
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d) {
        std::uint32_t const t = trees.targets()[d].at;
        for (std::uint32_t const v : legal.to(t).order)
            if (std::uint32_t const old = before.arc(d, v);
                trees.weight(d, v) == 0 && old != no_arc && legal.allows(t, old))
                trees.set_arc(d, v, old);
    }
}

}  // namespace tailback::search
