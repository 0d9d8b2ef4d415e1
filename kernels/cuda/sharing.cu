// Max-min rates and completion times: a block a mapping, whose ranks have their hosts and which the kernels of far.cu
// have evaluated; all in global memory, that is in L2 while it fits. A kernel of its own, as both in one take minutes
// to compile.
#include "kernels/cuda/kernels.cuh"
#include "kernels/sharing/completion.hpp"

namespace tailback::kernels {
namespace {

/// Counters: packed, or of 64 bits for flows with weights.
template <class Counters, class Routes>
__global__ void __launch_bounds__(1024, 1)
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
        share_placed(team, a.problem, routes, ScratchOfRates{scratch, sharing}, a.totals, tally);
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

}  // namespace

CudaKernel sharing_kernel_for(Problem const& p) {
    return p.traffic.weights != nullptr ? sharing_kernel_with<std::uint64_t>(p)
                                        : sharing_kernel_with<PackedCounters<WholeWords>>(p);
}

}  // namespace tailback::kernels
