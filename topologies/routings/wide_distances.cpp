#include "topologies/routings/wide_distances.hpp"

#include <algorithm>

namespace tailback::topologies {

WideDistances::WideDistances(ForwardingGraph const& graph)
    : graph_(graph),
      all_transit_(std::all_of(graph.transit.begin(), graph.transit.end(), [](std::uint8_t t) { return t != 0; })),
      met_(graph.size()) {}

void WideDistances::find(std::uint32_t first, std::uint32_t last) {
    std::uint64_t const all = ~std::uint64_t{0} >> (64 - (last - first));
    auto const level = [&](std::size_t hops) {
        if (at_.size() == hops) {
            at_.emplace_back(graph_.size());
            open_.emplace_back(all_transit_ ? 0 : graph_.size());
        }
    };
    level(0);
    std::fill(at_[0].begin(), at_[0].end(), std::uint64_t{0});
    for (std::uint32_t t = first; t < last; ++t) at_[0][t] = std::uint64_t{1} << (t - first);
    met_ = at_[0];
    std::uint64_t any = all;
    for (levels_ = 1; any != 0; ++levels_) {
        level(levels_);
        std::uint64_t const* const behind = this->behind(levels_ - 1);
        std::vector<std::uint64_t>& here = at_[levels_];
        any = 0;
        for (std::uint32_t v = 0; v < graph_.size(); ++v) {
            std::uint64_t const missing = all & ~met_[v];
            std::uint64_t found = 0;
            if (missing != 0)
                for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a) {
                    found |= behind[graph_.arcs[a].to];
                    if ((found & missing) == missing) break;
                }
            found &= missing;
            here[v] = found;
            if (!all_transit_) open_[levels_][v] = graph_.transit[v] ? found : 0;
            met_[v] |= found;
            any |= found;
        }
    }
}

}  // namespace tailback::topologies
