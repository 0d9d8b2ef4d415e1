// Columns of numbers by mapping, as reports of brackets and of multipathing tell them.
#pragma once

#include "host/evaluation/adaptive/bracket.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace tailback::report {

struct Statistics {
    std::uint64_t count = 0;
    double mean = NAN, deviation = NAN, min = NAN, median = NAN, max = NAN;
};
/// NaNs are left out.
Statistics statistics_of(std::vector<double> values);

/// Null for what is not finite.
nlohmann::ordered_json number(double value);
/// Four digits behind the point; `-` for what is not finite.
std::string digits(double value);

/// delivered, failed, mappings, and a map of statistics for each metric.
nlohmann::ordered_json column_json(evaluation::BracketColumn const& column, std::uint64_t mappings);
/// A column under its name.
struct NamedColumn {
    char const* name;
    evaluation::BracketColumn const& column;
};
/// Lost flows make room for others, so columns that lose different parts of the flows cannot be compared.
bool lose_alike(std::span<NamedColumn const> columns);
/// `1,456 of 1,600 flows are lost under equal, 0 of 1,600 under static`
std::string lost_flows(std::span<NamedColumn const> columns);

/// Rows NAME,metric,statistic,value.
void write_column_csv(std::ostream& out, char const* name, evaluation::BracketColumn const& column);

}  // namespace tailback::report
