// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11): a random number is a pure
// function of where it is used.
#pragma once

#include "kernels/common/portable.hpp"

#include <cstdint>

namespace tailback::kernels {

struct PhiloxBlock {
    std::uint32_t word[4];
};

/// A key, and the keys of all rounds that follow from it: what is passed to a kernel need not be computed by each of
/// its threads.
struct Seed {
    std::uint64_t value = 0;
    std::uint32_t round_key[10][2] = {};

    Seed(std::uint64_t key = 0) : value(key) {
        for (std::uint32_t round = 0; round < 10; ++round) {
            round_key[round][0] = static_cast<std::uint32_t>(key) + round * 0x9E3779B9u;
            round_key[round][1] = static_cast<std::uint32_t>(key >> 32) + round * 0xBB67AE85u;
        }
    }
    TAILBACK_HD operator std::uint64_t() const { return value; }
};

/// Ten rounds on counter (c0, c1, c2, c3) under a 64-bit key.
TAILBACK_HD PhiloxBlock philox(std::uint32_t c0, std::uint32_t c1, std::uint32_t c2, std::uint32_t c3,
                               std::uint64_t key) {
    auto k0 = static_cast<std::uint32_t>(key);
    auto k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
        WideProduct const p0 = wide_product(0xD2511F53u, c0), p1 = wide_product(0xCD9E8D57u, c2);
        c0 = p1.high ^ c1 ^ k0;
        c1 = p1.low;
        c2 = p0.high ^ c3 ^ k1;
        c3 = p0.low;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return {{c0, c1, c2, c3}};
}
/// The same by keys that are there.
TAILBACK_KERNEL PhiloxBlock philox(std::uint32_t c0, std::uint32_t c1, std::uint32_t c2, std::uint32_t c3,
                                   Seed const& seed) {
    for (int round = 0; round < 10; ++round) {
        WideProduct const p0 = wide_product(0xD2511F53u, c0), p1 = wide_product(0xCD9E8D57u, c2);
        c0 = p1.high ^ c1 ^ seed.round_key[round][0];
        c1 = p1.low;
        c2 = p0.high ^ c3 ^ seed.round_key[round][1];
        c3 = p0.low;
    }
    return {{c0, c1, c2, c3}};
}

}  // namespace tailback::kernels
