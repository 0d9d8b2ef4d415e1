#include "bench/cuda_roofline.hpp"

#include "bench/rooms.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/team.cuh"

#include <algorithm>
#include <chrono>
#include <vector>

namespace tailback::bench {
namespace {

struct Device {
    Device() {
        int ordinal = 0;
        check(cudaGetDevice(&ordinal), "finding the current device");
        check(cudaGetDeviceProperties(&properties, ordinal), "reading the device's properties");
    }
    unsigned multiprocessors() const { return static_cast<unsigned>(properties.multiProcessorCount); }
    /// Of a block, beside the words for its collectives.
    std::size_t shared_room() const { return properties.sharedMemPerBlockOptin - 800; }
    cudaDeviceProp properties{};
};

/// How the measuring kernels are started.
struct Scale {
    std::uint32_t threads, blocks, rounds;  ///< rounds: accesses of a thread, a multiple of roofline_words
    std::size_t tables[3];                  ///< bytes
    int runs;
};
Scale scale_of(RooflineSize size, Device const& device) {
    if (size == RooflineSize::small) return {32, 1, 2 * roofline_words, {1 << 10, 1 << 12, 1 << 14}, 2};
    return {1024,
            2 * device.multiprocessors(),
            2048,
            {std::size_t{16} << 10, std::size_t{16} << 20, std::size_t{1} << 30},
            8};
}

/// Median seconds of what `start` launches, by the host's clock, the first run left out: runs last milliseconds, a
/// launch and a wait some ten microseconds.
template <class Start>
double median_seconds(int runs, Start&& start) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> seconds;
    for (int i = 0; i < runs; ++i) {
        check(cudaDeviceSynchronize(), "a kernel");
        auto const from = Clock::now();
        start();
        check(cudaDeviceSynchronize(), "a kernel");
        if (i > 0) seconds.push_back(std::chrono::duration<double>(Clock::now() - from).count());
    }
    auto const middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    return *middle;
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

enum class Access { add, add_apart, read, ballot, match };
constexpr std::uint32_t shared_words = 8192;

/// `amount` is 1, which the compiler does not know: it has an instruction of its own for adding a constant 1, and the
/// kernels add amounts that they find at run time.
template <Access access>
__global__ void __launch_bounds__(1024) shared_kernel(std::uint32_t rounds, std::uint32_t amount, std::uint32_t* out) {
    auto* const word = reinterpret_cast<std::uint32_t*>(kernel::shared_memory());
    for (std::uint32_t w = threadIdx.x; w < shared_words; w += blockDim.x) word[w] = w;
    __syncthreads();
    RandomWords const random;
    std::uint32_t sum = 0;
    for (std::uint32_t turn = 0; turn < rounds / roofline_words; ++turn)
#pragma unroll
        for (std::uint32_t k = 0; k < roofline_words; ++k) {
            std::uint32_t const at = random(k, turn) % shared_words;
            if constexpr (access == Access::add) atomicAdd(&word[at], amount);
            else if constexpr (access == Access::add_apart)
                atomicAdd(&word[(at / 32 * 32 + threadIdx.x % 32) % shared_words], amount);
            else if constexpr (access == Access::ballot) sum += __ballot_sync(CudaTeam::all_lanes, (at & amount) != 0);
            else if constexpr (access == Access::match) sum += __match_any_sync(CudaTeam::all_lanes, at % 1142);
            else sum += word[at];
        }
    __syncthreads();
    if (sum + word[threadIdx.x] == 0xFFFFFFFFu) out[0] = sum;
}

struct alignas(8) Two {
    std::uint32_t word[2];
};
struct alignas(16) Four {
    std::uint32_t word[4];
};

/// All words of an entry are used, so that it is read whole. `mask`: entries - 1, a power of two less one.
template <class Entry>
__global__ void __launch_bounds__(1024)
    gather_kernel(std::uint32_t rounds, Entry const* table, std::uint32_t mask, std::uint32_t* out) {
    RandomWords const random;
    std::uint32_t sum = 0;
    for (std::uint32_t turn = 0; turn < rounds / roofline_words; ++turn) {
        Entry found[roofline_words];
#pragma unroll
        for (std::uint32_t k = 0; k < roofline_words; ++k) found[k] = table[random(k, turn) & mask];
#pragma unroll
        for (std::uint32_t k = 0; k < roofline_words; ++k)
            for (std::uint32_t const word : found[k].word) sum += word;
    }
    if (sum == 0xFFFFFFFFu) out[0] = sum;
}

template <class Word>
__global__ void __launch_bounds__(1024)
    global_add_kernel(std::uint32_t rounds, Word* table, std::uint32_t mask, Word amount) {
    RandomWords const random;
    for (std::uint32_t turn = 0; turn < rounds / roofline_words; ++turn)
#pragma unroll
        for (std::uint32_t k = 0; k < roofline_words; ++k) atomicAdd(&table[random(k, turn) & mask], amount);
}

__global__ void copy_kernel(Four const* from, Four* to, std::size_t count) {
    std::size_t const step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; k < count; k += step) to[k] = from[k];
}

template <FindBy by>
__global__ void __launch_bounds__(1024, 1)
    warp_permutation_kernel(std::uint32_t ranks, std::uint32_t count, std::size_t bytes, std::uint32_t* out) {
    std::uint32_t const warp = threadIdx.x / 32, warps = blockDim.x / 32;
    auto* const targets = reinterpret_cast<std::uint32_t*>(kernel::shared_memory() + warp * bytes);
    auto* const order = reinterpret_cast<std::uint16_t*>(targets + target_words(32, claim_cells(32)));
    LaneTeam<by> team;
    for (std::uint32_t m = blockIdx.x * warps + warp; m < count; m += gridDim.x * warps) {
        draw_permutation(team, Draw{std::uint64_t{1}, Stream::mapping, m, ranks, ranks}, targets, order);
        if (team.leads() && order[ranks - 1] == 0xFFFF) out[0] = m;
    }
}

template <class HostWord>
__global__ void __launch_bounds__(1024, 1)
    block_permutation_kernel(std::uint32_t ranks, std::uint32_t count, std::uint32_t claims, HostWord* far,
                             std::uint32_t* out) {
    __shared__ std::uint64_t exchange[BlockTeam::exchange_words];
    auto* const targets = reinterpret_cast<std::uint32_t*>(kernel::shared_memory());
    HostWord* const order = far != nullptr ? far + std::size_t{blockIdx.x} * ranks
                                           : reinterpret_cast<HostWord*>(targets + target_words(blockDim.x, claims));
    BlockTeam team{exchange, claims};
    for (std::uint32_t m = blockIdx.x; m < count; m += gridDim.x) {
        draw_permutation(team, Draw{std::uint64_t{1}, Stream::mapping, m, ranks, ranks}, targets, order);
        if (team.leads() && order[ranks - 1] == static_cast<HostWord>(~0u)) out[0] = m;
    }
}

/// Blocks that the device holds at once.
template <class Kernel>
unsigned fit(Kernel kernel, unsigned block, std::size_t bytes, Device const& device) {
    auto const* const address = reinterpret_cast<void const*>(kernel);
    allow_shared(address, bytes);
    prefer_shared(address, device.properties.sharedMemPerMultiprocessor, device.properties.sharedMemPerMultiprocessor);
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, address, static_cast<int>(block), bytes),
          "asking for the occupancy");
    return static_cast<unsigned>(std::max(1, blocks)) * device.multiprocessors();
}

/// Bytes of a warp's places, targets and cells.
std::size_t bytes_of_warp(std::uint32_t ranks) {
    return (ranks * sizeof(std::uint16_t) + target_words(32, claim_cells(32)) * sizeof(std::uint32_t) + 15) / 16 * 16;
}

class Measuring {
public:
    Measuring(RooflineSize size, Device const& device)
        : scale_(scale_of(size, device)),
          out_(1),
          table_(DeviceArray<unsigned char>::zeros(scale_.tables[2])),
          copy_(scale_.tables[2]) {}

    template <Access access>
    double shared() {
        return rate(scale_.rounds, [&] {
            launch(shared_kernel<access>, scale_.blocks, scale_.threads, shared_words * 4, nullptr, scale_.rounds, 1u,
                   out_.data());
        });
    }
    template <class Entry>
    double gathers(std::size_t bytes) {
        return rate(scale_.rounds, [&] {
            launch(gather_kernel<Entry>, scale_.blocks, scale_.threads, 0, nullptr, scale_.rounds,
                   reinterpret_cast<Entry const*>(table_.data()), mask_of<Entry>(bytes), out_.data());
        });
    }
    /// Words of the type as CUDA's atomics have it.
    template <class Word>
    double l2_adds() {
        std::uint32_t const rounds = std::max(roofline_words, scale_.rounds / 8);
        return rate(rounds, [&] {
            launch(global_add_kernel<Word>, scale_.blocks, scale_.threads, 0, nullptr, rounds,
                   reinterpret_cast<Word*>(table_.data()), mask_of<Word>(scale_.tables[1]), Word{1});
        });
    }
    double copied_bytes() {
        std::size_t const bytes = scale_.tables[2];
        return 2.0 * double(bytes) / median_seconds(scale_.runs, [&] {
                   launch(copy_kernel, scale_.blocks * 8, 256u, 0, nullptr,
                          reinterpret_cast<Four const*>(table_.data()), reinterpret_cast<Four*>(copy_.data()),
                          bytes / sizeof(Four));
               });
    }
    std::size_t table(int size) const { return scale_.tables[size]; }

private:
    template <class Start>
    double rate(std::uint32_t rounds, Start&& start) {
        return double(scale_.blocks) * scale_.threads * rounds / median_seconds(scale_.runs, start);
    }
    template <class Entry>
    static std::uint32_t mask_of(std::size_t bytes) {
        return static_cast<std::uint32_t>(bytes / sizeof(Entry) - 1);
    }
    Scale scale_;
    DeviceArray<std::uint32_t> out_;
    DeviceArray<unsigned char> table_, copy_;
};

}  // namespace

CudaRoofline measure_cuda_roofline(RooflineSize size) {
    Device const device;
    Measuring measuring(size, device);
    CudaRoofline r;
    r.shared_adds = measuring.shared<Access::add>();
    r.shared_adds_apart = measuring.shared<Access::add_apart>();
    r.shared_reads = measuring.shared<Access::read>();
    r.ballots = measuring.shared<Access::ballot>();
    r.matches = measuring.shared<Access::match>();
    for (int s = 0; s < 3; ++s) {
        r.gathers8[s] = measuring.gathers<Two>(measuring.table(s));
        r.gathers16[s] = measuring.gathers<Four>(measuring.table(s));
    }
    r.l2_adds = measuring.l2_adds<unsigned>();
    r.l2_wide_adds = measuring.l2_adds<unsigned long long>();
    r.copied_bytes = measuring.copied_bytes();
    return r;
}

double measure_cuda_warp_permutation(std::uint32_t ranks, FindBy by, RooflineSize size) {
    Device const device;
    bool const small = size == RooflineSize::small;
    DeviceArray<std::uint32_t> const out(1);
    std::size_t const bytes = bytes_of_warp(ranks);
    auto const warps = static_cast<unsigned>(std::min<std::size_t>(small ? 1 : 32, device.shared_room() / bytes));
    auto const seconds = [&](auto* kernel) {
        unsigned const blocks = small ? 1 : fit(kernel, 32 * warps, warps * bytes, device);
        allow_shared(reinterpret_cast<void const*>(kernel), warps * bytes);
        std::uint32_t const count = small ? 1 : blocks * warps * 32;
        return median_seconds(small ? 2 : 8,
                              [&] {
                                  launch(kernel, blocks, 32 * warps, warps * bytes, nullptr, ranks, count, bytes,
                                         out.data());
                              }) /
               count;
    };
    switch (by) {
        case FindBy::match: return seconds(warp_permutation_kernel<FindBy::match>);
        case FindBy::ballots: return seconds(warp_permutation_kernel<FindBy::ballots>);
        case FindBy::cells: break;
    }
    return seconds(warp_permutation_kernel<FindBy::cells>);
}

double measure_cuda_permutation(std::uint32_t ranks, RooflineSize size) {
    Device const device;
    bool const small = size == RooflineSize::small;
    DeviceArray<std::uint32_t> const out(1);
    std::size_t const room = device.shared_room();
    if (ranks <= 0x10000 && 8 * bytes_of_warp(ranks) <= room)
        return measure_cuda_warp_permutation(ranks, WarpTeam::finds_by, size);
    unsigned const block = 512;
    std::uint32_t const claims = 4 * claim_cells(block);
    std::size_t const targets = target_words(block, claims) * sizeof(std::uint32_t),
                      near = targets + ranks * sizeof(std::uint16_t);
    auto const seconds = [&](auto* kernel, auto* order, unsigned blocks, std::uint32_t count, std::size_t bytes) {
        allow_shared(reinterpret_cast<void const*>(kernel), bytes);
        return median_seconds(
                   small ? 2 : 8,
                   [&] { launch(kernel, blocks, block, bytes, nullptr, ranks, count, claims, order, out.data()); }) /
               count;
    };
    if (ranks <= 0x10000 && near <= room) {
        unsigned const blocks = small ? 1 : fit(block_permutation_kernel<std::uint16_t>, block, near, device);
        return seconds(block_permutation_kernel<std::uint16_t>, static_cast<std::uint16_t*>(nullptr), blocks,
                       small ? 1 : blocks * 8, near);
    }
    unsigned const blocks = small ? 1 : fit(block_permutation_kernel<std::uint32_t>, block, targets, device);
    DeviceArray<std::uint32_t> order(std::size_t{blocks} * ranks);
    return seconds(block_permutation_kernel<std::uint32_t>, order.data(), blocks, blocks, targets);
}

}  // namespace tailback::bench
