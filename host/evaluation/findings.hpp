// What the mappings evaluated so far come to: whole numbers alone, so that parts add up to the same in any order.
#pragma once

#include "host/evaluation/statistics.hpp"
#include "host/study/plan/study_plan.hpp"
#include "kernels/executor.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tailback {

/// The numbers that a study asks for of every mapping.
WantedNumbers wanted_numbers(StudyPlan const& plan);

struct Findings {
    /// Of a study whose mappings are still to come.
    explicit Findings(StudyPlan const& plan);

    std::uint64_t mappings = 0;
    std::uint64_t delivered = 0, unreachable = 0, loop = 0, misdelivered = 0, local = 0;  ///< flows met
    Distribution sum_max_cong, hist_acc_band, dep_max_delay;
    Totals totals;  ///< by congestion and by slot, where the study asks for them

    /// Adds mappings of the study, all but their totals.
    void add(Reduction const& more);
    /// Adds what was found in other mappings of the same study.
    void merge(Findings const& other);
    void add_totals(Totals const& more);

    /// All of it as words, for files; or all but the totals, for other processes.
    std::vector<std::uint64_t> words(bool with_totals) const;
    /// Takes up what `words` gave, which may come from a file: returns what cannot be right about it, empty when all
    /// is. Then this holds it; otherwise it is of no use any more. With totals it is of the first mappings of the
    /// study.
    std::string assign(StudyPlan const& plan, std::span<std::uint64_t const> words, bool with_totals);

    Distribution& of(Metric metric);
    Distribution const& of(Metric metric) const { return const_cast<Findings&>(*this).of(metric); }

private:
    std::uint64_t local_per_mapping_ = 0;
};

}  // namespace tailback
