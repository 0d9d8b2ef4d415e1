#include "host/search/orders/scored_search.hpp"

#include "host/search/orders/annealing.hpp"

#include <algorithm>

namespace tailback::search {
namespace {

/// An order, the empty places behind it, and its score.
class ScoredCost {
public:
    ScoredCost(PlaceProblem const& problem, OrderScore const& score, Order const& start)
        : problem_(problem), score_(score), place_(filled(problem, start)), now_(score_of_it()) {}
    double swap(Swap const& swap) {
        swap_ = swap;
        exchange();
        next_ = score_of_it();
        exchange();
        return next_ < now_ ? -double(now_ - next_) : double(next_ - now_);
    }
    void take() {
        exchange();
        now_ = next_;
    }
    void sharpen(double) {}
    Order const& places() const { return place_; }
    std::uint64_t exact() const { return now_; }

private:
    std::uint64_t score_of_it() const { return score_.of(std::span(place_).first(problem_.ranks)); }
    void exchange() {
        for (std::uint32_t k = 0; k < swap_.count; ++k) std::swap(place_[swap_.a + k], place_[swap_.b + k]);
    }

    PlaceProblem const& problem_;
    OrderScore const& score_;
    Order place_;
    std::uint64_t now_, next_ = 0;
    Swap swap_;
};

}  // namespace

std::uint64_t usual_evaluations(PlaceProblem const& problem, std::uint64_t effort) {
    std::uint64_t links = 1;
    for (PlacedLevel const& level : problem.levels)
        for (PlacedFlow const& flow : level.flows) links += problem.ways.way(flow.source, flow.destination).size() + 1;
    return std::clamp<std::uint64_t>(300'000'000 / (links * effort), 1'000, 50'000);
}

std::uint64_t evaluations_of(PlaceProblem const& problem, std::uint64_t effort, std::uint64_t moves,
                             std::uint64_t before) {
    std::uint64_t const usual = usual_evaluations(problem, effort), rounds = moves / (before + usual);
    return std::min(moves / std::max<std::uint64_t>(100, problem.ranks), std::max<std::uint64_t>(1, rounds) * usual);
}

FoundOrder search_scores(PlaceProblem const& problem, OrderScore const& score, std::span<Order const> starts,
                         OrderSearchOptions const& options) {
    constexpr std::size_t searched = 4;
    constexpr std::uint32_t small = 32;
    std::vector<std::pair<std::uint64_t, std::size_t>> by_score;
    for (std::size_t k = 0; k < starts.size(); ++k) by_score.emplace_back(score.of(starts[k]), k);
    std::sort(by_score.begin(), by_score.end());
    bool const is_small = problem.places() / problem.together <= small;
    AnnealPart<ScoredCost>::Make const make = [&](Order const& start) {
        return std::make_unique<ScoredCost>(problem, score, start);
    };
    auto const searches = static_cast<std::uint32_t>(starts.size() * options.restarts);  // of the search before
    return best_of_searches(std::min(searched, starts.size()), options,
                            [&](std::uint32_t k, std::size_t s, std::uint64_t moves,
                                SearchClock const& clock) -> std::unique_ptr<OrderPart> {
                                double const heat = is_small ? 0.25 : k % 2 == 0 ? 0.02 : 0.1;
                                AnnealPart<ScoredCost>::How const how{moves, draws_of(options, searches + k), heat};
                                return std::make_unique<AnnealPart<ScoredCost>>(problem, make,
                                                                                starts[by_score[s].second], how, clock);
                            });
}

}  // namespace tailback::search
