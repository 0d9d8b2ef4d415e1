// Stands in for the GPU's roofline in a build without nvcc.
#ifndef TAILBACK_HAS_CUDA

#include "bench/cuda_roofline.hpp"
#include "bench/rooms.hpp"

namespace tailback::bench {

CudaRoofline measure_cuda_roofline(RooflineSize) { return {}; }
double measure_cuda_permutation(std::uint32_t, RooflineSize) { return 0; }
double measure_cuda_warp_permutation(std::uint32_t, FindBy, RooflineSize) { return 0; }

}  // namespace tailback::bench

#endif
