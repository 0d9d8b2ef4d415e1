// Tallies reduced on the device: distinct values with their counts, the first mappings with the lowest and the highest,
// sums of flows.
#pragma once

#include "kernels/cuda/memory.cuh"
#include "kernels/evaluate/reduction.hpp"

namespace tailback::kernels {

/// Sums of flows that are found besides: delivered, unreachable, loop, misdelivered, local, within nodes.
inline constexpr std::uint32_t summed_parts = 6;

/// One batch of tallies at a time.
class DeviceReduction {
    static constexpr std::uint32_t most = WantedNumbers::most;

public:
    /// What the kernels find, in one copy.
    struct Found {
        std::uint64_t flows[summed_parts];
        std::uint64_t undefined[most];  ///< mappings without the number
        std::uint64_t beyond[most];     ///< mappings whose number has more bits than were sorted by
        std::uint32_t runs[most];       ///< distinct values
        std::uint32_t lowest_at[most];  ///< place of the first with the lowest value, and with the highest
        std::uint32_t highest_at[most];
    };

    /// Starts on `stream`; tallies stay as they are until `finish`.
    void start(MappingTally const* tallies, std::uint32_t count, WantedNumbers const& wanted, cudaStream_t stream);
    /// Waits, and tells. `first`: number of the first mapping.
    Reduction finish(std::uint64_t first);

private:
    struct Values {
        DeviceArray<std::uint64_t> keys, sorted, distinct;
        DeviceArray<std::uint32_t> counts;
        unsigned bits = 64;      ///< to sort by: those that the batches before had, as sorts are passes of 8 bits
        unsigned bits_seen = 0;  ///< of the largest value so far
        /// Values below it can be told from each other, and from no value, by those bits.
        std::uint64_t limit() const { return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }
    };
    void reduce(std::uint32_t which);
    /// By all bits, where a number came out larger than those before.
    void reduce_again(std::uint32_t which);
    ValuesSeen fetch(std::uint32_t which, std::uint64_t first);

    Values values_[most];  ///< in the order in which numbers are wanted
    DeviceArray<unsigned char> work_;
    DeviceArray<Found> found_;
    PinnedArray<Found> host_;
    PinnedArray<std::uint64_t> host_distinct_;
    PinnedArray<std::uint32_t> host_counts_;
    WantedNumbers wanted_;
    std::uint32_t count_ = 0;
    cudaStream_t stream_ = nullptr;
};

}  // namespace tailback::kernels
