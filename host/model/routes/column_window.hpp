// Columns of the tables for loops that go through LIDs in ascending order.
#pragma once

#include "host/model/routes/forwarding.hpp"

#include <vector>

namespace tailback {

/// Columns are turned so many LIDs at a time: single columns would miss the cache at every row.
inline constexpr Lid columns_at_once = 64;

/// One thread's view of the tables, a column at a time. PortEntry as in Forwarding::columns.
template <class PortEntry>
class ColumnWindow {
public:
    explicit ColumnWindow(Forwarding const& forwarding)
        : forwarding_(forwarding), columns_(std::size_t{columns_at_once} * forwarding.rows()) {}

    /// [row] the out port for `lid`, until the next call.
    PortEntry const* column(Lid lid) {
        if (!loaded_ || lid < first_ || lid - first_ >= columns_at_once) {
            first_ = lid;
            loaded_ = true;
            forwarding_.columns(first_, columns_at_once, columns_.data());
        }
        return columns_.data() + std::size_t{lid - first_} * forwarding_.rows();
    }

private:
    Forwarding const& forwarding_;
    std::vector<PortEntry> columns_;
    Lid first_ = 0;
    bool loaded_ = false;
};

}  // namespace tailback
