// Trees of growing size and their studies, for benchmarks over sizes.
#pragma once

#include "bench/rooms.hpp"
#include "host/study/plan/study_plan.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/regular.hpp"

#include <map>
#include <memory>
#include <string>

namespace tailback::bench {

struct NetworkCase {
    char const* name;
    XgftSpec spec;
    bool arithmetic;  ///< routes without tables
};

/// A study of hist_acc_band. Its network is made once and lives as long as the program.
inline StudyPlan plan_of(NetworkCase const& network, std::string const& pattern) {
    static std::map<std::string, Fabric> fabrics;
    Study study;
    study.traffic.pattern = pattern;
    study.sample.mappings = 1'000'000'000;  // as a long study is planned
    study.measures.metrics = {Metric::hist_acc_band};
    if (!fabrics.contains(network.name))
        fabrics.emplace(network.name, network.arithmetic
                                          ? fabric_of(make_regular_xgft(network.spec, "dmodk", network.name))
                                          : make_xgft(network.spec));
    return make_plan(fabrics.at(network.name), study);
}

}  // namespace tailback::bench
