// A warp a mapping: small studies.
#include "kernels/cuda/bodies.cuh"

namespace tailback::kernels {

CudaKernel warp_kernel_for(Problem const& p, SummedView const& summed, bool hot) {
    bool const plain = is_plain(p);
    bool const alone = !p.measures.wants_histogram && !p.measures.wants_route_links && !p.measures.wants_link_sums &&
                       !passes_delays(p);
    if (hot && !(plain && alone)) return {};
    return kernel::kernel_for(p, summed, [&]<class Routes, class Used>() -> kernel::KernelOf<Used> {
        if constexpr (kernel::has_hot_kernel<Routes>)
            if (hot)
                return kernel::warp_kernel<true, KeepingWarpTeam, PackedCounters<WholeWords, FixedPacking<2>>, Used>;
        if constexpr (kernel::has_warp_kernel<Routes>) {
            if (hot) return nullptr;
            return plain ? kernel::warp_kernel<true, WarpTeam, kernel::FlowCounters, Used>
                         : kernel::warp_kernel<false, WarpTeam, kernel::FlowCounters, Used>;
        } else {
            return nullptr;
        }
    });
}

}  // namespace tailback::kernels
