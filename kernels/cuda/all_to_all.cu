// An all-to-all whose flows are not listed: a block a mapping, whose ranks have their hosts. Its histograms lie in
// shared memory, and its loads too where they fit; else these are in global memory, that is in L2 while it fits.
#include "kernels/all_to_all/all_to_all.hpp"
#include "kernels/cuda/kernels.cuh"

namespace tailback::kernels {
namespace {

template <bool in_shared, class Routes>
__global__ void __launch_bounds__(1024, 1)
    all_to_all_kernel(__grid_constant__ KernelArguments const a, __grid_constant__ Routes const routes) {
    __shared__ std::uint64_t exchange[BlockTeam::exchange_words];
    BlockTeam team{exchange};
    AllToAllScratch scratch;
    std::byte* const near = kernel::shared_memory();
    std::size_t const histograms = scratch.lay_out_histograms(a.problem, near);
    scratch.lay_out(a.problem, in_shared ? near + histograms : a.global_scratch + blockIdx.x * a.scratch_bytes);
    for (std::uint32_t m = blockIdx.x; m < a.count; m += gridDim.x) {
        std::uint32_t const* const host_of_rank = a.placed + m * placed_words(a.problem);
        MappingTally const tally = evaluate_all_to_all(team, a.problem, routes, host_of_rank, scratch, a.totals);
        if (team.leads()) a.tallies[m] = tally;
    }
}

}  // namespace

CudaKernel all_to_all_kernel_for(Problem const& p, bool in_shared) {
    return kernel::kernel_for(p, SummedView{}, [&]<class Routes, class Used>() -> kernel::KernelOf<Used> {
        if constexpr (kernel::is_summed<Used>) return nullptr;
        else return in_shared ? all_to_all_kernel<true, Used> : all_to_all_kernel<false, Used>;
    });
}

}  // namespace tailback::kernels
