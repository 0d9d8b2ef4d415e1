// Studies that between them go through every branch of the kernel: what a team's barriers are tried on.
#pragma once

#include "host/study/plan/study_plan.hpp"
#include "tests/support/rooms.hpp"

#include <string>
#include <vector>

namespace tailback {

struct TeamScenario {
    std::string name;
    StudyPlan plan;
};
std::vector<TeamScenario> team_scenarios();

}  // namespace tailback
