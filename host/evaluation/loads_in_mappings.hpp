// How unevenly links are loaded in single mappings: means over mappings are more even.
#pragma once

#include "host/study/plan/study_plan.hpp"

#include <cstdint>
#include <optional>

namespace tailback::evaluation {

struct LoadsInMappings {
    std::uint64_t mappings = 0;  ///< the first so many of the study
    /// Means over these mappings: of the largest load of a link, all levels together, and of the standard deviation
    /// (n - 1) from one link to another; bytes, or flows where they have none.
    double largest = 0, deviation = 0;
};

/// Of as many of the first `mappings` as take a moment: 20 million flows, a thousand mappings, at least one.
/// None: one mapping has more than 100 million flows, routes are made on demand, or two patterns draw flows.
std::optional<LoadsInMappings> loads_in_mappings(study::StudyPlan const& plan, std::uint64_t mappings);

}  // namespace tailback::evaluation
