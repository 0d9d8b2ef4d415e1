// Which of several CUDA devices a process uses.
#include "kernels/common/team.hpp"
#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/team.cuh"
#include "kernels/executor.hpp"

namespace tailback::kernels {

static_assert(Team<WarpTeam> && TeamOfLanes<WarpTeam>);
static_assert(Team<BlockTeam> && TeamWithClaims<BlockTeam> && !TeamOfLanes<BlockTeam>);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
static_assert(Team<ClusterTeam> && TeamOfMany<ClusterTeam>);  // it does not draw
#endif

void use_cuda_device(unsigned wanted) {
    int count = 0;
    check(cudaGetDeviceCount(&count), "counting devices");
    check(cudaSetDevice(static_cast<int>(wanted % static_cast<unsigned>(count))), "choosing a device");
}

}  // namespace tailback::kernels
