#include "kernels/common/value_counts.hpp"

#include "kernels/common/by_threads.hpp"

#include <algorithm>

namespace tailback::kernels {
namespace {

using Sorted = ValueCounts::Sorted;

/// What two lists have from one value to another, and where it goes.
struct Stretch {
    Sorted::const_iterator a, a_end, b, b_end;
    std::size_t to = 0;

    /// How many values there are: those of both count once.
    std::size_t size() const {
        std::size_t in_both = 0;
        for (auto x = a, y = b; x != a_end && y != b_end;) {
            bool const takes_x = x->first <= y->first, takes_y = y->first <= x->first;
            in_both += takes_x && takes_y;
            x += takes_x, y += takes_y;
        }
        return static_cast<std::size_t>((a_end - a) + (b_end - b)) - in_both;
    }
    /// Without a branch on values: which list has the next one cannot be foreseen.
    Sorted::iterator merge_to(Sorted::iterator out) const {
        auto x = a, y = b;
        for (; x != a_end && y != b_end; ++out) {
            bool const takes_x = x->first <= y->first, takes_y = y->first <= x->first;
            out->first = takes_x ? x->first : y->first;
            out->second = (takes_x ? x->second : 0) + (takes_y ? y->second : 0);
            x += takes_x, y += takes_y;
        }
        return std::copy(y, b_end, std::copy(x, a_end, out));
    }
};

/// Cuts both lists at the same values: where the longer one has so many equal pieces.
std::vector<Stretch> stretches(Sorted const& longer, Sorted const& other, std::size_t count) {
    std::vector<Stretch> all(count);
    auto a = longer.begin();
    auto b = other.begin();
    for (std::size_t k = 0; k < count; ++k) {
        bool const is_last = k + 1 == count;
        auto const a_end = longer.begin() + static_cast<std::ptrdiff_t>(longer.size() * (k + 1) / count);
        auto const b_end = is_last ? other.end()
                                   : std::lower_bound(b, other.end(), a_end->first,
                                                      [](auto const& pair, auto value) { return pair.first < value; });
        all[k] = {a, a_end, b, b_end};
        a = a_end, b = b_end;
    }
    return all;
}

Sorted merged(Sorted const& a, Sorted const& b, unsigned threads) {
    bool const is_longer = a.size() >= b.size();
    std::size_t const count =
        std::clamp<std::size_t>((a.size() + b.size()) / ValueCounts::values_a_thread, 1, std::max(1u, threads));
    std::vector<Stretch> parts = stretches(is_longer ? a : b, is_longer ? b : a, count);
    Sorted both;
    if (count == 1) {
        both.resize(a.size() + b.size());
        both.resize(static_cast<std::size_t>(parts[0].merge_to(both.begin()) - both.begin()));
        if (both.capacity() > 2 * both.size()) both.shrink_to_fit();
        return both;
    }
    by_threads(count, [&](std::size_t k) { parts[k].to = parts[k].size(); });
    std::size_t size = 0;
    for (Stretch& part : parts) size += std::exchange(part.to, size);
    both.resize(size);
    by_threads(count,
               [&](std::size_t k) { parts[k].merge_to(both.begin() + static_cast<std::ptrdiff_t>(parts[k].to)); });
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
    take(std::move(part), 1);
}

void ValueCounts::take(Sorted part, unsigned threads) const {
    if (part.empty()) return;
    while (!parts_.empty() && parts_.back().size() <= 2 * part.size()) {
        part = merged(parts_.back(), part, threads);
        parts_.pop_back();
    }
    parts_.push_back(std::move(part));
}

ValueCounts::Sorted const& ValueCounts::sorted(unsigned threads) const {
    static Sorted const none;
    flush();
    while (parts_.size() > 1) {
        Sorted const last = std::move(parts_.back());
        parts_.pop_back();
        parts_.back() = merged(parts_.back(), last, threads);
    }
    return parts_.empty() ? none : parts_.front();
}

void ValueCounts::merge(ValueCounts other, unsigned threads) {
    flush();
    for (Sorted& part : other.parts_) take(std::move(part), threads);
    if (other.fresh_.empty()) return;
    fresh_ = std::move(other.fresh_);
    flush();
}

void ValueCounts::assign(Sorted sorted) {
    fresh_.clear();
    parts_.clear();
    take(std::move(sorted), 1);
}

}  // namespace tailback::kernels
