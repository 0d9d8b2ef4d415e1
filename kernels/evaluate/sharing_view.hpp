// What kernels have to know to share links among flows, and to say when flows end. Part of the Problem; built by
// host/study/plan/shared_rates.
#pragma once

#include <cstdint>

namespace tailback::kernels {

/// For sums and products beyond 64 bits.
__extension__ using WideWord = unsigned __int128;

struct SharingView {
    bool wanted = false;       ///< max-min rates are asked for
    bool times = false;        ///< and when flows end
    bool bottlenecks = false;  ///< and how often each link freezes a flow, in TotalsView::link_sums
    bool by_weight = false;    ///< rates grow in proportion to weights; false: alike
    bool alone = false;        ///< nothing but counts of flows is asked for besides
    std::uint64_t unit = 0;    ///< the base rate, in units of rates
    /// [slots] capacities in units of rates, below 2^62; null: `unit` each.
    std::uint64_t const* capacity = nullptr;
    std::uint64_t sum_divisor = 1;  ///< MappingTally::rate_sum is in so many units
    std::uint64_t bin_width = 1;    ///< of TotalsView::rates, in units
    std::uint32_t bins = 0;
    std::uint32_t square_shift = 0;  ///< rates lose so many bits before they are squared
    /// Units of time in which a link of the base rate carries a flow of weight 1.
    std::uint64_t time_unit = 0;
    /// MappingTally::ended_sum is in units of 2^ended_shift of time; kernels know no other than 0.
    std::uint32_t ended_shift = 0;
};

/// Jain's index is kept in units of 2^-jain_bits.
inline constexpr unsigned jain_bits = 40;
/// Slowdowns are kept in units of 2^-slowdown_bits.
inline constexpr unsigned slowdown_bits = 20;

}  // namespace tailback::kernels
