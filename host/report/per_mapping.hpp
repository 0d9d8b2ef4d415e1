// The numbers of every mapping, a row each, as they are computed.
#pragma once

#include "host/evaluation/evaluation.hpp"

#include <iosfwd>
#include <vector>

namespace tailback::report {

/// CSV: mapping, the chosen metrics that have one number a mapping, flows by fate.
class PerMappingWriter {
public:
    /// Writes the header.
    PerMappingWriter(std::ostream& out, study::StudyPlan const& plan);
    void write(std::uint64_t mapping, kernels::MappingTally const& tally);

private:
    std::ostream& out_;
    study::StudyPlan const& plan_;
    std::vector<study::Metric> metrics_;  ///< with a column
};

}  // namespace tailback::report
