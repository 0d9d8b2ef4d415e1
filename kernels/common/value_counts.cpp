#include "kernels/common/value_counts.hpp"

#include <algorithm>

namespace tailback::kernels {
namespace {

using Sorted = ValueCounts::Sorted;

Sorted merged(Sorted const& a, Sorted const& b) {
    Sorted both;
    both.reserve(a.size() + b.size());
    auto at = a.begin();
    for (auto const& [value, count] : b) {
        while (at != a.end() && at->first < value) both.push_back(*at++);
        bool const is_in_both = at != a.end() && at->first == value;
        both.emplace_back(value, is_in_both ? count + (at++)->second : count);
    }
    both.insert(both.end(), at, a.end());
    if (both.capacity() > 2 * both.size()) both.shrink_to_fit();
    return both;
}

}  // namespace

std::uint64_t ValueCounts::size() const {
    std::uint64_t total = fresh_.size();
    for (Sorted const& part : parts_)
        for (auto const& [value, count] : part) total += count;
    return total;
}

void ValueCounts::flush() const {
    if (fresh_.empty()) return;
    std::sort(fresh_.begin(), fresh_.end());
    Sorted part;
    for (std::uint64_t const value : fresh_) {
        if (part.empty() || part.back().first != value) part.emplace_back(value, 0);
        ++part.back().second;
    }
    fresh_.clear();
    take(std::move(part));
}

void ValueCounts::take(Sorted part) const {
    if (part.empty()) return;
    while (!parts_.empty() && parts_.back().size() <= 2 * part.size()) {
        part = merged(parts_.back(), part);
        parts_.pop_back();
    }
    parts_.push_back(std::move(part));
}

ValueCounts::Sorted const& ValueCounts::sorted() const {
    static Sorted const none;
    flush();
    while (parts_.size() > 1) {
        Sorted const last = std::move(parts_.back());
        parts_.pop_back();
        parts_.back() = merged(parts_.back(), last);
    }
    return parts_.empty() ? none : parts_.front();
}

void ValueCounts::merge(ValueCounts other) {
    flush();
    for (Sorted& part : other.parts_) take(std::move(part));
    if (other.fresh_.empty()) return;
    fresh_ = std::move(other.fresh_);
    flush();
}

void ValueCounts::assign(Sorted sorted) {
    fresh_.clear();
    parts_.clear();
    take(std::move(sorted));
}

}  // namespace tailback::kernels
