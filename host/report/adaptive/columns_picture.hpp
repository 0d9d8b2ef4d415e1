// Histograms of columns side by side, below each other in one picture.
#pragma once

#include "host/evaluation/adaptive/study_columns.hpp"

#include <iosfwd>
#include <span>

namespace tailback::report {

/// Of a metric that is one number a mapping; of columns that have it.
void write_svg_columns(std::ostream& out, study::StudyPlan const& plan,
                       std::span<evaluation::StudyColumn const> columns, study::Metric metric);

}  // namespace tailback::report
