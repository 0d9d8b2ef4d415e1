// A block a mapping, with everything in its shared memory.
#include "kernels/cuda/kernels.cuh"

namespace tailback::kernels {
namespace {

template <bool plain, class Routes>
__global__ void __launch_bounds__(1024, 1)
    block_kernel(__grid_constant__ KernelArguments const a, __grid_constant__ Routes const routes) {
    __shared__ std::uint64_t exchange[BlockTeam::exchange_words];
    std::byte* const base = kernel::shared_memory();
    BlockTeam team{exchange, a.layout.claims};
    kernel::zero(base, a.scratch_bytes);
    kernel::NearLinkSums const sums(a, base + a.scratch_bytes);
    team.sync("scratch cleared");

    Scratch<PackedCounters<WholeWords>, typename Routes::Kept, std::uint16_t> scratch;
    scratch.lay_out(a.problem, base, a.layout);
    for (std::uint32_t m = blockIdx.x; m < a.count; m += gridDim.x) {
        MappingTally const tally = evaluate_mapping<plain>(team, a.problem, routes, a.first + m, scratch, sums.totals);
        if (team.leads()) a.tallies[m] = tally;
    }
    sums.hand_over();
}

}  // namespace

CudaKernel block_kernel_for(Problem const& p, SummedView const& summed) {
    bool const plain = is_plain(p);
    return kernel::kernel_for(p, summed, [&]<class Routes, class Used>() -> kernel::KernelOf<Used> {
        return plain ? block_kernel<true, Used> : block_kernel<false, Used>;
    });
}

}  // namespace tailback::kernels
