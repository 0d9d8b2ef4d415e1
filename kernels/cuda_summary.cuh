// Tallies reduced on the device: distinct values with their counts, the first mapping with the worst value, sums of fates.
#pragma once

#include "kernels/cuda_memory.cuh"
#include "kernels/summary.hpp"

namespace tailback {

/// For batches of tallies of one size at most, one at a time.
class DeviceSummary {
public:
    /// What the kernels find, in one copy.
    struct Found {
        std::uint64_t fates[6];        ///< delivered, unreachable, loop, misdelivered, local; mappings without a mean
        std::uint32_t runs[3];         ///< distinct values
        std::uint32_t worst_at[3];     ///< place of the first worst
    };

    /// Starts reducing on `stream`; tallies stay as they are until `finish`.
    void start(MappingTally const* tallies, std::uint32_t count, SummaryRequest const& request, cudaStream_t stream);
    /// Waits, and tells. `first`: number of the first mapping.
    Summary finish(std::uint64_t first);

private:
    struct Values {
        thrust::device_vector<std::uint64_t> keys, sorted, distinct;
        thrust::device_vector<std::uint32_t> counts;
    };
    void reduce(Values& values, int which, bool smallest_is_worst);
    ValueSummary fetch(Values& values, int which, std::uint64_t first);
    bool wanted(int which) const { return which == 0 ? request_.congestion_sum : which == 1 ? request_.mean_share : request_.delay; }

    Values values_[3];                 ///< of congestion sums, mean shares, delays
    thrust::device_vector<unsigned char> work_;
    thrust::device_vector<Found> found_;
    PinnedArray<Found> host_;
    PinnedArray<std::uint64_t> host_distinct_;
    PinnedArray<std::uint32_t> host_counts_;
    SummaryRequest request_;
    std::uint32_t count_ = 0;
    cudaStream_t stream_ = nullptr;
};

}  // namespace tailback
