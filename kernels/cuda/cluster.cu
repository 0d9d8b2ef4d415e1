// A cluster of blocks a mapping (sm_90).
#include "kernels/cuda/bodies.cuh"

namespace tailback::kernels {

CudaKernel cluster_kernel_for(Problem const& p, SummedView const& summed) {
    if (!is_plain(p) || p.measures.wants_histogram || p.measures.wants_route_links || passes_delays(p))
        return {};  // those lie in scratch that blocks do not share
    return kernel::kernel_for(p, summed, [&]<class Routes, class Used>() -> kernel::KernelOf<Used> {
        if constexpr (kernel::has_cluster_kernel<Routes>) return kernel::cluster_kernel<std::type_identity_t, Used>;
        else return nullptr;
    });
}

}  // namespace tailback::kernels
