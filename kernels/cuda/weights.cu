// Flows with weights by teams whose counters lie in shared memory: of 8 to 32 bits where no sum of weights can
// pass them (narrow_weights), else of 64.
#include "kernels/cuda/bodies.cuh"

namespace tailback::kernels {
namespace {

using Narrow = WeightCounters<kernel::FlowCounters>;

/// Sums past 32 bits are rare: the general kernel is enough for them.
template <class Routes>
kernel::KernelOf<Routes> pick_block(bool plain, bool wide) {
    if (wide) return kernel::block_kernel<false, CarryCounters, Routes>;
    return plain ? kernel::block_kernel<true, Narrow, Routes> : kernel::block_kernel<false, Narrow, Routes>;
}

/// Those that want shares and congestions alone, the usual ones, have kernels of three quarters of the
/// instructions, or three fifths where flows are listed.
template <class Routes>
kernel::KernelOf<Routes> pick_warp(bool alone, WeightSums sums) {
    if (sums == WeightSums::wide) return kernel::warp_kernel<true, WarpTeam, CarryCounters, Routes>;
    if (!alone) return kernel::warp_kernel<true, WarpTeam, Narrow, Routes>;
    return sums == WeightSums::listed ? kernel::warp_kernel<true, SharesWarpTeam, ListedFlowCounters, Routes>
                                      : kernel::warp_kernel<true, SharesWarpTeam, Narrow, Routes>;
}

}  // namespace

CudaKernel weight_kernel_for(CudaTeamKind kind, Problem const& p, SummedView const& summed, WeightSums sums) {
    bool const plain = is_plain(p), wide = sums == WeightSums::wide;
    bool const alone = !p.measures.wants_histogram && !p.measures.wants_route_links && !passes_delays(p);
    if (kind == CudaTeamKind::global || (kind != CudaTeamKind::block && !plain)) return {};
    if (kind == CudaTeamKind::cluster && (wide || !alone)) return {};
    return kernel::kernel_for(p, summed, [&]<class Routes, class Used>() -> kernel::KernelOf<Used> {
        if (kind == CudaTeamKind::block) return pick_block<Used>(plain, wide);
        if constexpr (kernel::has_cluster_kernel<Routes>)
            if (kind == CudaTeamKind::cluster) return kernel::cluster_kernel<WeightCounters, Used>;
        if constexpr (kernel::has_warp_kernel<Routes>)
            if (kind == CudaTeamKind::warp) return pick_warp<Used>(alone && !p.measures.wants_link_sums, sums);
        return nullptr;
    });
}

}  // namespace tailback::kernels
