// Tallies reduced on the device: distinct values with their counts, the first mappings with the lowest and the highest,
// sums of flows.
#pragma once

#include "kernels/cuda/memory.cuh"
#include "kernels/evaluate/reduction.hpp"

#include <vector>

namespace tailback::kernels {

/// Sums of flows that are found besides: delivered, unreachable, loop, misdelivered, local, within nodes.
inline constexpr std::uint32_t summed_parts = 6;

/// Numbers of mappings, which are held on the device batch after batch, and sorted together: where nearly all differ,
/// as bandwidths of flows with bytes do, the host then gets few long lists to merge, each value once.
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

    /// Where tallies are read, batch after batch.
    cudaStream_t stream() const { return holding_.get(); }
    /// Whether mappings first .. first + count - 1 can be held with those that are there.
    bool has_room(std::uint64_t first, std::uint32_t count) const;
    /// Starts holding them. Needs room, or that nothing is held. `wanted` is that of all that is held; tallies stay as
    /// they are until that stream is done.
    void hold(MappingTally const* tallies, std::uint64_t first, std::uint32_t count, WantedNumbers const& wanted);
    /// Starts sorting what is held; from now on nothing is. Needs that nothing else is being sorted.
    void sort();
    bool holds() const { return held_[now_].count > 0; }
    bool sorts() const { return held_[1 - now_].count > 0; }
    /// Waits for what is being sorted, and tells it.
    Reduction fetch();

private:
    /// Mappings whose numbers lie side by side, in ascending order.
    struct Held {
        struct Batch {
            std::uint32_t at;
            std::uint64_t first;  ///< mapping
        };
        DeviceArray<std::uint64_t> keys[most];  ///< in the order in which numbers are wanted
        DeviceArray<Found> found;
        std::vector<Batch> batches;
        std::uint32_t count = 0, room = 0;
        unsigned bits[most] = {};  ///< to sort by
        std::uint64_t after = 0;   ///< number of the last mapping, and 1

        /// Values below it can be told from each other, and from no value, by those bits.
        std::uint64_t limit(std::uint32_t which) const {
            return bits[which] == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits[which]) - 1;
        }
        std::uint64_t mapping_at(std::uint32_t place) const;
    };
    struct Values {
        DeviceArray<std::uint64_t> distinct;
        DeviceArray<std::uint32_t> counts;
        unsigned bits = 64;      ///< those that values before had, as sorts are passes of 8 bits
        unsigned bits_seen = 0;  ///< of the largest value so far
    };
    void begin(std::uint32_t count);
    void sort(Held const& held, std::uint32_t which);
    /// By all bits, where a number came out larger than those before.
    void sort_again(std::uint32_t which);
    ValuesSeen fetch(std::uint32_t which);

    Held held_[2];  ///< one takes batches while the other is sorted
    std::uint32_t now_ = 0;
    Values values_[most];
    DeviceArray<std::uint64_t> sorted_;
    DeviceArray<unsigned char> work_;
    PinnedArray<Found> host_;
    PinnedArray<std::uint64_t> host_distinct_;
    PinnedArray<std::uint32_t> host_counts_;
    WantedNumbers wanted_;
    CudaStream holding_{true}, sorting_{true};  ///< batches that are held meanwhile do not hold up what is sorted
    CudaEvent all_held_;
};

}  // namespace tailback::kernels
