// Where the points of a sweep are evaluated: what neighbours share stays on the bench.
#pragma once

#include "host/report/evaluate/evaluate_report.hpp"
#include "host/sweep/points.hpp"
#include "host/sweep/shared_network.hpp"

#include <memory>
#include <optional>
#include <string>

namespace tailback::sweep {

class PointEvaluator {
public:
    /// @param warn gets what is odd about a network, at every point that uses it
    explicit PointEvaluator(api::TakeSentence const& warn) : warn_(warn), network_(warn) {}

    /// The report of a point as JSON in one line, without the lists of links; empty when `execution.stop` ended it.
    /// @param keep_network a later point routes the same network otherwise.
    /// @throws InputError when the point cannot be run.
    std::string report_of(CheckedPoint const& point, evaluation::ExecutionOptions const& execution, bool keep_network);

private:
    std::string report_of_columns(CheckedPoint const& point, evaluation::ExecutionOptions const& execution) const;
    void turn_to(CheckedPoint const& point, bool keep_network);

    api::TakeSentence warn_;
    SharedNetwork network_;
    std::optional<std::size_t> fabric_number_;
    std::string why_broken_;  ///< why that fabric cannot be had; empty = it can
    std::shared_ptr<model::Fabric const> fabric_;
    std::optional<study::StudyPlan> plan_;  ///< of the point before, over the same fabric
    report::FabricFacts facts_;             ///< of the fabric and the hosts of plan_
};

}  // namespace tailback::sweep
