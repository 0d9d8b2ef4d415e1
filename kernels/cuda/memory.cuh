// What the CUDA executors have in common: errors with their text, arrays in device memory, streams, copies, launches.
#pragma once

#include "kernels/device_error.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace tailback::kernels {

/// Of an array that the device's memory has no room for.
class DeviceMemoryFull : public DeviceError {
    using DeviceError::DeviceError;
};

/// @throws DeviceError with what was being done and CUDA's own text.
inline void check(cudaError_t error, char const* doing) {
    if (error == cudaSuccess) return;
    cudaGetLastError();  // an error that does not last must not be reported again by an innocent call
    throw DeviceError(std::string("CUDA: ") + doing + " failed: " + cudaGetErrorString(error));
}

/// Does what may take device memory. @throws DeviceError that says what does not fit, where it does not.
template <class Work>
auto told_when_full(char const* what, Work&& work) {
    try {
        return work();
    } catch (DeviceMemoryFull const&) {
        throw DeviceError(std::string("CUDA: ") + what + " does not fit into the device's memory; use --device cpu");
    }
}

/// An array in device memory. Its end throws nothing: after an error of the device cudaFree fails like every other
/// call, and what failed first has been told.
template <class T>
class DeviceArray {
public:
    DeviceArray() = default;
    /// What is in it is not known.
    explicit DeviceArray(std::size_t count) : size_(count) {
        if (count == 0) return;
        void* memory = nullptr;
        cudaError_t const error = cudaMalloc(&memory, count * sizeof(T));
        if (error == cudaErrorMemoryAllocation) {
            cudaGetLastError();
            throw DeviceMemoryFull("CUDA: the device's memory is full");
        }
        check(error, "allocating device memory");
        data_ = static_cast<T*>(memory);
    }
    DeviceArray(DeviceArray&& other) noexcept { swap(other); }
    DeviceArray& operator=(DeviceArray&& other) noexcept {
        swap(other);
        return *this;
    }
    ~DeviceArray() { cudaFree(data_); }

    /// Bytes of 0, by the default stream: kernels of other streams have to be held until it is done.
    static DeviceArray zeros(std::size_t count) {
        DeviceArray made(count);
        if (count > 0) check(cudaMemset(made.data_, 0, count * sizeof(T)), "clearing device memory");
        return made;
    }
    /// Contents are lost when it grows.
    void make_room(std::size_t count) {
        if (count <= size_) return;
        *this = DeviceArray();  // first gives back what it has
        *this = DeviceArray(count);
    }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    /// Null when empty.
    T* data() const { return data_; }
    /// After what the default stream does.
    void fetch(T* to) const {
        if (size_ > 0) check(cudaMemcpy(to, data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "copying to the host");
    }

private:
    void swap(DeviceArray& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

/// A copy in device memory, by the default stream; empty for null.
template <class T>
DeviceArray<T> upload(T const* from, std::size_t count) {
    DeviceArray<T> made(from == nullptr ? 0 : count);
    if (!made.empty())
        check(cudaMemcpy(made.data(), from, count * sizeof(T), cudaMemcpyHostToDevice), "copying to the device");
    return made;
}

class CudaStream {
public:
    /// @param urgent its kernels go before those of others wherever a block has ended
    explicit CudaStream(bool urgent = false) {
        int least = 0, greatest = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for priorities");
        check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, urgent ? greatest : least),
              "making a stream");
    }
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

/// Lets a kernel's blocks have so much dynamic shared memory each. What others were allowed of the same kernel is not
/// taken back.
inline void allow_shared(void const* kernel, std::size_t bytes) {
    cudaFuncAttributes now{};
    check(cudaFuncGetAttributes(&now, kernel), "reading a kernel's attributes");
    if (now.maxDynamicSharedSizeBytes < static_cast<int>(bytes))
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
              "asking for shared memory");
}

/// Gives a kernel so much of a multiprocessor's shared memory, of `all` there is; the first cache has the rest.
inline void prefer_shared(void const* kernel, std::size_t bytes, std::size_t all) {
    std::size_t const percent = std::min<std::size_t>(100, (100 * bytes + all - 1) / all);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, static_cast<int>(percent)),
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
