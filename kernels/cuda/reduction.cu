#include "kernels/cuda/reduction.cuh"

#include "kernels/common/by_threads.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/cuda/team.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>

#include <algorithm>
#include <iterator>

namespace tailback::kernels {
namespace {

constexpr std::uint64_t no_value = ~std::uint64_t{0};  ///< above every value there can be
constexpr unsigned threads = 256;
unsigned blocks_for(std::uint32_t count) { return std::min(1024u, (count + threads - 1) / threads); }

/// Adds what a warp's members bring to `total`.
__device__ void add_warp_sum(std::uint64_t mine, std::uint64_t* total) {
    std::uint64_t const sum = CudaTeam::warp_sum(mine);
    if (CudaTeam::lane() == 0 && sum != 0)
        atomicAdd(reinterpret_cast<unsigned long long*>(total), static_cast<unsigned long long>(sum));
}

__global__ void sum_kernel(MappingTally const* tallies, std::uint32_t count, std::uint64_t* flows) {
    std::uint64_t sums[summed_parts] = {};
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        MappingTally const tally = tallies[i];
        sums[0] += tally.delivered;
        sums[1] += tally.unreachable;
        sums[2] += tally.loop;
        sums[3] += tally.misdelivered;
        sums[4] += tally.local;
        sums[5] += tally.within_nodes;
    }
    for (std::uint32_t k = 0; k < summed_parts; ++k) add_warp_sum(sums[k], &flows[k]);
}

/// One number of every mapping as keys. `limit`: counted are values that reach it.
__global__ void key_kernel(MappingTally const* tallies, std::uint32_t count, MappingNumber number, std::uint64_t* keys,
                           std::uint64_t limit, std::uint64_t* undefined, std::uint64_t* beyond) {
    std::uint64_t missing = 0, large = 0;
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        bool const defined = is_defined(number, tallies[i]);
        keys[i] = defined ? value_of(number, tallies[i]) : no_value;
        missing += !defined;
        large += defined && keys[i] >= limit;
    }
    add_warp_sum(missing, undefined);
    add_warp_sum(large, beyond);
}

/// Places of the first keys that equal the lowest and the highest value.
__global__ void first_kernel(std::uint64_t const* keys, std::uint32_t count, std::uint64_t const* distinct,
                             std::uint32_t const* runs, std::uint32_t* lowest_at, std::uint32_t* highest_at) {
    std::uint64_t const lowest = distinct[0];
    std::uint32_t last = *runs - 1;
    if (last > 0 && distinct[last] == no_value) --last;
    std::uint64_t const highest = distinct[last];
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        std::uint64_t const key = keys[i];
        // Where most keys are equal, most are no candidates any more: atomics of all of them would queue.
        if (key == lowest && i < *static_cast<std::uint32_t volatile*>(lowest_at)) atomicMin(lowest_at, i);
        if (key == highest && i < *static_cast<std::uint32_t volatile*>(highest_at)) atomicMin(highest_at, i);
    }
}

/// Millions of values are paired by several threads.
ValueCounts::Sorted paired(std::uint64_t const* values, std::uint32_t const* counts, std::size_t count) {
    ValueCounts::Sorted pairs(count);  // not written
    std::size_t const parts =
        std::clamp<std::size_t>(count / ValueCounts::values_a_thread, 1, std::max(1u, threads_to_use(0)));
    by_threads(parts, [&](std::size_t part) {
        for (std::size_t i = count * part / parts; i < count * (part + 1) / parts; ++i)
            pairs[i] = {values[i], counts[i]};
    });
    return pairs;
}

}  // namespace

bool DeviceReduction::has_room(std::uint64_t first, std::uint32_t count) const {
    Held const& held = held_[now_];
    return held.count > 0 && first >= held.after && count <= held.room - held.count;
}

void DeviceReduction::begin(std::uint32_t count) {
    constexpr std::uint32_t most_keys = 1 << 23, most_batches = 16;
    Held& held = held_[now_];
    std::uint32_t const wished =
        std::min<std::uint64_t>(most_keys / std::max(1u, wanted_.count), std::uint64_t{most_batches} * count);
    held.room = std::max(count, wished);
    held.batches.clear();
    held.found.make_room(1);
    Found* const found = held.found.data();
    check(cudaMemsetAsync(found, 0, offsetof(Found, lowest_at), stream()), "clearing sums");
    check(cudaMemsetAsync(found->lowest_at, 0xFF, sizeof(Found) - offsetof(Found, lowest_at), stream()),
          "clearing sums");
    for (std::uint32_t which = 0; which < wanted_.count; ++which) {
        held.keys[which].make_room(held.room);
        held.bits[which] = values_[which].bits;
    }
}

void DeviceReduction::hold(MappingTally const* tallies, std::uint64_t first, std::uint32_t count,
                           WantedNumbers const& wanted) {
    wanted_ = wanted;
    if (!holds()) begin(count);
    Held& held = held_[now_];
    Found* const found = held.found.data();
    launch(sum_kernel, blocks_for(count), threads, 0, stream(), tallies, count, found->flows);
    for (std::uint32_t which = 0; which < wanted.count; ++which)
        launch(key_kernel, blocks_for(count), threads, 0, stream(), tallies, count, wanted.number[which],
               held.keys[which].data() + held.count, held.limit(which), &found->undefined[which],
               &found->beyond[which]);
    held.batches.push_back({held.count, first});
    held.count += count;
    held.after = first + count;
}

void DeviceReduction::sort() {
    Held const& held = held_[now_];
    now_ = 1 - now_;
    all_held_.record(stream());
    all_held_.hold(sorting_.get());
    for (std::uint32_t which = 0; which < wanted_.count; ++which) sort(held, which);
    host_.make_room(1);
    copy_to_host(host_.data(), held.found.data(), 1, sorting_.get());
}

void DeviceReduction::sort(Held const& held, std::uint32_t which) {
    Values& v = values_[which];
    sorted_.make_room(held.count);
    v.distinct.make_room(held.count);
    v.counts.make_room(held.count);
    Found* const found = held.found.data();
    std::uint64_t const* const keys = held.keys[which].data();
    auto const with_work = [&](auto&& call) {
        std::size_t bytes = 0;
        check(call(nullptr, bytes), "measuring a reduction");
        work_.make_room(bytes);
        check(call(work_.data(), bytes), "reducing tallies");
    };
    with_work([&](void* work, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(work, bytes, keys, sorted_.data(), held.count, 0,
                                              static_cast<int>(held.bits[which]), sorting_.get());
    });
    with_work([&](void* work, std::size_t& bytes) {
        return cub::DeviceRunLengthEncode::Encode(work, bytes, sorted_.data(), v.distinct.data(), v.counts.data(),
                                                  &found->runs[which], held.count, sorting_.get());
    });
    launch(first_kernel, blocks_for(held.count), threads, 0, sorting_.get(), keys, held.count, v.distinct.data(),
           &found->runs[which], &found->lowest_at[which], &found->highest_at[which]);
}

void DeviceReduction::sort_again(std::uint32_t which) {
    Held& held = held_[1 - now_];
    Found* const found = held.found.data();
    held.bits[which] = 64;
    for (std::uint32_t* const place : {&found->lowest_at[which], &found->highest_at[which]})
        check(cudaMemsetAsync(place, 0xFF, sizeof *place, sorting_.get()), "clearing places");
    sort(held, which);
    copy_to_host(host_.data(), found, 1, sorting_.get());
    sorting_.wait();
}

Reduction DeviceReduction::fetch() {
    sorting_.wait();
    for (std::uint32_t which = 0; which < wanted_.count; ++which)
        if (host_.data()->beyond[which] > 0) sort_again(which);
    Held& held = held_[1 - now_];
    Found const& found = *host_.data();
    Reduction sum;
    sum.mappings = held.count;
    sum.delivered = found.flows[0];
    sum.unreachable = found.flows[1];
    sum.loop = found.flows[2];
    sum.misdelivered = found.flows[3];
    sum.local = found.flows[4];
    sum.within_nodes = found.flows[5];
    for (std::uint32_t which = 0; which < wanted_.count; ++which)
        sum.number[which] = {fetch(which), found.undefined[which]};
    held.count = 0;
    return sum;
}

ValuesSeen DeviceReduction::fetch(std::uint32_t which) {
    Held const& held = held_[1 - now_];
    Values& v = values_[which];
    ValuesSeen seen;
    Found const& found = *host_.data();
    std::uint32_t const runs = found.runs[which];
    host_distinct_.make_room(runs);
    host_counts_.make_room(runs);
    copy_to_host(host_distinct_.data(), v.distinct.data(), runs, sorting_.get());
    copy_to_host(host_counts_.data(), v.counts.data(), runs, sorting_.get());
    sorting_.wait();
    bool const ends_undefined = runs > 0 && host_distinct_.data()[runs - 1] == no_value;
    ValueCounts::Sorted counts = paired(host_distinct_.data(), host_counts_.data(), runs - (ends_undefined ? 1 : 0));
    if (counts.empty()) return seen;
    seen.lowest = counts.front().first;
    seen.first_of_lowest = held.mapping_at(found.lowest_at[which]);
    seen.highest = counts.back().first;
    seen.first_of_highest = held.mapping_at(found.highest_at[which]);
    v.bits_seen = std::max(v.bits_seen, bit_width(seen.highest + 1));
    v.bits = (v.bits_seen + 7) / 8 * 8;
    seen.counts.assign(std::move(counts));
    return seen;
}

std::uint64_t DeviceReduction::Held::mapping_at(std::uint32_t place) const {
    auto const next = std::upper_bound(batches.begin(), batches.end(), place,
                                       [](std::uint32_t p, Batch const& batch) { return p < batch.at; });
    Batch const& batch = *std::prev(next);
    return batch.first + (place - batch.at);
}

}  // namespace tailback::kernels
