// All-to-alls on networks with routes of every form, rates and failed pairs, with their flows listed and without.
#pragma once

#include "host/study/plan/study_plan.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/team_of_threads.hpp"

#include <string>
#include <vector>

namespace tailback {

struct AllToAllScenario {
    std::string name;
    StudyPlan listed, unlisted;
};

std::vector<AllToAllScenario> all_to_all_scenarios();

struct AllToAllFound {
    std::vector<MappingTally> tallies;  ///< of each mapping
    Totals totals;
};

/// All mappings of a study with unlisted flows, by a team of real threads.
AllToAllFound found_by_team(StudyPlan const& plan, TeamHub& hub);

}  // namespace tailback
