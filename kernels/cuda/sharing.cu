// Max-min rates and completion times: a block a mapping, whose ranks have their hosts. By contended links, in shared
// memory or beyond it; where those do not apply, by plain rounds of mappings that the kernels of far.cu have evaluated,
// in global memory, that is in L2 while it fits. A kernel of its own, as both in one take minutes to compile.
#include "kernels/cuda/kernels.cuh"
#include "kernels/sharing/completion.hpp"
#include "kernels/sharing/contended.hpp"

namespace tailback::kernels {
namespace {

/// Counters: packed, or of 64 bits for flows with weights.
template <class Counters, class Routes>
__global__ void __launch_bounds__(far_sharing_threads, 1)
    sharing_kernel(__grid_constant__ KernelArguments const a, __grid_constant__ Routes const routes) {
    __shared__ std::uint64_t exchange[BlockTeam::exchange_words];
    std::byte* const base = a.global_scratch + blockIdx.x * a.scratch_bytes;
    BlockTeam team{exchange};
    Scratch<Counters, typename Routes::Kept, std::uint32_t> scratch;
    SharingScratch sharing;
    sharing.lay_out(a.problem, base + scratch.lay_out(a.problem, base, a.layout));
    for (std::uint32_t m = blockIdx.x; m < a.count; m += gridDim.x) {
        kernel::find_places(a.problem, scratch, a.placed, m);
        MappingTally tally = a.tallies[m];
        share_placed(team, a.problem, routes, ScratchOfRates{scratch, sharing}, a.totals, tally, a.first + m);
        if (team.leads()) a.tallies[m] = tally;
    }
}

/// From rows and steps alone: rows as sums and formulas would be twice as many kernels, which take minutes to compile,
/// and what sums spare is little beside the sharing.
template <class Counters>
CudaKernel sharing_kernel_with(Problem const& p) {
    return kernel::kernel_for(p, SummedView{}, [&]<class Routes, class Used>() -> kernel::KernelOf<Used> {
        if constexpr (Routes::stored && !kernel::is_summed<Used>) return sharing_kernel<Counters, Used>;
        else return nullptr;
    });
}

/// What the team knows lies in shared memory where numbers of flows and links have 16 bits, else in global memory.
template <class Small, std::uint32_t threads, class Routes>
__global__ void __launch_bounds__(threads, sizeof(Small) > 2 ? 1
                                           : Routes::stored  ? 3
                                                             : 2)
    contended_kernel(__grid_constant__ KernelArguments const a, __grid_constant__ Routes const routes) {
    constexpr bool is_near = sizeof(Small) == 2;
    __shared__ std::uint64_t exchange[BlockTeam::exchange_words];
    __shared__ std::uint32_t counts[kernel::contended_counts];
    std::byte* const global = a.global_scratch + blockIdx.x * a.scratch_bytes;
    BlockTeam team{exchange};
    Scratch<std::uint32_t, typename Routes::Kept, std::uint32_t> scratch;
    ContendedVolumes volumes;
    std::size_t const volumes_bytes = volumes.lay_out(a.contended, global);
    ContendedState<Small> state;
    state.lay_out(a.contended, is_near ? kernel::shared_memory() : global + volumes_bytes);
    state.count = counts;
    for (std::uint32_t const bin : team.each(a.contended.near_bins)) state.near_rates[bin] = 0;
    using Flows = kernel::Evaluation<false, Routes, BlockTeam, decltype(scratch)>;
    for (std::uint32_t m = blockIdx.x; m < a.count; m += gridDim.x) {
        kernel::find_places(a.problem, scratch, a.placed, m);
        Flows flows{team, a.problem, routes, scratch, a.totals, lid_draw(a.problem.routes.lids, a.first + m)};
        kernel::Contended<Small, Flows> links{flows, state, volumes, a.contended};
        MappingTally* const tally = a.tallies + m;
        share_contended_links(links, a.problem.measures.sharing.alone ? nullptr : tally, *tally);
        if (m + gridDim.x >= a.count) links.hand_rates_over();
    }
}

}  // namespace

CudaKernel contended_kernel_for(Problem const& p, bool in_shared) {
    return kernel::kernel_for(p, SummedView{}, [&]<class Routes, class Used>() -> kernel::KernelOf<Used> {
        if constexpr (!std::is_same_v<Routes, Used>) return nullptr;
        else {
            if constexpr (kernel::has_warp_kernel<Routes>)
                if (in_shared) return contended_kernel<std::uint16_t, near_sharing_threads, Used>;
            return in_shared ? nullptr : contended_kernel<std::uint32_t, far_sharing_threads, Used>;
        }
    });
}

CudaKernel sharing_kernel_for(Problem const& p) {
    return p.traffic.weights != nullptr ? sharing_kernel_with<std::uint64_t>(p)
                                        : sharing_kernel_with<PackedCounters<WholeWords>>(p);
}

}  // namespace tailback::kernels
