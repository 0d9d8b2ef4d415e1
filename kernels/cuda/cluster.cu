// A cluster of blocks a mapping (sm_90): counters dealt over the shared memory of all of them, places from global
// memory.
#include "kernels/cuda/kernels.cuh"

namespace tailback::kernels {
namespace {

template <class Routes>
__global__ void __launch_bounds__(1024, 1)
    cluster_kernel(__grid_constant__ KernelArguments const a, __grid_constant__ Routes const routes) {
#if __CUDA_ARCH__ >= 900
    __shared__ std::uint64_t exchange[2 * BlockTeam::exchange_words];
    std::byte* const base = kernel::shared_memory();
    ClusterTeam team{exchange};
    kernel::zero(base, a.scratch_bytes);
    team.sync("scratch cleared");  // before another block counts in it

    using Words = SplitWords<ClusterTeam::Reach>;
    std::uint32_t const parts_log = 31u - static_cast<std::uint32_t>(__clz(static_cast<int>(team.parts)));
    Scratch<PackedCounters<Words>, typename Routes::Kept, std::uint32_t> scratch;
    scratch.lay_out(a.problem, nullptr, a.layout);
    scratch.counters = {Words{{}, reinterpret_cast<std::uint32_t*>(base), parts_log}, a.layout.packing};
    std::uint32_t const clusters = gridDim.x / team.parts;
    for (std::uint32_t m = blockIdx.x / team.parts; m < a.count; m += clusters) {
        kernel::find_places(a.problem, scratch, a.placed, m);
        MappingTally const tally = evaluate_placed<true>(team, a.problem, routes, scratch, a.totals);
        if (team.leads()) a.tallies[m] = tally;
    }
    team.sync("all mappings done");  // nobody leaves while another may still reach into its memory
#endif
}

}  // namespace

CudaKernel cluster_kernel_for(Problem const& p, SummedView const& summed) {
    if (!is_plain(p) || p.measures.wants_histogram || p.measures.wants_route_links || p.measures.wants_delay)
        return {};  // those lie in scratch that blocks do not share
    return kernel::kernel_for(p, summed, [&]<class Routes, class Used>() -> kernel::KernelOf<Used> {
        if constexpr (kernel::has_cluster_kernel<Routes>) return cluster_kernel<Used>;
        else return nullptr;
    });
}

}  // namespace tailback::kernels
