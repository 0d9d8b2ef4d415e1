// A report as people read it: sentences, facts, tables and bars, before anybody knows how wide the terminal is. All of
// it is printable, whatever names it holds (base/numbers.hpp).
#pragma once

#include "host/model/network.hpp"
#include "host/result/short_names.hpp"

#include <algorithm>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tailback::result {

/// Words, or a link: where room is short, names of its ends are cut and its ports stay.
struct Cell {
    std::string text;
    std::optional<model::LinkEnds> link = {};

    Cell(std::string words) : text(std::move(words)) {}
    Cell(char const* words) : text(words) {}
    Cell(model::LinkEnds ends) : link(std::move(ends)) {}
};

struct Column {
    enum class Kind : std::uint8_t { number, word, name };  ///< to the right, to the left; names are cut to fit
    std::string head;
    Kind kind = Kind::number;
};
inline Column word_column(std::string head = "") { return {std::move(head), Column::Kind::word}; }
inline Column name_column(std::string head = "") { return {std::move(head), Column::Kind::name}; }

/// Rows under their heads; without any head there is no line of heads.
struct Table {
    std::vector<Column> columns = {};
    std::vector<std::vector<Cell>> rows = {};
    std::uint64_t left_out = 0;  ///< rows that it does not have: `and 5 more`
    std::string hint = {};       ///< where those are: `(--format json has all)`
    /// Columns without room go below the others, the first before them again, before names are cut; numbers without
    /// room do, too, behind a short first column.
    bool folds = false;
    std::size_t indent = 2;
};
/// The first `most` of the list, a row each; says how many it leaves out.
template <class List, class ToRow>
void add_rows(Table& table, List const& list, std::uint64_t most, ToRow&& to_row) {
    std::uint64_t shown = 0;
    for (auto const& item : list) {
        if (shown == most) break;
        table.rows.push_back(to_row(item));
        ++shown;
    }
    table.left_out += list.size() - shown;
}

struct Bar {
    Cell label;
    std::uint64_t value;
    std::string count, note = {};
    bool to_the_left = false;  ///< its label
};
using Bars = std::vector<Bar>;

class Document {
public:
    /// Wrapped at blanks. @param indent of all its lines
    Document& sentence(std::string text, std::size_t indent = 0);
    /// Whatever its length, as a command that is copied.
    Document& line(std::string text, std::size_t indent = 0);
    /// A blank line before it.
    Document& heading(std::string text);
    Document& blank();
    /// Names of neighbours are padded to one width. @param name may be empty: goes on with the one before
    Document& fact(std::string name, std::string text);
    Document& table(Table table);
    Document& bars(Bars bars);
    /// `and 5 more`; nothing for none.
    Document& left_out(std::uint64_t count);
    /// Names of these networks' switches are short wherever they stand, but for lines (which are copied), and a
    /// sentence says so here; nothing where they are short already.
    Document& shorten_names(std::span<model::Network const* const> networks);

private:
    friend void write_text(std::ostream& out, Document const& document, std::size_t width);
    struct Sentence {
        std::string text;
        std::size_t indent;
        bool is_line = false;
    };
    using Facts = std::vector<std::pair<std::string, std::string>>;
    void make_short();

    ShortNames names_;
    std::size_t names_at_ = 0;  ///< the part that says so
    std::vector<std::variant<Sentence, Facts, Table, Bars>> parts_;
};

/// The first `most` of the list, as `add` adds each; says how many it leaves out.
template <class List, class Add>
void add_first(Document& document, List const& list, std::uint64_t most, Add&& add) {
    std::size_t const shown = std::min<std::uint64_t>(most, list.size());
    for (std::size_t i = 0; i < shown; ++i) add(list[i]);
    document.left_out(list.size() - shown);
}

/// For a terminal of so many columns.
void write_text(std::ostream& out, Document const& document, std::size_t width);

/// Divided at blanks into lines of at most `room` columns, one at least; a longer word keeps its line.
std::vector<std::string> lines_of(std::string const& text, std::size_t room);

}  // namespace tailback::result
