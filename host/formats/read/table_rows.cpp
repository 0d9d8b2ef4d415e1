// Entries of forwarding tables: the careful half, for whatever the fast check of table_rows.hpp did not let through.
#include "host/formats/read/table_rows.hpp"

#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/formats/read/lid_range.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::formats {
namespace {

enum Doubt : std::uint8_t { beyond_switch = 1, without_cable = 2, unowned = 4 };

}  // namespace

TableRows::TableRows(model::Network const& network, io::LineReader const& lines, model::Disagreements& disagreements)
    : network_(network),
      lines_(lines),
      disagreements_(disagreements),
      tables_(network),
      doubts_of_lid_(tables_.lids()),
      header_line_(network.nodes().size()) {
    for (std::size_t lid = 0; lid < doubts_of_lid_.size(); ++lid)
        if (!network.owner(static_cast<model::Lid>(lid)).node.exists()) doubts_of_lid_[lid] = unowned;
}

void TableRows::begin(std::uint64_t guid, std::string_view name) {
    end_table();
    ++met_;
    expected_top_ = 0;
    node_ = network_.node_by_guid(guid);
    if (node_.exists() && !network_.is_switch(node_)) node_ = model::Node{};
    if (!node_.exists()) {
        skip();
        std::string const text = fmt::format("{:#018x}", guid);
        bool const adapter = network_.node_by_guid(guid).exists();
        unknown_ = {
            diagnosis::Code::table_of_unknown_switch,
            lines_.place(),
            fmt::format("table of {}, which the topology {}", text, adapter ? "has as an adapter" : "does not have"),
            {.text = name.empty() ? "switch " + text : fmt::format("switch \"{}\" ({})", name, text),
             .guid = guid,
             .name = std::string(name)}};
        return;
    }
    in_second_ = tables_.has_table(node_);
    if (in_second_) {
        second_.assign(tables_.lids(), 0xFF);
        second_line_ = lines_.place().line;
    } else {
        tables_.add_table(node_);
        header_line_[node_.value] = lines_.place().line;
    }
    point_at_row();
    for (model::Port port = 0; port < 256; ++port)
        doubts_of_port_[port] = port > network_[node_].ports ? beyond_switch : without_cable;
    doubts_of_port_[0] = 0;
    for (std::uint32_t i = 0; i < network_.link_count(node_); ++i) {
        model::Port const port = network_[model::Link{network_.first_link(node_).value + i}].from_port;
        if (port < 256) doubts_of_port_[port] = 0;
    }
}

void TableRows::begin_nameless(std::string text) {
    // What stands in the header's place, above the columns and the first entry, is that header, damaged.
    if (!left_out_.empty() && left_out_.back().place.line + 2 >= lines_.place().line) {
        text = left_out_.back().text + ": " + text;
        left_out_.pop_back();
    }
    skip();
    if (nameless_++ == 0) nameless_table_ = {diagnosis::Code::table_without_name, lines_.place(), std::move(text), {}};
}

void TableRows::skip() {
    end_table();
    node_ = {};
    row_ = nullptr;
    row_lids_ = 0;
}

void TableRows::point_at_row() {
    row_ = tables_.narrow_row(node_);  // entries stay narrow: InfiniBand's ports end at 254
    row_lids_ = row_ ? tables_.lids() : 0;
    if (!in_second_) return;
    second_.resize(tables_.lids(), 0xFF);
    row_ = second_.data();
}

/// `; it keeps LID 9 for itself, which "leaf-2" owns`: whose table it may be.
std::string TableRows::kept_lid_text(std::vector<std::uint8_t> const& row, model::FabricPlace& where) const {
    for (std::size_t lid = 1; lid < row.size(); ++lid) {
        model::LidOwner const owner = network_.owner(static_cast<model::Lid>(lid));
        if (row[lid] != 0 || !owner.node.exists() || owner.host.exists() || owner.node == node_) continue;
        where.nodes.push_back(owner.node);
        return ", which keeps LID " + std::to_string(lid) + " for itself as " + network_.describe(owner.node) + " does";
    }
    return "";
}

std::vector<std::uint32_t> TableRows::gaps() const {
    std::vector<std::uint32_t> found, gap;
    auto const end_gap = [&] {
        if (gap.size() <= left_out_.size()) found.insert(found.end(), gap.begin(), gap.end());
        gap.clear();
    };
    for (std::size_t lid = 1; lid < row_lids_; ++lid) {
        if (row_[lid] != 0xFF) end_gap();
        else if (lid < doubts_of_lid_.size() && (doubts_of_lid_[lid] & unowned) == 0)
            gap.push_back(static_cast<std::uint32_t>(lid));
    }
    end_gap();
    return found;
}

void TableRows::note_left_out() {
    if (left_out_.empty()) return;
    model::FabricPlace where = present();
    if (node_.exists()) where.lids = gaps();
    for (LeftOut const& line : left_out_)
        disagreements_.note(diagnosis::Code::line_not_understood, line.place, line.text, 1, where);
    left_out_.clear();
}

void TableRows::note_unknown() {
    if (!unknown_) return;
    if (!unknown_->where.lids.empty())
        unknown_->text += fmt::format("; it keeps LID {} for itself", unknown_->where.lids.front());
    disagreements_.note(unknown_->code, unknown_->place, unknown_->text, 1, unknown_->where);
    unknown_.reset();
}

void TableRows::end_table() {
    note_left_out();
    note_unknown();
    if (!in_second_ || !node_.exists()) return;
    in_second_ = false;
    std::uint8_t* const first = tables_.narrow_row(node_);
    std::uint64_t differing = 0;
    for (std::size_t lid = 1; lid < second_.size(); ++lid) differing += first[lid] != second_[lid];
    if (differing == 0) return;
    model::Lid const own = network_[node_].lid;
    bool const first_counts = own != 0 && first[own] == 0 && second_[own] != 0;
    std::vector<std::uint8_t> left_out(first, first + second_.size());
    if (first_counts) left_out = second_;
    else std::copy(second_.begin(), second_.end(), first);
    model::FabricPlace where = network_.place_of(node_);
    where.nodes = {node_};
    std::size_t const other = first_counts ? second_line_ : header_line_[node_.value];
    std::string const kept = kept_lid_text(left_out, where);
    disagreements_.note(diagnosis::Code::two_tables_one_switch, {lines_.name(), second_line_},
                        "it has two tables, in lines " + std::to_string(header_line_[node_.value]) + " and " +
                            std::to_string(second_line_) + ", which differ in " + std::to_string(differing) +
                            (differing == 1 ? " entry" : " entries") + "; left out is that of line " +
                            std::to_string(other) + kept,
                        1, where);
}

void TableRows::told_switch_lid(std::uint64_t lid) {
    if (!node_.exists() || lid == 0 || network_[node_].lid == 0) return;
    model::Lid const own = network_[node_].lid;
    std::uint64_t const swapped = (lid & 0xFF) << 8 | lid >> 8;  // old OpenSM prints it in network byte order
    if ((lid >= own && lid < own + (model::Lid{1} << network_[node_].lmc)) || swapped == own) return;
    model::FabricPlace where = network_.place_of(node_);
    where.nodes = {node_};
    where.lids = {std::min(own, static_cast<model::Lid>(lid)), std::max(own, static_cast<model::Lid>(lid))};
    disagreements_.note(
        diagnosis::Code::table_header_lid, lines_.place(),
        "the header of its table gives it LID " + std::to_string(lid) + ", the topology LID " + std::to_string(own), 1,
        where);
}

void TableRows::told_owner_with_care(std::uint64_t lid, std::string_view text) {
    if (lid == 0 || lid > model::max_unicast_lid || !node_.exists()) return;
    if (lid >= told_.size()) told_.resize(std::max<std::size_t>(lid + 1, tables_.lids()));
    Told& told = told_[lid];
    if (told.wrong == text) {
        ++told.times;
        told.several |= told.table != node_;
        return;
    }
    base::Scanner scan(text);
    std::uint64_t guid = 0;
    if (!scan.hex(guid) || !scan.at_end() || guid == 0) return;
    model::LidOwner const owner = network_.owner(static_cast<model::Lid>(lid));
    bool right = false;
    if (owner.host.exists()) {
        model::HostRecord const& host = network_[owner.host];
        right = host.port_guid == 0 || guid == host.port_guid || guid == network_[owner.node].guid;
    } else if (owner.node.exists()) {
        right = guid == network_[owner.node].guid || guid == network_[owner.node].port_guid;
    }
    if (right) {
        told.right = text;
    } else if (told.wrong.empty()) {
        told = {told.right, std::string(text), 1, lines_.place().line, node_, false};
    }
}

void TableRows::note_other_owners() {
    for (std::size_t lid = 1; lid < told_.size(); ++lid) {
        Told const& told = told_[lid];
        if (told.times == 0) continue;
        if (lid_of_port_.empty()) {
            for (model::HostRecord const& host : network_.hosts())
                if (host.port_guid != 0 && host.lid != 0) lid_of_port_.emplace(host.port_guid, host.lid);
            for (model::NodeRecord const& node : network_.nodes())
                if (node.guid != 0 && node.lid != 0) lid_of_port_.emplace(node.guid, node.lid);
        }
        std::uint64_t guid = 0;
        base::Scanner(told.wrong).hex(guid);
        auto const now = lid_of_port_.find(guid);
        model::LidOwner const owner = network_.owner(static_cast<model::Lid>(lid));
        if (!owner.node.exists() && now == lid_of_port_.end()) continue;  // an entry that nobody owns, and no more
        model::FabricPlace where{"LID " + std::to_string(lid), owner.node, 0,
                                 owner.host.exists() ? network_[owner.host].port : 0};
        where.lids = {static_cast<model::Lid>(lid)};
        if (now != lid_of_port_.end()) where.lids.push_back(now->second);
        std::sort(where.lids.begin(), where.lids.end());
        disagreements_.note(
            diagnosis::Code::lid_of_another_owner, {lines_.name(), told.line},
            (told.several ? std::to_string(told.times) + " entries give"
                          : "the table of " + network_.describe(told.table) + " gives") +
                " it to port GUID 0x" + told.wrong +
                (now == lid_of_port_.end() ? ", which the topology does not have"
                                           : ", which has LID " + std::to_string(now->second) + " in the topology") +
                (owner.node.exists() ? "; there it is " + network_.describe(owner.node) + "'s"
                                     : "; there nobody owns it"),
            1, where);
    }
}

void TableRows::cut_off(diagnosis::Code code, std::string text) {
    if (!left_out_.empty() && left_out_.back().place.line == lines_.place().line) left_out_.pop_back();
    cut_off_ = {code, lines_.place(), std::move(text), present()};
    if (node_.exists()) cut_off_->where.nodes = {node_};
}

std::vector<model::Node> TableRows::without_table() const {
    std::vector<model::Node> found;
    for (std::size_t n = 0; n < network_.nodes().size(); ++n)
        if (model::Node const node{n}; network_.is_switch(node) && !tables_.has_table(node)) found.push_back(node);
    return found;
}

/// The first that there is names the switches without a table.
void TableRows::note_incomplete() {
    if (nameless_ > 1)
        nameless_table_->text +=
            "; " + base::counted(nameless_ - 1, "more table is", "more tables are") + " of no known switch";
    bool named = false;
    for (std::optional<Incomplete>* const told : {&nameless_table_, &cut_off_}) {
        if (!*told) continue;
        if (!named) name_missing(**told);
        named = true;
        disagreements_.note((*told)->code, (*told)->place, (*told)->text, 1, (*told)->where);
    }
}

void TableRows::name_missing(Incomplete& told) const {
    constexpr std::size_t named = 4;
    std::vector<model::Node> const missing = without_table();
    if (missing.empty()) return;
    std::string names;
    for (std::size_t i = 0; i < missing.size() && i < named; ++i)
        names += (i == 0 ? "" : ", ") + network_.describe(missing[i]);
    if (missing.size() > named) names += " and " + std::to_string(missing.size() - named) + " more";
    told.text += "; " + base::counted(missing.size(), "switch has", "switches have") + " no table in it: " + names;
    if (missing.size() == 1 && told.where.text.empty()) told.where = network_.place_of(missing.front());
    told.where.nodes.insert(told.where.nodes.end(), missing.begin(), missing.end());
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
    if (port > max_port || lid > model::max_unicast_lid) {
        disagreements_.note(
            diagnosis::Code::entry_out_of_range, lines_.place(),
            port > max_port ? "port " + std::to_string(port) + " for LID " + std::to_string(lid) + ": ports have 8 bits"
                            : "LID " + std::to_string(lid) + " in a unicast table: they end at 49151 (0xbfff)",
            1, {});
        return;
    }
    if (unknown_ && port == 0 && lid > 0 && unknown_->where.lids.empty())
        unknown_->where.lids = {static_cast<model::Lid>(lid)};
    if (!node_.exists()) return;
    bool const none = port == 255;
    if (none && lid >= tables_.lids()) return;
    make_room(static_cast<model::Lid>(lid));
    auto note = [&](diagnosis::Code code, auto&& text) {
        if (disagreements_.wants_example(code))
            disagreements_.note(code, lines_.place(), text(), 1,
                                network_.place_of(node_, static_cast<model::Port>(port)));
        else disagreements_.count(code);
    };
    if (row_[lid] != 0xFF && row_[lid] != port)
        note(diagnosis::Code::entry_twice, [&] {
            return entry_text(lid, port) + (none ? " (no entry)" : "") + ", and to port " + std::to_string(row_[lid]) +
                   " before";
        });
    row_[lid] = static_cast<std::uint8_t>(port);
    if (none) return;
    if (doubts_of_lid_[lid] & unowned)
        note(diagnosis::Code::lid_without_owner, [&] { return entry_text(lid, port) + ", and nobody owns that LID"; });
    if (doubts_of_port_[port] & beyond_switch)
        note(diagnosis::Code::port_beyond_switch,
             [&] { return entry_text(lid, port) + " and has " + std::to_string(network_[node_].ports) + " ports"; });
    else if (doubts_of_port_[port] & without_cable)
        note(diagnosis::Code::port_without_cable, [&] { return entry_text(lid, port) + ", which has no cable"; });
}

model::ForwardingTables TableRows::finish() {
    end_table();
    note_other_owners();
    base::SourceLocation const place{lines_.name(), 0};
    if (met_ == 0)
        throw base::InputError(place, "the file has no unicast forwarding table", "",
                               "check that it is the right file, and whole");
    if (tables_.tables() == 0)
        throw base::InputError(place, "none of the " + std::to_string(met_) + " tables is of a switch of the topology",
                               "their node GUIDs differ", "give a topology and tables of the same fabric");
    note_incomplete();
    for (model::Node const node : without_table())
        disagreements_.note(diagnosis::Code::switch_without_table, place, network_.describe(node) + " has no table");
    return std::move(tables_);
}

}  // namespace tailback::formats
