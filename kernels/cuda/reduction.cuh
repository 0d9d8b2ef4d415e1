// Tallies reduced on the device: distinct values with their counts, the first mappings with the lowest and the highest,
// sums of flows.
#pragma once

#include "kernels/cuda/memory.cuh"
#include "kernels/evaluate/reduction.hpp"

namespace tailback {

/// One batch of tallies at a time.
class DeviceReduction {
public:
    /// What the kernels find, in one copy.
    struct Found {
        std::uint64_t flows[6];  ///< delivered, unreachable, loop, misdelivered, local; mappings without a bandwidth
        std::uint32_t runs[3];   ///< distinct values
        std::uint32_t lowest_at[3];  ///< place of the first with the lowest value, and with the highest
        std::uint32_t highest_at[3];
    };

    /// Starts on `stream`; tallies stay as they are until `finish`.
    void start(MappingTally const* tallies, std::uint32_t count, WantedNumbers const& wanted, cudaStream_t stream);
    /// Waits, and tells. `first`: number of the first mapping.
    Reduction finish(std::uint64_t first);

private:
    struct Values {
        thrust::device_vector<std::uint64_t> keys, sorted, distinct;
        thrust::device_vector<std::uint32_t> counts;
    };
    void reduce(Values& values, int which);
    ValuesSeen fetch(Values& values, int which, std::uint64_t first);
    bool wants(int which) const {
        return which == 0 ? wanted_.congestion_sum : which == bandwidth ? wanted_.bandwidth : wanted_.delay;
    }

    static constexpr int bandwidth = 1;
    Values values_[3];  ///< of congestion sums, bandwidths, delays
    thrust::device_vector<unsigned char> work_;
    thrust::device_vector<Found> found_;
    PinnedArray<Found> host_;
    PinnedArray<std::uint64_t> host_distinct_;
    PinnedArray<std::uint32_t> host_counts_;
    WantedNumbers wanted_;
    std::uint32_t count_ = 0;
    cudaStream_t stream_ = nullptr;
};

}  // namespace tailback
