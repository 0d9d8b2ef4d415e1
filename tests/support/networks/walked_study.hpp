// A study whose flows are hashed over routes of equal cost, or spread over the LIDs of their destinations: walked flow
// by flow, and by rows of all pairs.
#pragma once

#include "host/evaluation/adaptive/walked_executors.hpp"
#include "host/model/capacities.hpp"
#include "kernels/cpu/flow_routes.hpp"
#include "tests/support/networks/divided_study.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace tailback {

/// All that executors come to in some mappings.
struct CameTo {
    std::vector<MappingTally> tallies;
    Totals totals;

    /// Of mappings first .. first + count - 1.
    static CameTo by(Executor& executor, std::uint64_t first, std::size_t count) {
        CameTo all{std::vector<MappingTally>(count), {}};
        executor.evaluate(first, all.tallies);
        all.totals = executor.totals();
        return all;
    }
    bool operator==(CameTo const&) const = default;
};

struct HashedStudy {
    /// @param queue_pairs parts of every flow @param draws hashes of every mapping
    HashedStudy(Fabric made, Study const& study, std::uint64_t queue_pairs, std::uint64_t draws = 1)
        : fabric(std::move(made)),
          whole(make_plan(fabric, study)),
          forwarding(fabric),
          graph(forwarding, ChoicesOf::sets, whole.study_hosts),
          plan(divided_plan(whole, {.routes_from = RoutesFrom::finder, .parts = queue_pairs, .repeats = draws})),
          ways{graph, {.seed = 7}, nullptr, static_cast<std::uint32_t>(queue_pairs)} {}
    HashedStudy(HashedStudy const&) = delete;

    /// Flow by flow, whatever pays.
    std::unique_ptr<Executor> walking(unsigned threads = 1) const {
        return make_cpu_executor(plan.problem, threads, hashed_route_finder(plan, ways));
    }

    Fabric fabric;
    StudyPlan whole;
    Forwarding forwarding;
    ChoiceGraph graph;
    StudyPlan plan;
    HashedWays ways;
};

/// Of a pattern, in so many mappings: more than a flow a pair, or few.
inline Study pattern_study(std::string const& pattern, std::uint64_t mappings,
                           std::vector<Metric> metrics = {Metric::hist_acc_band, Metric::sum_max_cong,
                                                          Metric::dep_max_delay, Metric::hist_max_cong,
                                                          Metric::get_cable_cong}) {
    Study study;
    study.traffic.pattern = pattern;
    study.sample.mappings = mappings;
    study.measures.metrics = std::move(metrics);
    return study;
}

}  // namespace tailback
