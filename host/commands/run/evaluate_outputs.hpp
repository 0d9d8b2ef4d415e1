// The files that `tailback evaluate` writes.
#pragma once

#include "host/commands/options/evaluate_options.hpp"
#include "host/io/output_file.hpp"
#include "host/report/evaluate_report.hpp"

#include <optional>

namespace tailback::commands {

/// The outputs of one run: put in place together.
struct Outputs {
    /// `rows` is --per-mapping, which was written on the way.
    Outputs(EvaluateOptions const& options, std::optional<io::OutputFile>&& rows);
    void commit();

    io::OutputFile report;
    std::optional<io::OutputFile> per_mapping, mappings, picture, picture_links, timeline, run_info, best, worst;
};

/// The first so many mappings of the study.
void dump_mappings(io::OutputFile& file, study::StudyPlan const& plan, std::uint64_t mappings);
/// Tells beforehand when --dump-mappings will be more than a disk may like.
void tell_size_of_dump(EvaluateOptions const& options, study::StudyPlan const& plan);

/// That of the study's first mapping. @throws InputError where it cannot be simulated.
void write_timeline(io::OutputFile& file, std::string const& name, study::StudyPlan const& plan);

}  // namespace tailback::commands
