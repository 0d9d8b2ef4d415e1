// Philox4x32-10: the paper's known answers, the reference implementation where it is installed, and the oracle's own.
#include "kernels/common/philox.hpp"

#include "tests/support/oracle/oracle.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#if __has_include(<Random123/philox.h>)
#include <Random123/philox.h>
#define TAILBACK_HAS_RANDOM123
#endif

namespace tailback::philox_test {
namespace {

std::vector<std::uint32_t> words_of(PhiloxBlock const& block) { return {block.word, block.word + 4}; }

/// The three vectors that Salmon et al. publish with their library: all zeros, all ones, digits of pi.
TEST(Philox, KnownAnswers) {
    using Words = std::vector<std::uint32_t>;
    EXPECT_EQ(words_of(philox(0, 0, 0, 0, 0)), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(words_of(philox(0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffffffffffff)),
              (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(words_of(philox(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0x299f31d0a4093822)),
              (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

/// Counters and keys that differ in all their words.
template <class Check>
void on_many_counters(Check check) {
    std::uint64_t x = 1;
    auto next = [&] { return static_cast<std::uint32_t>((x = x * 6364136223846793005u + 1442695040888963407u) >> 32); };
    for (int i = 0; i < 2000; ++i) {
        std::uint32_t const c0 = next(), c1 = next(), c2 = next(), c3 = next(), k0 = next(), k1 = next();
        check(c0, c1, c2, c3, k0, k1, words_of(philox(c0, c1, c2, c3, k0 | std::uint64_t{k1} << 32)));
    }
}

TEST(Philox, AgreesWithTheOracles) {
    on_many_counters([](auto c0, auto c1, auto c2, auto c3, auto k0, auto k1, auto const& words) {
        EXPECT_EQ(words, oracle::philox4x32_10({c0, c1, c2, c3}, {k0, k1}));
    });
}

TEST(Philox, AgreesWithRandom123) {
#ifdef TAILBACK_HAS_RANDOM123
    on_many_counters([](auto c0, auto c1, auto c2, auto c3, auto k0, auto k1, auto const& words) {
        philox4x32_ctr_t const reference =
            philox4x32_R(10, philox4x32_ctr_t{{c0, c1, c2, c3}}, philox4x32_key_t{{k0, k1}});
        EXPECT_EQ(words, std::vector<std::uint32_t>(reference.v, reference.v + 4));
    });
#else
    GTEST_SKIP() << "Random123 is not installed";
#endif
}

}  // namespace
}  // namespace tailback::philox_test
