// Sets that are joined two by two (Galler and Fischer, Communications of the ACM 7, 1964).
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace tailback::base {

class DisjointSets {
public:
    /// Members 0 to count - 1, each alone.
    explicit DisjointSets(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    }
    /// The least member of the set that the member is in.
    std::size_t of(std::size_t member) {
        while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
        return member;
    }
    void join(std::size_t a, std::size_t b) {
        a = of(a), b = of(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::size_t> parent_;
};

}  // namespace tailback::base
