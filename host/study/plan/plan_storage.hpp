// What the views of a plan's problem point to.
#pragma once

#include "host/model/pack/route_store.hpp"
#include "host/study/plan/all_to_all_classes.hpp"
#include "host/study/plan/study_plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tailback::study {

struct StudyPlan::Storage {
    std::shared_ptr<model::RouteStore const> routes;  ///< with all links
    std::optional<model::RouteStore> counted;         ///< what is evaluated instead, where that is less
    std::vector<kernels::RankPair> flows;
    std::vector<kernels::LevelView> levels;
    std::vector<std::uint32_t> min_congestions;
    std::vector<std::uint64_t> min_loads;
    std::vector<std::uint32_t> listed, node, rail, aligned;
    std::vector<std::uint64_t> shares;
    std::vector<std::uint64_t> capacities;  ///< in units of max-min rates
    AllToAllClasses classes;
};

}  // namespace tailback::study
