// The numbers of every mapping, a row each, as they are computed.
#pragma once

#include "host/evaluation/evaluation.hpp"
#include "host/report/forms.hpp"

namespace tailback::report {

/// CSV: mapping, the chosen metrics that have one number a mapping, flows by fate.
class PerMappingWriter {
public:
    /// Writes the header.
    PerMappingWriter(std::ostream& out, study::StudyPlan const& plan);
    void write(std::uint64_t mapping, kernels::MappingTally const& tally);

private:
    CsvTable table_;
    study::StudyPlan const& plan_;
};

}  // namespace tailback::report
