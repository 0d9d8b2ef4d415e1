// Stands in for the GPU's roofline in a build without nvcc.
#ifndef TAILBACK_HAS_CUDA

#include "bench/cuda_roofline.hpp"
#include "bench/rooms.hpp"

namespace tailback::bench {

CudaRoofline const& measure_cuda_roofline() {
    static CudaRoofline const none;
    return none;
}
double measure_cuda_permutation(std::uint32_t) { return 0; }
double measure_cuda_warp_permutation(std::uint32_t, bool) { return 0; }

}  // namespace tailback::bench

#endif
