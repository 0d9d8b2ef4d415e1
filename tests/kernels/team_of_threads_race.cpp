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
#include <map>
#include <string>

namespace tailback {
namespace {

/// Begins a chunk of a warp's permutation: needed only where no step of the window before it had to wait, which no
/// scenario can bring about at will.
constexpr char const* seldom_needed = "targets of the last chunk read";

/// All scenarios by both kinds of team; returns the barriers that were met.
std::map<std::string, TeamHub::Place> run_all(unsigned members, std::string const& hidden) {
    std::map<std::string, TeamHub::Place> met;
    for (TeamScenario const& scenario : team_scenarios()) {
        Problem const& p = scenario.plan.problem;
        std::uint64_t const mappings = scenario.plan.study.sample.mappings;
        TeamHub hub(members, hidden);
        run_threads<false, std::uint32_t, false, true>(p, mappings, hub);
        run_threads<false, std::uint32_t, true, false>(p, mappings, hub);
        std::uint32_t const packing = packing_for(load_bound(p));
        run_threads<false, PackedCounters<WholeWords>, false, true, ThreadDraws::by_lanes, std::uint16_t>(p, mappings,
                                                                                                          hub, packing);
        run_threads<false, PackedCounters<WholeWords>, false, true, ThreadDraws::by_lanes_and_cells, std::uint16_t>(
            p, mappings, hub, packing);
        run_threads<false, PackedCounters<WholeWords>, false, true, ThreadDraws::by_lanes_and_ballots, std::uint16_t>(
            p, mappings, hub, packing);
        run_split<false>(p, mappings, hub, packing, 1);
        if (is_plain(p)) {
            run_threads<true, std::uint32_t, false, true>(p, mappings, hub);
            run_threads<true, std::uint32_t, true, false>(p, mappings, hub);
        }
        met.insert(hub.barriers.begin(), hub.barriers.end());
    }
    for (NastyNetwork const& scenario : audit_scenarios()) {
        TeamHub hub(members, hidden);
        run_audit_team(scenario.fabric, members, [&](unsigned member) { return ThreadTeam<false, true>(hub, member); });
        met.insert(hub.barriers.begin(), hub.barriers.end());
    }
    for (AllToAllScenario const& scenario : all_to_all_scenarios()) {
        TeamHub hub(members, hidden);
        found_by_team(scenario.unlisted, hub);
        met.insert(hub.barriers.begin(), hub.barriers.end());
    }
    return met;
}

}  // namespace
}  // namespace tailback

int main(int argc, char** argv) {
    using namespace tailback;
    std::string const command = argc > 1 ? argv[1] : "";
    if (command == "") {
        run_all(4, {});
        std::puts("no barrier hidden: done");
        return 0;
    }
    auto const barriers = run_all(1, {});
    if (command == "names") {
        for (auto const& [name, place] : barriers)
            if (name != seldom_needed) std::puts(name.c_str());
        return 0;
    }
    if (command != "hide" || argc != 3) return 2;
    auto const found = barriers.find(argv[2]);
    if (found == barriers.end()) return 2;
    std::printf("hidden: %s, at %s:%u\n", argv[2], found->second.first.c_str(), found->second.second);
    std::fflush(stdout);
    run_all(4, argv[2]);
    return 0;
}
