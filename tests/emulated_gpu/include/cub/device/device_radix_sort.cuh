#pragma once

#include <cuda_runtime.h>

#include <algorithm>

namespace cub {

struct DeviceRadixSort {
    /// Whole keys alone.
    template <class Key>
    static cudaError_t SortKeys(void* work, std::size_t& bytes, Key const* in, Key* out, std::uint32_t count,
                                int first_bit, int last_bit, cudaStream_t stream) {
        if (first_bit != 0 || last_bit < 1 || last_bit > 8 * int{sizeof(Key)}) return cudaErrorInvalidValue;
        if (work == nullptr) {
            bytes = 1;
            return cudaSuccess;
        }
        emulated_gpu::enqueue(stream, [=] {
            std::copy_n(in, count, out);
            int const above = 8 * int{sizeof(Key)} - last_bit;  // by the lower bits alone
            std::stable_sort(out, out + count, [=](Key a, Key b) { return Key(a << above) < Key(b << above); });
        });
        return cudaSuccess;
    }
};

}  // namespace cub
