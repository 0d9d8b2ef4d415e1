// What kernels have in place of the standard library's functions.
#include "kernels/common/portable.hpp"

#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::portable_test {
namespace {

std::uint32_t counted(std::uint64_t x) {
    std::uint32_t bits = 0;
    for (; x != 0; x /= 2) ++bits;
    return bits;
}

TEST(Portable, BitWidthIsThatOfALoop) {
    EXPECT_EQ(kernels::bit_width(0), 0u);
    EXPECT_EQ(kernels::bit_width(UINT64_MAX), 64u);
    for (int shift = 0; shift < 64; ++shift)
        for (int by : {-1, 0, 1}) {
            std::uint64_t const x = (std::uint64_t{1} << shift) + static_cast<std::uint64_t>(by);
            EXPECT_EQ(kernels::bit_width(x), counted(x)) << x;
        }
}

}  // namespace
}  // namespace tailback::portable_test
