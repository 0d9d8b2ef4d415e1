// How unevenly links are loaded in single mappings: means over mappings are more even.
#pragma once

#include "host/study/plan/study_plan.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace tailback::evaluation {

struct LoadsInMappings {
    /// Bytes, or flows where they have none, of all levels together.
    struct Spread {
        double largest = 0;    ///< load of a link
        double deviation = 0;  ///< standard, from one link to another, as of a sample (n - 1)
    };
    std::uint64_t mappings = 0;    ///< the first so many of the study
    Spread all, between_switches;  ///< of all links, and of those that join switches: means over these mappings
};

struct LinkSum;

/// Of the first of `mappings`, as many as take a moment: 5 million flows, a thousand mappings, at least one.
/// @param links that there are, with their sums over all of `mappings` @param threads for routes made on demand
/// @return none where one mapping has more than 100 million flows and there are several.
std::optional<LoadsInMappings> loads_in_mappings(study::StudyPlan const& plan, std::uint64_t mappings,
                                                 std::span<LinkSum const> links, unsigned threads);

}  // namespace tailback::evaluation
