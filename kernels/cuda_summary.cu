#include "kernels/cuda_summary.cuh"

#include "kernels/cuda_team.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>

namespace tailback {
namespace {

constexpr std::uint64_t no_value = ~std::uint64_t{0};  ///< above every mean share
constexpr unsigned threads = 256;

/// The numbers of every mapping as keys; null: not asked for.
struct Keys {
    std::uint64_t* congestion_sum;
    std::uint64_t* mean_share;
    std::uint64_t* delay;
};

__global__ void split_kernel(MappingTally const* tallies, std::uint32_t count, unsigned mean_share_bits, Keys keys, std::uint64_t* fates) {
    std::uint64_t sums[6] = {};
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        MappingTally const tally = tallies[i];
        sums[0] += tally.delivered;
        sums[1] += tally.unreachable;
        sums[2] += tally.loop;
        sums[3] += tally.misdelivered;
        sums[4] += tally.local;
        if (keys.congestion_sum != nullptr) keys.congestion_sum[i] = tally.congestion_sum;
        if (keys.delay != nullptr) keys.delay[i] = tally.delay;
        if (keys.mean_share != nullptr) {
            keys.mean_share[i] = tally.delivered == 0 ? no_value : mean_share(tally.share_sum, tally.delivered, mean_share_bits);
            sums[5] += tally.delivered == 0;
        }
    }
    for (int k = 0; k < 6; ++k) {
        std::uint64_t const sum = CudaTeam::warp_sum(sums[k]);
        if (CudaTeam::lane() == 0 && sum != 0)
            atomicAdd(reinterpret_cast<unsigned long long*>(&fates[k]), static_cast<unsigned long long>(sum));
    }
}

/// Place of the first key that equals `*worst`.
__global__ void first_kernel(std::uint64_t const* keys, std::uint32_t count, std::uint64_t const* worst, std::uint32_t* at) {
    std::uint64_t const wanted = *worst;
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        if (keys[i] == wanted) atomicMin(at, i);
}

/// Room for a batch; device_vector would fill it on another stream.
template <class T>
void make_room(thrust::device_vector<T>& v, std::size_t count) {
    if (v.size() >= count) return;
    v.resize(count);
    check(cudaDeviceSynchronize(), "making room");
}

}  // namespace

void DeviceSummary::start(MappingTally const* tallies, std::uint32_t count, SummaryRequest const& request, cudaStream_t stream) {
    request_ = request;
    count_ = count;
    stream_ = stream;
    make_room(found_, 1);
    host_.make_room(1);
    Found* const found = raw(found_);
    check(cudaMemsetAsync(found, 0, offsetof(Found, worst_at), stream), "clearing sums");
    check(cudaMemsetAsync(found->worst_at, 0xFF, sizeof found->worst_at, stream), "clearing sums");
    for (int which = 0; which < 3; ++which)
        if (wanted(which)) make_room(values_[which].keys, count);
    auto const keys_of = [&](int which) { return wanted(which) ? raw(values_[which].keys) : nullptr; };
    Keys const keys{keys_of(0), keys_of(1), keys_of(2)};
    split_kernel<<<std::min(1024u, (count + threads - 1) / threads), threads, 0, stream>>>(tallies, count, request.mean_share_bits, keys, found->fates);
    check(cudaGetLastError(), "starting the reduction");
    for (int which = 0; which < 3; ++which)
        if (wanted(which)) reduce(values_[which], which, which == 1);
    copy_to_host(host_.data(), found, 1, stream);
}

void DeviceSummary::reduce(Values& v, int which, bool smallest_is_worst) {
    make_room(v.sorted, count_);
    make_room(v.distinct, count_);
    make_room(v.counts, count_);
    Found* const found = raw(found_);
    auto const with_work = [&](auto&& call) {
        std::size_t bytes = 0;
        check(call(nullptr, bytes), "measuring a reduction");
        make_room(work_, bytes);
        check(call(raw(work_), bytes), "reducing tallies");
    };
    with_work([&](void* work, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(work, bytes, raw(v.keys), raw(v.sorted), count_, 0, 64, stream_);
    });
    with_work([&](void* work, std::size_t& bytes) {
        return cub::DeviceRunLengthEncode::Encode(work, bytes, raw(v.sorted), raw(v.distinct), raw(v.counts), &found->runs[which], count_, stream_);
    });
    std::uint64_t const* const worst = raw(v.sorted) + (smallest_is_worst ? 0 : count_ - 1);
    first_kernel<<<std::min(1024u, (count_ + threads - 1) / threads), threads, 0, stream_>>>(raw(v.keys), count_, worst, &found->worst_at[which]);
    check(cudaGetLastError(), "starting the reduction");
}

Summary DeviceSummary::finish(std::uint64_t first) {
    check(cudaStreamSynchronize(stream_), "the kernels");
    Found const& found = *host_.data();
    Summary summary;
    summary.mappings = count_;
    summary.delivered = found.fates[0];
    summary.unreachable = found.fates[1];
    summary.loop = found.fates[2];
    summary.misdelivered = found.fates[3];
    summary.local = found.fates[4];
    summary.congestion_sum = fetch(values_[0], 0, first);
    summary.mean_share = fetch(values_[1], 1, first);
    summary.delay = fetch(values_[2], 2, first);
    return summary;
}

ValueSummary DeviceSummary::fetch(Values& v, int which, std::uint64_t first) {
    ValueSummary summary;
    if (!wanted(which)) return summary;
    Found const& found = *host_.data();
    std::uint32_t const runs = found.runs[which];
    host_distinct_.make_room(runs);
    host_counts_.make_room(runs);
    copy_to_host(host_distinct_.data(), raw(v.distinct), runs, stream_);
    copy_to_host(host_counts_.data(), raw(v.counts), runs, stream_);
    check(cudaStreamSynchronize(stream_), "copying to the host");
    if (which == 1) summary.undefined = found.fates[5];
    summary.counts.reserve(runs);
    for (std::uint32_t i = 0; i < runs; ++i)
        if (which != 1 || host_distinct_.data()[i] != no_value) summary.counts.emplace_back(host_distinct_.data()[i], host_counts_.data()[i]);
    if (!summary.counts.empty()) summary.worst_mapping = first + found.worst_at[which];
    return summary;
}

}  // namespace tailback
