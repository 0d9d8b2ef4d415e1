// Enough mappings and no more: when the mean of a metric is known as well as was asked for (docs/semantics.md has the
// reasons).
#pragma once

#include "host/evaluation/statistics.hpp"
#include "host/study/plan/study_plan.hpp"

#include <cstdint>
#include <string>

namespace tailback::evaluation {

/// Fewer values than these never reach a goal.
inline constexpr std::uint64_t least_values = 1000;
/// The upper limit of mappings when a goal is given and no limit.
inline constexpr std::uint64_t default_most_mappings = 10'000'000;
/// The same where ranks are placed on compute nodes: those mappings are drawn and listed before the first is evaluated.
inline constexpr std::uint64_t default_most_placed = 100'000;
/// Fewer values than these that differ from the most common one say too little about their spread.
inline constexpr std::uint64_t few_that_differ = 100;

/// Reads `[METRIC:]ci=HALF_WIDTH` or `[METRIC:]relative=SHARE[%]`; the metric is the study's own when none is named.
/// @throws InputError for what is not understood, and for a metric the study does not measure or that has no mean over
/// mappings.
study::Goal read_goal(std::string const& text, study::Study const& study);

/// `ci=0.0005`, `relative=0.01`.
std::string goal_text(study::Goal const& goal);

/// The smallest number of mappings beyond `done` at which a goal is judged: 1000, 1250, 1562, .. (a quarter more each
/// time), at last `most`. It depends on nothing else.
std::uint64_t next_check(std::uint64_t done, std::uint64_t most);
/// True when a goal is judged after so many mappings.
bool is_check(std::uint64_t done, std::uint64_t most);

/// The least and the largest value that a mapping could have.
struct PossibleValues {
    double least, largest;
};
PossibleValues possible_values(study::StudyPlan const& plan, study::Metric metric);

/// How well a mean is known.
struct Precision {
    double half_width = 0;    ///< of the 99 % interval; NaN when nothing is known
    bool few_differ = false;  ///< bounded from how few values differ from the most common one, not from their spread
    bool reached = false;
};
Precision judge(study::Goal const& goal, Distribution const& values, PossibleValues const& possible);

/// 99 % upper bound of a Poisson distribution's mean when `seen` events were seen.
double poisson_upper99(std::uint64_t seen);

}  // namespace tailback::evaluation
