#include "bench/cuda_roofline.hpp"

#include "bench/rooms.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/team.cuh"

#include <algorithm>
#include <vector>

namespace tailback::bench {
namespace {

constexpr std::uint32_t threads = 1024, rounds = 2048;

struct Device {
    Device() {
        int ordinal = 0;
        check(cudaGetDevice(&ordinal), "finding the current device");
        check(cudaGetDeviceProperties(&properties, ordinal), "reading the device's properties");
    }
    unsigned multiprocessors() const { return static_cast<unsigned>(properties.multiProcessorCount); }
    cudaDeviceProp properties{};
};

/// Median seconds of what `start` launches, the first run left out.
template <class Start>
double median_seconds(Start&& start) {
    cudaEvent_t from, to;
    check(cudaEventCreate(&from), "making an event");
    check(cudaEventCreate(&to), "making an event");
    std::vector<double> seconds;
    for (int i = 0; i < 8; ++i) {
        check(cudaEventRecord(from), "recording an event");
        start();
        check(cudaGetLastError(), "starting a kernel");
        check(cudaEventRecord(to), "recording an event");
        check(cudaEventSynchronize(to), "a kernel");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, from, to), "timing");
        if (i > 0) seconds.push_back(milliseconds * 1e-3);
    }
    check(cudaEventDestroy(from), "ending an event");
    check(cudaEventDestroy(to), "ending an event");
    std::nth_element(seconds.begin(), seconds.begin() + 3, seconds.end());
    return seconds[3];
}

/// A thread's random words, in registers. Every use of one is varied by the same bits in all threads, which leaves the
/// words of a warp as random towards each other as they were drawn: who meets whom in a bank stays, where does not.
struct RandomWords {
    std::uint32_t word[roofline_words];
    __device__ RandomWords() {
        for (std::uint32_t k = 0; k < roofline_words; k += 4) {
            PhiloxBlock const four = roofline_block(blockIdx.x * blockDim.x + threadIdx.x, k / 4);
            for (std::uint32_t j = 0; j < 4; ++j) word[k + j] = four.word[j];
        }
    }
    /// `k` is known when compiling, `turn` differs from use to use.
    __device__ std::uint32_t operator()(std::uint32_t k, std::uint32_t turn) const {
        return word[k] ^ turn * 2654435761u;
    }
};

enum class Access { add, add_apart, read };

template <Access access>
__global__ void __launch_bounds__(threads) shared_kernel(std::uint32_t* out) {
    constexpr std::uint32_t words = 8192;
    __shared__ std::uint32_t word[words];
    for (std::uint32_t w = threadIdx.x; w < words; w += blockDim.x) word[w] = w;
    __syncthreads();
    RandomWords const random;
    std::uint32_t sum = 0;
    for (std::uint32_t turn = 0; turn < rounds / roofline_words; ++turn)
#pragma unroll
        for (std::uint32_t k = 0; k < roofline_words; ++k) {
            std::uint32_t const at = random(k, turn) % words;
            if constexpr (access == Access::add) atomicAdd(&word[at], 1u);
            else if constexpr (access == Access::add_apart)
                atomicAdd(&word[(at / 32 * 32 + threadIdx.x % 32) % words], 1u);
            else sum += word[at];
        }
    __syncthreads();
    if (sum + word[threadIdx.x] == 0xFFFFFFFFu) out[0] = sum;
}

/// `mask`: entries - 1, a power of two less one.
template <class Entry>
__global__ void __launch_bounds__(threads) gather_kernel(Entry const* table, std::uint32_t mask, std::uint32_t* out) {
    RandomWords const random;
    std::uint32_t sum = 0;
    for (std::uint32_t turn = 0; turn < rounds / roofline_words; ++turn) {
        Entry found[roofline_words];
#pragma unroll
        for (std::uint32_t k = 0; k < roofline_words; ++k) found[k] = table[random(k, turn) & mask];
#pragma unroll
        for (std::uint32_t k = 0; k < roofline_words; ++k) sum += found[k].x + found[k].y;
    }
    if (sum == 0xFFFFFFFFu) out[0] = sum;
}

__global__ void __launch_bounds__(threads) global_add_kernel(std::uint32_t* table, std::uint32_t mask) {
    RandomWords const random;
    for (std::uint32_t turn = 0; turn < rounds / 8 / roofline_words; ++turn)
#pragma unroll
        for (std::uint32_t k = 0; k < roofline_words; ++k) atomicAdd(&table[random(k, turn) & mask], 1u);
}

template <bool by_cells>
__global__ void __launch_bounds__(threads, 1)
    warp_permutation_kernel(std::uint32_t ranks, std::uint32_t count, std::size_t bytes, std::uint32_t* out) {
    extern __shared__ uint4 shared[];
    std::uint32_t const warp = threadIdx.x / 32, warps = blockDim.x / 32;
    auto* const targets = reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(shared) + warp * bytes);
    auto* const order = reinterpret_cast<std::uint16_t*>(targets + target_words(32, claim_cells(32)));
    LaneTeam<by_cells> team;
    for (std::uint32_t m = blockIdx.x * warps + warp; m < count; m += gridDim.x * warps) {
        draw_permutation(team, Draw{std::uint64_t{1}, Stream::mapping, m, ranks, ranks}, targets, order);
        if (team.leads() && order[ranks - 1] == 0xFFFF) out[0] = m;
    }
}

template <class HostWord>
__global__ void __launch_bounds__(threads, 1)
    block_permutation_kernel(std::uint32_t ranks, std::uint32_t count, std::uint32_t claims, HostWord* far,
                             std::uint32_t* out) {
    extern __shared__ uint4 shared[];
    __shared__ std::uint64_t exchange[BlockTeam::exchange_words];
    auto* const targets = reinterpret_cast<std::uint32_t*>(shared);
    HostWord* const order = far != nullptr ? far + std::size_t{blockIdx.x} * ranks
                                           : reinterpret_cast<HostWord*>(targets + target_words(blockDim.x, claims));
    BlockTeam team{exchange, claims};
    for (std::uint32_t m = blockIdx.x; m < count; m += gridDim.x) {
        draw_permutation(team, Draw{std::uint64_t{1}, Stream::mapping, m, ranks, ranks}, targets, order);
        if (team.leads() && order[ranks - 1] == static_cast<HostWord>(~0u)) out[0] = m;
    }
}

template <class Kernel>
unsigned fit(Kernel kernel, unsigned block, std::size_t bytes, Device const& device) {
    auto const* const address = reinterpret_cast<void const*>(kernel);
    allow_shared(address, bytes);
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, address, static_cast<int>(block), bytes),
          "asking for the occupancy");
    return static_cast<unsigned>(std::max(1, blocks)) * device.multiprocessors();
}

}  // namespace

CudaRoofline const& measure_cuda_roofline() {
    static CudaRoofline const measured = [] {
        CudaRoofline r;
        Device const device;
        unsigned const blocks = 2 * device.multiprocessors();
        double const accesses = double(blocks) * threads * rounds;
        DeviceArray<std::uint32_t> out(1);
        r.shared_adds = accesses / median_seconds([&] { shared_kernel<Access::add><<<blocks, threads>>>(out.data()); });
        r.shared_adds_apart =
            accesses / median_seconds([&] { shared_kernel<Access::add_apart><<<blocks, threads>>>(out.data()); });
        r.shared_reads =
            accesses / median_seconds([&] { shared_kernel<Access::read><<<blocks, threads>>>(out.data()); });
        std::size_t const sizes[] = {std::size_t{16} << 10, std::size_t{16} << 20, std::size_t{1} << 30};
        DeviceArray<std::uint32_t> table = DeviceArray<std::uint32_t>::zeros(sizes[2] / 4), copy(sizes[2] / 4);
        for (int s = 0; s < 3; ++s) {
            auto const* const pairs = reinterpret_cast<uint2 const*>(table.data());
            auto const* const fours = reinterpret_cast<uint4 const*>(table.data());
            auto const mask8 = static_cast<std::uint32_t>(sizes[s] / 8 - 1),
                       mask16 = static_cast<std::uint32_t>(sizes[s] / 16 - 1);
            r.gathers8[s] =
                accesses / median_seconds([&] { gather_kernel<<<blocks, threads>>>(pairs, mask8, out.data()); });
            r.gathers16[s] =
                accesses / median_seconds([&] { gather_kernel<<<blocks, threads>>>(fours, mask16, out.data()); });
        }
        auto const mask = static_cast<std::uint32_t>(sizes[1] / 4 - 1);
        r.l2_adds = accesses / 8 / median_seconds([&] { global_add_kernel<<<blocks, threads>>>(table.data(), mask); });
        r.copied_bytes =
            2.0 * double(sizes[2]) / median_seconds([&] {
                check(cudaMemcpyAsync(copy.data(), table.data(), sizes[2], cudaMemcpyDeviceToDevice), "copying");
            });
        return r;
    }();
    return measured;
}

namespace {

/// Bytes of a warp's places, targets and cells.
std::size_t bytes_of_warp(std::uint32_t ranks) {
    return (ranks * sizeof(std::uint16_t) + target_words(32, claim_cells(32)) * sizeof(std::uint32_t) + 15) / 16 * 16;
}
std::size_t room_of_block(Device const& device) { return device.properties.sharedMemPerBlockOptin - 800; }

}  // namespace

double measure_cuda_warp_permutation(std::uint32_t ranks, bool by_cells) {
    Device const device;
    DeviceArray<std::uint32_t> const out(1);
    std::size_t const bytes = bytes_of_warp(ranks);
    auto const warps = static_cast<unsigned>(std::min<std::size_t>(32, room_of_block(device) / bytes));
    auto const seconds = [&](auto* kernel) {
        unsigned const blocks = fit(kernel, 32 * warps, warps * bytes, device);
        std::uint32_t const count = blocks * warps * 32;
        return median_seconds([&] { kernel<<<blocks, 32 * warps, warps * bytes>>>(ranks, count, bytes, out.data()); }) /
               count;
    };
    return by_cells ? seconds(warp_permutation_kernel<true>) : seconds(warp_permutation_kernel<false>);
}

double measure_cuda_permutation(std::uint32_t ranks) {
    Device const device;
    DeviceArray<std::uint32_t> const out(1);
    std::size_t const room = room_of_block(device);
    if (ranks <= 0x10000 && 8 * bytes_of_warp(ranks) <= room)
        return measure_cuda_warp_permutation(ranks, WarpTeam::finds_by_cells);
    unsigned const block = 512;
    std::uint32_t const claims = 4 * claim_cells(block);
    std::size_t const targets = target_words(block, claims) * sizeof(std::uint32_t),
                      near = targets + ranks * sizeof(std::uint16_t);
    if (ranks <= 0x10000 && near <= room) {
        unsigned const blocks = fit(block_permutation_kernel<std::uint16_t>, block, near, device);
        std::uint32_t const count = blocks * 8;
        return median_seconds([&] {
                   block_permutation_kernel<std::uint16_t>
                       <<<blocks, block, near>>>(ranks, count, claims, nullptr, out.data());
               }) /
               count;
    }
    unsigned const blocks = fit(block_permutation_kernel<std::uint32_t>, block, targets, device);
    DeviceArray<std::uint32_t> order(std::size_t{blocks} * ranks);
    return median_seconds([&] {
               block_permutation_kernel<std::uint32_t>
                   <<<blocks, block, targets>>>(ranks, blocks, claims, order.data(), out.data());
           }) /
           blocks;
}

}  // namespace tailback::bench
