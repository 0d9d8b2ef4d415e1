// Chi-square tests with a stated false-alarm probability.
#pragma once

#include "tests/support/rooms.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace tailback {

/// What chi-square with so many degrees of freedom exceeds with probability 1e-6 (Wilson and Hilferty's cube; within
/// 1 % of the exact point for 5 degrees and more). Seeds are fixed, so a test that passes once passes always; the
/// probability is that of having to choose another seed although nothing is wrong.
inline double chi_square_limit(double degrees) {
    double const z = 4.753424;  // the normal distribution's one-sided 1e-6 point
    return degrees * std::pow(1 - 2 / (9 * degrees) + z * std::sqrt(2 / (9 * degrees)), 3);
}

/// Pearson's statistic against equal expectations. Too good a fit is as bad: see chi_square_floor.
inline double chi_square(std::vector<std::uint64_t> const& counts) {
    double total = 0;
    for (std::uint64_t const c : counts) total += double(c);
    double const expected = total / double(counts.size());
    double sum = 0;
    for (std::uint64_t const c : counts) sum += (double(c) - expected) * (double(c) - expected) / expected;
    return sum;
}

/// What chi-square stays below with probability 1e-6.
inline double chi_square_floor(double degrees) {
    double const z = -4.753424;
    return degrees * std::pow(std::fmax(0, 1 - 2 / (9 * degrees) + z * std::sqrt(2 / (9 * degrees))), 3);
}

}  // namespace tailback
