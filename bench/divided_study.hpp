// Studies whose flows are divided: equally among candidate ports, or by a hash. Each with all that its executors need.
#pragma once

#include "bench/rooms.hpp"
#include "host/evaluation/adaptive/division_tables.hpp"
#include "host/evaluation/adaptive/found_loads.hpp"
#include "host/evaluation/adaptive/walked_executors.hpp"
#include "host/study/plan/study_plan.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <memory>
#include <string>
#include <utility>

namespace tailback::bench {

/// A network by a routing with candidate sets.
inline Fabric fabric_with_sets(std::string const& spec, std::string const& routing) {
    Topology const topology = make_topology(spec);
    Routes routes = make_routes(topology, {routing, 1});
    Fabric fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing), nullptr, {}};
    fabric.candidates = std::move(routes.candidates);
    return fabric;
}

/// Every switch divides flows equally among its candidate ports. The whole study's plan must outlive it.
struct DividedPlan {
    /// @param threads that plan; 0 = all cores
    DividedPlan(StudyPlan const& whole, LinkCosts link_costs, unsigned threads)
        : forwarding(*whole.fabric),
          costs(std::move(link_costs)),
          graph(forwarding, ChoicesOf::sets, whole.study_hosts),
          split(graph, whole.study_hosts, threads),
          plan(divided_plan(whole, {.routes_from = RoutesFrom::loads, .parts = split.unit()})),
          tables(split, costs, plan.study_hosts) {}
    DividedPlan(DividedPlan const&) = delete;

    /// The CPU's own way.
    std::unique_ptr<Executor> on_cpu(unsigned threads = 1) const {
        return make_equal_executor(plan, split, costs, threads);
    }

    Forwarding forwarding;
    LinkCosts costs;
    ChoiceGraph graph;
    SplitPlan split;
    StudyPlan plan;
    DivisionTables tables;
};

/// A hash at every switch draws one of the candidate ports. The whole study's plan must outlive it.
struct HashedPlan {
    /// @param queue_pairs parts of every flow @param draws hashes of every mapping
    explicit HashedPlan(StudyPlan const& whole, std::uint64_t queue_pairs = 1, std::uint64_t draws = 1)
        : forwarding(*whole.fabric),
          graph(forwarding, ChoicesOf::sets, whole.study_hosts),
          plan(divided_plan(whole, {.routes_from = RoutesFrom::finder, .parts = queue_pairs, .repeats = draws})),
          ways{graph, {.seed = 7}, nullptr, static_cast<std::uint32_t>(queue_pairs)} {}
    HashedPlan(HashedPlan const&) = delete;

    /// Flow by flow, whatever pays.
    std::unique_ptr<Executor> walking(unsigned threads = 1) const {
        return make_cpu_executor(plan.problem, threads, hashed_route_finder(plan, ways));
    }

    Forwarding forwarding;
    ChoiceGraph graph;
    StudyPlan plan;
    HashedWays ways;
};

}  // namespace tailback::bench
