#include "host/evaluation/statistics.hpp"

#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tailback::evaluation {
namespace {

double const nothing = std::numeric_limits<double>::quiet_NaN();
double const pi = 3.14159265358979323846;

/// P(|T| <= t) of Student's t with n degrees of freedom, in closed form (Abramowitz and Stegun 26.7.3 and 26.7.4).
double student_mass(double t, std::uint64_t n) {
    double const theta = std::atan(t / std::sqrt(double(n)));
    double const c = std::cos(theta), s = std::sin(theta);
    double sum = 0;
    if (n % 2 == 1) {
        double term = c;
        for (std::uint64_t k = 3; k <= n; k += 2) {
            sum += term;
            term *= c * c * double(k - 1) / double(k);
        }
        return 2 / pi * (theta + (n > 1 ? s * sum : 0));
    }
    double term = 1;
    for (std::uint64_t k = 2; k <= n; k += 2) {
        sum += term;
        term *= c * c * double(k - 1) / double(k);
    }
    return s * sum;
}

}  // namespace

double student_t99(std::uint64_t degrees_of_freedom) {
    if (degrees_of_freedom == 0) return nothing;
    if (degrees_of_freedom <= 200) {
        double low = 2.5, high = 64;
        for (int i = 0; i < 200; ++i) {
            double const middle = (low + high) / 2;
            (student_mass(middle, degrees_of_freedom) < 0.99 ? low : high) = middle;
        }
        return high;
    }
    // Cornish-Fisher expansion around the normal point (Abramowitz and Stegun 26.7.5); beyond 200 its error is < 1e-10.
    double const z = 2.5758293035489004, z2 = z * z, n = double(degrees_of_freedom);
    double const g1 = z * (z2 + 1) / 4;
    double const g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
    double const g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    double const g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
    return z + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n;
}

namespace {

/// Keeps the first mapping with the highest, or the lowest, value.
void see(std::uint64_t value, std::uint64_t mapping, bool highest, std::optional<std::uint64_t>& first,
         std::uint64_t& extreme) {
    if (first && value == extreme) first = std::min(*first, mapping);
    if (first && (highest ? value <= extreme : value >= extreme)) return;
    first = mapping;
    extreme = value;
}

}  // namespace

void Distribution::see_worst(std::uint64_t value, std::uint64_t mapping) {
    see(value, mapping, higher_is_worse_, worst_, worst_value_);
}

void Distribution::see_best(std::uint64_t value, std::uint64_t mapping) {
    see(value, mapping, !higher_is_worse_, best_, best_value_);
}

void Distribution::add(std::uint64_t value, std::uint64_t mapping) {
    counts_.add(value);
    see_worst(value, mapping);
    see_best(value, mapping);
}

void Distribution::add(kernels::ValuesSeen more, std::uint64_t undefined) {
    undefined_ += undefined;
    if (more.counts.empty()) return;
    counts_.merge(std::move(more.counts), kernels::threads_to_use(0));
    see_worst(higher_is_worse_ ? more.highest : more.lowest,
              higher_is_worse_ ? more.first_of_highest : more.first_of_lowest);
    see_best(higher_is_worse_ ? more.lowest : more.highest,
             higher_is_worse_ ? more.first_of_lowest : more.first_of_highest);
}

kernels::ValueCounts::Sorted const& Distribution::integers() const {
    return counts_.sorted(kernels::threads_to_use(0));
}

void Distribution::assign(kernels::ValueCounts::Sorted integers, std::uint64_t undefined,
                          std::optional<std::uint64_t> worst_mapping) {
    undefined_ = undefined;
    worst_ = worst_mapping;
    worst_value_ = integers.empty() ? 0 : higher_is_worse_ ? integers.back().first : integers.front().first;
    best_ = std::nullopt;
    best_value_ = integers.empty() ? 0 : higher_is_worse_ ? integers.front().first : integers.back().first;
    counts_.assign(std::move(integers));
}

void Distribution::merge(Distribution const& other) {
    counts_.merge(other.counts_, kernels::threads_to_use(0));
    undefined_ += other.undefined_;
    if (other.worst_) see_worst(other.worst_value_, *other.worst_);
    if (other.best_) see_best(other.best_value_, *other.best_);
}

namespace {

/// The mean of integers as a whole part and a fraction, exact up to the last rounding.
struct ExactMean {
    std::uint64_t whole = 0;
    double fraction = 0;
    std::uint64_t count = 0;
};

ExactMean exact_mean(kernels::ValueCounts::Sorted const& integers) {
    unsigned __int128 sum = 0;
    ExactMean mean;
    for (auto const& [value, count] : integers) {
        sum += static_cast<unsigned __int128>(value) * count;
        mean.count += count;
    }
    if (mean.count == 0) return mean;
    mean.whole = static_cast<std::uint64_t>(sum / mean.count);
    mean.fraction = double(static_cast<std::uint64_t>(sum % mean.count)) / double(mean.count);
    return mean;
}

}  // namespace

double Distribution::mean() const {
    ExactMean const mean = exact_mean(integers());
    return mean.count == 0 ? nothing : value_of(double(mean.whole) + mean.fraction);
}

double Distribution::variance() const {
    ExactMean const mean = exact_mean(integers());
    if (mean.count < 2) return nothing;
    double sum = 0;  // in ascending order of values, so the same whatever the order of mappings was
    for (auto const& [value, count] : integers()) {
        double const off = double(static_cast<std::int64_t>(value - mean.whole)) - mean.fraction;
        sum += double(count) * (off * off);
    }
    return sum / double(mean.count - 1) / (scale_ * scale_) * (unit_ * unit_);
}

double Distribution::standard_error() const {
    if (repeats_ == 1) return std::sqrt(variance() / double(count()));
    if (independent() < 2) return nothing;
    // The means of mappings vary no more than all values do.
    return std::sqrt(variance() * (double(count() - 1) / double(count())) / double(independent() - 1));
}

std::pair<double, double> Distribution::ci99() const {
    if (independent() < 2) return {nothing, nothing};
    double const middle = mean(), half = student_t99(independent() - 1) * standard_error();
    return {middle - half, middle + half};
}

double Distribution::min() const {
    auto const& sorted = integers();
    return sorted.empty() ? nothing : value_of(double(sorted.front().first));
}

double Distribution::max() const {
    auto const& sorted = integers();
    return sorted.empty() ? nothing : value_of(double(sorted.back().first));
}

double Distribution::quantile(double q) const {
    std::uint64_t const n = count();
    if (n == 0) return nothing;
    auto const wanted = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(q * double(n))));
    std::uint64_t seen = 0;
    for (auto const& [value, count] : integers())
        if ((seen += count) >= wanted) return value_of(double(value));
    return max();
}

std::vector<std::pair<double, std::uint64_t>> Distribution::values() const {
    std::vector<std::pair<double, std::uint64_t>> list;
    for (auto const& [value, count] : integers()) list.emplace_back(value_of(double(value)), count);
    return list;
}

Distribution::Binned Distribution::binned(double low, double high, std::size_t bins) const {
    Binned result;
    result.counts.assign(bins, 0);
    for (std::size_t i = 0; i <= bins; ++i) result.edges.push_back(low + double(i) * (high - low) / double(bins));
    constexpr double rounding = 1 - 0x1p-50;  // of the edges
    std::vector<double> least;                // integers at an edge and not below it
    for (double const edge : result.edges) least.push_back(edge * scale_ / unit_ * rounding - error_);
    for (auto const& [integer, count] : integers()) {
        auto const bin = std::upper_bound(least.begin(), least.end(), double(integer));
        if (bin == least.begin()) result.below += count;
        else if (bin == least.end()) result.above += count;
        else result.counts[std::size_t(bin - least.begin()) - 1] += count;
    }
    return result;
}

}  // namespace tailback::evaluation
