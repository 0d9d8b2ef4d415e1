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

class CudaStream {
public:
    CudaStream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream"); }
    ~CudaStream() { cudaStreamDestroy(stream_); }
    CudaStream(CudaStream const&) = delete;
    CudaStream& operator=(CudaStream const&) = delete;
    cudaStream_t get() const { return stream_; }
    void wait() const { check(cudaStreamSynchronize(stream_), "the kernels"); }

private:
    cudaStream_t stream_ = nullptr;
};

class CudaEvent {
public:
    CudaEvent() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "making an event"); }
    ~CudaEvent() { cudaEventDestroy(event_); }
    CudaEvent(CudaEvent const&) = delete;
    CudaEvent& operator=(CudaEvent const&) = delete;
    void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "recording an event"); }
    /// What `stream` does from now on waits for what was recorded last.
    void hold(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_), "waiting for an event"); }

private:
    cudaEvent_t event_ = nullptr;
};

/// Memory of the host that a device copies to while both work.
template <class T>
class PinnedArray {
public:
    PinnedArray() = default;
    ~PinnedArray() { cudaFreeHost(data_); }
    PinnedArray(PinnedArray const&) = delete;
    PinnedArray& operator=(PinnedArray const&) = delete;
    /// Contents are lost when it grows.
    void make_room(std::size_t count) {
        if (count <= count_) return;
        cudaFreeHost(data_);
        data_ = nullptr;
        count_ = 0;
        check(cudaMallocHost(reinterpret_cast<void**>(&data_), count * sizeof(T)), "allocating pinned memory");
        count_ = count;
    }
    T* data() { return data_; }

private:
    T* data_ = nullptr;
    std::size_t count_ = 0;
};

/// Starts a copy to the host.
template <class T>
void copy_to_host(T* to, T const* from, std::size_t count, cudaStream_t stream) {
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream), "copying to the host");
}

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
