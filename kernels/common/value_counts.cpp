#include "kernels/common/value_counts.hpp"

#include <algorithm>

namespace tailback::kernels {

std::uint64_t ValueCounts::size() const {
    std::uint64_t total = fresh_.size();
    for (auto const& [value, count] : sorted_) total += count;
    return total;
}

void ValueCounts::flush() const {
    if (fresh_.empty()) return;
    std::sort(fresh_.begin(), fresh_.end());
    std::vector<std::pair<std::uint64_t, std::uint64_t>> merged;
    merged.reserve(sorted_.size() + 16);
    auto old = sorted_.begin();
    for (std::size_t i = 0; i < fresh_.size();) {
        std::uint64_t const value = fresh_[i];
        std::size_t end = i;
        while (end < fresh_.size() && fresh_[end] == value) ++end;
        while (old != sorted_.end() && old->first < value) merged.push_back(*old++);
        std::uint64_t count = end - i;
        if (old != sorted_.end() && old->first == value) count += (old++)->second;
        merged.emplace_back(value, count);
        i = end;
    }
    merged.insert(merged.end(), old, sorted_.end());
    sorted_ = std::move(merged);
    fresh_.clear();
    flush_at_ = std::max<std::size_t>(1 << 16, sorted_.size());
}

void ValueCounts::merge(ValueCounts const& other) {
    flush();
    std::vector<std::pair<std::uint64_t, std::uint64_t>> merged;
    merged.reserve(sorted_.size() + 16);
    auto mine = sorted_.begin();
    for (auto const& [value, count] : other.sorted()) {
        while (mine != sorted_.end() && mine->first < value) merged.push_back(*mine++);
        bool const both = mine != sorted_.end() && mine->first == value;
        merged.emplace_back(value, both ? count + (mine++)->second : count);
    }
    merged.insert(merged.end(), mine, sorted_.end());
    sorted_ = std::move(merged);
    flush_at_ = std::max<std::size_t>(1 << 16, sorted_.size());
}

void ValueCounts::assign(std::vector<std::pair<std::uint64_t, std::uint64_t>> sorted) {
    sorted_ = std::move(sorted);
    fresh_.clear();
    flush_at_ = std::max<std::size_t>(1 << 16, sorted_.size());
}

}  // namespace tailback::kernels
