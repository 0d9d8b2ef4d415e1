// A warp a mapping: small studies.
#include "kernels/cuda/kernels.cuh"

namespace tailback::kernels {
namespace {

template <class Routes>
inline constexpr bool is_summed = requires {
    Routes::by_seat;
};

/// `hot`: counters of 8 bits, and what KeepingWarpTeam is for.
template <bool hot, class Routes>
__global__ void __launch_bounds__(1024, 1)
    warp_kernel(__grid_constant__ KernelArguments const a, __grid_constant__ Routes const routes_exceed_cache) {
    std::byte* base = kernel::shared_memory();
    if constexpr (is_summed<Routes>) base += (a.summed_words * sizeof(std::uint64_t) + 15) / 16 * 16;
    std::uint32_t const warp = threadIdx.x / 32, warps = blockDim.x / 32;
    kernel::zero(base, warps * a.scratch_bytes);
    auto const evaluate = [&](Routes const& routes) {
        __syncthreads();
        std::conditional_t<hot, KeepingWarpTeam, WarpTeam> team;
        using Packing = std::conditional_t<hot, FixedPacking<2>, std::uint32_t>;
        Scratch<PackedCounters<WholeWords, Packing>, typename Routes::Kept, std::uint16_t> scratch;
        scratch.lay_out(a.problem, base + warp * a.scratch_bytes, a.layout);
        for (std::uint32_t m = blockIdx.x * warps + warp; m < a.count; m += gridDim.x * warps) {
            MappingTally const tally = evaluate_mapping<true>(team, a.problem, routes, a.first + m, scratch, a.totals);
            if (team.leads()) a.tallies[m] = tally;
        }
    };
    if constexpr (is_summed<Routes>) {
        auto* const tables = reinterpret_cast<std::uint64_t*>(kernel::shared_memory());
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
}

}  // namespace

CudaKernel warp_kernel_for(Problem const& p, SummedView const& summed, bool hot) {
    if (!is_plain(p) || (hot && (p.measures.wants_histogram || p.measures.wants_route_links || p.measures.wants_delay)))
        return {};
    return kernel::kernel_for(p, summed, [&]<class Routes, class Used>() -> kernel::KernelOf<Used> {
        if constexpr (kernel::has_hot_kernel<Routes>)
            if (hot) return warp_kernel<true, Used>;
        if constexpr (kernel::has_warp_kernel<Routes>) return hot ? nullptr : warp_kernel<false, Used>;
        else return nullptr;
    });
}

}  // namespace tailback::kernels
