// Which of the free nodes a job gets beside those that run, and in which order its ranks go there.
#pragma once

#include "host/api/jobs.hpp"
#include "host/api/ranks/idle_nodes.hpp"
#include "host/api/ranks/rank_orders.hpp"
#include "host/search/orders/node_search.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tailback::api {

/// What is searched for. Nothing is read yet.
struct NodesChoice {
    /// The new job; its nodes are those that it may have. Its goal is the largest load.
    RankOrderChoice orders;
    JobsRequest running;             ///< the jobs that run; none: links are quiet. Its network is not looked at.
    std::vector<std::string> taken;  ///< lists of nodes that are taken besides
    IdleNodesFile idle;              ///< without a path: all that no job has
    std::uint32_t set = 1;           ///< the ranks are ordered on this one of the sets found
    model::NamedFiles named_files() const;
};

/// Nodes by their numbers in study::ComputeNodes, and what they come to.
struct ValuedNodes {
    std::string name;
    std::vector<std::uint32_t> nodes;
    search::NodeValue value;
    std::uint32_t leaves = 0;  ///< switches that they are at
};

struct NodeSets {
    std::uint32_t machine = 0, taken = 0, free = 0, wanted = 0, jobs = 0;  ///< nodes; jobs that run
    std::vector<ValuedNodes> sets;  ///< none of which beats another in both; the least time first
    std::size_t chosen = 0;
    std::vector<ValuedNodes> others;                ///< as schedulers choose them
    std::uint64_t random_sets = 0;                  ///< that were looked at
    search::NodeValue random_least, random_median;  ///< the one with the least time; each by itself
    std::uint64_t not_worse = 0;                    ///< of them in time than the first of `sets`
    search::NodeValue ordered;                      ///< of the chosen set, in the order of ranks found
    std::uint64_t moves = 0;
    std::uint64_t budget = 0;  ///< moves that were to be made: the same give the same sets and order
    bool stopped = false;
    bool adapters_differ = false;  ///< of free nodes, in their rates
    RankOrders orders;             ///< of the ranks on the chosen set, beside the jobs
};

/// Numbers are shares of what the busiest adapter of a job alone takes: every job, running or not, sends as fast as
/// that lets it, all levels of its traffic together. Where adapters of free nodes differ, times are shares of what it
/// takes on the fastest.
/// @throws InputError also where there are fewer free nodes than the job needs.
NodeSets find_nodes(NodesChoice const& choice, Listener const& listener);

}  // namespace tailback::api
