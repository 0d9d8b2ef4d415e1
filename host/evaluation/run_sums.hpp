// What the mappings evaluated so far come to: whole numbers alone, so that parts add up to the same in any order.
#pragma once

#include "host/evaluation/statistics.hpp"
#include "host/study/plan/study_plan.hpp"
#include "kernels/executor.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tailback::evaluation {

/// The numbers that a study asks for of every mapping, in the order of the table.
kernels::WantedNumbers wanted_numbers(study::StudyPlan const& plan);

struct RunSums {
    /// Of a study whose mappings are still to come.
    explicit RunSums(study::StudyPlan const& plan);

    std::uint64_t mappings = 0;
    std::uint64_t delivered = 0, unreachable = 0, loop = 0, misdelivered = 0, local = 0;  ///< flows met
    std::uint64_t within_nodes = 0;  ///< sum of the weights of flows inside compute nodes, which are in none of these
    /// A metric with one number a mapping.
    struct Number {
        study::Metric metric;
        bool is_wanted;  ///< the study asks for it; otherwise there are no values
        Distribution values;
        bool over_all = false;  ///< over all flows, those not delivered as 0
    };
    /// In the order of the table; then those over all flows, where some may not be delivered.
    std::vector<Number> numbers;
    kernels::Totals totals;  ///< where the study asks for them

    /// Adds mappings of the study, all but their totals.
    void add(kernels::Reduction more);
    /// Adds what was found in other mappings of the same study.
    void merge(RunSums const& other);
    void add_totals(kernels::Totals const& more);

    /// All of it as words, for files; or all but the totals, for other processes.
    std::vector<std::uint64_t> words(bool with_totals) const;
    /// Takes up what `words` gave, which may come from a file: returns what cannot be right about it, empty when all
    /// is. Then this holds it; otherwise it is of no use any more. With totals it is of the first mappings of the
    /// study.
    std::string assign(study::StudyPlan const& plan, std::span<std::uint64_t const> words, bool with_totals);

    /// Of a metric with one number a mapping, over delivered flows.
    Distribution const& of(study::Metric metric) const;

private:
    std::uint64_t local_per_mapping_ = 0;
};

}  // namespace tailback::evaluation
