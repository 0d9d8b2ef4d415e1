// A study whose flows are hashed over routes of equal cost, or spread over the LIDs of their destinations: walked flow
// by flow, and by rows of all pairs.
#pragma once

#include "host/model/capacities.hpp"
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

struct HashedStudy : WholeStudy, bench::HashedPlan {
    /// @param queue_pairs parts of every flow @param draws hashes of every mapping
    HashedStudy(Fabric made, Study const& study, std::uint64_t queue_pairs, std::uint64_t draws = 1)
        : WholeStudy(std::move(made), study), HashedPlan(whole, queue_pairs, draws) {}
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
