// Files of sections of comma-separated rows: `START_NODES`, a heading, rows, `END_NODES`. ibdiagnet2.db_csv and
// opensm-smdb.dump have this frame; an INDEX_TABLE at the end counts the rows of each section.
#pragma once

#include "host/io/line_reader.hpp"
#include "host/model/disagreements.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tailback::formats {

/// A row of a section: cells by the number of their column.
class SectionRow {
public:
    /// Blanks around cells and quotes around a whole cell are taken off; a quoted cell may hold commas.
    void split(std::string_view line);
    std::size_t cells() const { return cells_.size(); }
    /// Empty for a cell that the row does not have.
    std::string_view text(std::size_t column) const { return column < cells_.size() ? cells_[column] : ""; }

private:
    std::vector<std::string_view> cells_;
};

/// What stands in a cell for a number.
struct CellNumber {
    enum class Kind : std::uint8_t { number, none, odd };  ///< `none`: empty, `N/A`; `odd`: something else
    Kind kind = Kind::none;
    std::uint64_t value = 0;
};
/// Decimal, or hexadecimal behind `0x`.
CellNumber number_in(std::string_view cell);

/// Goes through the sections of a file, once.
class SectionReader {
public:
    SectionReader(io::LineReader& lines, model::Disagreements& disagreements);

    /// To the heading of the next section; false at the end of the file. Rows that were not taken are counted.
    bool next_section();
    std::string const& name() const { return name_; }
    /// The number of a column by its name (in any case); none where the section has no such column.
    std::optional<std::size_t> column(std::string_view name) const;
    std::size_t columns() const { return columns_.size(); }
    /// The next row of the section; false at its end.
    bool next_row(SectionRow& row);
    base::SourceLocation place() const { return lines_.place(); }
    /// A row of the present section was told to be damaged: that its bytes differ from the index is no news.
    void told_row() { count_.told = has_damage_ = true; }
    /// Rows that a section lacks, told elsewhere: they count as if they were there.
    void told_missing(std::string const& section, std::uint64_t rows);

    /// Was anything told of the sections or rows so far?
    bool has_damage() const { return has_damage_; }

    /// After the last section: holds the counts of INDEX_TABLE against what was met, and notes what differs. How the
    /// index counts (with the heading or without) is what most of its sections agree on.
    void check_index();

private:
    struct Count {
        std::uint64_t rows = 0, bytes = 0;
        std::size_t line = 0;
        std::uint64_t offset = 0;   ///< of the heading, in bytes
        std::uint64_t heading = 0;  ///< its line
        bool told = false, cut = false;
    };
    bool next_line(std::string_view& line);
    void end_section(bool whole);
    void end_with_file();
    void skip_second();
    void note_second_heading();
    void take_index(std::string_view line);
    void compare(char const* what, std::uint64_t Count::*member);

    io::LineReader& lines_;
    model::Disagreements& disagreements_;
    bool in_section_ = false;
    bool has_second_ = false;
    bool has_damage_ = false;   ///< something was told that may move what comes behind
    bool wants_index_ = false;  ///< the file's first line promises one
    std::string name_, pending_;
    std::string heading_;
    std::vector<std::string> columns_;
    Count count_;
    std::map<std::string, Count> met_, index_;
};

}  // namespace tailback::formats
