// What the readers of forwarding tables share: where an entry goes, and what it disagrees with in the topology.
#pragma once

#include "host/io/line_reader.hpp"
#include "host/model/tables.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tailback::formats {

/// Takes the tables of a file one after the other, entry by entry.
class TableRows {
public:
    TableRows(model::Network const& network, io::LineReader const& lines, model::Disagreements& disagreements);

    /// The following entries belong to the switch of this node GUID, which the file calls `name` (empty = it does not
    /// say). When the topology has no such switch that is noted and they go nowhere.
    void begin(std::uint64_t guid, std::string_view name = {});
    /// The switch of the present table, for messages; empty when the topology does not have it.
    model::FabricPlace present() const { return node_.exists() ? network_.place_of(node_) : model::FabricPlace{}; }
    /// One entry; `port` 255 = none. @throws InputError for a port above 255 or an LID that cannot be unicast.
    void enter(std::uint64_t lid, std::uint64_t port) {
        // The usual entry: an owned LID, a cabled port, nothing there yet.
        if (lid < row_lids_ && port < 255 && (doubts_of_port_[port] | doubts_of_lid_[lid]) == 0 && row_[lid] == 0xFF)
            row_[lid] = static_cast<std::uint8_t>(port);
        else enter_with_care(lid, port);
    }
    /// Largest LID that the present table may hold, by its header: a hint for making room once.
    void expect_lids_up_to(std::uint64_t lid);

    std::size_t tables_met() const { return met_; }
    /// Notes switches without a table. @throws InputError when no table belongs to the topology at all.
    model::ForwardingTables finish();

private:
    void enter_with_care(std::uint64_t lid, std::uint64_t port);
    void make_room(model::Lid lid);
    void point_at_row();
    std::string entry_text(std::uint64_t lid, std::uint64_t port) const;

    model::Network const& network_;
    io::LineReader const& lines_;
    model::Disagreements& disagreements_;
    model::ForwardingTables tables_;
    model::Node node_;  // none: entries of an unknown switch
    std::uint8_t* row_ = nullptr;
    std::size_t row_lids_ = 0;                        // 0 when there is no row
    std::array<std::uint8_t, 256> doubts_of_port_{};  // of the present switch; 0 = cabled
    std::vector<std::uint8_t> doubts_of_lid_;         // 0 = owned
    std::uint64_t expected_top_ = 0;
    std::size_t met_ = 0;
};

}  // namespace tailback::formats
