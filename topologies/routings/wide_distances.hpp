// Shortest ways to many targets at once: a bit a target, so that one look at an arc serves all of them.
#pragma once

#include "topologies/forwarding_graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::topologies {

/// Breadth-first search from up to 64 targets (Then et al., "The More the Merrier: Efficient Multi-Source Graph
/// Traversal", VLDB 2014), backwards along arcs: which forwarders are how many hops from which targets.
class WideDistances {
public:
    explicit WideDistances(ForwardingGraph const& graph);

    /// For targets first .. last-1, at most 64.
    void find(std::uint32_t first, std::uint32_t last);
    /// Calls take(arc, bits) for every arc of v that begins a shortest way to the targets of the bits.
    template <class Take>
    void candidates(std::uint32_t v, Take&& take) const {
        struct Ring {
            std::uint64_t targets;            ///< so many hops away
            std::uint64_t const* one_nearer;  ///< who is one hop less away from which targets
        };
        Ring rings[most_rings];
        std::size_t count = 0;
        for (std::size_t hops = 1; hops < levels_; ++hops)
            if (at_[hops][v] != 0 && count < most_rings) rings[count++] = {at_[hops][v], behind(hops - 1)};
        for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a) {
            std::uint32_t const to = graph_.arcs[a].to;
            std::uint64_t bits = 0;
            for (std::size_t i = 0; i < count; ++i) bits |= rings[i].targets & rings[i].one_nearer[to];
            if (bits != 0) take(a, bits);
        }
    }

private:
    static constexpr std::size_t most_rings = 64;  // no more than targets

    /// Who is so many hops away and lets packets through, or is the target itself.
    std::uint64_t const* behind(std::size_t hops) const {
        return all_transit_ || hops == 0 ? at_[hops].data() : open_[hops].data();
    }

    ForwardingGraph const& graph_;
    bool all_transit_;
    std::size_t levels_ = 0;
    std::vector<std::vector<std::uint64_t>> at_, open_;  // [hops][forwarder]
    std::vector<std::uint64_t> met_;
};

}  // namespace tailback::topologies
