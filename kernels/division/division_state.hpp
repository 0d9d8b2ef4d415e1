// The working memory of mappings whose flows are divided equally: of several teams, word by word beside each other, as
// lanes of a warp that each have a mapping read it.
#pragma once

#include "kernels/common/array_layout.hpp"
#include "kernels/division/division_view.hpp"
#include "kernels/evaluate/problem.hpp"

#include <cstddef>

namespace tailback::kernels {

/// Every `stride`-th item.
template <class Item, std::uint32_t stride>
struct Strided {
    Item* first;
    TAILBACK_HD Item& operator[](std::size_t i) const { return first[i * stride]; }
};

/// Of one of `lanes` teams. All zero between levels, but for the delays, and what is passed on.
template <std::uint32_t lanes>
struct DivisionState {
    Strided<std::uint64_t, lanes> cell;  ///< [class][entry] weights that enter; then what is worst ahead
    Strided<std::uint32_t, lanes> flows_of_class;
    Strided<std::uint64_t, lanes> port;           ///< by group: units on each of its ports; then what is worst of them
    Strided<std::uint64_t, lanes> load;           ///< by link
    Strided<std::uint64_t, lanes> before, after;  ///< delays, by measured rank
    Strided<std::uint64_t, lanes> remainder;      ///< [member][row], where divisions are rounded
    Strided<std::uint64_t, lanes> passed;  ///< [member][bundle] to each of the next rows; then what is worst ahead

    /// Bytes a member of all teams for what is passed on.
    static std::size_t near_bytes(DivisionView const& d) {
        return std::size_t{d.most_bundles} * lanes * sizeof(std::uint64_t);
    }
    /// From `far` on (16-byte aligned), and what is passed on from `near` on, or there too where that is null. Null
    /// `far` only measures. Returns the bytes needed there.
    TAILBACK_HD std::size_t lay_out(Problem const& p, DivisionView const& d, std::uint32_t members, std::uint32_t lane,
                                    std::byte* far, std::byte* near) {
        std::uint32_t const delays = passes_delays(p) ? p.traffic.measured_ranks : 0;
        ArrayLayout arrays(far);
        take(arrays, cell, lane, std::size_t{d.classes} * d.entries);
        take(arrays, flows_of_class, lane, d.classes);
        take(arrays, port, lane, d.groups);
        take(arrays, load, lane, d.links);
        take(arrays, before, lane, delays);
        take(arrays, after, lane, delays);
        take(arrays, remainder, lane, d.rounded ? std::size_t{members} * d.rows : 0);
        if (near != nullptr) passed.first = reinterpret_cast<std::uint64_t*>(near) + lane;
        else take(arrays, passed, lane, std::size_t{members} * d.most_bundles);
        return arrays.used();
    }

private:
    template <class Item>
    TAILBACK_HD static void take(ArrayLayout& arrays, Strided<Item, lanes>& array, std::uint32_t lane,
                                 std::size_t count) {
        Item* first = nullptr;
        arrays.take(first, count * lanes);
        array.first = first + lane;
    }
};

}  // namespace tailback::kernels
