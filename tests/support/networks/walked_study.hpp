// A study whose flows are hashed over routes of equal cost, or spread over the LIDs of their destinations: walked flow
// by flow, and by rows of all pairs.
#pragma once

#include "host/model/capacities.hpp"
#include "tests/support/networks/divided_study.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <cstdint>
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

struct HashedStudy : WholeStudy, bench::HashedPlan {
    /// @param queue_pairs parts of every flow @param draws hashes of every mapping
    HashedStudy(Fabric made, Study const& study, std::uint64_t queue_pairs, std::uint64_t draws = 1)
        : WholeStudy(std::move(made), study), HashedPlan(whole, queue_pairs, draws) {}
};

/// A network whose hosts have 2^lmc LIDs each.
inline Fabric fabric_with_lids(std::string const& spec, std::uint8_t lmc, std::string const& routing = "minhop") {
    Topology topology = make_topology(spec);
    topology.network = with_lmc(topology.network, lmc);
    Routes routes = make_routes(topology, {routing, 1});
    return {topology.network, std::move(routes.tables), true, std::move(routes.routing), nullptr, {}};
}

struct SpreadStudy : WholeStudy {
    SpreadStudy(Fabric made, Study const& study, LidSpread kind)
        : WholeStudy(std::move(made), study),
          spread(kind),
          forwarding(fabric),
          plan(divided_plan(whole, {.parts = kind == LidSpread::all
                                                 ? std::uint64_t{1} << largest_lmc(fabric.network, whole.study_hosts)
                                                 : 1})) {}
    /// Flow by flow, whatever pays.
    std::unique_ptr<Executor> walking(unsigned threads = 1) const {
        return make_cpu_executor(plan.problem, threads, spread_route_finder(plan, forwarding, spread));
    }
    /// By rows, where these pay.
    std::unique_ptr<Executor> on_cpu(unsigned threads = 1) const {
        return make_spread_executor(plan, forwarding, spread, threads);
    }
    MakeOnCuda on_cuda() const { return spread_on_cuda(whole, forwarding, spread); }

    LidSpread spread;
    Forwarding forwarding;
    StudyPlan plan;
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
