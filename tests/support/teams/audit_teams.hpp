// The audit's kernel by a team of any kind, destination after destination, on fabrics that go through all its branches.
#pragma once

#include "host/audit/loads/all_pairs_problem.hpp"
#include "kernels/audit/audit_body.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/team_of_threads.hpp"
#include "topologies/families/xgft.hpp"

#include <deque>
#include <string>
#include <thread>
#include <vector>

namespace tailback {

/// Some nasty networks, a sound tree, and trees whose tables are damaged: loops, holes, wrong ends.
inline std::deque<NastyNetwork> audit_scenarios() {
    std::deque<NastyNetwork> scenarios;
    for (NastyNetwork const& nasty : nasty_networks())
        if (nasty.fabric.network.hosts().size() < 20) scenarios.push_back(nasty);
    Dice dice;
    for (int damages = 0; damages < 24; damages += 6) {
        Fabric fabric = make_xgft({{3, 2, 2}, {1, 2, 3}});
        for (int i = 0; i < damages; ++i) {
            Node const node{fabric.network.hosts().size() +
                            dice(static_cast<std::uint32_t>(fabric.network.switches()))};
            fabric.tables.set(node, 1 + dice(12), dice(fabric.network[node].ports + 1));
        }
        scenarios.push_back({"a tree with " + std::to_string(damages) + " damages", std::move(fabric)});
    }
    return scenarios;
}

struct AuditRun {
    std::vector<AuditTally> tallies;
    std::vector<std::uint64_t> numbers;  ///< all sums, one after the other
    std::vector<std::uint32_t> turns;
    bool operator==(AuditRun const&) const = default;
};

/// By `make(member)`'s team, each member in its own thread.
template <class MakeTeam>
AuditRun run_audit_team(Fabric const& fabric, unsigned members, MakeTeam make) {
    Forwarding const forwarding(fabric);
    AllPairsRequest request;
    for (std::size_t i = 0; i < fabric.network.hosts().size(); ++i) request.sources.emplace_back(i);
    request.destinations = request.sources;
    Dice dice;
    request.directions.resize(std::size_t{forwarding.rows()} * forwarding.ports());
    for (auto& direction : request.directions) direction = static_cast<std::uint8_t>(dice(3));
    std::vector<Destination> const destinations = destinations_of(fabric.network, request.destinations);
    AuditProblem const problem(forwarding, request, destinations, 1);

    AuditRun run;
    run.tallies.resize(destinations.size());
    AuditSums sums(problem.view());
    AuditTotals const totals = sums.view();
    AuditScratch scratch;
    TeamMemory memory(scratch.lay_out(forwarding.rows(), nullptr));
    scratch.lay_out(forwarding.rows(), memory.get());
    std::vector<std::vector<std::uint16_t>> columns;
    for (Destination const& destination : destinations) {
        std::vector<std::uint16_t>& column = columns.emplace_back();
        for (std::uint32_t row = 0; row < forwarding.rows(); ++row)
            column.push_back(static_cast<std::uint16_t>(forwarding.port(row, destination.lid)));
    }
    auto work = [&](unsigned member) {
        auto team = make(member);
        for (std::size_t i = 0; i < destinations.size(); ++i) {
            AuditTally const tally =
                audit_destination(team, problem.view(), columns[i], problem.asked()[i], scratch, totals);
            if (team.leads()) run.tallies[i] = tally;
        }
    };
    run_members(members, work);
    for (auto const* part :
         {&sums.hops, &sums.excess, &sums.load, &sums.destinations, &sums.reached, &sums.detours, &sums.wrong_turns})
        run.numbers.insert(run.numbers.end(), part->begin(), part->end());
    run.turns = sums.turns;
    return run;
}

}  // namespace tailback
