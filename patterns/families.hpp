// The families of patterns, one file each in families/; each function writes its levels for n ranks.
#pragma once

#include "patterns/pattern.hpp"

#include <string_view>

namespace tailback::patterns {

/// Writes a FlowList level by level. A flow from a rank to itself is counted as local.
class FlowListWriter {
public:
    explicit FlowListWriter(std::uint32_t ranks) { list_.ranks = list_.measured_ranks = ranks; }

    std::uint32_t ranks() const { return list_.ranks; }
    /// All that follows, up to the next call, is one level.
    void begin_level() { list_.levels.push_back({.first_flow = list_.flows.size()}); }
    void flow(std::uint64_t source, std::uint64_t destination, std::uint64_t weight = 1);
    void random_flows(RandomFlows random) { list_.levels.back().random.push_back(random); }
    FlowList take() { return std::move(list_); }

private:
    FlowList list_;
};

// null.cpp
void write_null(FlowListWriter& out);
// random.cpp
void write_rand(FlowListWriter& out);
// bisection.cpp
void write_bisect(FlowListWriter& out);
void write_bisect_fb_sym(FlowListWriter& out);
// doubling.cpp
void write_tree(FlowListWriter& out);
void write_bruck(FlowListWriter& out);
void write_recdbl(FlowListWriter& out);
// rooted.cpp
void write_gather(FlowListWriter& out);
void write_scatter(FlowListWriter& out);
// ring.cpp
void write_ring(FlowListWriter& out);
// neighbor.cpp
void write_neighbor(FlowListWriter& out, std::uint32_t degree);
/// Upper bound of the flows write_neighbor writes.
std::uint64_t neighbor_flow_bound(std::uint32_t ranks, std::uint32_t degree);
// shift.cpp
void write_shift(FlowListWriter& out, std::uint32_t distance);
/// X of `Xneighbor`, `Xshift` (X > 0 and below 2^32) for `word` neighbor, shift; 0 when `name` is no such name.
std::uint32_t number_before(std::string_view name, std::string_view word);

}  // namespace tailback::patterns
