// The families of patterns, one file each in families/; each function writes its levels for n ranks.
#pragma once

#include "host/base/spec.hpp"
#include "patterns/pattern.hpp"

#include <string_view>

namespace tailback::patterns {

/// Writes a FlowList level by level. A flow from a rank to itself is counted as local.
class FlowListWriter {
public:
    explicit FlowListWriter(std::uint32_t ranks, NodesOfRanks nodes = {}) : nodes_(std::move(nodes)) {
        list_.ranks = list_.measured_ranks = ranks;
    }

    std::uint32_t ranks() const { return list_.ranks; }
    NodesOfRanks const& nodes() const { return nodes_; }
    void set_note(std::string note) { list_.note = std::move(note); }
    /// All that follows, up to the next call, is one level.
    void begin_level() { list_.levels.push_back({.first_flow = list_.flows.size()}); }
    void flow(std::uint64_t source, std::uint64_t destination) { add(source, destination, size_); }
    void flow(std::uint64_t source, std::uint64_t destination, std::uint64_t bytes) {
        list_.bytes_given = true;
        add(source, destination, bytes);
    }
    /// The bytes of flows that say none; unless set they have a weight of 1 and no bytes.
    void set_size(std::uint64_t bytes) { size_ = bytes, list_.bytes_given = true; }
    /// All flows that follow are of this class; `application` unless set.
    void set_class(std::string const& name);
    /// See Level; of the level that was begun last.
    void set_computing(double multiple) { list_.levels.back().computing = multiple; }
    double computing() const { return list_.levels.back().computing; }
    void random_flows(RandomFlows random) { list_.levels.back().random.push_back(random); }
    FlowList take() { return std::move(list_); }

private:
    void add(std::uint64_t source, std::uint64_t destination, std::uint64_t weight);

    FlowList list_;
    NodesOfRanks nodes_;
    std::uint64_t size_ = 1;
    std::uint8_t class_ = 0;
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
// ring.cpp
void write_ring(FlowListWriter& out);
// neighbor.cpp
void write_neighbor(FlowListWriter& out, std::uint32_t degree);
/// Upper bound of the flows write_neighbor writes.
std::uint64_t neighbor_flow_bound(std::uint32_t ranks, std::uint32_t degree);
// shift.cpp
void write_shift(FlowListWriter& out, std::uint32_t distance);
// all_to_all.cpp
void write_all_to_all(FlowListWriter& out, base::Arguments const& arguments);
void write_many_all_to_all(FlowListWriter& out, base::Arguments const& arguments);
void write_one_to_all(FlowListWriter& out, base::Arguments const& arguments);
void write_all_to_one(FlowListWriter& out, base::Arguments const& arguments);
// permutations.cpp
void write_shift_by(FlowListWriter& out, base::Arguments const& arguments);
void write_transpose(FlowListWriter& out, base::Arguments const& arguments);
void write_tornado(FlowListWriter& out, base::Arguments const& arguments);
void write_bit_complement(FlowListWriter& out, base::Arguments const& arguments);
void write_bit_reversal(FlowListWriter& out, base::Arguments const& arguments);
void write_bit_transpose(FlowListWriter& out, base::Arguments const& arguments);
void write_perfect_shuffle(FlowListWriter& out, base::Arguments const& arguments);
void write_butterfly(FlowListWriter& out, base::Arguments const& arguments);
// random_flows.cpp
void write_uniform(FlowListWriter& out, base::Arguments const& arguments);
void write_hot_spot(FlowListWriter& out, base::Arguments const& arguments);
void write_hot_region(FlowListWriter& out, base::Arguments const& arguments);
void write_local(FlowListWriter& out, base::Arguments const& arguments);
void write_gups(FlowListWriter& out, base::Arguments const& arguments);
void write_map_reduce(FlowListWriter& out, base::Arguments const& arguments);
// grids.cpp
void write_stencil(FlowListWriter& out, base::Arguments const& arguments, std::size_t dimensions);
void write_sweep(FlowListWriter& out, base::Arguments const& arguments, std::size_t dimensions);
void write_flood(FlowListWriter& out, base::Arguments const& arguments, std::size_t dimensions);
// collectives.cpp
void write_allreduce(FlowListWriter& out, base::Arguments const& arguments);
void write_reduce_scatter(FlowListWriter& out, base::Arguments const& arguments);
void write_allgather(FlowListWriter& out, base::Arguments const& arguments);
void write_alltoall(FlowListWriter& out, base::Arguments const& arguments);
void write_broadcast(FlowListWriter& out, base::Arguments const& arguments);
void write_reduce(FlowListWriter& out, base::Arguments const& arguments);
void write_barrier(FlowListWriter& out, base::Arguments const& arguments);
void write_n_bodies(FlowListWriter& out, base::Arguments const& arguments);
// double_binary_tree.cpp
class Rails;
/// @param segment bytes of each channel that a step takes up, half of them through each tree; 0: all
void write_double_binary_tree(FlowListWriter& out, Rails const& rails, std::uint64_t bytes, std::uint64_t segment);
// training.cpp
void write_training(FlowListWriter& out, base::Arguments const& arguments);
/// X of `Xneighbor`, `Xshift` (X > 0 and below 2^32) for `word` neighbor, shift; 0 when `name` is no such name.
std::uint32_t number_before(std::string_view name, std::string_view word);

}  // namespace tailback::patterns
