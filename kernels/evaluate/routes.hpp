// Routes as kernels see them: for (group of the source, seat of the destination) the slots of the links between.
#pragma once

#include "kernels/common/portable.hpp"
#include "kernels/evaluate/problem.hpp"

#include <type_traits>

namespace tailback::kernels {

/// Packed rows: one load gives a whole route. Short routes are padded with slot `inner`; a pair that is not delivered
/// has its code in the first place.
template <class LinkWord, std::uint32_t width>
struct RouteRows {
    /// A row as whole words, so that it is loaded and kept as such and taken apart in registers.
    using Word = std::conditional_t<sizeof(LinkWord) * width == 4, std::uint32_t, std::uint64_t>;
    static constexpr std::uint32_t links_a_word = sizeof(Word) / sizeof(LinkWord);
    static constexpr std::uint32_t words = width / links_a_word;
    struct alignas(sizeof(LinkWord) * width > 16 ? 16 : sizeof(LinkWord) * width) Row {
        Word word[words];
    };
    using Kept = Row;

    Row const* rows;
    std::uint32_t study_hosts;
    std::uint32_t inner;

    TAILBACK_HD explicit RouteRows(Problem const& p)
        : rows(static_cast<Row const*>(p.routes.rows)), study_hosts(p.placement.study_hosts), inner(p.routes.inner) {}

    TAILBACK_KERNEL Row const* place(std::uint32_t group, std::uint32_t destination) const {
        return rows + (std::uint64_t{group} * study_hosts + destination);
    }
    TAILBACK_KERNEL Kept find(std::uint32_t group, std::uint32_t destination) const {
        return *place(group, destination);
    }
    /// 0 = delivered, else 1..3 (unreachable, loop, misdelivered).
    TAILBACK_KERNEL std::uint32_t fate(Kept const& row) const {
        std::uint32_t const first = static_cast<LinkWord>(row.word[0]);
        return first > inner ? first - inner : 0;
    }
    /// Calls visit(slot) for each place, padding included.
    template <class Visit>
    TAILBACK_KERNEL void each(Kept const& row, Visit&& visit) const {
        TAILBACK_UNROLLED
        for (std::uint32_t w = 0; w < words; ++w)
            for (std::uint32_t k = 0; k < links_a_word; ++k)
                visit(std::uint32_t{
                    static_cast<LinkWord>(row.word[w] >> (k * 8 * sizeof(LinkWord) % (8 * sizeof(Word))))});
    }
    /// A row of padding alone.
    TAILBACK_HD Kept empty() const {
        Kept row{};
        for (std::uint32_t w = 0; w < words; ++w)
            for (std::uint32_t k = 0; k < links_a_word; ++k)
                row.word[w] |= static_cast<Word>(Word{inner} << (k * 8 * sizeof(LinkWord) % (8 * sizeof(Word))));
        return row;
    }
    static constexpr bool pads = true;
    static constexpr bool stored = true;  ///< read from memory, not computed
};

/// A next-slot table per (node, destination): smaller than rows when routes are long, one dependent load a link.
struct RouteSteps {
    struct Kept {
        std::uint32_t first;  ///< slot or code of the first step
        std::uint32_t destination;
    };

    std::uint32_t const* steps;
    std::uint32_t const* head;
    std::uint32_t study_hosts;
    std::uint32_t inner;

    TAILBACK_HD explicit RouteSteps(Problem const& p)
        : steps(p.routes.steps), head(p.routes.head), study_hosts(p.placement.study_hosts), inner(p.routes.inner) {}

    TAILBACK_KERNEL Kept find(std::uint32_t group, std::uint32_t destination) const {
        return {steps[std::uint64_t{group} * study_hosts + destination], destination};
    }
    TAILBACK_KERNEL std::uint32_t fate(Kept const& route) const {
        return route.first > inner ? route.first - inner : 0;
    }
    template <class Visit>
    TAILBACK_KERNEL void each(Kept const& route, Visit&& visit) const {
        for (std::uint32_t slot = route.first; slot < inner;
             slot = steps[std::uint64_t{head[slot]} * study_hosts + route.destination])
            visit(slot);
    }
    static constexpr bool pads = false;
    static constexpr bool stored = true;
};

}  // namespace tailback::kernels
