// A multiset of integers, kept small while it grows.
#pragma once

#include "kernels/common/huge_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tailback::kernels {

/// A multiset of integers as sorted (value, count) pairs. What it says does not depend on the order of `add` and
/// `merge`, nor on the number of threads. N distinct values cost O(N log N), in however many parts they come: parts of
/// alike sizes are merged, long ones by several threads.
class ValueCounts {
public:
    using Sorted = std::vector<std::pair<std::uint64_t, std::uint64_t>,
                               LongListAllocator<std::pair<std::uint64_t, std::uint64_t>>>;
    /// Values that are worth a thread of their own.
    static constexpr std::size_t values_a_thread = 1 << 17;

    void add(std::uint64_t value) {
        fresh_.push_back(value);
        if (fresh_.size() >= most_fresh) flush();
    }
    /// Sorted by value, no zero counts.
    Sorted const& sorted(unsigned threads = 1) const;
    std::uint64_t size() const;
    bool empty() const { return fresh_.empty() && parts_.empty(); }
    /// Adds all of the other's values, which are taken over where they are handed over.
    void merge(ValueCounts other, unsigned threads = 1);
    /// Replaces everything. `sorted` is ascending, without zero counts.
    void assign(Sorted sorted);

private:
    static constexpr std::size_t most_fresh = 1 << 16;
    void flush() const;
    void take(Sorted part, unsigned threads) const;
    /// Each more than twice as long as the next; none is empty.
    mutable std::vector<Sorted> parts_;
    mutable std::vector<std::uint64_t> fresh_;
};

}  // namespace tailback::kernels
