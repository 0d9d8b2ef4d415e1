// What the CUDA executors have in common: errors with their text, arrays in device memory, room for a block's scratch.
#pragma once

#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace tailback {

/// @throws std::runtime_error with what was being done and CUDA's own text.
inline void check(cudaError_t error, char const* doing) {
    if (error == cudaSuccess) return;
    cudaGetLastError();  // a sticky error must not be reported again by an innocent call
    throw std::runtime_error(std::string("CUDA: ") + doing + " failed: " + cudaGetErrorString(error));
}

/// A copy in device memory; empty for null.
template <class T>
thrust::device_vector<T> upload(T const* from, std::size_t count) {
    return from == nullptr ? thrust::device_vector<T>() : thrust::device_vector<T>(from, from + count);
}

/// Null when empty.
template <class T>
T* raw(thrust::device_vector<T>& v) { return v.empty() ? nullptr : thrust::raw_pointer_cast(v.data()); }

/// How many blocks of a kernel the device holds at once, and where each has its scratch: in shared memory while it fits,
/// in global memory beyond.
class BlockScratch {
public:
    BlockScratch(void const* kernel, std::uint32_t block_threads, std::size_t scratch_bytes) : threads(block_threads) {
        int ordinal = 0;
        check(cudaGetDevice(&ordinal), "finding the current device");
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, ordinal), "reading the device's properties");
        // The collectives' words are static shared memory and count against the limit as well.
        bool const shared = scratch_bytes + 512 <= properties.sharedMemPerBlockOptin;
        shared_bytes = shared ? scratch_bytes : 0;
        if (shared)
            check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)),
                  "asking for shared memory");
        int per_processor = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, static_cast<int>(threads), shared_bytes),
              "asking for the occupancy");
        blocks = static_cast<std::uint32_t>(std::max(1, per_processor) * properties.multiProcessorCount);
        if (!shared) global_.resize(scratch_bytes * blocks);
        name = properties.name;
    }
    /// Null when the scratch is in shared memory.
    std::byte* global() { return reinterpret_cast<std::byte*>(raw(global_)); }

    std::uint32_t threads = 0, blocks = 0;
    std::size_t shared_bytes = 0;
    std::string name;

private:
    thrust::device_vector<unsigned char> global_;
};

}  // namespace tailback
