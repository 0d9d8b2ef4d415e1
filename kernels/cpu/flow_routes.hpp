// The routes of a mapping's flows as lists of links, whatever form the problem's routes have: for evaluations that look
// at every link so often that finding routes is little beside it, and that are compiled once in place of once a form.
#pragma once

#include "kernels/cpu/team.hpp"
#include "kernels/evaluate/evaluate.hpp"
#include "kernels/found_routes.hpp"

#include <functional>
#include <memory>
#include <span>

namespace tailback::kernels {

/// Of a mapping whose ranks have their hosts: what flows and their ends are read from.
struct PlacedFlows {
    struct Counters {
        using Load = std::uint32_t;
    };
    std::uint32_t const* host_index_of_rank;
    std::uint32_t const* drawn[2];  ///< the pattern's random permutations

    template <class Scratch>
    explicit PlacedFlows(Scratch const& s) : host_index_of_rank(s.host_index_of_rank), drawn{s.drawn[0], s.drawn[1]} {}
    std::uint32_t const* permutation(std::uint32_t k) const { return drawn[k]; }
};

class FlowRouteFinder {
public:
    virtual ~FlowRouteFinder() = default;
    /// The routes of these levels of mapping m. They stay as they are until the next call.
    virtual RoutesOfFlows find(std::uint64_t m, PlacedFlows const& placed, std::span<LevelView const> levels) = 0;
};

/// Makes a finder for each thread.
using MakeFinder = std::function<std::unique_ptr<FlowRouteFinder>()>;

/// By the problem's routes. The problem must outlive the finders.
MakeFinder flow_route_finder(Problem const& problem);
/// Routes that somebody else finds before.
MakeFinder flow_route_finder(FoundRoutes const& routes);

}  // namespace tailback::kernels
