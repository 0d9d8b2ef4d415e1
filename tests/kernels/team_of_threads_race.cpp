// Built with ThreadSanitizer: proves that every barrier of the kernels is needed, and that a missing one is found.
//
//   team_of_threads_race               runs all scenarios; ThreadSanitizer must be silent
//   team_of_threads_race sites         names the places that wait for the team
//   team_of_threads_race hide sync 2   hides the third of the sync() places; ThreadSanitizer must report a race
#include "kernels/evaluate/load_bound.hpp"
#include "tests/support/audit_teams.hpp"
#include "tests/support/split_memory.hpp"
#include "tests/support/team_of_threads.hpp"
#include "tests/support/team_scenarios.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace tailback {
namespace {

/// All scenarios by both kinds of team; returns the places that waited, by kind, file and line.
std::vector<SyncSite> run_all(unsigned members, std::optional<SyncSite> const& hidden) {
    std::vector<SyncSite> sites;
    for (TeamScenario const& scenario : team_scenarios()) {
        Problem const& p = scenario.plan.problem;
        std::uint64_t const mappings = scenario.plan.study.mappings;
        TeamHub hub(members, hidden);
        run_threads<false, std::uint32_t, false, true>(p, mappings, hub);
        run_threads<false, std::uint32_t, true, false>(p, mappings, hub);
        std::uint32_t const packing = packing_for(load_bound(p));
        run_threads<false, PackedCounters<WholeWords>, false, true, ThreadDraws::by_lanes, std::uint16_t>(p, mappings,
                                                                                                          hub, packing);
        run_split<false>(p, mappings, hub, packing, 1);
        if (is_plain(p)) {
            run_threads<true, std::uint32_t, false, true>(p, mappings, hub);
            run_threads<true, std::uint32_t, true, false>(p, mappings, hub);
        }
        sites.insert(sites.end(), hub.sites.begin(), hub.sites.end());
    }
    for (NastyNetwork const& scenario : audit_scenarios()) {
        TeamHub hub(members, hidden);
        run_audit_team(scenario.fabric, members, [&](unsigned member) { return ThreadTeam<false, true>(hub, member); });
        sites.insert(sites.end(), hub.sites.begin(), hub.sites.end());
    }
    std::sort(sites.begin(), sites.end());
    sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
    return sites;
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
    std::vector<SyncSite> const sites = run_all(1, {});
    if (command == "sites") {
        for (std::string const kind : {"sync", "any", "max", "sum"})
            std::printf("%s %td\n", kind.c_str(),
                        std::count_if(sites.begin(), sites.end(), [&](SyncSite const& s) { return s.kind == kind; }));
        for (SyncSite const& site : sites) std::printf("%s %s:%u\n", site.kind.c_str(), site.file.c_str(), site.line);
        return 0;
    }
    if (command != "hide" || argc != 4) return 2;
    std::vector<SyncSite> of_kind;
    std::copy_if(sites.begin(), sites.end(), std::back_inserter(of_kind),
                 [&](SyncSite const& s) { return s.kind == argv[2]; });
    std::size_t const number = std::size_t(std::atoi(argv[3]));
    if (number >= of_kind.size()) return 2;
    std::printf("hidden: %s at %s:%u\n", argv[2], of_kind[number].file.c_str(), of_kind[number].line);
    std::fflush(stdout);
    run_all(4, of_kind[number]);
    return 0;
}
