// A column of a step table: the steps to one destination, from all rows. What CPU threads and a CUDA device both run, a
// member a destination.
//
// Why so: how the walk from a row ends is how that from the next one does, so that every row is looked at once, however
//         long routes are.
#pragma once

#include "kernels/routes/pack.hpp"

namespace tailback::kernels {

template <class Entry>
struct StepColumn {
    PackView const& view;
    TablesView<Entry> const& tables;
    std::uint8_t* end;  ///< [row x end_stride] how the walk from there ends
    std::size_t end_stride;
    std::uint32_t* way;  ///< [row x way_stride] rows of a walk whose end is not known yet; may be the column itself
    std::size_t way_stride;

    /// Fills the column of destination d of `steps`: the first slot of the way on from each row, or a code; `inner`
    /// where it ends.
    TAILBACK_KERNEL void pack(std::uint32_t d, std::uint32_t* steps) const {
        PackDestination const to = view.destinations[d];
        std::uint32_t const rows = view.forwarding.rows;
        auto const put = [&](std::uint32_t row, std::uint32_t slot) {
            steps[std::size_t{row} * view.destination_count + d] = slot;
        };
        for (std::uint32_t row = 0; row < rows; ++row) end[row * end_stride] = unknown;
        for (std::uint32_t row = 0; row < rows; ++row)
            if (end[row * end_stride] == unknown) find_end(row, to);
        for (std::uint32_t row = 0; row < rows; ++row) put(row, row == to.own_row ? view.inner : step_of(row, to));
        for (std::uint32_t g = 0; g < view.group_count; ++g) {
            RouteStart const start = view.groups[g].start;
            if (start.row == no_row) put(rows + g, view.inner + static_cast<std::uint32_t>(WalkEnd::unreachable));
            else if (end[start.row * end_stride] != delivered || start.first_slot == no_row)
                put(rows + g, step_of(start.row, to));
            else put(rows + g, start.first_slot);
        }
        put(rows + view.group_count, view.inner);
    }

private:
    static constexpr auto delivered = static_cast<std::uint8_t>(WalkEnd::delivered);
    static constexpr std::uint8_t unknown = 254, on_the_way = 255;

    TAILBACK_KERNEL std::uint32_t step_of(std::uint32_t row, PackDestination const& to) const {
        if (end[row * end_stride] != delivered) return view.inner + end[row * end_stride];
        return view.slots[std::size_t{row} * view.forwarding.ports + tables.port(row, to.target.lid)];
    }
    /// Walks from a row until it is known how that ends, and notes it for all rows on the way.
    TAILBACK_KERNEL void find_end(std::uint32_t row, PackDestination const& to) const {
        std::uint8_t known = unknown;
        std::uint32_t walked = 0;
        while (known == unknown) {
            end[row * end_stride] = on_the_way;
            way[walked++ * way_stride] = row;
            std::uint32_t const next =
                next_row(view.forwarding, row, tables.port(row, to.target.lid), to.target.endpoint);
            if (next == ends_unreachable) known = static_cast<std::uint8_t>(WalkEnd::unreachable);
            else if (next == ends_misdelivered) known = static_cast<std::uint8_t>(WalkEnd::misdelivered);
            else if (next == ends_delivered) known = delivered;
            else if (end[next * end_stride] == on_the_way) known = static_cast<std::uint8_t>(WalkEnd::loop);
            else known = end[(row = next) * end_stride];
        }
        while (walked > 0) end[way[--walked * way_stride] * end_stride] = known;
    }
};

}  // namespace tailback::kernels
