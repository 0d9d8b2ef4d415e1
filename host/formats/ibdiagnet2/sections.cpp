#include "host/formats/ibdiagnet2/sections.hpp"

#include "host/base/scanner.hpp"

#include <algorithm>
#include <cctype>

namespace tailback::formats {
namespace {

bool same_word(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::string_view without_quotes(std::string_view cell) {
    return cell.size() >= 2 && cell.front() == '"' && cell.back() == '"' ? cell.substr(1, cell.size() - 2) : cell;
}

model::FabricPlace section_place(std::string const& section) { return {.text = "section " + section, .name = section}; }

}  // namespace

void SectionRow::split(std::string_view line) {
    cells_.clear();
    for (std::size_t at = 0; at <= line.size();) {
        std::size_t end = line.find(',', at);
        std::size_t const first = line.find_first_not_of(" \t", at);
        if (first < std::min(end, line.size()) && line[first] == '"') {
            // A quoted cell ends with a quote before a comma or the end; one that never does ends at the comma.
            for (std::size_t quote = line.find('"', first + 1); quote != std::string_view::npos;
                 quote = line.find('"', quote + 1)) {
                std::size_t const behind = line.find_first_not_of(" \t", quote + 1);
                if (behind != std::string_view::npos && line[behind] != ',') continue;
                end = behind;
                break;
            }
        }
        if (end == std::string_view::npos) end = line.size();
        cells_.push_back(without_quotes(base::trimmed(line.substr(at, end - at))));
        at = end + 1;
    }
}

CellNumber number_in(std::string_view cell) {
    CellNumber number;
    if (cell.empty() || same_word(cell, "N/A") || same_word(cell, "NA")) return number;
    base::Scanner scan(cell);
    bool const sound = scan.accept("0x") ? scan.hex(number.value) : scan.decimal(number.value);
    number.kind = sound && scan.at_end() ? CellNumber::Kind::number : CellNumber::Kind::odd;
    if (number.kind == CellNumber::Kind::odd) number.value = 0;
    return number;
}

SectionReader::SectionReader(io::LineReader& lines, model::Disagreements& disagreements)
    : lines_(lines), disagreements_(disagreements) {}

bool SectionReader::next_line(std::string_view& line) {
    if (!pending_.empty()) {
        line = pending_;
        return true;
    }
    return lines_.next(line);
}

void SectionReader::end_section(bool whole) {
    if (!in_section_) return;
    in_section_ = false;
    count_.cut = !whole;
    has_damage_ |= !whole;
    met_.emplace(name_, count_);
    if (!whole)
        disagreements_.note(diagnosis::Code::section_cut_off, {lines_.name(), count_.line},
                            "section " + name_ + " has no end; it may be cut off", 1, section_place(name_));
}

bool SectionReader::next_section() {
    SectionRow ignored;
    while (in_section_) next_row(ignored);
    std::string_view line;
    while (next_line(line)) {
        std::string const text(base::trimmed(line));
        pending_.clear();
        if (text.starts_with("# INDEX_TABLE")) wants_index_ = true;
        if (!text.starts_with("START_")) continue;
        name_ = text.substr(6);
        count_ = {0, 0, lines_.place().line, lines_.bytes(), lines_.place().line + 1};
        in_section_ = true;
        columns_.clear();
        if (met_.contains(name_)) {
            skip_second();
            continue;
        }
        if (!lines_.next(line)) break;
        if (base::trimmed(line) == "END_" + name_) {
            end_section(true);
            continue;
        }
        count_.bytes = line.size() + 1;
        heading_ = line;
        SectionRow heading;
        heading.split(line);
        for (std::size_t i = 0; i < heading.cells(); ++i) columns_.emplace_back(heading.text(i));
        if (name_ != "INDEX_TABLE") return true;
        take_index(line);
    }
    end_with_file();
    return false;
}

/// Told once: usually the whole file stands there twice.
void SectionReader::skip_second() {
    if (!has_second_)
        disagreements_.note(diagnosis::Code::section_twice, lines_.place(),
                            "section " + name_ + " begins a second time, and perhaps others; the first of each counts",
                            1, section_place(name_));
    has_second_ = has_damage_ = true;
    std::string_view line;
    while (lines_.next(line))
        if (std::string_view const text = base::trimmed(line); text.starts_with("END_") && text.substr(4) == name_)
            break;
    in_section_ = false;
}

void SectionReader::end_with_file() {
    if (in_section_) wants_index_ = false;  // that the section has no end tells it
    end_section(false);
}

/// The whole index: it belongs to the frame, not to what is read.
void SectionReader::take_index(std::string_view) {
    wants_index_ = false;
    auto const rows = column("rows"), size = column("size"), named = column("name"), offset = column("offset"),
               heading = column("line");
    SectionRow row;
    std::map<std::string, Count> index;
    while (next_row(row)) {
        if (row.cells() < 2) continue;
        std::size_t const at = row.cells() >= columns_.size() ? 0 : columns_.size();
        CellNumber const count = number_in(row.text(rows.value_or(4) + at)),
                         bytes = number_in(row.text(size.value_or(2) + at)),
                         start = number_in(row.text(offset.value_or(1) + at)),
                         line = number_in(row.text(heading.value_or(3) + at));
        index[std::string(row.text(named.value_or(0)))] = {count.value, bytes.value, lines_.place().line, start.value,
                                                           line.value};
    }
    index_ = std::move(index);
    met_.erase("INDEX_TABLE");
}

std::optional<std::size_t> SectionReader::column(std::string_view name) const {
    for (std::size_t i = 0; i < columns_.size(); ++i)
        if (same_word(columns_[i], name)) return i;
    return std::nullopt;
}

bool SectionReader::next_row(SectionRow& row) {
    if (!in_section_) return false;
    std::string_view line;
    while (lines_.next(line)) {
        std::string_view const text = base::trimmed(line);
        if (text.starts_with("END_") && text.substr(4) == name_) {
            end_section(true);
            return false;
        }
        if (text.starts_with("START_") && text.find(',') == std::string_view::npos) {
            end_section(false);
            pending_ = text;
            return false;
        }
        if (!lines_.terminated()) break;  // the file is cut off within this row: that the section has no end tells it
        count_.bytes += line.size() + 1;
        if (text.empty()) continue;
        if (line == heading_) {
            note_second_heading();
            continue;
        }
        ++count_.rows;
        row.split(line);
        return true;
    }
    end_with_file();
    return false;
}

void SectionReader::note_second_heading() {
    if (!count_.told)
        disagreements_.note(diagnosis::Code::section_twice, lines_.place(),
                            "section " + name_ + " has the heading of its columns a second time", 1,
                            section_place(name_));
    count_.told = has_damage_ = true;
}

void SectionReader::told_missing(std::string const& section, std::uint64_t rows) {
    auto const met = met_.find(section), told = index_.find(section);
    if (met == met_.end() || told == index_.end() || met->second.rows + rows != told->second.rows) return;
    met->second.rows += rows;
    met->second.told = true;
    has_damage_ |= rows > 0;
}

/// Notes sections whose count is off by another number than that of most.
void SectionReader::compare(char const* what, std::uint64_t Count::*member) {
    std::map<std::int64_t, std::size_t> off;
    std::size_t both = 0;
    for (auto const& [name, told] : index_)
        if (auto const met = met_.find(name); met != met_.end()) {
            ++both;
            ++off[std::int64_t(told.*member) - std::int64_t(met->second.*member)];
        }
    auto const usual =
        std::max_element(off.begin(), off.end(), [](auto const& a, auto const& b) { return a.second < b.second; });
    if (usual == off.end() || usual->second * 2 <= both) return;
    for (auto const& [name, told] : index_) {
        auto const met = met_.find(name);
        if (met == met_.end() || met->second.cut) continue;
        std::int64_t const missing = std::int64_t(told.*member) - std::int64_t(met->second.*member) - usual->first;
        // Damaged rows were told: their bytes are no news, nor is a row that they are too many.
        if (missing == 0 || (met->second.told && (member == &Count::bytes || missing < 0))) continue;
        disagreements_.note(diagnosis::Code::section_unlike_index, {lines_.name(), met->second.line},
                            "section " + name + " has " + std::to_string(met->second.*member) + " " + what + ", " +
                                std::to_string(std::int64_t(told.*member) - usual->first) + " by the index in line " +
                                std::to_string(told.line),
                            1, section_place(name));
        met_.erase(met);  // told once
        has_damage_ = true;
    }
}

void SectionReader::check_index() {
    if (wants_index_)
        disagreements_.note(diagnosis::Code::section_missing, {lines_.name(), 1},
                            "the file's first line promises an INDEX_TABLE, and there is none; the end may be cut off",
                            1, section_place("INDEX_TABLE"));
    if (index_.empty()) return;
    for (auto const& [name, told] : index_)
        if (!met_.contains(name)) {
            has_damage_ = true;
            disagreements_.note(diagnosis::Code::section_missing, {lines_.name(), told.line},
                                "the index names section " + name + ", and there is none", 1, section_place(name));
        }
    compare("rows", &Count::rows);
    compare("bytes", &Count::bytes);
    bool const names_all = std::ranges::all_of(met_, [&](auto const& one) { return index_.contains(one.first); });
    if (has_damage_ || !names_all) return;
    compare("bytes before it", &Count::offset);
    if (!has_damage_) compare("as the line of its columns", &Count::heading);
}

}  // namespace tailback::formats
