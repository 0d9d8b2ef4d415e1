// All-to-alls on networks with routes of every form, rates and failed pairs, with their flows listed and without.
#pragma once

#include "host/study/plan/study_plan.hpp"
#include "tests/support/rooms.hpp"

#include <string>
#include <vector>

namespace tailback {

struct AllToAllScenario {
    std::string name;
    StudyPlan listed, unlisted;
};

std::vector<AllToAllScenario> all_to_all_scenarios();

}  // namespace tailback
