// From a study to the best order of its ranks: places on the nodes, ways between them, a search, and what simple orders
// come to beside it.
#pragma once

#include "host/api/ranks/job_orders.hpp"
#include "host/api/ranks/order_scores.hpp"
#include "host/api/ranks/rank_groups.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tailback::api {

/// What is searched for. Nothing is read yet.
struct RankOrderChoice {
    /// Network, traffic and nodes; its order of ranks is where the search begins. Nodes may have more places than there
    /// are ranks: then the search chooses nodes as well.
    StudyRequest study;
    search::OrderGoal goal = search::OrderGoal::time;
    search::OrderSearchOptions search;  ///< 0 moves: search::usual_moves
    std::uint64_t seconds = 0;          ///< as many moves as take so long here, by a trial; 0: search.moves
    std::string racks;  ///< which nodes are in one: audit::group_nodes; of the goal `rack_bytes`, and of groups
    std::uint32_t together = 1;                        ///< groups of so many consecutive ranks, from a multiple on ..
    KeptWithin within = KeptWithin::neighbours;        ///< .. that keep to one of these
    std::string stays;                                 ///< ranks that keep their places: `0-3,7`; empty: none
    std::uint64_t random_orders = 1000;                ///< looked at for comparison
    evaluation::BracketOptions hash = usual_hash();    ///< of the goal `hash`
    std::shared_ptr<model::Fabric const> fabric = {};  ///< that of the study's network, where it is at hand
    std::shared_ptr<JobsRequest const> jobs =
        {};  ///< that are ordered together in place of the study's ranks; its network counts
    std::shared_ptr<BusyLinks const> beside = {};  ///< what other jobs put on links; null: the ranks are alone there

    RankGroups groups() const { return {together, within}; }
};

/// An order and its value by the goal, in whole units (RankOrders::unit).
struct JudgedOrder {
    std::string name;
    search::Order order;
    std::uint64_t value = 0;
    bool is_changed = false;  ///< from what its name says, so that groups are kept
};

struct RandomOrders {
    std::uint64_t orders = 0;
    std::uint64_t least = 0, median = 0, most = 0;
    std::uint64_t not_worse = 0;  ///< how many are as good as the order found, or better
    std::uint64_t best = 0;       ///< the number of the first that has the least
};

/// What an order is for one of several jobs: the largest load of a link that it uses, with all jobs on it.
struct JobOutcome {
    OrderedJob job;
    double at_start = 0, found = 0;                     ///< 1 = what its busiest adapter takes alone
    std::shared_ptr<study::StudyPlan const> plan = {};  ///< whose mapping is the order found, of its ranks alone
};

/// What was found.
struct RankOrders {
    std::shared_ptr<model::Fabric const> fabric;
    /// Every order is a mapping of its list, in their order: what launchers' files are written from, and what
    /// `evaluate` takes.
    std::shared_ptr<study::StudyPlan const> plan;
    search::OrderGoal goal = search::OrderGoal::time;
    std::uint32_t places = 0;
    std::uint32_t together = 1;  ///< as they were chosen
    KeptWithin within = KeptWithin::neighbours;
    std::uint64_t traffic_levels = 0, different_levels = 0, flows = 0;
    /// The start first, the found one last; between them simple ones that differ from it.
    std::vector<JudgedOrder> orders;
    std::vector<std::string> without_places;  ///< simple orders that put more ranks on an adapter than it has places
    RandomOrders random;
    std::vector<JobOutcome> jobs;           ///< that were ordered together; empty: there is one
    double time_unit = 1, weight_unit = 1;  ///< what sum_max_cong and hop_bytes of the plan are divided by
    std::uint64_t bound = 0;                ///< no order has less; 0: nothing is known
    double unit = 1;                        ///< what a value of 1 is: seconds, bytes or flows, or these times links
    std::uint64_t most = 0;  ///< where more is better: what a value of 0 stands for, and others for so much less
    std::uint64_t moves = 0, seed = 0;
    std::uint64_t budget = 0;      ///< moves that were to be made: the same give the same order
    std::uint32_t hash_draws = 0;  ///< of the goal `hash`
    bool stopped = false;

    /// In the goal's unit.
    double number_of(std::uint64_t value) const { return double(most > 0 ? most - value : value) * unit; }

    JudgedOrder const& start() const { return orders.front(); }
    JudgedOrder const& found() const { return orders.back(); }
};

/// @throws InputError where the study has nothing to order: fewer than two ranks, flows that are drawn, pairs of places
/// without a route, routes that are made on demand.
RankOrders find_rank_order(RankOrderChoice const& choice, Listener const& listener);

/// How many moves take about so many seconds here, by a trial that makes one of fifty of the usual ones (it takes its
/// time, too); at least those of the trial. Processes that share the search get the same number.
/// @param search makes so many moves and says how many it made
std::uint64_t moves_in(double seconds, std::uint64_t usual_moves, search::SharedSearch const* shared,
                       std::function<std::uint64_t(std::uint64_t moves)> const& search);

/// `0-3,7` -> by rank. @throws InputError
std::vector<bool> read_ranks(std::string const& words, std::uint32_t ranks);

}  // namespace tailback::api
