// A team that is a CUDA thread block. The one file that knows threadIdx and atomicAdd.
#pragma once

#include <cstdint>

namespace tailback {

struct CudaTeam {
    static constexpr std::uint32_t looks_ahead = 0;  // other warps run while one waits
    static constexpr bool keeps_routes = false;   // a second look into L2 is cheaper than global scratch
    static constexpr bool skips_padding = true;   // one padding counter would be a queue of atomics

    struct Range {
        struct Iterator {
            std::uint32_t at, step, count;
            __device__ std::uint32_t operator*() const { return at; }
            __device__ Iterator& operator++() {
                at = count - at > step ? at + step : count;
                return *this;
            }
            __device__ bool operator!=(Iterator const& other) const { return at != other.at; }
        };
        std::uint32_t first, step, count;
        __device__ Iterator begin() const { return {first < count ? first : count, step, count}; }
        __device__ Iterator end() const { return {count, step, count}; }
    };

    /// 33 words of shared memory for the collectives.
    std::uint64_t* exchange;

    __device__ Range each(std::uint32_t n) { return {threadIdx.x, blockDim.x, n}; }
    __device__ void sync() { __syncthreads(); }
    __device__ void add(std::uint32_t& cell, std::uint32_t amount) { atomicAdd(&cell, amount); }
    __device__ std::uint32_t fetch_add(std::uint32_t& cell, std::uint32_t amount) { return atomicAdd(&cell, amount); }
    __device__ void set_bits(std::uint32_t& cell, std::uint32_t bits) {
        if ((*static_cast<std::uint32_t volatile*>(&cell) & bits) != bits) atomicOr(&cell, bits);  // bits are never taken back
    }
    __device__ void add_total(std::uint64_t& cell, std::uint64_t amount) {
        atomicAdd(reinterpret_cast<unsigned long long*>(&cell), static_cast<unsigned long long>(amount));
    }
    __device__ void raise(std::uint64_t& cell, std::uint64_t to) {
        atomicMax(reinterpret_cast<unsigned long long*>(&cell), static_cast<unsigned long long>(to));
    }
    __device__ void clear(std::uint32_t& cell) { atomicExch(&cell, 0u); }
    __device__ std::uint64_t sum(std::uint64_t x) {
        return reduce(x, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    }
    __device__ std::uint64_t max(std::uint64_t x) {
        return reduce(x, [](std::uint64_t a, std::uint64_t b) { return a > b ? a : b; });
    }
    __device__ bool leads() const { return threadIdx.x == 0; }

private:
    /// Warp by warp, then the warps' results by the first warp. Both operations have 0 as neutral element.
    template <class Join>
    __device__ std::uint64_t reduce(std::uint64_t x, Join join) {
        unsigned const lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
        for (unsigned offset = 16; offset > 0; offset /= 2) x = join(x, __shfl_down_sync(0xFFFFFFFFu, x, offset));
        __syncthreads();  // the last collective's result has been read by all
        if (lane == 0) exchange[warp] = x;
        __syncthreads();
        if (warp == 0) {
            x = lane < warps ? exchange[lane] : 0;
            for (unsigned offset = 16; offset > 0; offset /= 2) x = join(x, __shfl_down_sync(0xFFFFFFFFu, x, offset));
            if (lane == 0) exchange[32] = x;
        }
        __syncthreads();
        return exchange[32];
    }
};

}  // namespace tailback
