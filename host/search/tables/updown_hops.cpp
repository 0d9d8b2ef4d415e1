#include "host/search/tables/updown_hops.hpp"

#include <algorithm>

namespace tailback::search {

UpDownHops::UpDownHops(SwitchGraph const& graph, std::span<std::uint32_t const> place)
    : graph_(graph), place_(place), by_place_(graph.switches()), down_(graph.switches()), hops_(graph.switches()) {
    for (std::uint32_t v = 0; v < graph.switches(); ++v) by_place_[place[v]] = v;
}

void UpDownHops::find(std::uint32_t target) {
    std::fill(down_.begin(), down_.end(), none);
    below_.assign(1, target);
    down_[target] = 0;
    for (std::size_t at = 0; at < below_.size(); ++at) {
        std::uint32_t const v = below_[at];
        for (Arc const& arc : graph_.arcs_of(v)) {
            if (arc.reverse == none || place_[arc.to] > place_[v] || down_[arc.to] != none) continue;
            down_[arc.to] = down_[v] + 1;
            below_.push_back(arc.to);
        }
    }
    hops_ = down_;
    for (std::uint32_t const v : by_place_) {
        if (down_[v] != none) continue;
        for (Arc const& arc : graph_.arcs_of(v))
            if (arc.reverse != none && place_[arc.to] < place_[v] && hops_[arc.to] != none)
                hops_[v] = std::min(hops_[v], hops_[arc.to] + 1);
    }
}

}  // namespace tailback::search
