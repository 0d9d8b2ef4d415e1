// Values with their counts, put into bins that a person would choose, and drawn with block characters.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tailback::base {

struct Bin {
    double low, high;  ///< [low, high); equal when the bin is one whole number
    std::uint64_t count;
};

struct Bins {
    std::vector<Bin> bins;  ///< neighbours, empty ones included
    double width = 0;       ///< 0 = every bin is one value
    bool whole = false;     ///< all values are whole numbers

    std::uint64_t largest() const;
    /// `0.55`, or `12`, or `10..14`: what stands in front of a bin.
    std::string label(Bin const& bin) const;
    bool holds(Bin const& bin, double value) const;
};

/// About `most` bins over the range the values occupy, of a width of 1, 2 or 5 times a power of ten; whole numbers get
/// a bin each where they fit. `values`: ascending, with their counts; they may be below what they stand for by `error`:
/// so near below an edge is at it.
Bins sensible_bins(std::vector<std::pair<double, std::uint64_t>> const& values, std::size_t most, double error = 0);

/// A bar of `part` / `whole` of `width` columns, in eighths of a column; what is not zero is seen.
std::string block_bar(std::uint64_t part, std::uint64_t whole, std::size_t width);

}  // namespace tailback::base
