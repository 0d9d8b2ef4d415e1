// A fabric over many days: the numbers of its audits, a row a day, and what each day changed.
#pragma once

#include "host/report/diff/compared.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace tailback::report {

/// Comparison k is of day k with day k + 1.
struct Trend {
    std::vector<std::string> days;  ///< as they were named; two or more
    std::vector<Json> networks;     ///< by day (network_json)
    model::NamedFiles files;        ///< that were read
    std::vector<Comparison> comparisons;
    Comparison whole;  ///< of the first day with the last

    /// Number k of a day; none = not known.
    std::optional<double> number(std::size_t day, std::size_t k) const;

    /// A group of nodes: its sums, day by day; none where that day's fabric does not have it.
    struct Group {
        std::string name;
        std::vector<std::optional<audit::GroupSum>> sums;
        bool has_changed() const;
    };
    /// In natural order; empty = not asked.
    std::vector<Group> groups() const;
};

Document document_of(Trend const& trend);
/// Keys: docs/report.md.
Json value_of(Trend const& trend);
/// day,verdict and a column for each number; where groups were asked for a row for each group of each day
void write_trend_rows(std::ostream& out, Trend const& trend);

}  // namespace tailback::report
