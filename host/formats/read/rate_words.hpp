// Rates as lst and net_dump print them: a width, and a speed in Gb/s a lane.
#pragma once

#include "host/model/network.hpp"

#include <cstdint>
#include <string_view>

namespace tailback::formats {

/// Not stated where the width or the word is unknown.
inline model::LinkRate rate_of_words(std::uint64_t width, std::string_view speed) {
    struct SpeedWord {
        std::string_view word;
        model::Speed speed;
    };
    constexpr SpeedWord speed_words[] = {
        {"2.5", model::Speed::sdr},     {"5", model::Speed::ddr},   {"10", model::Speed::qdr},
        {"FDR10", model::Speed::fdr10}, {"14", model::Speed::fdr},  {"25", model::Speed::edr},
        {"50", model::Speed::hdr},      {"100", model::Speed::ndr}, {"200", model::Speed::xdr}};
    if (width != 1 && width != 2 && width != 4 && width != 8 && width != 12) return {};
    for (SpeedWord const& known : speed_words)
        if (known.word == speed) return {static_cast<std::uint8_t>(width), known.speed};
    return {};
}

}  // namespace tailback::formats
