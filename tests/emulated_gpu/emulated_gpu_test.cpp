// The emulated device does what CUDA defines, and finds what CUDA leaves undefined: each way to be wrong that it is
// there for is tried.
#include <cuda_runtime.h>

#include "kernels/cuda/memory.cuh"
#include "tests/support/rooms.hpp"

#include <cooperative_groups.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

namespace {

/// Of this whole program: a GPU is there, and it is slow.
class WithEmulatedGpu : public ::testing::Environment {
public:
    void SetUp() override {
        setenv("TAILBACK_REQUIRE_GPU", "1", 1);
        setenv("TAILBACK_SMALL_CASES", "1", 1);
    }
};
::testing::Environment* const with_emulated_gpu = ::testing::AddGlobalTestEnvironment(new WithEmulatedGpu);

using tailback::CudaEvent, tailback::CudaStream, tailback::upload;
using Words = tailback::DeviceArray<std::uint32_t>;
std::vector<std::uint32_t> fetched(Words const& words) {
    std::vector<std::uint32_t> host(words.size());
    words.fetch(host.data());
    return host;
}

class EmulatedGpu : public ::testing::Test {
protected:
    void SetUp() override { emulated_gpu::reset(); }
    void TearDown() override { emulated_gpu::reset(); }

    static cudaLaunchConfig_t shape(unsigned blocks, unsigned threads, std::size_t shared_bytes = 0) {
        cudaLaunchConfig_t config{};
        config.gridDim = blocks;
        config.blockDim = threads;
        config.dynamicSmemBytes = shared_bytes;
        return config;
    }
    template <class Kernel, class... Arguments>
    static std::string failure_of(unsigned threads, Kernel* kernel, Arguments... arguments) {
        cudaLaunchConfig_t const config = shape(1, threads);
        EXPECT_EQ(cudaLaunchKernelEx(&config, kernel, arguments...), cudaSuccess);
        cudaDeviceSynchronize();
        return emulated_gpu::failure();
    }
};

/// Each thread tells its right neighbour, and hears from its left one.
template <bool with_barrier>
__global__ void pass_on(std::uint32_t* heard) {
    __shared__ std::uint32_t said[256];
    said[(threadIdx.x + 1) % 256] = 7 * threadIdx.x + 1;
    if (with_barrier) __syncthreads();
    heard[blockIdx.x * 256 + threadIdx.x] = said[threadIdx.x];
}

TEST_F(EmulatedGpu, BarriersOrderAndTheirLackShows) {
    std::vector<std::uint32_t> want(4 * 256);
    for (std::uint32_t i = 0; i < want.size(); ++i) want[i] = 7 * ((i + 255) % 256) + 1;
    cudaLaunchConfig_t const config = shape(4, 256);
    Words heard(want.size());
    cudaDeviceSynchronize();
    cudaLaunchKernelEx(&config, pass_on<true>, heard.data());
    EXPECT_EQ(fetched(heard), want);
    cudaLaunchKernelEx(&config, pass_on<false>, heard.data());
    EXPECT_NE(fetched(heard), want);
}

__global__ void warp_operations(std::uint32_t* out) {
    std::uint32_t const lane = threadIdx.x % 32;
    std::uint32_t* const mine = out + 5 * threadIdx.x;
    mine[0] = __reduce_add_sync(0xFFFFFFFFu, threadIdx.x);
    mine[1] = __reduce_max_sync(0xFFFFFFFFu, lane * 37 % 32 + threadIdx.x / 32);
    mine[2] = __ballot_sync(0xFFFFFFFFu, lane % 5 == 0);
    mine[3] = __match_any_sync(0xFFFFFFFFu, lane % 3);
    mine[4] = static_cast<std::uint32_t>(__syncthreads_or(threadIdx.x == 40));
}

TEST_F(EmulatedGpu, WarpOperationsAreTheirDefinitions) {
    Words out(64 * 5);
    cudaDeviceSynchronize();
    cudaLaunchConfig_t const config = shape(1, 64);
    cudaLaunchKernelEx(&config, warp_operations, out.data());
    std::vector<std::uint32_t> const got = fetched(out);
    for (std::uint32_t t = 0; t < 64; ++t) {
        std::uint32_t fifths = 0, same = 0;
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            fifths |= lane % 5 == 0 ? 1u << lane : 0;
            same |= lane % 3 == t % 32 % 3 ? 1u << lane : 0;
        }
        EXPECT_EQ(std::vector(got.begin() + 5 * t, got.begin() + 5 * t + 5),
                  (std::vector<std::uint32_t>{t < 32 ? 496u : 1520u, 31 + t / 32, fifths, same, 1}));
    }
}

__global__ void count(std::uint32_t* counters) {
    atomicAdd(counters, 1u);
    atomicMax(counters + 1, threadIdx.x);
    atomicOr(counters + 2, 1u << threadIdx.x % 32);
    atomicMin(counters + 3, threadIdx.x + 5);
}

TEST_F(EmulatedGpu, AtomicsOfAllBlocksAddUp) {
    std::vector<std::uint32_t> const start = {0, 0, 0, 99};
    Words counters = upload(start.data(), start.size());
    cudaLaunchConfig_t const config = shape(50, 64);
    cudaLaunchKernelEx(&config, count, counters.data());
    EXPECT_EQ(fetched(counters), (std::vector<std::uint32_t>{3200, 63, 0xFFFFFFFF, 5}));
}

/// Every block adds up the words of all blocks of its cluster.
__global__ void reach_over(std::uint32_t* sums) {
    __shared__ std::uint32_t own;
    auto const cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) own = 1u << cluster.block_rank();
    cluster.sync();
    if (threadIdx.x == 0)
        for (unsigned other = 0; other < cluster.num_blocks(); ++other)
            sums[blockIdx.x] += *cluster.map_shared_rank(&own, other);
    cluster.sync();
}

TEST_F(EmulatedGpu, BlocksOfAClusterReachIntoEachOthersMemory) {
    Words sums = Words::zeros(16);
    cudaDeviceSynchronize();
    cudaLaunchConfig_t config = shape(16, 32);
    cudaLaunchAttribute cluster{cudaLaunchAttributeClusterDimension, {{8, 1, 1}}};
    config.attrs = &cluster;
    config.numAttrs = 1;
    EXPECT_EQ(cudaLaunchKernelEx(&config, reach_over, sums.data()), cudaSuccess);
    EXPECT_EQ(fetched(sums), std::vector<std::uint32_t>(16, 255));
    EXPECT_EQ(emulated_gpu::failure(), "");
}

__global__ void half_waits() {
    if (threadIdx.x < 32) __syncthreads();
}
__global__ void lanes_differ() {
    if (threadIdx.x % 2 == 0) __syncwarp();
    else __reduce_add_sync(0xFFFFFFFFu, 1u);
}
__global__ void one_block_leaves() {
    if (blockIdx.x == 0) cooperative_groups::this_cluster().sync();
}

TEST_F(EmulatedGpu, BarriersThatNotAllReachAreFailures) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "AddressSanitizer takes what unwinds a fiber for an overflow";
#endif
    EXPECT_NE(failure_of(64, half_waits)
                  .find("waits for ever: of 64 threads 32 have ended, 0 wait for their warp, 32 for the block"),
              std::string::npos);
    emulated_gpu::reset();
    EXPECT_NE(failure_of(32, lanes_differ).find("different operations"), std::string::npos);
    emulated_gpu::reset();
    cudaLaunchConfig_t config = shape(2, 32);
    cudaLaunchAttribute cluster{cudaLaunchAttributeClusterDimension, {{2, 1, 1}}};
    config.attrs = &cluster;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, one_block_leaves);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    EXPECT_NE(emulated_gpu::failure().find("waits for ever"), std::string::npos);
}

}  // namespace
namespace tailback::kernels::kernel {
extern thread_local uint4 shared_words[];
}
namespace {

__global__ void write_shared(std::size_t word) { tailback::kernels::kernel::shared_words[word].x = threadIdx.x; }
__global__ void write_global(std::uint32_t* words, std::size_t at) { words[at] = 1; }
__global__ void take_pointer(std::uint32_t const*) {}

TEST_F(EmulatedGpu, MemoryThatIsNotTheKernelsIsNotTouched) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "AddressSanitizer watches this memory itself";
#endif
    EXPECT_NE(failure_of(32, write_shared, std::size_t{0}).find("beyond its shared memory"), std::string::npos);
    emulated_gpu::reset();
    auto const on_heap = std::make_unique<std::uint32_t[]>(1 << 24);
    std::uint32_t const* pointer = on_heap.get();
    if ((reinterpret_cast<std::uintptr_t>(pointer) & 0xFFFFFFFF) < 1 << 24)
        pointer += 1 << 22;  // or it would pass for a number
    EXPECT_NE(failure_of(32, take_pointer, pointer).find("pointer to host memory"), std::string::npos);
    emulated_gpu::reset();
    Words words(4);
    EXPECT_EQ(failure_of(32, take_pointer, words.data()), "");
    EXPECT_EQ(failure_of(32, write_global, words.data(), std::size_t{3}), "");
    EXPECT_DEATH(failure_of(32, write_global, words.data(), std::size_t{4}), "");
    EXPECT_DEATH(*words.data() = 1, "");
}

/// What cudaMallocHost gave, cudaFreeHost takes back, by a broken device, too. Nothing else is taken.
TEST_F(EmulatedGpu, PinnedMemoryIsGivenBackEvenByABrokenDevice) {
    void *first = nullptr, *second = nullptr;
    ASSERT_EQ(cudaMallocHost(&first, 100), cudaSuccess);
    ASSERT_EQ(cudaMallocHost(&second, 100), cudaSuccess);
    EXPECT_EQ(emulated_gpu::pinned_arrays(), 2u);
    int mine = 0;
    EXPECT_EQ(cudaFreeHost(&mine), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeHost(nullptr), cudaSuccess);
    EXPECT_EQ(cudaFreeHost(first), cudaSuccess);
    EXPECT_EQ(cudaFreeHost(first), cudaErrorInvalidValue);
    EXPECT_EQ(emulated_gpu::pinned_arrays(), 1u);
    emulated_gpu::break_at(1);
    EXPECT_EQ(cudaFreeHost(second), cudaErrorLaunchFailure);
    EXPECT_EQ(emulated_gpu::pinned_arrays(), 0u);
    EXPECT_EQ(cudaFreeHost(&mine), cudaErrorLaunchFailure);
}

TEST_F(EmulatedGpu, StreamsWorkWhenSomebodyWaits) {
    std::vector<std::uint32_t> const start = {1, 2, 3, 4};
    Words words = upload(start.data(), start.size());
    cudaDeviceSynchronize();
    CudaStream first, second;
    CudaEvent event;
    std::uint32_t on_host[4] = {};

    cudaMemsetAsync(words.data(), 0, 8, first.get());
    event.record(first.get());
    cudaMemsetAsync(words.data(), 0xFF, 4, first.get());
    event.hold(second.get());
    cudaMemcpyAsync(on_host, words.data(), sizeof on_host, cudaMemcpyDeviceToHost, second.get());
    EXPECT_EQ(on_host[2], 0u);  // nothing has happened yet
    EXPECT_EQ(fetched(words), start);
    second.wait();  // brings the first stream to the event, and no further
    EXPECT_EQ(std::vector(on_host, on_host + 4), (std::vector<std::uint32_t>{0, 0, 3, 4}));
    first.wait();
    EXPECT_EQ(fetched(words), (std::vector<std::uint32_t>{~0u, 0, 3, 4}));

    Words fresh = Words::zeros(2);  // zeros, but by the default stream's work
    cudaMemsetAsync(fresh.data(), 1, 8, first.get());
    first.wait();
    EXPECT_EQ(fetched(fresh), (std::vector<std::uint32_t>{0, 0}));
}

/// Not atomically: two of them at once would lose counts.
__global__ void count_up(std::uint32_t* counter) {
    if (threadIdx.x == 0)
        for (int i = 0; i < 1000; ++i) {
            std::uint32_t const old = *static_cast<std::uint32_t volatile*>(counter);
            *static_cast<std::uint32_t volatile*>(counter) = old + 1;
        }
}

/// Blocks wait until the other kernel's block has come, too.
__global__ void meet_the_other(std::uint32_t* come) {
    if (threadIdx.x == 0) {
        atomicAdd(come, 1u);
        for (int patience = 0; patience < 100'000'000 && atomicAdd(come, 0u) < 2; ++patience) {
        }
        atomicMax(come + 1, atomicAdd(come, 0u));
    }
}

TEST_F(EmulatedGpu, KernelsOfTwoStreamsRunAtOnceUnlessAnEventForbids) {
    for (bool const held : {false, true}) {
        std::vector<std::uint32_t> const start(2);
        Words come = upload(start.data(), start.size());
        cudaDeviceSynchronize();
        CudaStream first, second;
        CudaEvent event;
        auto* const kernel = held ? count_up : meet_the_other;
        tailback::launch(kernel, 1, 32, 0, first.get(), come.data());
        event.record(first.get());
        if (held) event.hold(second.get());
        tailback::launch(kernel, 1, 32, 0, second.get(), come.data());
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(fetched(come)[0], held ? 2 * 1000u : 2u);
        EXPECT_EQ(fetched(come)[1], held ? 0u : 2u);
    }
}

TEST_F(EmulatedGpu, LaunchesThatADeviceRefusesAreRefused) {
    auto const launched = [](cudaLaunchConfig_t config, unsigned blocks_a_cluster = 1) {
        cudaLaunchAttribute cluster{cudaLaunchAttributeClusterDimension, {{blocks_a_cluster, 1, 1}}};
        config.attrs = &cluster;
        config.numAttrs = blocks_a_cluster > 1;
        return cudaLaunchKernelEx(&config, half_waits);
    };
    auto const* const kernel = reinterpret_cast<void const*>(half_waits);
    for (cudaLaunchConfig_t const& config : {shape(0, 32), shape(1, 0), shape(1, 1056), shape(1, 32, 64 << 10)})
        EXPECT_EQ(launched(config), cudaErrorInvalidConfiguration);
    EXPECT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10), cudaSuccess);
    EXPECT_EQ(launched(shape(1, 32, 64 << 10)), cudaSuccess);
    EXPECT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(launched(shape(3, 32), 2), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launched(shape(16, 32), 16), cudaErrorInvalidConfiguration);
    EXPECT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), cudaSuccess);
    EXPECT_EQ(launched(shape(16, 32), 16), cudaSuccess);
    emulated_gpu::Device old;
    old.generation = 8;
    emulated_gpu::reset(old);
    EXPECT_EQ(launched(shape(2, 32), 2), cudaErrorInvalidConfiguration);
}

}  // namespace
