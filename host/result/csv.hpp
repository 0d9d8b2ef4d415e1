// Values as CSV, and tables whose rows are things.
#pragma once

#include "host/result/json_values.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace tailback::result {

/// Every number and word of a report, one a row: section,statistic,key,value, and from,from_port,to,to_port
/// (from_guid,to_guid) where it lists links. The section is a member of the report (a member of `metrics`; `report` for
/// what is a member itself), the statistic the path below it, joined by `_`. Items of a list go by their first member
/// where that tells them apart, else (as numbers and links do) by their order: that is the key. What is no number
/// stands in the key, behind a `/` where there is a key. Of bins the count has the list's name; a pair of numbers is
/// `_low` and `_high`. What is null has no row.
void write_csv(std::ostream& out, Json const& report, std::vector<LongList> const& lists = {});

/// A table whose rows are things. What is not known (null, or no member) is empty.
class CsvTable {
public:
    CsvTable(std::ostream& out, std::vector<std::string> columns);
    /// A cell a column.
    void row(std::vector<Json> const& cells);
    /// The members that the columns are called after; of ports with names (`from_port_name`) the names.
    void item(Json const& object);

private:
    std::ostream& out_;
    std::vector<std::string> columns_;
};

}  // namespace tailback::result
