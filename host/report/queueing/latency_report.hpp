// Estimates of latency, in the forms that people and programs read.
#pragma once

#include "host/queueing/latency.hpp"
#include "host/report/forms.hpp"

#include <string>

namespace tailback::report {

/// References must outlive it.
struct LatencyReport {
    study::StudyPlan const& plan;
    queueing::LatencyQuestion const& question;
    queueing::LatencyEstimate const& estimate;
    std::string traffic;  ///< as it was asked for
    std::string digest;   ///< of the fabric

    model::LinkEnds ends(model::Link link) const { return plan.fabric->ends(link, plan.study_hosts); }
};

/// What every number of it assumes.
inline constexpr char const* latency_assumptions = "estimate (Poisson, independent hops, no back pressure)";

Document document_of(LatencyReport const& report);
/// Keys: docs/report.md.
Json value_of(LatencyReport const& report);

}  // namespace tailback::report
