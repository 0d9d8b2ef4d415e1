// The numbers of every mapping, a row each, as they are computed.
#pragma once

#include "host/evaluation/evaluation.hpp"
#include "host/report/forms.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailback::report {

/// CSV: mapping, then of every column the chosen metrics that have one number a mapping, and flows by fate. Numbers of
/// a column that repeats mappings are means over the repeats.
class PerMappingWriter {
public:
    /// Of a study alone, whose columns have no name. Writes the header.
    PerMappingWriter(std::ostream& out, study::StudyPlan const& plan);
    /// Of columns side by side: `name.metric`. @param names of columns that are not told: empty
    PerMappingWriter(std::ostream& out, std::span<evaluation::Column const> columns,
                     std::vector<std::string> const& names);
    /// @param tallies as evaluation::ExecutionOptions::per_mapping has them
    void write(std::uint64_t mapping, std::span<kernels::MappingTally const> tallies);

private:
    struct Part {
        study::StudyPlan const* plan;
        bool told;
        std::vector<study::Metric> metrics;  ///< with a column
    };
    std::vector<std::string> add_part(study::StudyPlan const& plan, bool told, std::string const& prefix);
    /// @param tallies of the part; empty: it has none of this mapping
    void add_cells(Part const& part, std::span<kernels::MappingTally const> tallies, std::vector<Json>& cells) const;

    std::vector<Part> parts_;
    std::optional<CsvTable> table_;
};

}  // namespace tailback::report
