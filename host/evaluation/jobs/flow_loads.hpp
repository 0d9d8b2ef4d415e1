// What the flows of a job put on links, where its ranks run.
#pragma once

#include "kernels/evaluate/problem.hpp"
#include "patterns/pattern.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace tailback::evaluation {

/// What a link (by index, see kernels::Problem) carries: bytes, or flows where none have bytes.
struct LinkLoad {
    std::uint32_t link;
    std::uint64_t load;
};

/// Numbers of flows.
struct FlowFates {
    std::uint64_t delivered = 0, failed = 0, local = 0, within_nodes = 0;
};

/// Where random flows come from: permutations of (seed, stream, number), see kernels/common/permutation.hpp.
struct FlowDraw {
    std::uint64_t seed = 1;
    std::uint32_t stream = 0;
    std::uint64_t number = 0;
};

/// Counts for one thread.
class FlowLoads {
public:
    virtual ~FlowLoads() = default;
    /// The loads of a level of `list`: each link with one once, in the order in which flows meet them.
    /// @param host_index by rank. @param loads is overwritten. @param fates is added to.
    virtual void count(patterns::FlowList const& list, patterns::Level const& level, std::uint32_t const* host_index,
                       FlowDraw const& draw, FlowFates& fates, std::vector<LinkLoad>& loads) = 0;
};

/// @param problem has routes and hosts; must outlive what is made.
std::unique_ptr<FlowLoads> make_flow_loads(kernels::Problem const& problem);

}  // namespace tailback::evaluation
