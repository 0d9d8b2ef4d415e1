#include "host/traffic/read/table.hpp"

#include "host/base/scanner.hpp"
#include "host/traffic/read/fields.hpp"

#include <cctype>

namespace tailback::traffic {
namespace {

std::size_t fields_of(std::string_view line) {
    std::size_t count = 0;
    std::string_view field;
    for (Fields fields(line); fields.next(field);) ++count;
    return count;
}

bool is_number(std::string_view field) {
    std::uint64_t value = 0;
    return read_whole(field, value) != NumberFault::no_number;
}

}  // namespace

bool is_comment(std::string_view line) {
    std::string_view const text = base::Scanner(line).blanks().rest();
    return text.empty() || text.front() == '#' || text.front() == '%' || text.starts_with("//");
}

bool is_matrix_mark(std::string_view line) {
    base::Scanner scan(line);
    return scan.blanks().accept('#') && scan.blanks().accept("matrix") && scan.blanks().at_end();
}

bool is_rank_count(std::string_view line, std::uint64_t& count) {
    if (line.empty() || std::isdigit(static_cast<unsigned char>(line.front()))) return false;  // most lines
    base::Scanner scan(line);
    scan.blanks();
    if (scan.accept('#')) scan.blanks();
    return scan.accept("ranks") && scan.blanks().decimal(count) && scan.blanks().at_end();
}

bool is_header(std::string_view line) {
    if (!line.empty() && std::isdigit(static_cast<unsigned char>(line.front()))) return false;
    std::string_view field;
    Fields(line).next(field);
    return !is_number(field);
}

TableKind recognise_table(std::string_view head, bool whole) {
    std::size_t rows = 0, columns = 0;
    bool blanks_end_rows = true;
    while (!head.empty()) {
        std::size_t const end = head.find('\n');
        std::string_view line = head.substr(0, end);
        head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        if (std::uint64_t count = 0; is_rank_count(line, count)) return TableKind::edge_list;
        if (rows == 0 && is_matrix_mark(line)) return TableKind::dense;
        if (is_comment(line)) continue;
        if (rows == 0 && is_header(line)) {
            std::string_view field;
            Fields fields(line);
            fields.next(field);
            if (field.empty()) return TableKind::dense;  // labels begin behind a corner
            return fields_of(line) == 3 || fields_of(line) == 4 ? TableKind::edge_list : TableKind::neither;
        }
        if (++rows == 1) columns = fields_of(line);
        blanks_end_rows = blanks_end_rows && line.back() == ' ';
    }
    if (rows == 0) return TableKind::neither;
    if (columns != 3 && columns != 4) return columns == 2 && rows != 2 ? TableKind::edge_list : TableKind::dense;
    if (!whole || rows != columns) return TableKind::edge_list;
    return blanks_end_rows ? TableKind::dense : TableKind::ambiguous;  // rows of profile2mat do, edges hardly
}

}  // namespace tailback::traffic
