// The second half of a level: the links of rows are counted and read back.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tailback::kernels::stages {

/// Counters behind those of links that rows pad with, so that padding makes no chain of additions to one counter, and
/// more that vectors may read.
inline constexpr std::uint32_t padding_counters = 32, readable_counters = 8;

/// Flows of a level whose links are to be counted.
template <class Counter>
struct FlowsToCount {
    void const* rows;
    std::uint32_t count;
    Counter* counters;        ///< by slot; those of padding are zero again afterwards
    Counter const* costs;     ///< by slot, what a flow adds; zero or anything for padding. Null: 1 each
    std::uint32_t max_value;  ///< that a counter can come to
};

/// Flows whose congestion is to be read back: the largest counter of a row, and at least the flow's floor.
template <class Counter>
struct FlowsToRead {
    void const* rows;
    std::uint32_t count;
    Counter const* counters;
    std::uint32_t const* min_congestions;  ///< null: 1 each
    std::uint64_t const* share;            ///< by congestion
    std::uint32_t max_congestion;
    std::uint32_t* congestion;  ///< by flow, to be written; or null
};

/// What the flows of a level come to.
struct ReadBack {
    std::uint64_t share_sum = 0;
    std::uint32_t largest = 0;

    void add(ReadBack const& other) {
        share_sum += other.share_sum;
        largest = other.largest > largest ? other.largest : largest;
    }
    void note(std::uint32_t congestion, std::uint64_t const* share) {
        share_sum += share[congestion];
        largest = congestion > largest ? congestion : largest;
    }
};

class RowLinks {
public:
    virtual ~RowLinks() = default;
    virtual std::size_t row_bytes() const = 0;
    /// @return false when a counter may have passed its end.
    virtual bool count(FlowsToCount<std::uint16_t> const& flows) const = 0;
    virtual bool count(FlowsToCount<std::uint32_t> const& flows) const = 0;
    virtual ReadBack read_back(FlowsToRead<std::uint16_t> const& flows) const = 0;
    virtual ReadBack read_back(FlowsToRead<std::uint32_t> const& flows) const = 0;
    /// Clears the counters of the rows' links; adds 1 for each link of each row to `link_sums`, unless that is null.
    virtual void clear(void const* rows, std::uint32_t count, std::uint16_t* counters,
                       std::uint64_t* link_sums) const = 0;
    virtual void clear(void const* rows, std::uint32_t count, std::uint32_t* counters,
                       std::uint64_t* link_sums) const = 0;
    /// How many links each row has.
    virtual void measure(void const* rows, std::uint32_t count, std::uint32_t* lengths) const = 0;
};

}  // namespace tailback::kernels::stages
