// The teams of a GPU: a warp, a block, a cluster of blocks. Through these alone do the single-source bodies meet
// threadIdx and atomicAdd.
#pragma once

#include "kernels/common/team.hpp"

#include <cooperative_groups.h>

#include <cstddef>
#include <cstdint>

namespace tailback::kernels {
namespace kernel {

/// The block's dynamic shared memory.
__device__ __forceinline__ std::byte* shared_memory() {
    extern __shared__ uint4 shared_words[];
    return reinterpret_cast<std::byte*>(shared_words);
}

/// By all threads of a block; whole blocks of 16 bytes.
__device__ __forceinline__ void zero(std::byte* memory, std::size_t bytes) {
    auto* const words = reinterpret_cast<uint4*>(memory);
    for (std::uint32_t w = threadIdx.x; w < bytes / sizeof(uint4); w += blockDim.x) words[w] = uint4{0, 0, 0, 0};
}

}  // namespace kernel

/// The most that `each` deals out: a cluster's members less than 32 bits count.
inline constexpr std::uint32_t most_each = ~0u - 16 * 1024;

/// What all of them have in common.
struct CudaTeam {
    static constexpr bool keeps_routes = false;  // a second look costs less than the room that would hold another team
    static constexpr bool skips_padding = true;  // one padding counter would be a queue of atomics

    struct Range {
        struct Iterator {
            std::uint32_t at, step;
            __device__ std::uint32_t operator*() const { return at; }
            __device__ Iterator& operator++() {
                at += step;
                return *this;
            }
            __device__ bool operator!=(Iterator const& other) const { return at < other.at; }
        };
        std::uint32_t first, step, count;  // count + step < 2^32: most_each
        __device__ Iterator begin() const { return {first, step}; }
        __device__ Iterator end() const { return {count, step}; }
    };

    __device__ void add(std::uint32_t& cell, std::uint32_t amount) { atomicAdd(&cell, amount); }
    __device__ std::uint32_t fetch_add(std::uint32_t& cell, std::uint32_t amount) { return atomicAdd(&cell, amount); }
    __device__ void set_bits(std::uint32_t& cell, std::uint32_t bits) {
        if ((*static_cast<std::uint32_t volatile*>(&cell) & bits) != bits)
            atomicOr(&cell, bits);  // bits are never taken back
    }
    __device__ void take_bits(std::uint32_t& cell, std::uint32_t bits) { atomicAnd(&cell, ~bits); }
    __device__ void lower(std::uint32_t& cell, std::uint32_t to) { atomicMin(&cell, to); }
    __device__ void add_total(std::uint64_t& cell, std::uint64_t amount) {
        atomicAdd(reinterpret_cast<unsigned long long*>(&cell), static_cast<unsigned long long>(amount));
    }
    __device__ void raise(std::uint32_t& cell, std::uint32_t to) { atomicMax(&cell, to); }
    __device__ void raise(std::uint64_t& cell, std::uint64_t to) {
        atomicMax(reinterpret_cast<unsigned long long*>(&cell), static_cast<unsigned long long>(to));
    }
    __device__ void clear(std::uint32_t& cell) { atomicExch(&cell, 0u); }
    // Counters of flows with weights.
    __device__ void add(std::uint64_t& cell, std::uint64_t amount) { add_total(cell, amount); }
    __device__ void clear(std::uint64_t& cell) { atomicExch(reinterpret_cast<unsigned long long*>(&cell), 0ull); }

    static constexpr unsigned all_lanes = 0xFFFFFFFFu;
    __device__ static unsigned lane() { return threadIdx.x % 32; }

    /// Over a warp, told to all its lanes. Three parts of 27 bits, of which 32 do not overflow a register.
    __device__ static std::uint64_t warp_sum(std::uint64_t x) {
        constexpr std::uint32_t part = (1u << 27) - 1;
        std::uint64_t const low = __reduce_add_sync(all_lanes, static_cast<std::uint32_t>(x) & part);
        std::uint64_t const middle = __reduce_add_sync(all_lanes, static_cast<std::uint32_t>(x >> 27) & part);
        std::uint64_t const high = __reduce_add_sync(all_lanes, static_cast<std::uint32_t>(x >> 54));
        return low + (middle << 27) + (high << 54);
    }
    /// Of the lanes with the largest upper half, the largest lower half.
    __device__ static std::uint64_t warp_max(std::uint64_t x) {
        auto const upper = static_cast<std::uint32_t>(x >> 32);
        std::uint32_t const high = __reduce_max_sync(all_lanes, upper);
        std::uint32_t const low = __reduce_max_sync(all_lanes, upper == high ? static_cast<std::uint32_t>(x) : 0u);
        return std::uint64_t{high} << 32 | low;
    }
};

/// 32 lanes of a block whose other warps are other teams.
template <FindBy by>
struct LaneTeam : CudaTeam {
    static constexpr FindBy finds_by = by;
    __device__ Range each(std::uint32_t n) { return {lane(), 32, n}; }
    __device__ Range near(std::uint32_t n) { return each(n); }
    __device__ void sync(char const*) { __syncwarp(); }
    __device__ std::uint64_t sum(std::uint64_t x, char const* = nullptr) {
        __syncwarp();  // the reductions alone order no memory
        return warp_sum(x);
    }
    __device__ std::uint64_t max(std::uint64_t x, char const* = nullptr) {
        __syncwarp();
        return warp_max(x);
    }
    template <std::size_t n>
    __device__ void sum_each(std::uint64_t (&x)[n]) {
        for (std::uint64_t& each : x) each = warp_sum(each);
    }
    __device__ bool leads() const { return lane() == 0; }
    __device__ std::uint32_t members() const { return 32; }
    __device__ std::uint32_t member() const { return lane(); }
    __device__ std::uint32_t match(std::uint32_t x) { return __match_any_sync(all_lanes, x); }
    __device__ std::uint32_t ballot(bool x) { return __ballot_sync(all_lanes, x); }
    __device__ void join(std::uint32_t& cell, std::uint32_t bits) { atomicOr(&cell, bits); }
    // claims are for blocks
    void lower(std::uint32_t&, std::uint32_t) = delete;
};

/// The lanes that kernels use. MATCH.ANY goes over the distinct values one by one, and targets of a permutation are
/// some 32 of them; atomics in 128 cells collide like other random words. On an H200 `bisect` on 1,142 hosts comes to
/// 114 million mappings a second by cells, 75 by match and 77 by ballots. `cuda_bench --cases permutation/` measures
/// all ways.
using WarpTeam = LaneTeam<FindBy::cells>;
/// The same for studies that want shares and congestions alone.
struct SharesWarpTeam : WarpTeam {
    static constexpr bool shares_alone = true;
};
/// Of these, those whose routes fit beside the counters: reading back then takes neither places nor tables.
struct KeepingWarpTeam : SharesWarpTeam {
    static constexpr bool keeps_routes = true;
};
/// Words of cells that a warp draws with.
inline constexpr std::uint32_t lane_cells = WarpTeam::finds_by == FindBy::cells ? 128 : 0;

struct BlockTeam : CudaTeam {
    /// What the collectives need of shared memory: for each of so many values at once a word of each warp, and one of
    /// the block.
    static constexpr std::uint32_t values = 3, exchange_words = 33 * values;
    std::uint64_t* exchange;
    std::uint32_t cells;
    __device__ explicit BlockTeam(std::uint64_t* words, std::uint32_t claims = 0) : exchange(words), cells(claims) {}

    __device__ Range each(std::uint32_t n) { return {threadIdx.x, blockDim.x, n}; }
    __device__ Range near(std::uint32_t n) { return each(n); }
    __device__ void sync(char const*) { __syncthreads(); }
    __device__ bool any(bool x, char const*) { return __syncthreads_or(x) != 0; }
    __device__ std::uint32_t claims() const { return cells; }
    __device__ std::uint64_t sum(std::uint64_t x, char const* = nullptr) {
        std::uint64_t one[] = {x};
        sum_each(one);
        return one[0];
    }
    __device__ std::uint64_t max(std::uint64_t x, char const* = nullptr) {
        std::uint64_t one[] = {x};
        reduce(one, [](std::uint64_t y) { return warp_max(y); });
        return one[0];
    }
    template <std::size_t n>
    __device__ void sum_each(std::uint64_t (&x)[n]) {
        reduce(x, [](std::uint64_t y) { return warp_sum(y); });
    }
    __device__ bool leads() const { return threadIdx.x == 0; }
    __device__ std::uint32_t members() const { return blockDim.x; }
    __device__ std::uint32_t member() const { return threadIdx.x; }

private:
    /// 0 is neutral to `over_warp`. Warp k joins what all warps have of value k.
    template <std::size_t n, class OverWarp>
    __device__ void reduce(std::uint64_t (&x)[n], OverWarp over_warp) {
        static_assert(n <= values);
        unsigned const warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
        for (unsigned k = 0; k < n; ++k) x[k] = over_warp(x[k]);
        if (lane() == 0)  // what the last collective left there was read before its last barrier
            for (unsigned k = 0; k < n; ++k) exchange[33 * k + warp] = x[k];
        __syncthreads();
        for (unsigned k = warp; k < n; k += warps) {
            std::uint64_t const all = over_warp(lane() < warps ? exchange[33 * k + lane()] : 0);
            if (lane() == 0) exchange[33 * k + 32] = all;
        }
        __syncthreads();
        for (unsigned k = 0; k < n; ++k) x[k] = exchange[33 * k + 32];
    }
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/// Blocks that reach into each other's shared memory.
struct ClusterTeam : CudaTeam {
    cooperative_groups::cluster_group cluster;
    BlockTeam block;
    std::uint32_t parts, part;
    /// @param words two times BlockTeam::exchange_words, which gathers use by turns
    __device__ explicit ClusterTeam(std::uint64_t* words)
        : cluster(cooperative_groups::this_cluster()),
          block(words),
          parts(cluster.num_blocks()),
          part(cluster.block_rank()),
          first_words_(words) {}

    __device__ Range each(std::uint32_t n) { return {member(), members(), n}; }
    __device__ Range near(std::uint32_t n) { return {threadIdx.x * parts + part, members(), n}; }
    __device__ void sync(char const*) { cluster.sync(); }
    __device__ std::uint64_t sum(std::uint64_t x, char const* = nullptr) {
        std::uint64_t one[] = {x};
        sum_each(one);
        return one[0];
    }
    __device__ std::uint64_t max(std::uint64_t x, char const* = nullptr) {
        std::uint64_t one[] = {block.max(x)};
        gather(one, [](std::uint64_t a, std::uint64_t b) { return a > b ? a : b; });
        return one[0];
    }
    template <std::size_t n>
    __device__ void sum_each(std::uint64_t (&x)[n]) {
        block.sum_each(x);
        gather(x, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    }
    __device__ bool leads() const { return member() == 0; }
    __device__ std::uint32_t members() const { return parts * blockDim.x; }
    __device__ std::uint32_t member() const { return part * blockDim.x + threadIdx.x; }

    /// The same place in another block's shared memory.
    struct Reach {
        __device__ std::uint32_t* operator()(std::uint32_t part, std::uint32_t* own) const {
            return cooperative_groups::this_cluster().map_shared_rank(own, part);
        }
    };

private:
    /// `x`: the block's, which also lie in its exchange. One barrier: the next gather uses other words, and the one
    /// after that begins when all have come to the next, that is have read these. No thread has written anything else
    /// that others read since the last barrier, so that those of the exchange, which the block's barrier brings to its
    /// first thread, are all that is to be made visible: by that thread's fence instead of one of all threads.
    template <std::size_t n, class Join>
    __device__ void gather(std::uint64_t (&x)[n], Join join) {
        if (threadIdx.x == 0) __threadfence();
        __cluster_barrier_arrive_relaxed();
        __cluster_barrier_wait();
        for (std::uint32_t other = 0; other < parts; ++other)
            for (std::uint32_t k = 0; k < n; ++k)
                if (other != part) x[k] = join(x[k], *cluster.map_shared_rank(block.exchange + 33 * k + 32, other));
        block.exchange = block.exchange == first_words_ ? first_words_ + BlockTeam::exchange_words : first_words_;
    }
    std::uint64_t* first_words_;
};
#endif

}  // namespace tailback::kernels
