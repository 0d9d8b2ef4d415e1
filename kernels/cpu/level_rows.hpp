// Rows of a level's flows for others than the stages, who have the hosts of ranks as words of 32 bits: rows of few
// slots, whatever the routes' form and the width of seats.
#pragma once

#include "kernels/cpu/fast/row_finder.hpp"
#include "kernels/cpu/fast/row_links.hpp"
#include "kernels/cpu/fast/slot_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace tailback::kernels::stages {

class LevelRows {
public:
    /// Rows have at most so many slots: longer ones are mostly padding.
    static constexpr std::uint32_t most_slots = 8;

    virtual ~LevelRows() = default;
    /// Whether a level's rows can be had: its links have 16 bits to be counted in.
    static bool can_hold(LevelView const& level) { return level.routes_to_keep <= 0xFFFF; }
    /// @param mapping whose hosts these are @param host_index by rank @param drawn the pattern's random permutations
    /// @return how many flows there are by fate
    virtual MappingTally find(std::uint64_t mapping, std::uint32_t const* host_index,
                              std::uint32_t const* const (&drawn)[2], LevelView const& level) = 0;

    // Of what was found last.
    std::uint32_t flows() const { return flows_; }
    void const* rows() const { return rows_; }              ///< one for each flow
    std::uint32_t empty_rows() const { return empty_; }     ///< of flows without links, and of long routes
    std::uint32_t long_ones() const { return long_ones_; }  ///< routes that take two rows ..
    void const* long_rows() const { return long_rows_; }    ///< .. which are here, two for each
    RowLinks const& links() const { return *links_; }
    /// Calls run.template operator()<LinkWord, width>() for their kind.
    template <class Run>
    decltype(auto) with_row_kind(Run&& run) const {
        if (kind_.link_index_bits == 16) switch (kind_.width) {
                case 2: return run.template operator()<std::uint16_t, 2>();
                case 4: return run.template operator()<std::uint16_t, 4>();
                default: return run.template operator()<std::uint16_t, 8>();
            }
        if (kind_.width == 4) return run.template operator()<std::uint32_t, 4>();
        return run.template operator()<std::uint32_t, 8>();
    }

protected:
    std::shared_ptr<RowLinks const> links_;
    RowKind kind_{};
    std::byte const *rows_ = nullptr, *long_rows_ = nullptr;
    std::uint32_t flows_ = 0, empty_ = 0, long_ones_ = 0;
};

/// Makes the rows of a thread.
using MakeLevelRows = std::function<std::unique_ptr<LevelRows>()>;
/// They are null where there are no such rows, and where the problem wants no rates, or links have several. The problem
/// must outlive them.
MakeLevelRows level_rows_maker(Problem const& problem);

}  // namespace tailback::kernels::stages
