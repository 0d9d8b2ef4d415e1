// Columns of numbers by mapping, as reports of brackets and of multipathing tell them.
#pragma once

#include "host/evaluation/adaptive/study_columns.hpp"
#include "host/report/forms.hpp"
#include "host/result/next_step.hpp"

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailback::report {

/// Null for what is not finite.
Json finite(double value);
/// Four digits behind the point; `-` for what is not finite.
std::string digits(double value);

/// A column under its name.
struct NamedColumn {
    char const* name;
    evaluation::StudyColumn const& column;
    std::string what = {};                ///< it is, in a few words
    std::uint64_t mappings = 0;           ///< that it was found of
    std::optional<double> at_least = {};  ///< sum_max_cong of any division, as of the optimum
};
/// By name: delivered, failed, mappings, statistics of each metric, and the hottest link.
Json columns_json(study::StudyPlan const& plan, std::span<NamedColumn const> columns);
/// `study`: pattern, ranks, subset, mapping, ..
Json study_of_columns_json(study::StudyPlan const& plan, std::uint64_t mappings);

/// Of a study with a goal what came of it, by column; else null.
Json until_of_columns_json(study::StudyPlan const& plan, std::span<NamedColumn const> columns);
/// The same as a sentence; nothing without a goal.
void add_goal(Document& document, study::StudyPlan const& plan, std::span<NamedColumn const> columns);

/// What was studied, on what.
void add_head(Document& document, study::StudyPlan const& plan, std::uint64_t mappings, std::string const& digest);
/// Means of all columns, side by side, of the metrics that all of them have.
void add_columns(Document& document, study::StudyPlan const& plan, std::span<NamedColumn const> columns);
/// What each of them is.
void add_meanings(Document& document, std::span<NamedColumn const> columns);
/// Nothing where no flow is delivered.
void add_hottest(Document& document, study::StudyPlan const& plan, std::span<NamedColumn const> columns);
/// `100.0000`, and of bytes on links of known rates the time: `8 ns`
std::string congestion_text(study::StudyPlan const& plan, double congestion);
/// `0.5123 of a link (6.40 GB/s)`, without the rate where it is not known
std::string bandwidth_text(study::StudyPlan const& plan, double bandwidth);

/// Whether the means are farther apart than their 99 % confidence intervals reach together, or have none: else the
/// difference may be chance.
bool are_told_apart(evaluation::StudyColumn const& a, evaluation::StudyColumn const& b, study::Metric metric);

/// Lost flows make room for others, so columns that lose different parts of the flows cannot be compared.
bool lose_alike(std::span<NamedColumn const> columns);
/// By none of them: there is nothing to measure.
bool nothing_delivered(std::span<NamedColumn const> columns);
/// A verdict where they cannot: `What the hash costs is not known: 1,456 of 1,600 flows are not delivered under equal,
/// 0 of 1,600 under static.`
std::string not_known(char const* what, std::span<NamedColumn const> columns);
inline constexpr char const* no_flow_is_delivered = "No flow is delivered.";
/// Where columns lose different parts of their flows, or all of them: an audit, which tells why.
std::optional<result::NextStep> cause_of_losses(std::span<NamedColumn const> columns,
                                                result::OtherCommands const& others);

}  // namespace tailback::report
