// What a user asks: which pattern, on which ranks and hosts, over which mappings, measured how.
#pragma once

#include "host/model/capacities.hpp"
#include "host/model/network.hpp"
#include "host/model/network_origin.hpp"
#include "host/study/metrics.hpp"
#include "host/study/rail_rule.hpp"
#include "host/study/timing.hpp"
#include "patterns/pattern.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback::study {

enum class SubsetKind : std::uint8_t { linear_bfs, random, listed };
enum class MappingKind : std::uint8_t { random, identity, listed };

/// What bandwidth a flow has: 1/congestion, or its max-min fair rate.
enum class Sharing : std::uint8_t { linear, max_min };

/// How well the mean of a metric is to be known: half the width of its 99 % confidence interval.
struct Goal {
    Metric metric = Metric::hist_acc_band;
    bool relative = false;  ///< `value` is a share of the mean, not a number of the metric's own
    double value = 0;
};

struct ComputeNodes;  // host/study/placement/compute_nodes.hpp

/// Ranks on compute nodes, of which each may take several: mappings are listed then.
struct NodePlacement {
    std::shared_ptr<ComputeNodes const> nodes;
    std::string selection =
        "all";  ///< which nodes, and how ranks are ordered: in the words in which that was asked for
    std::string order = "block";
    RailRule rail;                     ///< which adapters they use
    std::uint32_t ranks_per_node = 1;  ///< of nodes whose file does not say
    bool slots_listed = false;         ///< the file of nodes says how many ranks they take
    bool rail_aligned = false;         ///< flows leave by the adapter on the rail of their destination's
    bool draws = false;                ///< mappings are drawn: a sample
    std::vector<std::string> notes;    ///< what of the file of nodes was left out
};

/// What ranks send each other: levels of flows, fixed or drawn.
struct Traffic {
    std::string pattern = "bisect";
    std::string first, second;              ///< ptrnvsptrn: its two patterns ...
    std::uint32_t first_ranks = 0;          ///< ... and how many ranks the first has
    patterns::FlowList listed_flows;        ///< pattern `file`
    std::optional<std::uint32_t> level;     ///< only this level
    bool ranks_move = false;                ///< one by one: no pattern may go by which of them share a node
    bool may_leave_flows_unlisted = false;  ///< nothing but the kernels wants to know them
};

/// Who sits where: how many ranks there are, on which hosts, and how they are mapped to them.
struct Placement {
    /// 0 = one on every host (of the list, for a listed subset or mapping); as many as a listed pattern has
    std::uint32_t ranks = 0;
    SubsetKind subset = SubsetKind::linear_bfs;
    std::vector<model::Host> subset_hosts;  ///< SubsetKind::listed
    MappingKind mapping = MappingKind::random;
    std::vector<model::Host> mapping_hosts;  ///< MappingKind::listed: [mapping - first_listed][rank]
    std::uint64_t first_listed = 0;          ///< number of the first mapping of the list
    std::optional<NodePlacement> nodes;      ///< MappingKind::listed: where they come from
    bool aggregation_nodes_are_hosts = false;
};

/// Which mappings are evaluated.
struct Sample {
    std::uint64_t mappings = 1000;    ///< with a goal: the most
    std::uint64_t first_mapping = 0;  ///< number of the first one evaluated
    std::uint64_t seed = 1;
    std::optional<Goal> until;  ///< draw mappings until it is reached
};

/// What is measured, and in which model.
struct Measures {
    std::vector<Metric> metrics = {Metric::hist_acc_band};
    model::CapacityKind capacities = model::CapacityKind::from_rates;
    Sharing sharing = Sharing::linear;  ///< of metrics that speak of bandwidth
    bool shared_by_bytes = false;       ///< max-min rates grow with the flows' bytes; false: alike
    Timing timing;
};

/// A study: traffic, placement and measures, none of which knows of the others. Its fourth part, the routing, is the
/// fabric's that it is asked of. What it does not say has the defaults of the command line.
struct Study {
    Traffic traffic;
    Placement placement;
    Sample sample;
    Measures measures;
    model::NamedFiles files;  ///< where it comes from, for reports

    bool wants(Metric m) const {
        for (Metric const have : measures.metrics)
            if (have == m) return true;
        return false;
    }
    /// The metric that is meant where one number a mapping is, and none is named; none: none is asked for.
    std::optional<Metric> first_number() const;
};

/// As on the command line: how hosts are chosen, how ranks are mapped to them.
char const* subset_name(Study const& study);
char const* mapping_name(Study const& study);

}  // namespace tailback::study
