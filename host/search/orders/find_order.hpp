// The order of ranks that is best by what somebody wants, beside what simple orders come to.
#pragma once

#include "host/search/orders/order_search.hpp"

#include <memory>
#include <string>

namespace tailback::search {

enum class OrderGoal : std::uint8_t {
    time,        ///< sum over levels of the largest load / capacity of a link
    load,        ///< the largest load / capacity of all levels together
    hop_bytes,   ///< bytes x links but for the first and the last of a way
    leaf_bytes,  ///< bytes between places at different first switches
    node_bytes   ///< bytes between places of different compute nodes
};

char const* name_of(OrderGoal goal);

/// As many as take some seconds on a core.
constexpr std::uint64_t usual_moves(OrderGoal goal) {
    return goal == OrderGoal::time || goal == OrderGoal::load ? 10'000'000 : 100'000'000;
}

/// A number of an order by a goal, in the goal's own whole units.
class OrderJudge {
public:
    OrderJudge(PlaceProblem const& problem, OrderGoal goal);
    OrderJudge(OrderJudge const&) = delete;
    ~OrderJudge();
    std::uint64_t operator()(Order const& order) const;
    /// No order has less.
    std::uint64_t bound() const;
    /// The best found from these starts; of times also from a near order, which takes a fifth of the moves.
    FoundOrder search(std::vector<Order> starts, OrderSearchOptions const& options) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace tailback::search
