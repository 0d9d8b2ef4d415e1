// Up*/down* ways to one switch by an order of all switches.
#pragma once

#include "host/search/switch_graph.hpp"

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

}  // namespace tailback::search
