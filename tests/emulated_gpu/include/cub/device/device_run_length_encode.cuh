#pragma once

#include <cuda_runtime.h>

namespace cub {

struct DeviceRunLengthEncode {
    template <class Key, class Length>
    static cudaError_t Encode(void* work, std::size_t& bytes, Key const* in, Key* distinct, Length* lengths,
                              Length* runs, std::uint32_t count, cudaStream_t stream) {
        if (work == nullptr) {
            bytes = 1;
            return cudaSuccess;
        }
        emulated_gpu::enqueue(stream, [=] {
            Length found = 0;
            for (std::uint32_t i = 0; i < count; ++i) {
                if (i == 0 || in[i] != in[i - 1]) {
                    distinct[found] = in[i];
                    lengths[found++] = 0;
                }
                ++lengths[found - 1];
            }
            *runs = found;
        });
        return cudaSuccess;
    }
};

}  // namespace cub
