// Entries of forwarding tables: the careful half, for whatever the fast check of table_rows.hpp did not let through.
#include "host/formats/read/table_rows.hpp"

#include "host/formats/read/lid_range.hpp"

#include <algorithm>
#include <cstdio>

namespace tailback::formats {
namespace {

enum Doubt : std::uint8_t { beyond_switch = 1, without_cable = 2, unowned = 4 };

}  // namespace

TableRows::TableRows(model::Network const& network, io::LineReader const& lines, model::Disagreements& disagreements)
    : network_(network),
      lines_(lines),
      disagreements_(disagreements),
      tables_(network),
      doubts_of_lid_(tables_.lids()) {
    for (std::size_t lid = 0; lid < doubts_of_lid_.size(); ++lid)
        if (!network.owner(static_cast<model::Lid>(lid)).node.exists()) doubts_of_lid_[lid] = unowned;
}

void TableRows::begin(std::uint64_t guid, std::string_view name) {
    ++met_;
    expected_top_ = 0;
    node_ = network_.node_by_guid(guid);
    if (node_.exists() && network_[node_].kind != model::NodeKind::switch_node) node_ = model::Node{};
    if (!node_.exists()) {
        row_ = nullptr;
        row_lids_ = 0;
        if (disagreements_.wants_example(model::Disagreement::table_of_unknown_switch)) {
            char text[32];
            std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(guid));
            std::string const where =
                name.empty() ? "switch " + std::string(text) : "switch \"" + std::string(name) + "\" (" + text + ")";
            bool const adapter = network_.node_by_guid(guid).exists();
            disagreements_.note(model::Disagreement::table_of_unknown_switch, lines_.place(),
                                "table of " + std::string(text) + ", which the topology " +
                                    (adapter ? "has as an adapter" : "does not have"),
                                1, {where, {}, guid, 0});
        } else {
            disagreements_.count(model::Disagreement::table_of_unknown_switch);
        }
        return;
    }
    tables_.add_table(node_);
    point_at_row();
    for (model::Port port = 0; port < 256; ++port)
        doubts_of_port_[port] = port > network_[node_].ports ? beyond_switch : without_cable;
    doubts_of_port_[0] = 0;
    for (std::uint32_t i = 0; i < network_.link_count(node_); ++i) {
        model::Port const port = network_[model::Link{network_.first_link(node_).value + i}].from_port;
        if (port < 256) doubts_of_port_[port] = 0;
    }
}

void TableRows::point_at_row() {
    row_ = tables_.narrow_row(node_);  // entries stay narrow: InfiniBand's ports end at 254
    row_lids_ = row_ ? tables_.lids() : 0;
}

void TableRows::expect_lids_up_to(std::uint64_t lid) {
    expected_top_ = std::min<std::uint64_t>(lid, model::max_unicast_lid);
}

void TableRows::make_room(model::Lid lid) {
    if (lid < tables_.lids()) return;
    // Not LID by LID: every growth moves all rows.
    std::uint64_t const generous = std::max<std::uint64_t>({lid, expected_top_, tables_.lids() + tables_.lids() / 4});
    tables_.grow(static_cast<model::Lid>(std::min<std::uint64_t>(generous, model::max_unicast_lid)));
    doubts_of_lid_.resize(tables_.lids(), unowned);
    point_at_row();
}

std::string TableRows::entry_text(std::uint64_t lid, std::uint64_t port) const {
    return network_.describe(node_) + " sends LID " + std::to_string(lid) + " to port " + std::to_string(port);
}

void TableRows::enter_with_care(std::uint64_t lid, std::uint64_t port) {
    checked_port(port, lines_.place());
    if (lid > model::max_unicast_lid)
        throw base::InputError(lines_.place(), "LID " + std::to_string(lid) + " in a unicast table",
                               "unicast LIDs end at 49151 (0xbfff)", "the line is damaged; make the file again");
    if (!node_.exists()) return;
    bool const none = port == 255;
    if (none && lid >= tables_.lids()) return;
    make_room(static_cast<model::Lid>(lid));
    auto note = [&](model::Disagreement kind, auto&& text) {
        if (disagreements_.wants_example(kind))
            disagreements_.note(kind, lines_.place(), text(), 1,
                                network_.place_of(node_, static_cast<model::Port>(port)));
        else disagreements_.count(kind);
    };
    if (row_[lid] != 0xFF && row_[lid] != port)
        note(model::Disagreement::duplicate_entry, [&] {
            return entry_text(lid, port) + (none ? " (no entry)" : "") + ", and to port " + std::to_string(row_[lid]) +
                   " before";
        });
    row_[lid] = static_cast<std::uint8_t>(port);
    if (none) return;
    if (doubts_of_lid_[lid] & unowned)
        note(model::Disagreement::unowned_lid, [&] { return entry_text(lid, port) + ", and nobody owns that LID"; });
    if (doubts_of_port_[port] & beyond_switch)
        note(model::Disagreement::port_beyond_switch,
             [&] { return entry_text(lid, port) + " and has " + std::to_string(network_[node_].ports) + " ports"; });
    else if (doubts_of_port_[port] & without_cable)
        note(model::Disagreement::port_without_cable, [&] { return entry_text(lid, port) + ", which has no cable"; });
}

model::ForwardingTables TableRows::finish() {
    base::SourceLocation const place{lines_.name(), 0};
    if (met_ == 0)
        throw base::InputError(place, "the file has no unicast forwarding table", "",
                               "check that it is the right file, and whole");
    if (tables_.tables() == 0)
        throw base::InputError(place, "none of the " + std::to_string(met_) + " tables is of a switch of the topology",
                               "their node GUIDs differ", "give a topology and tables of the same fabric");
    for (std::size_t n = 0; n < network_.nodes().size(); ++n)
        if (network_[model::Node{n}].kind == model::NodeKind::switch_node && !tables_.has_table(model::Node{n}))
            disagreements_.note(model::Disagreement::switch_without_table, place,
                                network_.describe(model::Node{n}) + " has no table");
    return std::move(tables_);
}

}  // namespace tailback::formats
