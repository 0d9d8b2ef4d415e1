// Random numbers for building: a stream of draws that is a function of its seed and its number alone.
#pragma once

#include "kernels/common/middle.hpp"
#include "kernels/common/philox.hpp"
#include "kernels/evaluate/message_lids.hpp"

#include <cstdint>

namespace tailback::topologies {

/// What a stream is drawn for: the same seed gives each its own numbers.
enum class BuildStream : std::uint32_t {
    jellyfish = 1,
    failed_cables = 2,
    failed_switches = 3,
    random_ports = 4,
    ties = 5,
    ecmp = 6,
    valiant = kernels::middle_stream,
    kshortest = 8,
    allpath = 9,
    random_up = 10,
    romm = 11,
    source_port = 12,
    kernel_seed = 13,
    lid_of_connection = 14,
    lid_of_message = kernels::message_lid_stream,
    rlb = 16,
    connection = 17,
    table_moves = 18,
    switch_order = 19,
    rank_order = 20,
    random_order = 21,
    lag_member = 22
};

class Draws {
public:
    /// `part`: further division of a stream, e.g. the number of an attempt.
    Draws(std::uint64_t seed, BuildStream stream, std::uint32_t part = 0) : seed_(seed), stream_(stream), part_(part) {}

    std::uint32_t next() {
        if (used_ == 4) {
            block_ = kernels::philox(count_++, part_, 0x70B0'0000u, static_cast<std::uint32_t>(stream_), seed_);
            used_ = 0;
        }
        return block_.word[used_++];
    }
    /// Uniform on 0 .. range-1, without bias. `range` > 0.
    std::uint32_t below(std::uint32_t range) {
        for (;;) {
            std::uint64_t const product = std::uint64_t{next()} * range;
            auto const low = static_cast<std::uint32_t>(product);  // 2^32 % range of them are too many
            if (low >= range || low >= (std::uint64_t{1} << 32) % range)
                return static_cast<std::uint32_t>(product >> 32);
        }
    }

    /// How many words were drawn, modulo 2^34.
    std::uint64_t position() const { return 4 * std::uint64_t{count_} - static_cast<std::uint64_t>(4 - used_); }
    /// As after so many words.
    void go_to(std::uint64_t position) {
        count_ = static_cast<std::uint32_t>(position / 4);
        used_ = 4;
        for (std::uint64_t word = 0; word < position % 4; ++word) next();
    }

private:
    std::uint64_t seed_;
    BuildStream stream_;
    std::uint32_t part_;
    std::uint32_t count_ = 0;
    int used_ = 4;
    kernels::PhiloxBlock block_{};
};

/// One word as a function of a seed and three numbers.
inline std::uint32_t drawn_word(std::uint64_t seed, BuildStream stream, std::uint32_t a, std::uint32_t b,
                                std::uint32_t c) {
    return kernels::philox(a, b, c, static_cast<std::uint32_t>(stream), seed).word[0];
}

}  // namespace tailback::topologies
