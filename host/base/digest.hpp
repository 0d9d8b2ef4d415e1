// FNV-1a over 64-bit words: for telling things apart, not for secrets.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace tailback::base {

class Digest {
public:
    void add(std::uint64_t word) {
        for (int byte = 0; byte < 8; byte += 4) {  // two 32-bit steps a word: quick, and every bit counts
            state_ = (state_ ^ ((word >> (8 * byte)) & 0xFFFFFFFFu)) * 0x100000001B3ull;
            state_ ^= state_ >> 29;
        }
    }
    void add(std::string const& text) {
        add(text.size());
        for (char const c : text) add(static_cast<unsigned char>(c));
    }
    std::uint64_t value() const { return state_; }
    /// 16 hex digits.
    std::string text() const {
        char digits[20];
        std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(state_));
        return digits;
    }

private:
    std::uint64_t state_ = 0xCBF29CE484222325ull;
};

}  // namespace tailback::base
