// A study whose flows every switch divides equally among its candidate ports, with all that executors of it need.
#pragma once

#include "host/evaluation/adaptive/division_tables.hpp"
#include "host/evaluation/adaptive/found_loads.hpp"
#include "host/study/plan/study_plan.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <memory>
#include <string>

namespace tailback {

/// A network by a routing with candidate sets.
inline Fabric fabric_with_sets(std::string const& spec, std::string const& routing) {
    Topology const topology = make_topology(spec);
    Routes routes = make_routes(topology, {routing, 1});
    Fabric fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing), nullptr, {}};
    fabric.candidates = std::move(routes.candidates);
    return fabric;
}

struct DividedStudy {
    /// @param link_cost (number of a link) -> what a unit costs there; null: what the network says
    explicit DividedStudy(Fabric made, Study const& study, std::uint32_t (*link_cost)(std::size_t) = nullptr)
        : fabric(std::move(made)),
          whole(make_plan(fabric, study)),
          forwarding(fabric),
          costs(costs_of(study, link_cost)),
          graph(forwarding, ChoicesOf::sets, whole.study_hosts),
          split(graph, whole.study_hosts, 1),
          plan(divided_plan(whole, {.routes_from = RoutesFrom::loads, .parts = split.unit()})),
          tables(split, costs, plan.study_hosts) {}
    DividedStudy(DividedStudy const&) = delete;

    /// The CPU's own way.
    std::unique_ptr<Executor> on_cpu(unsigned threads = 1) const {
        return make_equal_executor(plan, split, costs, threads);
    }

private:
    LinkCosts costs_of(Study const& study, std::uint32_t (*link_cost)(std::size_t)) const {
        LinkCosts found = link_costs(fabric.network, study.measures.capacities);
        for (std::size_t l = 0; link_cost != nullptr && l < fabric.network.links().size(); ++l)
            found.cost.push_back(link_cost(l));
        return found;
    }

public:
    Fabric fabric;
    StudyPlan whole;
    Forwarding forwarding;
    LinkCosts costs;
    ChoiceGraph graph;
    SplitPlan split;
    StudyPlan plan;
    DivisionTables tables;
};

}  // namespace tailback
