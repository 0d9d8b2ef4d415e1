// Which link between switches waits for which on one lane, and whether any wait in a circle.
#pragma once

#include "host/search/switch_graph.hpp"

#include <cstdint>
#include <vector>

namespace tailback::search {

/// A bit for every arc into a switch and arc out of it.
class Waits {
public:
    explicit Waits(SwitchGraph const& graph);

    /// Packets that came by `in` go on by `out`, which leaves the switch that `in` leads to.
    void add(std::uint32_t in, std::uint32_t out) {
        std::uint64_t const bit = first_[in] + (out - first_out_[in]);
        bits_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    /// Of the same graph: all that others wait for, too.
    void add(Waits const& others) {
        for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] |= others.bits_[i];
    }
    /// Taking away what nothing waits for leaves nothing (Kahn 1962).
    bool have_a_cycle() const;
    /// Is there a circle with a link that waits for the next one here, and not among others? Strongly connected
    /// components (Tarjan 1972).
    bool have_a_cycle_beyond(Waits const& others) const;

private:
    bool has(std::uint32_t in, std::uint32_t out) const {
        std::uint64_t const bit = first_[in] + (out - first_out_[in]);
        return (bits_[bit / 64] >> (bit % 64) & 1) != 0;
    }
    std::vector<std::uint32_t> components() const;
    template <class Visit>
    void each_out(std::uint32_t in, Visit&& visit) const;

    std::vector<std::uint64_t> first_;      // by arc: its first bit
    std::vector<std::uint32_t> first_out_;  // by arc: the first that leaves the switch it leads to
    std::vector<std::uint64_t> bits_;
};

}  // namespace tailback::search
