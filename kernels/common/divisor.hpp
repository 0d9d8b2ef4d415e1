// Division by a number that is known beforehand, as a multiplication (Lemire, Kaser, Kurz: "Faster remainder by direct
// computation", 2019).
#pragma once

#include "kernels/common/portable.hpp"

#include <cstdint>

namespace tailback::kernels {

struct Divisor {
    std::uint64_t inverse = 0;  ///< floor((2^64 - 1) / by) + 1; wraps to 0 for 1
    std::uint32_t by = 1;

    Divisor() = default;
    explicit Divisor(std::uint32_t number) : inverse(~std::uint64_t{0} / number + 1), by(number) {}

    TAILBACK_HD std::uint32_t quotient(std::uint32_t n) const {
        return inverse == 0 ? n : static_cast<std::uint32_t>(high_product(inverse, n));
    }
    TAILBACK_HD std::uint32_t remainder(std::uint32_t n, std::uint32_t its_quotient) const {
        return n - its_quotient * by;
    }
};

}  // namespace tailback::kernels
