// Built with ThreadSanitizer: proves that every barrier of the kernels is needed, and that a missing one is found.
//
//   team_of_threads_race              runs all scenarios; ThreadSanitizer must be silent
//   team_of_threads_race names        names the barriers, each of which is needed
//   team_of_threads_race hide NAME    hides the barrier of this name; ThreadSanitizer must report a race
#include "kernels/evaluate/load_bound.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/all_to_all_scenarios.hpp"
#include "tests/support/teams/audit_teams.hpp"
#include "tests/support/teams/split_memory.hpp"
#include "tests/support/teams/team_of_threads.hpp"
#include "tests/support/teams/team_scenarios.hpp"

#include <cstdio>
#include <functional>
#include <map>
#include <string>

namespace tailback {
namespace {

/// Begins a chunk of a warp's permutation: needed only where no step of the window before it had to wait, which no
/// scenario can bring about at will.
constexpr char const* seldom_needed = "targets of the last chunk read";

using Barriers = std::map<std::string, TeamHub::Place>;

/// A study by both kinds of team.
void run_study(TeamScenario const& scenario, TeamHub& hub) {
    Problem const& p = scenario.plan.problem;
    std::uint64_t const mappings = scenario.plan.study.sample.mappings;
    run_threads<false, std::uint32_t, false, true>(p, mappings, hub);
    run_threads<false, std::uint32_t, true, false>(p, mappings, hub);
    std::uint32_t const packing = packing_for(load_bound(p));
    run_threads<false, PackedCounters<WholeWords>, false, true, ThreadDraws::by_lanes, std::uint16_t>(p, mappings, hub,
                                                                                                      packing);
    run_threads<false, PackedCounters<WholeWords>, false, true, ThreadDraws::by_lanes_and_cells, std::uint16_t>(
        p, mappings, hub, packing);
    run_threads<false, PackedCounters<WholeWords>, false, true, ThreadDraws::by_lanes_and_ballots, std::uint16_t>(
        p, mappings, hub, packing);
    run_split<false>(p, mappings, hub, packing, 1);
    if (is_plain(p)) {
        run_threads<true, std::uint32_t, false, true>(p, mappings, hub);
        run_threads<true, std::uint32_t, true, false>(p, mappings, hub);
    }
}

/// Every scenario, in order: `run` gets what runs it with the members of a hub.
void for_each_scenario(std::function<void(std::function<void(TeamHub&)> const&)> const& run) {
    for (TeamScenario const& scenario : team_scenarios()) run([&](TeamHub& hub) { run_study(scenario, hub); });
    for (NastyNetwork const& scenario : audit_scenarios())
        run([&](TeamHub& hub) {
            run_audit_team(scenario.fabric, hub.members,
                           [&](unsigned member) { return ThreadTeam<false, true>(hub, member); });
        });
    for (AllToAllScenario const& scenario : all_to_all_scenarios())
        run([&](TeamHub& hub) { found_by_team(scenario.unlisted, hub); });
}

/// The barriers that a scenario meets.
Barriers barriers_of(std::function<void(TeamHub&)> const& scenario) {
    TeamHub alone(1, {});
    scenario(alone);
    return alone.barriers;
}

/// Runs what meets the barrier `hidden` without it, until ThreadSanitizer ends the program; false: nothing meets it.
bool run_without(std::string const& hidden) {
    bool met = false;
    for_each_scenario([&](auto const& scenario) {
        Barriers const barriers = barriers_of(scenario);
        auto const found = barriers.find(hidden);
        if (found == barriers.end()) return;
        if (!met)
            std::printf("hidden: %s, at %s:%u\n", hidden.c_str(), found->second.first.c_str(), found->second.second);
        std::fflush(stdout);
        met = true;
        TeamHub hub(4, hidden);
        scenario(hub);
    });
    return met;
}

}  // namespace
}  // namespace tailback

int main(int argc, char** argv) {
    using namespace tailback;
    std::string const command = argc > 1 ? argv[1] : "";
    if (command == "") {
        for_each_scenario([](auto const& scenario) {
            TeamHub hub(4, {});
            scenario(hub);
        });
        std::puts("no barrier hidden: done");
        return 0;
    }
    if (command == "names") {
        Barriers all;
        for_each_scenario([&](auto const& scenario) { all.merge(barriers_of(scenario)); });
        for (auto const& [name, place] : all)
            if (name != seldom_needed) std::puts(name.c_str());
        return 0;
    }
    if (command != "hide" || argc != 3 || !run_without(argv[2])) return 2;
    return 0;
}
