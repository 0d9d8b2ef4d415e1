// The best order of ranks, beside simple ones and random ones.
#pragma once

#include "host/evaluation/evaluation.hpp"
#include "host/report/forms.hpp"
#include "host/search/orders/find_order.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::report {

/// An order, its value by the goal, and what `evaluate` says of it.
struct ReportedOrder {
    std::string name;
    double value = 0;                               ///< in OrdersReport::unit_name
    double time = 0, bandwidth = 0, hop_bytes = 0;  ///< sum_max_cong, hist_acc_band, hop_bytes of this mapping
    std::vector<std::uint32_t> place_of_rank;
    bool is_changed = false;  ///< from what its name says, so that groups are kept

    std::string full_name() const { return is_changed ? name + " with groups kept" : name; }
};

/// One of several jobs that are ordered together: the largest load of a link that it uses, 1 = its busiest adapter
/// alone.
struct ReportedJob {
    std::string name;
    std::uint32_t first_rank = 0, ranks = 0;
    double at_start = 0, found = 0;
};

struct OrdersReport {
    study::StudyPlan const& plan;  ///< whose mappings are the orders
    std::string digest;
    search::OrderGoal goal = search::OrderGoal::time;
    std::uint32_t places = 0;
    std::vector<ReportedJob> jobs;      ///< empty: it is one
    std::uint32_t together = 1;         ///< groups of so many consecutive ranks stay together ..
    std::string within = "neighbours";  ///< .. as these, or in a `node`, `leaf`, `rack`
    std::uint64_t levels = 0, different_levels = 0, flows = 0;
    std::vector<ReportedOrder> orders;        ///< the start first, the found one last
    std::vector<std::string> without_places;  ///< simple orders that put more ranks on an adapter than it has places
    double bound = 0;                         ///< no order has less; 0: nothing is known
    std::uint64_t random_orders = 0, random_not_worse = 0;
    double random_least = 0, random_median = 0, random_most = 0;
    std::uint64_t moves = 0, seed = 0;
    std::uint32_t hash_draws = 0;  ///< 0: flows are not hashed
    bool stopped = false;

    ReportedOrder const& start() const { return orders.front(); }
    ReportedOrder const& found() const { return orders.back(); }
    /// One that says something of the order found.
    bool has_strong_bound() const {
        return bound > 0 && (search::more_is_better(goal) ? bound / 2 <= found().value : bound >= found().value / 2);
    }
    bool is_at_bound() const {
        return bound > 0 && (search::more_is_better(goal) ? found().value >= bound * (1 - 1e-12)
                                                          : found().value <= bound * (1 + 1e-12));
    }
    bool is_improved() const {
        if (found().value == start().value) return relieves_lighter();
        return search::more_is_better(goal) ? found().value > start().value : found().value < start().value;
    }
    /// By load, of jobs that are ordered together: where the busiest links of jobs, the busiest first, differ from
    /// those at the start, the first that does has less.
    bool relieves_lighter() const;
    /// `seconds`, `bytes`, `flows`, of distances `bytes x links`, ..
    std::string unit_name() const;
    /// What it comes to, in a sentence.
    std::string verdict() const;
};

/// Keys: docs/place.md.
Json value_of(OrdersReport const& report);
Document document_of(OrdersReport const& report);
/// The table and what it comes to.
void add_orders(Document& document, OrdersReport const& report);

}  // namespace tailback::report
