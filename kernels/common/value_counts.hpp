// A multiset of integers, kept small while it grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tailback::kernels {

/// A multiset of integers as sorted (value, count) pairs. What it says does not depend on the order of `add`.
class ValueCounts {
public:
    void add(std::uint64_t value) {
        fresh_.push_back(value);
        if (fresh_.size() >= flush_at_) flush();
    }
    /// Sorted by value, no zero counts.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> const& sorted() const {
        flush();
        return sorted_;
    }
    std::uint64_t size() const;
    /// Adds all of the other's values.
    void merge(ValueCounts const& other);
    /// Replaces everything. `sorted` is ascending, without zero counts.
    void assign(std::vector<std::pair<std::uint64_t, std::uint64_t>> sorted);

private:
    void flush() const;
    mutable std::vector<std::pair<std::uint64_t, std::uint64_t>> sorted_;
    mutable std::vector<std::uint64_t> fresh_;
    mutable std::size_t flush_at_ = 1 << 16;
};

}  // namespace tailback::kernels
