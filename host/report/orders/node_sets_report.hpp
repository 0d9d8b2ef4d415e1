// Sets of nodes for a job beside running ones, and the order of ranks on one of them.
#pragma once

#include "host/report/orders/orders_report.hpp"
#include "host/search/orders/node_search.hpp"

namespace tailback::report {

struct ReportedNodes {
    std::string name;
    std::vector<std::string> nodes;  ///< in the order of ranks
    search::NodeValue value;
    std::uint32_t leaves = 0;
};

struct NodeSetsReport {
    OrdersReport orders;  ///< on the chosen set
    std::uint32_t machine = 0, taken = 0, free = 0, wanted = 0, jobs = 0;
    std::vector<ReportedNodes> sets;  ///< the least time first
    std::size_t chosen = 0;
    std::vector<ReportedNodes> others;  ///< as schedulers choose them
    std::uint64_t random_sets = 0, random_not_worse = 0;
    search::NodeValue random_least, random_median;
    search::NodeValue ordered;  ///< of the chosen set with the order of ranks found
    std::uint64_t moves = 0;
    bool stopped = false;
    bool adapters_differ = false;  ///< of free nodes, in their rates: times are told by the fastest

    /// What it comes to, in a sentence.
    std::string verdict() const;
};

/// Keys: docs/place.md.
Json value_of(NodeSetsReport const& report);
Document document_of(NodeSetsReport const& report);

}  // namespace tailback::report
