// Documents as text. Widths are columns of a terminal, one a code point.
#include "host/result/document.hpp"

#include "host/base/bins.hpp"
#include "host/base/numbers.hpp"
#include "host/result/link_label.hpp"

#include <algorithm>
#include <ostream>

namespace tailback::result {
namespace {

constexpr std::size_t least_name = 8, least_bar = 4, least_fact = 6, gap = 2;

std::string text_of(Cell const& cell, std::size_t width = SIZE_MAX) {
    if (cell.link) return link_label(*cell.link, width);
    std::string const text = base::printable(cell.text);
    return width == SIZE_MAX ? text : base::shortened_within(text, width);
}

/// @param first what the first line begins with, as wide as `indent`
void write_wrapped(std::ostream& out, std::string const& first, std::string const& text, std::size_t indent,
                   std::size_t width) {
    std::string before = first;
    for (std::string const& line : lines_of(base::printable(text), width - std::min(width, indent))) {
        out << (line.empty() ? "" : before + line) << '\n';
        before = std::string(indent, ' ');
    }
}

/// How wide each column gets: names give way, the widest first, where the rows would not fit.
std::vector<std::size_t> widths_of(Table const& table, std::size_t width) {
    std::vector<std::size_t> widths;
    for (Column const& column : table.columns) widths.push_back(base::columns(base::printable(column.head)));
    for (auto const& row : table.rows)
        for (std::size_t c = 0; c < row.size(); ++c)
            if (std::size_t const own = base::columns(text_of(row[c])); own > widths[c]) widths[c] = own;
    if (table.folds) return widths;
    std::size_t all = table.indent + gap * (widths.size() - 1);
    for (std::size_t const one : widths) all += one;
    for (; all > width; --all) {
        std::size_t widest = widths.size();
        for (std::size_t c = 0; c < widths.size(); ++c)
            if (table.columns[c].kind == Column::Kind::name && widths[c] > least_name &&
                (widest == widths.size() || widths[c] > widths[widest]))
                widest = c;
        if (widest == widths.size()) break;
        --widths[widest];
    }
    return widths;
}

std::string field(Table const& table, std::size_t column, std::string const& text, std::size_t width) {
    return table.columns[column].kind == Column::Kind::number ? base::right_aligned(text, width)
                                                              : base::padded(text, width);
}

/// A line of these columns.
template <class ToText>
void write_row(std::ostream& out, Table const& table, std::vector<std::size_t> const& columns,
               std::vector<std::size_t> const& widths, ToText&& text) {
    std::string line(table.indent, ' ');
    for (std::size_t const c : columns) {
        if (c != columns.front()) line += std::string(gap, ' ');
        line += field(table, c, text(c), widths[c]);
    }
    std::size_t const last = line.find_last_not_of(' ');
    out << line.substr(0, last == line.npos ? 0 : last + 1) << '\n';
}

void write_columns(std::ostream& out, Table const& table, std::vector<std::size_t> const& columns,
                   std::vector<std::size_t> const& widths) {
    if (std::any_of(table.columns.begin(), table.columns.end(), [](Column const& one) { return !one.head.empty(); }))
        write_row(out, table, columns, widths, [&](std::size_t c) { return base::printable(table.columns[c].head); });
    for (auto const& row : table.rows)
        write_row(out, table, columns, widths,
                  [&](std::size_t c) { return c < row.size() ? text_of(row[c], widths[c]) : ""; });
}

void write_part(std::ostream& out, Table const& table, std::size_t width) {
    std::vector<std::size_t> const widths = widths_of(table, width);
    std::size_t all = table.indent;
    for (std::size_t const one : widths) all += one + gap;
    // Rows whose beginnings take half of the width would be told over and over.
    bool const folds = table.folds || (all > width + gap && widths.front() <= width / 2);
    for (std::size_t next = 0; next < widths.size();) {
        std::vector<std::size_t> columns;
        std::size_t used = table.indent;
        auto const take = [&](std::size_t c) { columns.push_back(c), used += widths[c] + gap; };
        if (next > 0) take(0);
        do take(next++);
        while (next < widths.size() && (!folds || used + widths[next] <= width));
        write_columns(out, table, columns, widths);
    }
    if (table.left_out > 0)
        out << std::string(table.indent, ' ') << "and " << base::grouped(table.left_out) << " more"
            << (table.hint.empty() ? "" : " " + base::printable(table.hint)) << '\n';
}

constexpr std::size_t many_empty_bars = 4;  ///< in a row: one line stands for them

/// How many bars of a histogram from this one on are empty, without a mark.
std::size_t empty_bars_from(Bars const& bars, std::size_t first) {
    auto const is_empty = [](Bar const& bar) {
        return bar.value == 0 && !bar.to_the_left && (bar.note.empty() || bar.note.ends_with('%'));
    };
    std::size_t end = first;
    while (end < bars.size() && is_empty(bars[end])) ++end;
    return end - first;
}

void write_part(std::ostream& out, Bars bars, std::size_t width) {
    for (Bar& bar : bars) bar.count = base::printable(bar.count), bar.note = base::printable(bar.note);
    std::size_t labels = 0, counts = 0, notes = 0;
    std::uint64_t most = 0;
    for (Bar const& bar : bars) {
        counts = std::max(counts, base::columns(bar.count));
        notes = std::max(notes, base::columns(bar.note));
        most = std::max(most, bar.value);
    }
    std::size_t const beside = 5 + counts + (notes > 0 ? 1 + notes : 0);
    // What it is of matters more than the bar.
    std::size_t const room = std::max(width - std::min(width, beside + least_bar), least_name);
    for (Bar const& bar : bars) labels = std::max(labels, base::columns(text_of(bar.label, room)));
    std::size_t const wide = width > beside + labels + least_bar ? width - beside - labels : least_bar;
    for (std::size_t b = 0; b < bars.size(); ++b) {
        Bar const& bar = bars[b];
        if (std::size_t const empty = empty_bars_from(bars, b); empty >= many_empty_bars) {
            out << "  " << base::right_aligned("..", labels) << " │ " << empty << " rows without any left out\n";
            b += empty - 1;
            continue;
        }
        std::string const label = text_of(bar.label, room);
        out << "  " << (bar.to_the_left ? base::padded(label, labels) : base::right_aligned(label, labels)) << " │"
            << base::padded(base::block_bar(bar.value, most, wide), wide) << ' '
            << base::right_aligned(bar.count, counts) << (bar.note.empty() ? "" : " " + bar.note) << '\n';
    }
}

template <class Facts>
void write_facts(std::ostream& out, Facts const& facts, std::size_t width) {
    std::size_t names = least_fact;
    for (auto const& [name, text] : facts) names = std::max(names, base::columns(name));
    for (auto const& [name, text] : facts)
        write_wrapped(out, "  " + base::padded(base::printable(name), names) + "  ", text, names + 4, width);
}

}  // namespace

std::vector<std::string> lines_of(std::string const& text, std::size_t room) {
    std::vector<std::string> lines;
    std::string line;
    for (std::size_t at = 0; at <= text.size();) {
        std::size_t const end = std::min(text.find(' ', at), text.size());
        std::string const word = text.substr(at, end - at);
        if (!line.empty() && base::columns(line) + 1 + base::columns(word) > room) {
            lines.push_back(line);
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        at = end + 1;
    }
    lines.push_back(line);
    return lines;
}

Document& Document::sentence(std::string text, std::size_t indent) {
    parts_.emplace_back(Sentence{std::move(text), indent});
    return *this;
}

Document& Document::line(std::string text, std::size_t indent) {
    parts_.emplace_back(Sentence{std::move(text), indent, true});
    return *this;
}

Document& Document::heading(std::string text) { return blank().sentence(std::move(text)); }

Document& Document::blank() { return parts_.empty() ? *this : sentence(""); }

Document& Document::fact(std::string name, std::string text) {
    if (parts_.empty() || !std::holds_alternative<Facts>(parts_.back())) parts_.emplace_back(Facts{});
    std::get<Facts>(parts_.back()).emplace_back(std::move(name), std::move(text));
    return *this;
}

Document& Document::table(Table table) {
    if (!table.rows.empty()) parts_.emplace_back(std::move(table));
    return *this;
}

Document& Document::left_out(std::uint64_t count) {
    return count == 0 ? *this : sentence("and " + base::grouped(count) + " more", 2);
}

Document& Document::bars(Bars bars) {
    if (!bars.empty()) parts_.emplace_back(std::move(bars));
    return *this;
}

Document& Document::shorten_names(std::span<model::Network const* const> networks) {
    names_ = ShortNames(networks);
    if (names_.any()) sentence(names_.sentence());
    names_at_ = parts_.size() - 1;
    return *this;
}

void Document::make_short() {
    auto const in_cell = [&](Cell& cell) {
        cell.text = names_.in(cell.text);
        if (cell.link) cell.link->from = names_.in(cell.link->from), cell.link->to = names_.in(cell.link->to);
    };
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (auto* const sentence = std::get_if<Sentence>(&parts_[i])) {
            if (!sentence->is_line && i != names_at_) sentence->text = names_.in(sentence->text);
        } else if (auto* const facts = std::get_if<Facts>(&parts_[i])) {
            for (auto& [name, text] : *facts) text = names_.in(text);
        } else if (auto* const table = std::get_if<Table>(&parts_[i])) {
            for (auto& row : table->rows) std::ranges::for_each(row, in_cell);
        } else {
            for (Bar& bar : std::get<Bars>(parts_[i])) in_cell(bar.label);
        }
    }
}

void write_text(std::ostream& out, Document const& document, std::size_t width) {
    if (document.names_.any()) {
        Document brief = document;
        brief.make_short();
        brief.names_ = {};
        return write_text(out, brief, width);
    }
    for (auto const& part : document.parts_) {
        if (auto const* const sentence = std::get_if<Document::Sentence>(&part))
            write_wrapped(out, std::string(sentence->indent, ' '), sentence->text, sentence->indent,
                          sentence->is_line ? std::string::npos : width);
        else if (auto const* const facts = std::get_if<Document::Facts>(&part)) write_facts(out, *facts, width);
        else if (auto const* const table = std::get_if<Table>(&part)) write_part(out, *table, width);
        else write_part(out, std::get<Bars>(part), width);
    }
}

}  // namespace tailback::result
