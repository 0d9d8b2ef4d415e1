// One flow from each rank: shift, transpose, tornado, and permutations of the bits of a rank's number (Dally and
// Towles, "Principles and Practices of Interconnection Networks", 2004, section 3.2; Ridruejo 2013, Table 2 of chapter
// 8).
#include "host/base/spec.hpp"
#include "patterns/arguments.hpp"
#include "patterns/families.hpp"

#include <bit>

namespace tailback::patterns {
namespace {

/// i -> image(i, l) for the 2^l ranks of the largest power of two.
template <class Image>
void write_bits(FlowListWriter& out, Image&& image) {
    out.begin_level();
    if (out.ranks() == 0) return;
    std::uint32_t const bits = static_cast<std::uint32_t>(std::bit_width(out.ranks())) - 1;
    for (std::uint64_t i = 0; i < std::uint64_t{1} << bits; ++i) out.flow(i, image(i, bits));
}

/// Bit k of the result is bit (k + by) mod `bits`.
std::uint64_t rotated_down(std::uint64_t i, std::uint32_t bits, std::uint32_t by) {
    if (bits == 0) return i;
    std::uint64_t const mask = (std::uint64_t{1} << bits) - 1;
    return (i >> by | i << (bits - by)) & mask;
}

}  // namespace

void write_shift_by(FlowListWriter& out, base::Arguments const& arguments) { write_shift(out, arguments.number("by")); }

void write_transpose(FlowListWriter& out, base::Arguments const&) {
    std::uint64_t side = 0;
    while ((side + 1) * (side + 1) <= out.ranks()) ++side;
    out.begin_level();
    for (std::uint64_t y = 0; y < side; ++y)
        for (std::uint64_t x = 0; x < side; ++x) out.flow(y * side + x, x * side + y);
}

void write_tornado(FlowListWriter& out, base::Arguments const& arguments) {
    Grid const grid(arguments, out.ranks(), 0);
    std::uint32_t const size = grid.sizes().front();
    std::uint32_t const offset = arguments.word("offset") == "half" ? size / 2 : (size + 1) / 2 - (size > 0 ? 1 : 0);
    out.begin_level();
    for (std::uint32_t i = 0; i < out.ranks(); ++i) out.flow(i, i - i % size + (i % size + offset) % size);
}

void write_bit_complement(FlowListWriter& out, base::Arguments const&) {
    write_bits(out, [](std::uint64_t i, std::uint32_t bits) { return ~i & ((std::uint64_t{1} << bits) - 1); });
}

void write_bit_reversal(FlowListWriter& out, base::Arguments const&) {
    write_bits(out, [](std::uint64_t i, std::uint32_t bits) {
        std::uint64_t reversed = 0;
        for (std::uint32_t k = 0; k < bits; ++k) reversed |= (i >> k & 1) << (bits - 1 - k);
        return reversed;
    });
}

void write_bit_transpose(FlowListWriter& out, base::Arguments const&) {
    write_bits(out, [](std::uint64_t i, std::uint32_t bits) { return rotated_down(i, bits, bits / 2); });
}

void write_perfect_shuffle(FlowListWriter& out, base::Arguments const&) {
    write_bits(out, [](std::uint64_t i, std::uint32_t bits) { return bits < 2 ? i : rotated_down(i, bits, bits - 1); });
}

void write_butterfly(FlowListWriter& out, base::Arguments const&) {
    write_bits(out, [](std::uint64_t i, std::uint32_t bits) {
        if (bits < 2) return i;
        std::uint64_t const low = i & 1, high = i >> (bits - 1);
        std::uint64_t const between = i & ((std::uint64_t{1} << (bits - 1)) - 2);
        return between | low << (bits - 1) | high;
    });
}

}  // namespace tailback::patterns
