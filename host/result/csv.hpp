// Values as CSV, and tables whose rows are things.
#pragma once

#include "host/result/json_values.hpp"

#include <concepts>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <string>

namespace tailback::result {

/// Every number and word of a report, one a row: section,statistic,key,value, and from,from_port,to,to_port
/// (from_guid,to_guid) where it lists links. The section is a member of the report (a member of `metrics`; `report` for
/// what is a member itself), the statistic the path below it, joined by `_`. Items of a list go by their first member,
/// numbers and links by their order: that is the key. What is no number stands in the key, behind a `/` where there is
/// a key. Of bins the count has the list's name; a pair of numbers is `_low` and `_high`. What is null has no row.
void write_csv(std::ostream& out, Json const& report);

/// Rows of a table, as wide as its head.
class CsvTable {
public:
    CsvTable(std::ostream& out, std::initializer_list<char const*> columns);
    explicit CsvTable(std::ostream& out) : out_(out) {}
    /// What is not known is empty.
    template <class... Cells>
    void row(Cells const&... cells) {
        std::size_t column = 0;
        ((out_ << (column++ == 0 ? "" : ",") << text(cells)), ...);
        out_ << '\n';
    }
    static std::string text(std::string const& word);
    static std::string text(char const* word) { return text(std::string(word)); }
    static std::string text(double value);
    template <std::integral Count>
    static std::string text(Count count) {
        return std::to_string(count);
    }
    template <class Value>
    static std::string text(std::optional<Value> const& value) {
        return value ? text(*value) : "";
    }

private:
    std::ostream& out_;
};

}  // namespace tailback::result
