// The teams of a GPU: a warp, a block, a cluster of blocks. Through these alone do the single-source bodies meet
// threadIdx and atomicAdd.
#pragma once

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
template <bool by_cells>
struct LaneTeam : CudaTeam {
    static constexpr bool finds_by_cells = by_cells;
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
/// some 32 of them; atomics in 128 cells collide like other random words. `cuda_bench` measures both (gpu/micro).
using WarpTeam = LaneTeam<true>;
/// Words of cells that a warp draws with.
inline constexpr std::uint32_t lane_cells = WarpTeam::finds_by_cells ? 128 : 0;

struct BlockTeam : CudaTeam {
    /// 33 words of shared memory for the collectives.
    std::uint64_t* exchange;
    std::uint32_t cells;
    __device__ explicit BlockTeam(std::uint64_t* words, std::uint32_t claims = 0) : exchange(words), cells(claims) {}

    __device__ Range each(std::uint32_t n) { return {threadIdx.x, blockDim.x, n}; }
    __device__ Range near(std::uint32_t n) { return each(n); }
    __device__ void sync(char const*) { __syncthreads(); }
    __device__ bool any(bool x, char const*) { return __syncthreads_or(x) != 0; }
    __device__ std::uint32_t claims() const { return cells; }
    __device__ std::uint64_t sum(std::uint64_t x, char const* = nullptr) {
        return reduce(warp_sum(x), [](std::uint64_t y) { return warp_sum(y); });
    }
    __device__ std::uint64_t max(std::uint64_t x, char const* = nullptr) {
        return reduce(warp_max(x), [](std::uint64_t y) { return warp_max(y); });
    }
    __device__ bool leads() const { return threadIdx.x == 0; }
    __device__ std::uint32_t members() const { return blockDim.x; }
    __device__ std::uint32_t member() const { return threadIdx.x; }

private:
    /// `x`: the warp's. 0 is neutral to both operations.
    template <class Join>
    __device__ std::uint64_t reduce(std::uint64_t x, Join join) {
        unsigned const warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
        if (lane() == 0) exchange[warp] = x;  // what the last collective left there was read before its last barrier
        __syncthreads();
        if (warp == 0) {
            x = join(lane() < warps ? exchange[lane()] : 0);
            if (lane() == 0) exchange[32] = x;
        }
        __syncthreads();
        return exchange[32];
    }
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/// Blocks that reach into each other's shared memory.
struct ClusterTeam : CudaTeam {
    cooperative_groups::cluster_group cluster;
    BlockTeam block;
    std::uint32_t parts, part;
    __device__ explicit ClusterTeam(std::uint64_t* words)
        : cluster(cooperative_groups::this_cluster()),
          block(words),
          parts(cluster.num_blocks()),
          part(cluster.block_rank()) {}

    __device__ Range each(std::uint32_t n) { return {member(), members(), n}; }
    __device__ Range near(std::uint32_t n) { return {threadIdx.x * parts + part, members(), n}; }
    __device__ void sync(char const*) { cluster.sync(); }
    __device__ std::uint64_t sum(std::uint64_t x, char const* = nullptr) {
        return gather(block.sum(x), [](std::uint64_t a, std::uint64_t b) { return a + b; });
    }
    __device__ std::uint64_t max(std::uint64_t x, char const* = nullptr) {
        return gather(block.max(x), [](std::uint64_t a, std::uint64_t b) { return a > b ? a : b; });
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
    /// The blocks' results lie in their exchange[32].
    template <class Join>
    __device__ std::uint64_t gather(std::uint64_t x, Join join) {
        cluster.sync();
        for (std::uint32_t other = 0; other < parts; ++other)
            if (other != part) x = join(x, *cluster.map_shared_rank(block.exchange + 32, other));
        cluster.sync();  // nobody writes exchange before all have read
        return x;
    }
};
#endif

}  // namespace tailback::kernels
