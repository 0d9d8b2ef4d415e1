// Exact statistics of one number a mapping: a multiset of integers, from which everything else follows.
#pragma once

#include "kernels/evaluate/reduction.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tailback::evaluation {

/// Statistics of values = integer x unit / scale, one per mapping.
class Distribution {
public:
    /// `higher_is_worse` decides which mapping is the worst. Integers may be off what they stand for by up to `error`.
    /// So many values are of one mapping each: they depend on each other, and say of the mean at least as much as one.
    Distribution(double scale, bool higher_is_worse, double error = 0, double unit = 1, std::uint64_t repeats = 1)
        : scale_(scale), error_(error), unit_(unit), repeats_(repeats), higher_is_worse_(higher_is_worse) {}

    /// Values must come in the order of mappings only as far as ties for the worst go: the smallest index wins.
    void add(std::uint64_t value, std::uint64_t mapping);
    /// Adds what further mappings came to, of which some have no value (no delivered flow).
    void add(kernels::ValuesSeen more, std::uint64_t undefined = 0);
    /// Adds all that the other, over other mappings, has seen. Both must have been made alike.
    void merge(Distribution const& other);

    std::uint64_t count() const { return counts_.size(); }
    /// Of values that do not depend on each other: at least one a mapping.
    std::uint64_t independent() const { return count() / repeats_; }
    std::uint64_t undefined() const { return undefined_; }
    double mean() const;
    /// Sample variance (n-1); NaN for fewer than two values.
    double variance() const;
    /// Standard error of the mean.
    double standard_error() const;
    /// 99 % confidence interval of the mean: mean -+ t * standard error (Student's t, n-1 degrees of freedom).
    std::pair<double, double> ci99() const;
    double min() const;
    double max() const;
    /// Smallest value v such that at least q of the values are <= v (inverse of the empirical distribution).
    double quantile(double q) const;
    /// The mapping with the worst value; none when there are no values.
    std::optional<std::uint64_t> worst_mapping() const { return worst_; }
    /// The mapping with the best value; none when there are no values, or a checkpoint did not tell.
    std::optional<std::uint64_t> best_mapping() const { return best_; }
    /// The integers with their counts, ascending.
    kernels::ValueCounts::Sorted const& integers() const;
    /// What an integer stands for.
    double value_of(double integer) const { return integer * unit_ / scale_; }
    /// How far values may be off what they stand for.
    double error() const { return value_of(error_); }
    /// Takes up where another left off that said so of itself.
    void assign(kernels::ValueCounts::Sorted integers, std::uint64_t undefined,
                std::optional<std::uint64_t> worst_mapping);
    void set_best_mapping(std::optional<std::uint64_t> mapping) { best_ = mapping; }
    /// Distinct values with their counts, ascending.
    std::vector<std::pair<double, std::uint64_t>> values() const;
    /// Equal bins over [low, high): `bins` counts, values outside into the two last numbers (below, above).
    /// Edges are low + i * (high - low) / bins; a bin has its lower edge, and so has what may be off by so much.
    struct Binned {
        std::vector<double> edges;          ///< bins + 1
        std::vector<std::uint64_t> counts;  ///< bins
        std::uint64_t below = 0, above = 0;
    };
    Binned binned(double low, double high, std::size_t bins) const;

private:
    /// The worst and the best of other mappings, and the first of them that has it.
    void see_worst(std::uint64_t value, std::uint64_t mapping);
    void see_best(std::uint64_t value, std::uint64_t mapping);

    kernels::ValueCounts counts_;
    double scale_, error_, unit_;
    std::uint64_t repeats_;
    bool higher_is_worse_;
    std::uint64_t undefined_ = 0;
    std::optional<std::uint64_t> worst_, best_;
    std::uint64_t worst_value_ = 0, best_value_ = 0;
};

inline constexpr double reported_quantiles[] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

/// Two-sided 99 % point of Student's t distribution.
double student_t99(std::uint64_t degrees_of_freedom);

}  // namespace tailback::evaluation
