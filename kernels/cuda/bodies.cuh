// The kernels that keep a mapping's counters in shared memory: of a warp, of a block, of a cluster of blocks. What they
// count with is a parameter: flows in warp.cu, block.cu and cluster.cu, weights in weights.cu.
#pragma once

#include "kernels/cuda/kernels.cuh"

namespace tailback::kernels::kernel {

using FlowCounters = PackedCounters<WholeWords>;

/// A warp a mapping: small studies.
template <bool plain, class Team, class Counters, class Routes>
__global__ void __launch_bounds__(1024, 1)
    warp_kernel(__grid_constant__ KernelArguments const a, __grid_constant__ Routes const routes_exceed_cache) {
    std::byte* base = shared_memory();
    if constexpr (is_summed<Routes>) base += (a.summed_words * sizeof(std::uint64_t) + 15) / 16 * 16;
    std::uint32_t const warp = threadIdx.x / 32, warps = blockDim.x / 32;
    zero(base, warps * a.scratch_bytes);
    NearLinkSums const sums(a, base + warps * a.scratch_bytes);
    auto const evaluate = [&](Routes const& routes) {
        __syncthreads();
        Team team;
        auto scratch = scratch_at<Counters, typename Routes::Kept>(a, base + warp * a.scratch_bytes);
        scratch.fill_subset(team, a.problem);
        for (std::uint32_t m = blockIdx.x * warps + warp; m < a.count; m += gridDim.x * warps) {
            MappingTally const tally =
                evaluate_mapping<plain>(team, a.problem, routes, a.first + m, scratch, sums.totals);
            if (team.leads()) a.tallies[m] = tally;
        }
    };
    if constexpr (is_summed<Routes>) {
        auto* const tables = reinterpret_cast<std::uint64_t*>(shared_memory());
        SummedView const& far = routes_exceed_cache.summed;
        auto const* const first = static_cast<std::uint64_t const*>(far.from);
        for (std::uint32_t w = threadIdx.x; w < a.summed_words; w += blockDim.x) tables[w] = first[w];
        auto const near = [&](void const* table) {
            return reinterpret_cast<std::byte const*>(tables) +
                   (static_cast<std::byte const*>(table) - static_cast<std::byte const*>(far.from));
        };
        Routes routes = routes_exceed_cache;
        routes.summed = {tables, near(far.to), reinterpret_cast<std::uint32_t const*>(near(far.where))};
        evaluate(routes);
    } else {
        evaluate(routes_exceed_cache);
    }
    sums.hand_over();
}

/// Fills the places of a block's scratch. A function of its own, as what is live in a kernel would be spilled around
/// its parts.
TAILBACK_APART void place_block(KernelArguments const& a, std::uint64_t* exchange, std::uint64_t m) {
    BlockTeam team{exchange, a.layout.claims};
    place_ranks(team, a.problem, m, scratch_at<FlowCounters, std::uint32_t>(a, shared_memory()));
}

/// A block a mapping, with everything in its shared memory.
template <bool plain, class Counters, class Routes>
__global__ void __launch_bounds__(1024, 1)
    block_kernel(__grid_constant__ KernelArguments const a, __grid_constant__ Routes const routes) {
    __shared__ std::uint64_t exchange[BlockTeam::exchange_words];
    std::byte* const base = shared_memory();
    BlockTeam team{exchange, a.layout.claims};
    zero(base, a.scratch_bytes);
    NearLinkSums const sums(a, base + a.scratch_bytes);
    team.sync("scratch cleared");

    using Kept = typename Routes::Kept;
    scratch_at<Counters, Kept>(a, base).fill_subset(team, a.problem);
    for (std::uint32_t m = blockIdx.x; m < a.count; m += gridDim.x) {
        place_block(a, exchange, a.first + m);
        MappingTally const tally = evaluate_placed<plain>(team, a.problem, routes, scratch_at<Counters, Kept>(a, base),
                                                          sums.totals, a.first + m);
        if (team.leads()) a.tallies[m] = tally;
    }
    sums.hand_over();
}

#if __CUDA_ARCH__ >= 900
/// By all threads of a cluster. @param exchange 2 * BlockTeam::exchange_words of shared memory
template <template <class> class Of, class Routes>
__device__ __forceinline__ void evaluate_in_cluster(KernelArguments const& a, Routes const& routes,
                                                    std::uint64_t* exchange) {
    std::byte* const base = shared_memory();
    ClusterTeam team{exchange};
    zero(base, a.scratch_bytes);
    team.sync("scratch cleared");  // before another block counts in it

    using Counters = PackedCounters<SplitWords<ClusterTeam::Reach>>;
    std::uint32_t const parts_log = 31u - static_cast<std::uint32_t>(__clz(static_cast<int>(team.parts)));
    Scratch<Of<Counters>, typename Routes::Kept, std::uint32_t> scratch;
    scratch.lay_out(a.problem, nullptr, a.layout);
    if constexpr (requires { scratch.counters.weight; }) scratch.counters.weight = a.weights;
    static_cast<Counters&>(scratch.counters) = {{{}, reinterpret_cast<std::uint32_t*>(base), parts_log},
                                                a.layout.packing};
    std::uint32_t const clusters = gridDim.x / team.parts;
    for (std::uint32_t m = blockIdx.x / team.parts; m < a.count; m += clusters) {
        find_places(a.problem, scratch, a.placed, m);
        MappingTally const tally = evaluate_placed<true>(team, a.problem, routes, scratch, a.totals);
        if (team.leads()) a.tallies[m] = tally;
    }
    team.sync("all mappings done");  // nobody leaves while another may still reach into its memory
}
#else
/// Older devices have no clusters.
template <template <class> class Of, class Routes>
__device__ __forceinline__ void evaluate_in_cluster(KernelArguments const&, Routes const&, std::uint64_t*) {}
#endif

/// A cluster of blocks a mapping: counters dealt over the shared memory of all of them, places from global memory. Of:
/// what counters of those words are.
template <template <class> class Of, class Routes>
__global__ void __launch_bounds__(1024, 1)
    cluster_kernel(__grid_constant__ KernelArguments const a, __grid_constant__ Routes const routes) {
    __shared__ std::uint64_t exchange[2 * BlockTeam::exchange_words];
    evaluate_in_cluster<Of>(a, routes, exchange);
}

}  // namespace tailback::kernels::kernel
