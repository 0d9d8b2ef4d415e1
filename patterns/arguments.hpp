// What families of patterns read off their arguments.
#pragma once

#include "host/base/spec.hpp"
#include "patterns/families.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tailback::patterns {

/// Random numbers of a pattern's own: the same for all mappings. Number k is draw(k) of stream 5, mapping 0
/// (kernels/common/permutation.hpp).
class Draws {
public:
    explicit Draws(std::uint64_t seed) : seed_(seed) {}
    /// Uniform on 0 .. range - 1.
    std::uint32_t next(std::uint32_t range);

private:
    std::uint64_t seed_;
    std::uint32_t step_ = 0;
};

/// So many factors of n, the largest first, as near to each other as they can be: the product is n, and the sum is the
/// least. (MPI_Dims_create asks for the same.)
std::vector<std::uint32_t> near_cubic(std::uint32_t n, std::size_t dimensions);

/// A grid of ranks, the first coordinate varies fastest.
class Grid {
public:
    /// Of the sizes in `dims` where they are given, near-cubic otherwise. @throws InputError unless there are
    /// `dimensions` sizes (any number when that is 0) and as many ranks as their product, or 0: not known yet.
    Grid(base::Arguments const& arguments, std::uint32_t ranks, std::size_t dimensions);
    explicit Grid(std::vector<std::uint32_t> sizes) : sizes_(std::move(sizes)) {}

    std::vector<std::uint32_t> const& sizes() const { return sizes_; }
    std::uint32_t ranks() const;
    std::vector<std::uint32_t> coordinates(std::uint32_t rank) const;
    std::uint32_t rank(std::vector<std::uint32_t> const& coordinates) const;

private:
    std::vector<std::uint32_t> sizes_;
};

/// Parts first .. last - 1 of `bytes` divided into n parts: floor(bytes last / n) - floor(bytes first / n).
std::uint64_t parts_of(std::uint64_t bytes, std::uint64_t first, std::uint64_t last, std::uint64_t n);
/// Part k alone.
inline std::uint64_t part_of(std::uint64_t bytes, std::uint64_t k, std::uint64_t n) {
    return parts_of(bytes, k, k + 1, n);
}

/// The parameter `root`. @throws InputError where the pattern has ranks, and none of that number.
std::uint32_t root_of(base::Arguments const& arguments, std::uint32_t ranks);

}  // namespace tailback::patterns
