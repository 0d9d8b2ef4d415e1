// Studies beyond a block's shared memory: a kernel that draws places into global memory, and a block a mapping whose
// counters lie in global memory, that is in L2 while they fit.
#include "kernels/cuda/kernels.cuh"

namespace tailback::kernels {
namespace {

template <class HostWord, bool in_shared>
__global__ void __launch_bounds__(1024, 1) place_kernel(__grid_constant__ KernelArguments const a) {
    std::byte* const near = kernel::shared_memory();
    __shared__ std::uint64_t exchange[BlockTeam::exchange_words];
    BlockTeam team{exchange, a.layout.claims};
    Scratch<PackedCounters<WholeWords>, std::uint32_t, HostWord> scratch;
    scratch.lay_out(a.problem, in_shared ? near : a.global_scratch + blockIdx.x * a.scratch_bytes, a.layout);
    if constexpr (!in_shared) scratch.targets = reinterpret_cast<std::uint32_t*>(near);
    scratch.fill_subset(team, a.problem);
    for (std::uint32_t m = blockIdx.x; m < a.count; m += gridDim.x) {
        kernel::place_ranks(team, a.problem, a.first + m, scratch);
        Scratch<PackedCounters<WholeWords>, std::uint32_t, std::uint32_t> out;
        kernel::find_places(a.problem, out, a.placed, m);
        for (std::uint32_t const r : team.each(a.problem.placement.ranks))
            out.host_index_of_rank[r] = scratch.host_index_of_rank[r];
        for (std::uint32_t k = 0; k < 2; ++k)
            for (std::uint32_t const r : team.each(a.problem.traffic.drawn_ranks[k]))
                out.drawn[k][r] = scratch.drawn[k][r];
        team.sync("places copied");
    }
}

/// Counters: packed, or of 64 bits for flows with weights.
template <bool plain, class Counters, class Routes>
__global__ void __launch_bounds__(1024, 1)
    global_kernel(__grid_constant__ KernelArguments const a, __grid_constant__ Routes const routes) {
    __shared__ std::uint64_t exchange[BlockTeam::exchange_words];
    std::byte* const base = a.global_scratch + blockIdx.x * a.scratch_bytes;
    BlockTeam team{exchange};
    Scratch<Counters, typename Routes::Kept, std::uint32_t> scratch;
    scratch.lay_out(a.problem, base, a.layout);
    for (std::uint32_t m = blockIdx.x; m < a.count; m += gridDim.x) {
        kernel::find_places(a.problem, scratch, a.placed, m);
        MappingTally const tally = evaluate_placed<plain>(team, a.problem, routes, scratch, a.totals, a.first + m);
        if (team.leads()) a.tallies[m] = tally;
    }
}

template <class Counters>
CudaKernel global_kernel_with(Problem const& p, SummedView const& summed) {
    bool const plain = is_plain(p);
    return kernel::kernel_for(p, summed, [&]<class Routes, class Used>() -> kernel::KernelOf<Used> {
        if constexpr (std::is_same_v<Counters, std::uint64_t>) return global_kernel<false, Counters, Used>;
        else return plain ? global_kernel<true, Counters, Used> : global_kernel<false, Counters, Used>;
    });
}

}  // namespace

CudaKernel place_kernel_for(bool in_shared) {
    return kernel::ready(in_shared ? place_kernel<std::uint16_t, true> : place_kernel<std::uint32_t, false>);
}

CudaKernel global_kernel_for(Problem const& p, SummedView const& summed) {
    return p.traffic.weights != nullptr ? global_kernel_with<std::uint64_t>(p, summed)
                                        : global_kernel_with<PackedCounters<WholeWords>>(p, summed);
}

}  // namespace tailback::kernels
