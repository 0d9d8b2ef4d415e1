// Mappings whose flows are divided equally: 32 of them a block, a lane each, whose warps share the classes of all. What
// classes pass on lies in shared memory where some warps' fits, the rest in global memory, word by word beside the
// other lanes'.
#include "kernels/cuda/division.cuh"
#include "kernels/division/equal_division.hpp"

namespace tailback::kernels {
namespace {

/// The threads of one lane of all warps of a block; the other lanes are other teams, which come to the same barriers.
struct TileTeam : CudaTeam {
    std::uint64_t* exchange;
    bool works;  ///< false: it has no mapping, but comes to the barriers

    __device__ TileTeam(std::uint64_t* words, bool has_mapping) : exchange(words), works(has_mapping) {}

    __device__ Range each(std::uint32_t n) { return {member(), members(), works ? n : 0}; }
    /// Adds `count` words of each lane to totals that all lanes have in common: by one atomic for a warp. By all lanes.
    template <class Words>
    __device__ void add_together(std::uint64_t* totals, Words const& words, std::uint32_t count) {
#pragma unroll 1
        for (std::uint32_t k = member(); k < count; k += members()) {
            std::uint64_t const all = warp_sum(words[k]);
            if (lane() == 0 && all != 0) add_total(totals[k], all);
        }
    }
    __device__ void sync(char const*) { __syncthreads(); }
    __device__ std::uint64_t sum(std::uint64_t x, char const* = nullptr) {
        return over_members(x, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    }
    __device__ std::uint64_t max(std::uint64_t x, char const* = nullptr) {
        return over_members(x, [](std::uint64_t a, std::uint64_t b) { return a > b ? a : b; });
    }
    template <std::size_t n>
    __device__ void sum_each(std::uint64_t (&x)[n]) {
        for (std::uint64_t& each : x) each = sum(each);
    }
    __device__ bool leads() const { return works && member() == 0; }
    __device__ std::uint32_t members() const { return blockDim.x / division_lanes; }
    __device__ std::uint32_t member() const { return threadIdx.x / division_lanes; }

private:
    /// Two barriers: what is written before the first is seen after it, and words are read before they are written
    /// anew.
    template <class Join>
    __device__ std::uint64_t over_members(std::uint64_t x, Join join) {
        exchange[threadIdx.x] = x;
        __syncthreads();
        std::uint64_t all = exchange[lane()];
        for (std::uint32_t k = division_lanes + lane(); k < blockDim.x; k += division_lanes)
            all = join(all, exchange[k]);
        __syncthreads();
        return all;
    }
};
static_assert(division_lanes == 32);  // CudaTeam::lane

template <bool in_shared>
__global__ void __launch_bounds__(most_division_threads, 2)
    division_kernel(__grid_constant__ KernelArguments const a, __grid_constant__ DivisionView const d) {
    std::uint32_t const lane = CudaTeam::lane(), warps = blockDim.x / division_lanes;
    auto* const exchange = reinterpret_cast<std::uint64_t*>(kernel::shared_memory());
    DivisionState<division_lanes> state;
    state.lay_out(a.problem, d, warps, lane, a.global_scratch + blockIdx.x * a.scratch_bytes,
                  in_shared ? kernel::shared_memory() + warps * division_exchange : nullptr);
    for (std::uint32_t first = blockIdx.x * division_lanes; first < a.count; first += gridDim.x * division_lanes) {
        std::uint32_t const m = first + lane;
        TileTeam team(exchange, m < a.count);
        Scratch<std::uint32_t, std::uint32_t, std::uint32_t> placed;
        kernel::find_places(a.problem, placed, a.placed, m < a.count ? m : first);
        MappingTally const tally = divide_placed(team, a.problem, d, state, placed, a.totals);
        if (team.leads()) a.tallies[m] = tally;
    }
}

}  // namespace

CudaKernel division_kernel_for(DivisionView const& on_device, bool in_shared) {
    return in_shared ? kernel::ready(division_kernel<true>, on_device)
                     : kernel::ready(division_kernel<false>, on_device);
}

}  // namespace tailback::kernels
