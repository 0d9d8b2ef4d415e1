// The files that `tailback evaluate` writes.
#pragma once

#include "host/commands/options/evaluate_options.hpp"
#include "host/io/output_file.hpp"
#include "host/report/evaluate_report.hpp"

#include <optional>

namespace tailback {

/// The outputs of one run: put in place together.
struct Outputs {
    /// `rows` is --per-mapping, which was written on the way.
    Outputs(EvaluateOptions const& options, std::optional<OutputFile>&& rows);
    void commit();

    OutputFile report;
    std::optional<OutputFile> per_mapping, mappings, picture, run_info;
};

/// The first so many mappings of the study.
void dump_mappings(OutputFile& file, StudyPlan const& plan, std::uint64_t mappings);
/// Tells beforehand when --dump-mappings will be more than a disk may like.
void tell_size_of_dump(EvaluateOptions const& options, StudyPlan const& plan);

void write_report(OutputFile& file, ReportFormat format, Report const& report);

}  // namespace tailback
