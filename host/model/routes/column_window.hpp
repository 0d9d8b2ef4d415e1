// Columns of the tables, the out ports of all rows for one LID, for loops that go through LIDs.
#pragma once

#include "host/model/routes/forwarding.hpp"

#include <vector>

namespace tailback::model {

/// One thread's view of the tables, a column at a time. Where LIDs ascend without great gaps it turns many columns at
/// once, as a single one misses the cache at every row; for a LID far from the last it reads that column alone.
class ColumnWindow {
public:
    static constexpr std::uint16_t no_entry = 0xFFFF;

    explicit ColumnWindow(Forwarding const& forwarding) : forwarding_(forwarding) {}

    /// [row] the out port for `lid`, until the next call.
    std::uint16_t const* column(Lid lid) {
        if (lid < first_ || lid - first_ >= width_) {
            bool const follows = lid > last_ && lid - last_ <= largest_gap;
            first_ = lid;
            width_ = follows ? columns_at_once : 1;
            columns_.resize(std::size_t{width_} * forwarding_.rows());
            forwarding_.columns(first_, width_, columns_.data());
        }
        last_ = lid;
        return columns_.data() + std::size_t{lid - first_} * forwarding_.rows();
    }

private:
    static constexpr Lid columns_at_once = 64, largest_gap = 8;

    Forwarding const& forwarding_;
    std::vector<std::uint16_t> columns_;
    Lid first_ = 0, last_ = 0, width_ = 0;
};

}  // namespace tailback::model
