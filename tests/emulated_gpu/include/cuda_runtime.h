// What kernels/cuda/ uses of CUDA, for the emulated device: stands in the way of CUDA's own header when g++ compiles
// that room.
#pragma once

#include "tests/emulated_gpu/emulated_gpu.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>

// ---- what makes a function a kernel, and memory shared
// ----------------------------------------------------------------------
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __grid_constant__
#define __launch_bounds__(...)
#define __shared__ thread_local  // a block has an operating-system thread to itself

struct uint3 {
    unsigned x, y, z;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

extern constinit thread_local uint3 threadIdx, blockIdx;
extern constinit thread_local dim3 blockDim, gridDim;

// ---- what threads call
// ------------------------------------------------------------------------------------------------------
inline void __syncthreads() { emulated_gpu::meet_block(false); }
inline int __syncthreads_or(int x) { return emulated_gpu::meet_block(x != 0); }

inline void __threadfence() {}
inline void __cluster_barrier_arrive_relaxed() { emulated_gpu::arrive_at_cluster(); }
inline void __cluster_barrier_wait() { emulated_gpu::wait_for_cluster(); }

inline constexpr unsigned emulated_warp = 0xFFFFFFFFu;  ///< the one mask there is
inline void __syncwarp(unsigned mask = emulated_warp) {
    emulated_gpu::meet_warp(emulated_gpu::WarpOperation::sync, mask, 0);
}
inline unsigned __reduce_add_sync(unsigned mask, unsigned x) {
    return emulated_gpu::meet_warp(emulated_gpu::WarpOperation::add, mask, x);
}
inline unsigned __reduce_max_sync(unsigned mask, unsigned x) {
    return emulated_gpu::meet_warp(emulated_gpu::WarpOperation::max, mask, x);
}
inline unsigned __ballot_sync(unsigned mask, int x) {
    return emulated_gpu::meet_warp(emulated_gpu::WarpOperation::bits_or, mask, x != 0 ? 1u << threadIdx.x % 32 : 0);
}
inline unsigned __match_any_sync(unsigned mask, unsigned x) {
    return emulated_gpu::meet_warp(emulated_gpu::WarpOperation::match, mask, x);
}

template <class T, class Change>
__forceinline__ T emulated_atomic(T* cell, Change&& change) {
    emulated_gpu::before_atomic(sizeof(T));
    T old = __atomic_load_n(cell, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(cell, &old, change(old), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return old;
}
template <class T>
__forceinline__ T atomicAdd(T* cell, T x) {
    return emulated_atomic(cell, [x](T old) { return static_cast<T>(old + x); });
}
template <class T>
__forceinline__ T atomicMin(T* cell, T x) {
    return emulated_atomic(cell, [x](T old) { return x < old ? x : old; });
}
template <class T>
__forceinline__ T atomicMax(T* cell, T x) {
    return emulated_atomic(cell, [x](T old) { return x > old ? x : old; });
}
template <class T>
__forceinline__ T atomicOr(T* cell, T x) {
    return emulated_atomic(cell, [x](T old) { return old | x; });
}
template <class T>
__forceinline__ T atomicAnd(T* cell, T x) {
    return emulated_atomic(cell, [x](T old) { return old & x; });
}
template <class T>
__forceinline__ T atomicExch(T* cell, T x) {
    return emulated_atomic(cell, [x](T) { return x; });
}

inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<unsigned long long>(static_cast<Wide>(a) * b >> 64);
}

// ---- what the host calls
// ----------------------------------------------------------------------------------------------------
enum cudaError_t : int {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInsufficientDriver = 35,
    cudaErrorDevicesUnavailable = 46,
    cudaErrorNoDevice = 100,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorLaunchFailure = 719,
};
using cudaStream_t = emulated_gpu::Stream*;
using cudaEvent_t = emulated_gpu::Event*;

enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 13
};
struct cudaFuncAttributes {
    int ptxVersion, maxDynamicSharedSizeBytes, numRegs;
    std::size_t localSizeBytes;
};
enum cudaLaunchAttributeID { cudaLaunchAttributeClusterDimension = 4 };

struct cudaDeviceProp {
    char name[256];
    int major, minor, multiProcessorCount, l2CacheSize;
    std::size_t sharedMemPerBlockOptin, sharedMemPerMultiprocessor, reservedSharedMemPerBlock;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    struct {
        struct {
            unsigned x, y, z;
        } clusterDim;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned numAttrs;
};

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaGetDevice(int* ordinal);
cudaError_t cudaSetDevice(int ordinal);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int ordinal);
cudaError_t cudaGetLastError();
char const* cudaGetErrorString(cudaError_t error);

cudaError_t cudaMalloc(void** memory, std::size_t bytes);
cudaError_t cudaFree(void* memory);
cudaError_t cudaMallocHost(void** memory, std::size_t bytes);
cudaError_t cudaFreeHost(void* memory);
cudaError_t cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes);
cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream);

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const* function);
cudaError_t cudaFuncSetAttribute(void const* function, cudaFuncAttribute attribute, int value);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const* function, int threads,
                                                          std::size_t dynamic_shared);
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, void const* function, cudaLaunchConfig_t const* config);

/// The arguments are those of the moment of the call.
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(cudaLaunchConfig_t const* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
    auto const kept = std::make_shared<std::tuple<Parameters...>>(std::forward<Arguments>(arguments)...);
    emulated_gpu::Launch launch;
    launch.function = reinterpret_cast<void const*>(kernel);
    launch.body = [kernel, kept] { std::apply(kernel, *kept); };
    std::apply([&](auto const&... each) { (launch.arguments.push_back({&each, sizeof each}), ...); }, *kept);
    launch.blocks = config->gridDim.x;
    launch.threads = config->blockDim.x;
    launch.shared_bytes = config->dynamicSmemBytes;
    for (unsigned a = 0; a < config->numAttrs; ++a)
        if (config->attrs[a].id == cudaLaunchAttributeClusterDimension)
            launch.cluster = config->attrs[a].val.clusterDim.x;
    return static_cast<cudaError_t>(emulated_gpu::start(std::move(launch), config->stream));
}
