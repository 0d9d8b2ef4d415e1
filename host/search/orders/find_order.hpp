// The order of ranks that is best by what somebody wants, beside what simple orders come to.
#pragma once

#include "host/search/orders/distance_search.hpp"
#include "host/search/orders/scored_search.hpp"

#include <optional>

namespace tailback::search {

enum class OrderGoal : std::uint8_t {
    time,        ///< sum over levels of the largest load / capacity of a link
    load,        ///< the largest load / capacity of all levels together
    hop_bytes,   ///< bytes x links but for the first and the last of a way
    leaf_bytes,  ///< bytes of flows that leave their first switch: their way has a link between switches
    rack_bytes,  ///< bytes between places in different racks
    node_bytes,  ///< bytes between places of different compute nodes
    // those that whole orders are evaluated for (OrderScore)
    rate,             ///< the least max-min rate of a flow: the more, the better
    makespan,         ///< sum over levels of the last completion at max-min rates
    completion_time,  ///< mean over flows of their completion at max-min rates
    adaptive,         ///< as time, flows divided equally at every switch
    hash              ///< as time, flows hashed over routes: the mean over draws
};

char const* name_of(OrderGoal goal);
constexpr bool is_scored(OrderGoal goal) { return goal >= OrderGoal::rate; }
constexpr bool is_distance(OrderGoal goal) { return goal >= OrderGoal::hop_bytes && !is_scored(goal); }
/// By what switches choose among, not by the static entries.
constexpr bool goes_by_choices(OrderGoal goal) { return goal == OrderGoal::adaptive || goal == OrderGoal::hash; }
constexpr bool more_is_better(OrderGoal goal) { return goal == OrderGoal::rate; }

/// OrderScore::effort. @param draws of a hash
std::uint64_t effort_of(OrderGoal goal, std::uint32_t draws);
/// As many as take some seconds on a core. @param draws of a hash
std::uint64_t usual_moves(PlaceProblem const& problem, OrderGoal goal, std::uint32_t draws);

/// A number of an order by a goal, in the goal's own whole units: the less, the better.
class OrderJudge {
public:
    /// @param score of a goal that is scored
    OrderJudge(PlaceProblem const& problem, OrderGoal goal, OrderScore score = {});
    OrderJudge(OrderJudge const&) = delete;
    std::uint64_t operator()(Order const& order) const;
    /// No order has less.
    std::uint64_t bound() const;
    /// The best of all orders, where they are so few that it takes some seconds; else found from these starts; of times
    /// also from a near order, which takes a fifth of the moves; of scores also from one of a short time, which takes
    /// most of them.
    FoundOrder search(std::vector<Order> starts, OrderSearchOptions const& options) const;

private:
    PlaceProblem const& timed() const { return united_ ? *united_ : problem_; }
    FoundOrder best_of(std::span<Order const> orders) const;
    FoundOrder search_timed(std::vector<Order> starts, OrderSearchOptions const& options) const;
    FoundOrder search_scored(std::vector<Order> starts, FoundOrder best, OrderSearchOptions const& options) const;

    PlaceProblem const& problem_;
    OrderScore score_;
    bool is_timed_;
    std::optional<PlaceProblem> united_;  ///< all levels in one, for the largest load
    std::vector<PlacedFlow> flows_;       ///< of all levels, for distances
    std::optional<Distances> distances_;
};

}  // namespace tailback::search
