// What mappings come to together, when nobody asks for each one's tally: whole numbers, so that parts add up to the
// same in any order.
#pragma once

#include "kernels/common/portable.hpp"
#include "kernels/common/value_counts.hpp"
#include "kernels/evaluate/problem.hpp"

#include <cstdint>
#include <utility>

namespace tailback::kernels {

/// Bandwidths of mappings are kept in units of 2^-bandwidth_bits.
inline constexpr unsigned bandwidth_bits = 52;

/// Part of a tally that a number of the mapping is made of.
enum class TallyPart : std::uint8_t {
    congestion_sum,
    share_sum,
    delay,
    route_links,
    hop_weight,
    flow_weight,
    rate_sum,
    least_rate,
    jain,
    makespan,
    ended_sum,
    slowdown_sum
};

TAILBACK_HD std::uint64_t part_of(MappingTally const& tally, TallyPart part) {
    switch (part) {
        case TallyPart::congestion_sum: return tally.congestion_sum;
        case TallyPart::share_sum: return tally.share_sum;
        case TallyPart::delay: return tally.delay;
        case TallyPart::route_links: return tally.route_links;
        case TallyPart::hop_weight: return tally.hop_weight;
        case TallyPart::flow_weight: return tally.flow_weight;
        case TallyPart::rate_sum: return tally.rate_sum;
        case TallyPart::least_rate: return tally.least_rate;
        case TallyPart::jain: return tally.jain;
        case TallyPart::makespan: return tally.makespan;
        case TallyPart::ended_sum: return tally.ended_sum;
        case TallyPart::slowdown_sum: return tally.slowdown_sum;
    }
    return 0;
}

/// One number of every mapping, as an integer: the part itself, or its mean over the delivered flows, or over all; or
/// the part for each unit of the congestion sum.
struct MappingNumber {
    TallyPart part = TallyPart::congestion_sum;
    bool is_mean = false;
    bool over_all = false;         ///< of a mean: flows that are not delivered count as 0
    bool over_congestion = false;  ///< of a mean: over the congestion sum in place of flows
    std::uint64_t unit = 1;        ///< of a mean: what 1 is in the part
    unsigned bits = 0;             ///< of a mean: it is in units of 2^-bits
};

/// sum / (unit x flows), rounded to the nearest multiple of 2^-bits, in these. Needs flows > 0.
TAILBACK_HD std::uint64_t mean_of(std::uint64_t sum, std::uint64_t flows, std::uint64_t unit, unsigned bits) {
    __extension__ using Wide = unsigned __int128;
    Wide const whole = static_cast<Wide>(unit) * flows;
    return static_cast<std::uint64_t>(((static_cast<Wide>(sum) << bits) + whole / 2) / whole);
}

/// What a mean is over.
TAILBACK_HD std::uint64_t flows_of(MappingNumber const& number, MappingTally const& tally) {
    if (number.over_congestion) return tally.congestion_sum;
    std::uint64_t const failed = tally.unreachable + tally.loop + tally.misdelivered;
    return tally.delivered + (number.over_all ? failed : 0);
}

/// False for a mean over no flow.
TAILBACK_HD bool is_defined(MappingNumber const& number, MappingTally const& tally) {
    return !number.is_mean || flows_of(number, tally) > 0;
}
/// Needs is_defined.
TAILBACK_HD std::uint64_t value_of(MappingNumber const& number, MappingTally const& tally) {
    std::uint64_t const part = part_of(tally, number.part);
    return number.is_mean ? mean_of(part, flows_of(number, tally), number.unit, number.bits) : part;
}

/// Which numbers of every mapping are asked for.
struct WantedNumbers {
    static constexpr std::uint32_t most = 16;
    MappingNumber number[most];
    std::uint32_t count = 0;
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
    void merge(ValuesSeen other, unsigned threads = 1) {
        counts.merge(std::move(other.counts), threads);
        see(other.lowest, other.first_of_lowest, other.highest, other.first_of_highest);
    }

private:
    void see(std::uint64_t low, std::uint64_t of_low, std::uint64_t high, std::uint64_t of_high) {
        if (low < lowest || (low == lowest && of_low < first_of_lowest)) lowest = low, first_of_lowest = of_low;
        if (high > highest || (high == highest && of_high < first_of_highest))
            highest = high, first_of_highest = of_high;
    }
};

/// One of the wanted numbers, over all mappings; some may not have it.
struct NumberSeen {
    ValuesSeen values;
    std::uint64_t undefined = 0;
};

struct Reduction {
    std::uint64_t mappings = 0;
    std::uint64_t delivered = 0, unreachable = 0, loop = 0, misdelivered = 0, local = 0;  ///< flows, as in MappingTally
    std::uint64_t within_nodes = 0;
    NumberSeen number[WantedNumbers::most];  ///< in the order in which they are wanted

    void add(WantedNumbers const& wanted, std::uint64_t mapping, MappingTally const& tally) {
        ++mappings;
        delivered += tally.delivered;
        unreachable += tally.unreachable;
        loop += tally.loop;
        misdelivered += tally.misdelivered;
        local += tally.local;
        within_nodes += tally.within_nodes;
        for (std::uint32_t k = 0; k < wanted.count; ++k) {
            if (is_defined(wanted.number[k], tally)) number[k].values.add(value_of(wanted.number[k], tally), mapping);
            else ++number[k].undefined;
        }
    }
    /// Adds what other mappings came to; long lists by several threads.
    void merge(Reduction other, unsigned threads = 1) {
        mappings += other.mappings;
        delivered += other.delivered;
        unreachable += other.unreachable;
        loop += other.loop;
        misdelivered += other.misdelivered;
        local += other.local;
        within_nodes += other.within_nodes;
        for (std::uint32_t k = 0; k < WantedNumbers::most; ++k) {
            number[k].undefined += other.number[k].undefined;
            number[k].values.merge(std::move(other.number[k].values), threads);
        }
    }
};

}  // namespace tailback::kernels
