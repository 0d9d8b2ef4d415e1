// Rates as the files of ibdiagnet2 print them: a width, and a speed as a word (Gb/s a lane) or as a mask.
#pragma once

#include "host/model/network.hpp"

#include <bit>
#include <cstdint>
#include <string_view>

namespace tailback::formats {

/// A speed in lst and net_dump, and in section PORTS of db_csv: a bit of a byte each for base speeds, extended ones,
/// those of a vendor, and the second extended ones.
struct SpeedWord {
    std::string_view word;
    std::uint32_t mask;
    model::Speed speed;
};
constexpr SpeedWord speed_words[] = {
    {"2.5", 1, model::Speed::sdr},           {"5", 2, model::Speed::ddr},        {"10", 4, model::Speed::qdr},
    {"FDR10", 1 << 16, model::Speed::fdr10}, {"14", 1 << 8, model::Speed::fdr},  {"25", 2 << 8, model::Speed::edr},
    {"50", 4 << 8, model::Speed::hdr},       {"100", 8 << 8, model::Speed::ndr}, {"200", 1 << 24, model::Speed::xdr}};
/// Widths as bits of a mask, from the lowest on.
constexpr std::uint8_t mask_widths[] = {1, 4, 8, 12, 2};

/// Null: no word for it.
constexpr SpeedWord const* speed_word(model::Speed speed) {
    for (SpeedWord const& known : speed_words)
        if (known.speed == speed) return &known;
    return nullptr;
}
/// 0: none for it.
constexpr std::uint32_t width_mask(std::uint8_t width) {
    for (unsigned bit = 0; bit < std::size(mask_widths); ++bit)
        if (mask_widths[bit] == width) return 1u << bit;
    return 0;
}

/// Not stated where the width or the word is unknown.
constexpr model::LinkRate rate_of_words(std::uint64_t width, std::string_view speed) {
    if (width > 12 || width_mask(static_cast<std::uint8_t>(width)) == 0) return {};
    for (SpeedWord const& known : speed_words)
        if (known.word == speed) return {static_cast<std::uint8_t>(width), known.speed};
    return {};
}
/// Not stated where one of the masks is none that is known. Some writers have XDR beside the other extended speeds.
constexpr model::LinkRate rate_of_masks(std::uint64_t width, std::uint64_t speed) {
    if (!std::has_single_bit(width) || width >> std::size(mask_widths) != 0) return {};
    std::uint64_t const extended = speed & 0xff00, mask = extended != 0 ? extended : speed;
    for (SpeedWord const& known : speed_words)
        if (known.mask == mask || (known.speed == model::Speed::xdr && mask == 16 << 8))
            return {mask_widths[std::countr_zero(width)], known.speed};
    return {};
}

}  // namespace tailback::formats
