// Rows of a fixed number of slots, as tables have them.
#pragma once

#include "kernels/cpu/fast/row_links.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace tailback::kernels::stages {

template <class LinkWord, std::uint32_t width>
struct alignas(sizeof(LinkWord) * width > 16 ? 16 : sizeof(LinkWord) * width) SlotRow {
    LinkWord slot[width];

    static SlotRow of(std::uint32_t padding) {
        SlotRow row;
        for (LinkWord& slot : row.slot) slot = static_cast<LinkWord>(padding);
        return row;
    }
    /// What spread() adds: padding in place k becomes padding + k, which has a counter of its own (padding_counters).
    /// Nothing where that is no slot.
    static SlotRow offsets(std::uint32_t padding) {
        SlotRow row = of(0);
        if (sizeof(LinkWord) > 2 || padding + width <= 0xFFFF)
            for (std::uint32_t k = 0; k < width; ++k) row.slot[k] = static_cast<LinkWord>(k);
        return row;
    }
    void spread(std::uint32_t padding, SlotRow const& offsets) {
        using Vector __attribute__((vector_size(sizeof(LinkWord) * width))) =
            LinkWord;  // compilers find none in the loop
        Vector all, more;
        std::memcpy(&all, slot, sizeof all);
        std::memcpy(&more, offsets.slot, sizeof more);
        all += (all == static_cast<LinkWord>(padding)) & more;
        std::memcpy(slot, &all, sizeof all);
    }
};

struct RowKind {
    std::uint32_t link_index_bits, width;
};

/// Calls run.template operator()<LinkWord, width>() for one of the kinds there are: those of tables, and eight slots of
/// 32 bits for routes that are computed.
template <class Run>
decltype(auto) with_kind(RowKind kind, Run&& run) {
    if (kind.link_index_bits == 16) switch (kind.width) {
            case 2: return run.template operator()<std::uint16_t, 2>();
            case 4: return run.template operator()<std::uint16_t, 4>();
            case 8: return run.template operator()<std::uint16_t, 8>();
            case 16: return run.template operator()<std::uint16_t, 16>();
            case 32: return run.template operator()<std::uint16_t, 32>();
        }
    switch (kind.width) {
        case 4: return run.template operator()<std::uint32_t, 4>();
        case 8: return run.template operator()<std::uint32_t, 8>();
        case 16: return run.template operator()<std::uint32_t, 16>();
    }
    throw std::logic_error("no stages for rows of this width");
}

/// Links of such rows. `padding`: the first of the slots that stand for none.
std::unique_ptr<RowLinks> make_slot_links(RowKind kind, std::uint32_t padding);

/// Reads back by a vector load for each counter; readable_counters more than there are must be readable. Needs
/// has_avx2().
ReadBack read_back_by_vectors(RowKind kind, FlowsToRead<std::uint16_t> const& flows);

}  // namespace tailback::kernels::stages
