// What an executor makes of some mappings, to hold one executor against another.
#pragma once

#include "host/study/study.hpp"
#include "kernels/executor.hpp"
#include "tests/support/rooms.hpp"

#include <cstdint>
#include <vector>

namespace tailback {

inline std::vector<Metric> every_metric() { return metrics_of_all(); }

struct Outcome {
    std::vector<MappingTally> tallies;
    Totals totals;
};

/// Of a fresh executor.
inline Outcome run(Executor& executor, std::size_t mappings, std::uint64_t first = 5) {
    Outcome outcome;
    outcome.tallies.resize(mappings);
    executor.evaluate(first, outcome.tallies);
    outcome.totals = executor.totals();
    return outcome;
}

}  // namespace tailback
