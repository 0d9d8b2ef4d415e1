// Which of several CUDA devices a process uses.
#include "kernels/cuda_memory.cuh"
#include "kernels/executor.hpp"

namespace tailback {

void use_cuda_device(unsigned wanted) {
    int count = 0;
    check(cudaGetDeviceCount(&count), "counting devices");
    check(cudaSetDevice(static_cast<int>(wanted % static_cast<unsigned>(count))), "choosing a device");
}

}  // namespace tailback
