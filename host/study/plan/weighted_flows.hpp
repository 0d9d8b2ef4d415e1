// What kernels need to know of flows with weights, and what is refused before it could pass 64 bits.
#pragma once

#include "host/model/capacities.hpp"
#include "patterns/pattern.hpp"

#include <cstdint>
#include <vector>

namespace tailback::study {

/// Of a mapping's listed flows with weights; random flows have 1.
struct WeightBounds {
    std::uint64_t bytes = 0;         ///< of the listed flows
    std::uint64_t largest_load = 0;  ///< no congestion, and no sum of them over levels, passes it: bytes x largest cost
};

/// @throws InputError where the sum of bytes over the levels, in units of congestion, could pass 2^63.
WeightBounds bound_weights(patterns::FlowList const& list, std::uint32_t largest_cost);

/// The bytes of flows that all have the same. @throws InputError where they pass 2^63.
std::uint64_t bytes_of_equal_flows(std::uint64_t flows, std::uint64_t bytes_each);

/// @throws InputError where the sum of a link's loads over so many mappings could pass 2^63.
void check_link_sums(std::uint64_t bytes_a_mapping, std::uint64_t mappings);

/// Bytes times hops. @throws InputError where that could pass 2^63.
std::uint64_t largest_hop_bytes(std::uint64_t bytes_a_mapping, std::uint64_t most_hops);

/// @throws InputError where the bytes inside compute nodes over so many mappings could pass 2^63.
void check_sum_within_nodes(std::uint64_t bytes_a_mapping, std::uint64_t mappings);

/// By flow: the larger of the loads that its level puts on the host links of its ranks. Routes that have their host
/// links in them need no more than 1.
std::vector<std::uint64_t> min_loads_of(patterns::FlowList const& list, bool host_links_implied);

}  // namespace tailback::study
