// What the CUDA executors have in common: errors with their text, arrays in device memory, streams, copies, launches.
#pragma once

#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>

namespace tailback::kernels {

/// @throws std::runtime_error with what was being done and CUDA's own text.
inline void check(cudaError_t error, char const* doing) {
    if (error == cudaSuccess) return;
    cudaGetLastError();  // a sticky error must not be reported again by an innocent call
    throw std::runtime_error(std::string("CUDA: ") + doing + " failed: " + cudaGetErrorString(error));
}

/// Does what may take device memory. @throws std::runtime_error that says what does not fit, where it does not; a host
/// whose memory is full throws what it always does.
template <class Work>
auto told_when_full(char const* what, Work&& work) {
    try {
        return work();
    } catch (std::bad_alloc const& error) {
        if (typeid(error) == typeid(std::bad_alloc)) throw;  // Thrust's are of a derived type
        cudaGetLastError();
        throw std::runtime_error(std::string("CUDA: ") + what +
                                 " does not fit into the device's memory; use --device cpu");
    }
}

/// A copy in device memory; empty for null.
template <class T>
thrust::device_vector<T> upload(T const* from, std::size_t count) {
    return from == nullptr ? thrust::device_vector<T>() : thrust::device_vector<T>(from, from + count);
}

/// Null when empty.
template <class T>
T* raw(thrust::device_vector<T>& v) {
    return v.empty() ? nullptr : thrust::raw_pointer_cast(v.data());
}

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

/// Lets a kernel's blocks have so much dynamic shared memory. What others were allowed of the same kernel is not taken
/// back.
inline void allow_shared(void const* kernel, std::size_t bytes) {
    cudaFuncAttributes now{};
    check(cudaFuncGetAttributes(&now, kernel), "reading a kernel's attributes");
    if (now.maxDynamicSharedSizeBytes < static_cast<int>(bytes))
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
              "asking for shared memory");
    if (bytes > std::size_t{48} << 10)  // else the driver might leave more to the L1 than leaves room for all blocks
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100),
              "asking for shared memory");
}

/// Starts a copy to the host.
template <class T>
void copy_to_host(T* to, T const* from, std::size_t count, cudaStream_t stream) {
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream), "copying to the host");
}

/// Starts a kernel that needs no more than its arguments and dynamic shared memory.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), std::uint32_t blocks, std::uint32_t threads, std::size_t shared_bytes,
            cudaStream_t stream, Arguments... arguments) {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    check(cudaLaunchKernelEx(&config, kernel, arguments...), "starting a kernel");
}

}  // namespace tailback::kernels
