// The best order of ranks, beside simple ones and random ones; where nodes are chosen beside running jobs, their sets.
#pragma once

#include "host/evaluation/evaluation.hpp"
#include "host/report/forms.hpp"
#include "host/search/orders/find_order.hpp"
#include "host/search/orders/node_search.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback::report {

/// An order, its value by the goal, and what `evaluate` says of it.
struct ReportedOrder {
    std::string name;
    search::Order order;                            ///< by rank: its place
    std::uint64_t cost = 0;                         ///< by search::OrderJudge
    bool is_changed = false;                        ///< from what its name says, so that it is allowed
    double value = 0;                               ///< in OrdersReport::unit_name
    double time = 0, bandwidth = 0, hop_bytes = 0;  ///< sum_max_cong, hist_acc_band, hop_bytes of this mapping
};

/// One of several jobs that are ordered together: the largest load of a link that it uses, with all jobs on it, 1 = its
/// busiest adapter alone.
struct ReportedJob {
    std::string name;
    std::uint32_t first_rank = 0, ranks = 0;
    double at_start = 0, found = 0;
    std::shared_ptr<study::StudyPlan const> plan = {};  ///< whose mapping is the order found, of its ranks alone
};

struct RandomOrders {
    std::uint64_t orders = 0, not_worse = 0;  ///< looked at; of them as good as the order found, or better
    double least = 0, median = 0, most = 0;
};

struct ReportedNodes {
    std::string name;
    std::vector<std::string> nodes;  ///< in the order of ranks
    search::NodeValue value;
    std::uint32_t leaves = 0;  ///< switches that they are at
};

/// Sets of nodes for a job beside running ones.
struct NodeSets {
    std::uint32_t machine = 0, taken = 0, free = 0, wanted = 0, jobs = 0;  ///< nodes; jobs that run
    std::vector<ReportedNodes> sets;  ///< none of which beats another in both; the least time first
    std::size_t chosen = 0;
    std::vector<ReportedNodes> others;                    ///< as schedulers choose them
    std::uint64_t random_sets = 0, random_not_worse = 0;  ///< looked at; of them in time than the first of `sets`
    search::NodeValue random_least, random_median;        ///< the one with the least time; each by itself
    search::NodeValue ordered;                            ///< of the chosen set with the order of ranks found
    std::uint64_t moves = 0;
    bool stopped = false;
    bool is_proven = false;        ///< all sets were looked at
    bool adapters_differ = false;  ///< of free nodes, in their rates: times are told by the fastest

    /// `1,000 swaps of nodes`; where all sets were: `12,870 choices of nodes`.
    std::string looked_at() const;
};

struct OrdersReport {
    std::shared_ptr<model::Fabric const> fabric;   ///< that the plan is of
    std::shared_ptr<study::StudyPlan const> plan;  ///< whose mappings are the orders
    std::string digest;
    search::OrderGoal goal = search::OrderGoal::time;
    std::uint32_t places = 0;
    std::vector<ReportedJob> jobs;      ///< empty: it is one
    std::uint32_t together = 1;         ///< groups of so many consecutive ranks stay together ..
    std::string within = "neighbours";  ///< .. as these, or in a `node`, `leaf`, `rack`
    bool has_ranks_that_stay = false;   ///< where they are in the first order
    std::uint64_t levels = 0, different_levels = 0, flows = 0;
    std::vector<ReportedOrder> orders;        ///< the start first, the found one last; between them others than it
    std::vector<std::string> without_places;  ///< simple orders that put more ranks on an adapter than it has places
    double bound = 0;                         ///< no order has less, as is known beforehand; 0: nothing is known
    bool is_proven = false;                   ///< all orders were looked at
    bool is_least = false;                    ///< the order found has 0, and nothing has less
    RandomOrders random;
    std::uint64_t moves = 0, seed = 0;
    std::uint64_t budget = 0;  ///< moves that were to be made (of nodes, if they are chosen): the same give the same
    std::uint32_t hash_draws = 0;  ///< 0: flows are not hashed
    bool hash_is_drawn = true;     ///< else the one draw says it all
    bool stopped = false;
    std::optional<NodeSets> beside = {};  ///< the nodes are those of the chosen set

    ReportedOrder const& start() const { return orders.front(); }
    ReportedOrder const& found() const { return orders.back(); }
    /// `1,000 swaps`; where all orders were: `24 orders`.
    std::string looked_at() const;
    bool was_stopped() const { return stopped || (beside && beside->stopped); }
    /// No order has less (of rates: more); 0: nothing is known.
    double best_possible() const { return is_proven ? found().value : bound; }
    /// One that says something of the order found.
    bool has_strong_bound() const {
        double const best = best_possible();
        return best > 0 && (search::more_is_better(goal) ? best / 2 <= found().value : best >= found().value / 2);
    }
    bool is_at_bound() const {
        double const best = best_possible();
        return is_proven || is_least ||
               (best > 0 && (search::more_is_better(goal) ? found().value >= best * (1 - 1e-12)
                                                          : found().value <= best * (1 + 1e-12)));
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
    /// `block`, `block with groups kept`.
    std::string full_name(ReportedOrder const& one) const;
    /// What it comes to, in a sentence.
    std::string verdict() const;
};

/// Keys: docs/place.md.
Json value_of(OrdersReport const& report);
Document document_of(OrdersReport const& report);

/// What is said of the sets of nodes, before the order on the chosen one. @pre report.beside
void add_node_sets(Document& document, OrdersReport const& report);
Json node_sets_json(NodeSets const& sets);

}  // namespace tailback::report
