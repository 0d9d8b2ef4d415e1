// Up*/down* ways to one switch by an order of all switches.
#pragma once

#include "host/search/switch_graph.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tailback::search {

/// Up leads to an earlier place, down to a later one. One-way links are not used.
class UpDownHops {
public:
    static constexpr std::uint32_t none = SwitchGraph::none;

    /// Both must outlive it. @param place of each switch, 0 .. switches - 1, each once
    UpDownHops(SwitchGraph const& graph, std::span<std::uint32_t const> place);

    /// O(arcs)
    void find(std::uint32_t target);
    /// Links down from a switch; `none` where no way only goes down.
    std::vector<std::uint32_t> const& down() const { return down_; }
    /// The same of the ways that are taken: down where that is possible, else up as far as must be.
    std::vector<std::uint32_t>& hops() { return hops_; }
    /// Is the arc one of those that are taken? Those of equal hops all are.
    bool takes(std::uint32_t arc) const {
        Arc const& one = graph_[arc];
        if (one.reverse == none) return false;
        bool const goes_down = place_[one.to] > place_[one.from];
        return down_[one.from] != none ? goes_down && down_[one.to] != none : !goes_down;
    }

private:
    SwitchGraph const& graph_;
    std::span<std::uint32_t const> place_;
    std::vector<std::uint32_t> by_place_, below_, down_, hops_;
};

inline UpDownHops::UpDownHops(SwitchGraph const& graph, std::span<std::uint32_t const> place)
    : graph_(graph), place_(place), by_place_(graph.switches()), down_(graph.switches()), hops_(graph.switches()) {
    for (std::uint32_t v = 0; v < graph.switches(); ++v) by_place_[place[v]] = v;
}

inline void UpDownHops::find(std::uint32_t target) {
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
