// A block a mapping, with everything in its shared memory.
#include "kernels/cuda/bodies.cuh"

namespace tailback::kernels {

CudaKernel block_kernel_for(Problem const& p, SummedView const& summed) {
    bool const plain = is_plain(p);
    return kernel::kernel_for(p, summed, [&]<class Routes, class Used>() -> kernel::KernelOf<Used> {
        return plain ? kernel::block_kernel<true, kernel::FlowCounters, Used>
                     : kernel::block_kernel<false, kernel::FlowCounters, Used>;
    });
}

}  // namespace tailback::kernels
