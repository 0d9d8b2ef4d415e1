// Flows with weights: a block a mapping, whose counters of 64 bits lie in global memory, that is in L2 while they fit.
#include "kernels/cuda/kernels.cuh"

namespace tailback::kernels {
namespace {

template <bool plain, class Routes>
__global__ void __launch_bounds__(1024, 1)
    weighted_kernel(__grid_constant__ KernelArguments const a, __grid_constant__ Routes const routes) {
    __shared__ std::uint64_t exchange[33];
    std::byte* const base = a.global_scratch + blockIdx.x * a.scratch_bytes;
    BlockTeam team{exchange};
    Scratch<std::uint64_t, typename Routes::Kept, std::uint32_t> scratch;
    scratch.lay_out(a.problem, base, a.layout);
    for (std::uint32_t m = blockIdx.x; m < a.count; m += gridDim.x) {
        kernel::find_places(a.problem, scratch, a.placed, m);
        MappingTally const tally = evaluate_placed<plain>(team, a.problem, routes, scratch, a.totals);
        if (team.leads()) a.tallies[m] = tally;
    }
}

}  // namespace

CudaKernel weighted_kernel_for(Problem const& p) {
    bool const plain = is_plain(p);
    return kernel::kernel_for(p, {}, [&]<class Routes, class Used>() -> kernel::KernelOf<Used> {
        return plain ? weighted_kernel<true, Used> : weighted_kernel<false, Used>;
    });
}

}  // namespace tailback::kernels
