// What mappings come to together, when nobody asks for each one's tally: whole numbers, so that parts add up to the
// same in any order.
#pragma once

#include "kernels/common/portable.hpp"
#include "kernels/common/value_counts.hpp"
#include "kernels/evaluate/problem.hpp"

#include <cstdint>

namespace tailback {

/// Bandwidths of mappings are kept in units of 2^-bandwidth_bits.
inline constexpr unsigned bandwidth_bits = 52;

/// Mean bandwidth of a mapping's delivered flows, rounded to the nearest unit, from their sum in units of 1/share_unit.
/// Needs delivered > 0.
TAILBACK_HD std::uint64_t mean_share(std::uint64_t share_sum, std::uint64_t delivered, std::uint64_t share_unit) {
    __extension__ using Wide = unsigned __int128;
    Wide const whole = static_cast<Wide>(share_unit) * delivered;
    return static_cast<std::uint64_t>(((static_cast<Wide>(share_sum) << bandwidth_bits) + whole / 2) / whole);
}

/// Which numbers of every mapping are asked for.
struct WantedNumbers {
    bool congestion_sum = false, bandwidth = false, delay = false;
    std::uint64_t share_unit = 1;  ///< of the tallies' share sums
};

/// One number of every mapping: how often each value came, and the smallest mapping number with the lowest and with the
/// highest.
struct ValuesSeen {
    ValueCounts counts;
    std::uint64_t lowest = UINT64_MAX, first_of_lowest = UINT64_MAX, highest = 0, first_of_highest = UINT64_MAX;

    void add(std::uint64_t value, std::uint64_t mapping) {
        counts.add(value);
        see(value, mapping, value, mapping);
    }
    void merge(ValuesSeen const& other) {
        counts.merge(other.counts);
        see(other.lowest, other.first_of_lowest, other.highest, other.first_of_highest);
    }

private:
    void see(std::uint64_t low, std::uint64_t of_low, std::uint64_t high, std::uint64_t of_high) {
        if (low < lowest || (low == lowest && of_low < first_of_lowest)) lowest = low, first_of_lowest = of_low;
        if (high > highest || (high == highest && of_high < first_of_highest))
            highest = high, first_of_highest = of_high;
    }
};

struct Reduction {
    std::uint64_t mappings = 0;
    std::uint64_t delivered = 0, unreachable = 0, loop = 0, misdelivered = 0, local = 0;  ///< flows, as in MappingTally
    std::uint64_t without_bandwidth = 0;          ///< mappings with no delivered flow, where bandwidths are asked for
    ValuesSeen congestion_sum, bandwidth, delay;  ///< those asked for; bandwidths as mean_share gives them

    void add(WantedNumbers const& wanted, std::uint64_t mapping, MappingTally const& tally) {
        ++mappings;
        delivered += tally.delivered;
        unreachable += tally.unreachable;
        loop += tally.loop;
        misdelivered += tally.misdelivered;
        local += tally.local;
        if (wanted.congestion_sum) congestion_sum.add(tally.congestion_sum, mapping);
        if (wanted.delay) delay.add(tally.delay, mapping);
        if (!wanted.bandwidth) return;
        if (tally.delivered == 0) ++without_bandwidth;
        else bandwidth.add(mean_share(tally.share_sum, tally.delivered, wanted.share_unit), mapping);
    }
    /// Adds what other mappings came to.
    void merge(Reduction const& other) {
        mappings += other.mappings;
        delivered += other.delivered;
        unreachable += other.unreachable;
        loop += other.loop;
        misdelivered += other.misdelivered;
        local += other.local;
        without_bandwidth += other.without_bandwidth;
        congestion_sum.merge(other.congestion_sum);
        bandwidth.merge(other.bandwidth);
        delay.merge(other.delay);
    }
};

}  // namespace tailback
