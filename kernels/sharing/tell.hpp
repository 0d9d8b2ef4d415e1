// What the rates and times of a mapping's flows come to: parts of its tally, and histograms over all mappings.
#pragma once

#include "kernels/common/portable.hpp"
#include "kernels/evaluate/problem.hpp"
#include "kernels/evaluate/weights.hpp"
#include "kernels/sharing/max_min.hpp"

#include <cstdint>

namespace tailback::kernels {

/// The bin of a rate, counted from 1. Rates are rounded down: one that is this near to an edge from below is on it.
TAILBACK_HD std::uint32_t rate_bin(SharingView const& sharing, std::uint64_t rate) {
    constexpr std::uint64_t near = 1 << 12;
    std::uint64_t const bin = (rate + near) / sharing.bin_width + 1;
    return bin < sharing.bins ? static_cast<std::uint32_t>(bin) : sharing.bins - 1;
}

/// The time that a flow of so much weight takes when its slowest link carries nothing else; rounded up.
TAILBACK_HD std::uint64_t time_alone(SharingView const& sharing, std::uint64_t weight, std::uint64_t slowest) {
    WideWord const volume = static_cast<WideWord>(weight * sharing.time_unit) * sharing.unit;
    return static_cast<std::uint64_t>((volume + slowest - 1) / slowest);
}

/// 2^jain_bits x (sum of rates)^2 / (flows x sum of their squares), rounded down; 0 without flows.
TAILBACK_HD std::uint64_t jain_index(WideWord sum, WideWord squares, std::uint64_t flows) {
    WideWord over = sum, under = squares;
    for (; over >> 63 != 0; over >>= 1) under >>= 2;  // (sum / 2)^2 = sum^2 / 4
    for (over *= over; over >> (127 - jain_bits) != 0; over >>= 1) under >>= 1;
    // over < 2^87, and under x flows about as much
    under *= flows;
    return under == 0 ? 0 : static_cast<std::uint64_t>((over << jain_bits) / under);
}

/// One member's part, until `fold`.
struct SharedSums {
    std::uint64_t flows = 0;
    std::uint64_t rate_low = 0, rate_high = 0;      ///< sums of the rates' lower 32 bits, and of the others
    std::uint64_t coarse = 0;                       ///< of the rates without their last bits
    std::uint64_t square_low = 0, square_high = 0;  ///< of the squares of these, as rate_low and rate_high
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t ended = 0, slowdown = 0;  ///< sums over flows

    /// So many flows of this rate.
    TAILBACK_HD void add_rate(SharingView const& sharing, std::uint64_t rate, std::uint64_t count = 1) {
        flows += count;
        rate_low += count * (rate & 0xFFFFFFFFu);
        rate_high += count * (rate >> 32);
        std::uint64_t const shifted = rate >> sharing.square_shift;
        WideWord const square = static_cast<WideWord>(shifted) * shifted;
        coarse += count * shifted;
        square_low += count * (static_cast<std::uint64_t>(square) & 0xFFFFFFFFu);
        square_high += count * static_cast<std::uint64_t>(square >> 32);
        least = rate < least ? rate : least;
    }
    TAILBACK_HD void add_time(std::uint64_t end, std::uint64_t alone, std::uint64_t count = 1) {
        ended += count * end;
        slowdown += count * static_cast<std::uint64_t>((static_cast<WideWord>(end) << slowdown_bits) / alone);
    }
    /// Of other flows.
    TAILBACK_HD void add(SharedSums const& more) {
        flows += more.flows;
        rate_low += more.rate_low, rate_high += more.rate_high;
        coarse += more.coarse;
        square_low += more.square_low, square_high += more.square_high;
        least = more.least < least ? more.least : least;
        ended += more.ended, slowdown += more.slowdown;
    }
    /// Makes them the team's, for all members.
    template <class Team>
    TAILBACK_KERNEL void join(Team& team) {
        std::uint64_t rates[] = {flows, rate_low, rate_high};
        team.sum_each(rates);
        flows = rates[0], rate_low = rates[1], rate_high = rates[2];
        std::uint64_t squares[] = {square_low, square_high, ended};
        team.sum_each(squares);
        square_low = squares[0], square_high = squares[1], ended = squares[2];
        coarse = team.sum(coarse);
        slowdown = team.sum(slowdown);
        least = ~team.max(~least);
    }
    TAILBACK_HD void tell(SharingView const& sharing, MappingTally& tally) const {
        WideWord const sum = (static_cast<WideWord>(rate_high) << 32) + rate_low;
        WideWord const squares = (static_cast<WideWord>(square_high) << 32) + square_low;
        tally.rate_sum = static_cast<std::uint64_t>(sum / sharing.sum_divisor);
        tally.least_rate = flows == 0 ? 0 : least;
        tally.jain = jain_index(coarse, squares, flows);
        tally.ended_sum = ended;
        tally.slowdown_sum = slowdown;
    }
};

}  // namespace tailback::kernels
