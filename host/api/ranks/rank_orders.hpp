// From a study to the best order of its ranks: places on the nodes (which are chosen beside running jobs, if so asked),
// ways between them, a search, and what simple orders come to beside it.
#pragma once

#include "host/api/ranks/idle_nodes.hpp"
#include "host/api/ranks/order_scores.hpp"
#include "host/api/ranks/rank_groups.hpp"
#include "host/io/progress.hpp"
#include "host/report/orders/orders_report.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback::api {

/// Beside whom nodes are chosen.
struct NodesChoice {
    JobsRequest running;             ///< the jobs that run; none: links are quiet. Its network is not looked at.
    std::vector<std::string> taken;  ///< lists of nodes that are taken besides
    IdleNodesFile idle;              ///< without a path: all that no job has
    std::uint32_t set = 1;           ///< the ranks are ordered on this one of the sets found
};

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
    bool hash_draws_are_asked_for = false;             ///< else a hash that draws nothing is judged once
    std::shared_ptr<model::Fabric const> fabric = {};  ///< that of the study's network, where it is at hand
    std::shared_ptr<JobsRequest const> jobs =
        {};  ///< that are ordered together in place of the study's ranks; its network counts
    std::optional<NodesChoice> nodes = {};  ///< nodes are chosen among those of the study; the goal is the largest load
    std::shared_ptr<BusyLinks const> beside = {};  ///< what other jobs put on links; null: the ranks are alone there

    RankGroups groups() const { return {together, within}; }
};

/// @throws InputError where the study has nothing to order: fewer than two ranks, flows that are drawn, pairs of places
/// without a route, routes that are made on demand; where nodes are chosen, also where too few are free.
report::OrdersReport find_rank_order(RankOrderChoice const& choice, Listener const& listener);

/// Nodes, and the order on them. Numbers are shares of what the busiest adapter of a job alone takes: every job,
/// running or not, sends as fast as that lets it, all levels of its traffic together. Where adapters of free nodes
/// differ, times are shares of what it takes on the fastest. @pre choice.nodes
report::OrdersReport find_nodes(RankOrderChoice const& choice, Listener const& listener);

/// How many moves take about so many seconds here, by a trial that makes one of fifty of the usual ones (it takes its
/// time, too); at least those of the trial. Processes that share the search get the same number.
/// @param search makes so many moves and says how many it made
std::uint64_t moves_in(double seconds, std::uint64_t usual_moves, search::SharedSearch const* shared,
                       std::function<std::uint64_t(std::uint64_t moves)> const& search);

/// `value` of each of `count` that are drawn, in threads; none where somebody wishes it to end.
/// @param what, of_what they are, for who watches
template <class Value>
std::vector<Value> values_of_drawn(std::uint64_t count, char const* what, char const* of_what, unsigned threads,
                                   std::function<Value(std::uint64_t number)> const& value) {
    io::Progress progress(what, count, of_what);
    auto const stop = kernels::StopWish::now();
    std::vector<Value> values(count);
    kernels::NextOf next(count);
    kernels::in_threads(kernels::threads_to_use(threads), [&] {
        for (std::size_t k; next.take(k) && !stop.asked();) {
            values[k] = value(k);
            progress.add(1);
        }
    });
    if (stop.asked()) values.clear();
    return values;
}

/// While it lives nobody's wish ends anything: what was found is reported.
class Undisturbed {
    static inline std::atomic<bool> const nobody{false};
    kernels::StopWish::Scope scope_{nobody};
};

/// `0-3,7` -> by rank. @throws InputError
std::vector<bool> read_ranks(std::string const& words, std::uint32_t ranks);

}  // namespace tailback::api
