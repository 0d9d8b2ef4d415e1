// Scores of orders of ranks that take a full evaluation: rates, times at these, adaptive and hashed routes.
#pragma once

#include "host/api/ranks/study_places.hpp"
#include "host/evaluation/adaptive/bracket.hpp"
#include "host/evaluation/scores/mapping_scores.hpp"
#include "host/search/orders/find_order.hpp"

#include <memory>
#include <optional>

namespace tailback::api {

/// How flows are hashed where the goal is about that; the optimum of no mapping is wanted.
inline evaluation::BracketOptions usual_hash() {
    return {.optimal_mappings = 0, .hash = {}, .queue_pairs = 1, .hash_draws = 8, .gap = 0.01};
}

/// The places must outlive it.
class OrderScores {
public:
    /// @param goal one that is scored @param threads that ask at once at most; 0 = all cores
    /// @throws InputError where the goal means nothing for this fabric
    OrderScores(StudyPlaces const& places, search::OrderGoal goal, evaluation::BracketOptions const& hash,
                unsigned threads);
    OrderScores(OrderScores const&) = delete;

    /// It refers to this.
    search::OrderScore score() const;
    /// What 1 is, and, where more is better, how much more than this is meant by 0; else 0.
    double unit() const { return scores_->unit(); }
    std::uint64_t most() const { return most_; }
    /// A score that is as good as the bound: what rounding rates may make of it, some units in 10^12, is on it.
    std::uint64_t enough(std::uint64_t bound) const;

private:
    std::uint64_t score_of(std::span<std::uint32_t const> order) const;
    std::uint64_t bound() const;

    StudyPlaces const& places_;
    search::OrderGoal goal_;
    std::uint64_t effort_;
    std::unique_ptr<study::StudyPlan const> plan_;
    std::unique_ptr<evaluation::BracketStudy const> bracket_;
    std::unique_ptr<evaluation::MappingScores> scores_;
    std::uint64_t most_ = 0;
};

}  // namespace tailback::api
