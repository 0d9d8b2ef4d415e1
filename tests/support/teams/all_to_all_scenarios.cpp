#include "tests/support/teams/all_to_all_scenarios.hpp"

#include "kernels/all_to_all/all_to_all.hpp"
#include "kernels/cpu/fast/team.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/networks/regular.hpp"
#include "tests/support/rooms.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tailback {
namespace {

class Scenarios {
public:
    void add(std::string const& name, Fabric const& fabric, std::size_t row_byte_limit = std::size_t{1} << 30) {
        std::vector<Metric> with_links = {Metric::hist_acc_band, Metric::hist_max_cong,  Metric::sum_max_cong,
                                          Metric::dep_max_delay, Metric::get_cable_cong, Metric::route_length,
                                          Metric::hop_bytes,     Metric::throughput};
        std::vector<Metric> const without_links = {Metric::hist_acc_band, Metric::sum_max_cong};
        for (auto const& metrics : {with_links, without_links})
            for (std::uint32_t const few : {0u, 5u}) {
                Study study;
                study.traffic.pattern = few == 0 ? "all-to-all" : "all-to-all:size=3KiB";
                study.placement.ranks = few;
                study.placement.subset = few == 0 ? SubsetKind::linear_bfs : SubsetKind::random;
                study.measures.metrics = metrics;
                study.sample.mappings = 4;
                study.sample.seed = 5;
                AllToAllScenario both{name, make_plan(fabric, study, row_byte_limit), {}};
                study.traffic.may_leave_flows_unlisted = true;
                both.unlisted = make_plan(fabric, study, row_byte_limit);
                all.push_back(std::move(both));
            }
    }
    std::vector<AllToAllScenario> all;
};

}  // namespace

std::vector<AllToAllScenario> all_to_all_scenarios() {
    Scenarios scenarios;
    for (char const* name : {"tree 4x4", "tree of three levels", "mixed rates", "long line", "random rated graph",
                             "random rated broken graph", "chaos", "one switch"})
        for (std::size_t const row_byte_limit : {std::size_t{0}, std::size_t{1} << 30})
            scenarios.add(name, nasty_network(name), row_byte_limit);
    static std::map<std::string, Fabric> made;  // plans point into them
    for (auto const& [network, routing] : {std::pair{"torus:5x4,hosts=2", ""},
                                           {"torus:5x4,hosts=2", "valiant"},
                                           {"kary-ntree:k=3,n=3", ""},
                                           {"kary-ntree:k=3,n=3", "smodk"},
                                           {"dragonfly:a=4,p=2,h=1", ""},
                                           {"dragonfly:a=4,p=2,h=1", "valiant"},
                                           {"hyperx:4x3x2,hosts=2", ""}}) {
        std::string const name = std::string(network) + ", " + routing;
        auto const [at, is_new] = made.try_emplace(name);
        if (is_new) at->second = fabric_of(regular_network(network, routing));
        scenarios.add(name, at->second);
    }
    return std::move(scenarios.all);
}

AllToAllFound found_by_team(StudyPlan const& plan, TeamHub& hub) {
    Problem const& p = plan.problem;
    AllToAllFound found;
    found.tallies.resize(plan.study.sample.mappings);
    found.totals = Totals(p);
    TotalsView const totals = found.totals.view();
    AllToAllScratch scratch{};
    TeamMemory memory(scratch.lay_out(p, nullptr)), histograms(scratch.lay_out_histograms(p, nullptr) + 16);
    scratch.lay_out(p, memory.get());
    scratch.lay_out_histograms(p, histograms.get());
    with_routes(p, [&](auto const& routes) {
        run_members(hub.members, [&](unsigned member) {
            ThreadTeam<true, false> team(hub, member);
            for (std::uint64_t m = 0; m < plan.study.sample.mappings; ++m) {
                std::vector<std::uint32_t> host_of_rank;
                for (Host const host : plan.hosts_of_mapping(m))
                    host_of_rank.push_back(std::uint32_t(
                        std::find(plan.study_hosts.begin(), plan.study_hosts.end(), host) - plan.study_hosts.begin()));
                MappingTally const tally = evaluate_all_to_all(team, p, routes, host_of_rank.data(), scratch, totals);
                if (team.leads()) found.tallies[m] = tally;
            }
        });
    });
    while (!found.totals.histogram.empty() && found.totals.histogram.back() == 0) found.totals.histogram.pop_back();
    return found;
}

}  // namespace tailback
