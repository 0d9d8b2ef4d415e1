// What the readers of forwarding tables share: where an entry goes, and what it disagrees with in the topology.
#pragma once

#include "host/io/line_reader.hpp"
#include "host/model/tables.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tailback::formats {

/// Takes the tables of a file one after the other, entry by entry.
class TableRows {
public:
    TableRows(model::Network const& network, io::LineReader const& lines, model::Disagreements& disagreements);

    /// The following entries belong to the switch of this node GUID, which the file calls `name` (empty = it does not
    /// say). When the topology has no such switch they go nowhere, and that is noted, with the LID that it has by its
    /// table.
    void begin(std::uint64_t guid, std::string_view name = {});
    /// The following entries belong to nobody.
    void skip();
    /// The same, as `text` says. Noted at the end, with the switches that have no table.
    void begin_nameless(std::string text);
    /// The switch of the present table, for messages; empty when the topology does not have it.
    model::FabricPlace present() const { return node_.exists() ? network_.place_of(node_) : model::FabricPlace{}; }
    /// One entry; `port` 255 = none. @throws InputError for a port above 255 or an LID that cannot be unicast.
    void enter(std::uint64_t lid, std::uint64_t port) {
        // The usual entry: an owned LID, a cabled port, nothing there yet.
        if (lid < row_lids_ && port < 255 && (doubts_of_port_[port] | doubts_of_lid_[lid]) == 0 && row_[lid] == 0xFF)
            row_[lid] = static_cast<std::uint8_t>(port);
        else enter_with_care(lid, port);
    }
    /// The LID that the header of the present table gives its switch.
    void told_switch_lid(std::uint64_t lid);
    /// What stands behind an entry: where it names the port GUID of the LID's owner, that is held against the topology.
    void told_owner(std::uint64_t lid, std::string_view comment) {
        constexpr std::string_view label = "portguid 0x";
        if (comment.size() < guid_at_ + guid_digits ||
            comment.compare(guid_at_ - label.size(), label.size(), label) != 0) {
            std::size_t const at = comment.find(label);
            if (at == std::string_view::npos || at + label.size() + guid_digits > comment.size()) return;
            guid_at_ = at + label.size();
        }
        if (lid < told_.size() && comment.compare(guid_at_, guid_digits, told_[lid].right) == 0) return;
        told_owner_with_care(lid, comment.substr(guid_at_, guid_digits));
    }
    /// A line of the present table that is no entry. Noted when the table has ended, with the LIDs that it may have
    /// had: those between the entries around a gap no longer than there are such lines.
    void left_out(std::string text) { left_out_.push_back({lines_.place(), std::move(text)}); }
    /// The file ends within the present table. What the last line may have been is told with that; where entries and
    /// whole tables are missing follows from it.
    void cut_off(diagnosis::Code code, std::string text);
    /// Largest LID that the present table may hold, by its header: a hint for making room once.
    void expect_lids_up_to(std::uint64_t lid);

    std::size_t tables_met() const { return met_; }
    /// Notes switches without a table. @throws InputError when no table belongs to the topology at all.
    model::ForwardingTables finish();

private:
    /// A note that waits for the end of the file.
    struct Incomplete {
        diagnosis::Code code;
        base::SourceLocation place;
        std::string text;
        model::FabricPlace where;
    };

    /// Settles a second table of one switch, when it has ended.
    void end_table();
    void note_left_out();
    void note_unknown();
    void note_incomplete();
    std::vector<model::Node> without_table() const;
    void name_missing(Incomplete& told) const;
    std::vector<std::uint32_t> gaps() const;
    void told_owner_with_care(std::uint64_t lid, std::string_view guid);
    void note_other_owners();
    std::string kept_lid_text(std::vector<std::uint8_t> const& row, model::FabricPlace& where) const;
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

    static constexpr std::size_t guid_digits = 16;
    static constexpr std::size_t least_guid_at = 11;  // behind its label
    std::vector<std::size_t> header_line_;            // by node; 0 = no table yet
    bool in_second_ = false;                          // the present table is its switch's second
    std::vector<std::uint8_t> second_;
    std::size_t second_line_ = 0;
    struct Told {
        std::string right, wrong;  // as the comments spell the owner's GUID, and somebody else's
        std::uint32_t times = 0;   // of the wrong one
        std::size_t line = 0;
        model::Node table;
        bool several = false;
    };
    struct LeftOut {
        base::SourceLocation place;
        std::string text;
    };
    std::vector<LeftOut> left_out_;             // lines of the present table
    std::optional<Incomplete> unknown_;         // the present table is of a switch that the topology does not have
    std::optional<Incomplete> cut_off_;         // the file ends too soon
    std::optional<Incomplete> nameless_table_;  // the first of those without a name
    std::size_t nameless_ = 0;
    std::vector<Told> told_;  // by LID
    std::size_t guid_at_ = least_guid_at;
    std::unordered_map<std::uint64_t, model::Lid> lid_of_port_;  // by port GUID, made when a comment is wrong
};

}  // namespace tailback::formats
