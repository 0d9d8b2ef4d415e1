// Ranks on compute nodes, as somebody asks for them: from a request to a list of mappings.
#pragma once

#include "host/study/host_lists.hpp"
#include "host/study/placement/placer.hpp"
#include "host/study/study.hpp"
#include "topologies/topology.hpp"

#include <optional>
#include <string>

namespace tailback::api {

/// What is asked for; what is empty is not.
struct PlacementRequest {
    std::string nodes;                      ///< which nodes: see study::read_node_selection, which needs to know them
    std::optional<study::RankOrder> order;  ///< none: block, or as `nodes` or a mapping file say
    std::string mapping_file = {};          ///< of a job: its one mapping says nodes, order and adapters
    std::optional<study::RailRule> rail;
    bool rail_aligned = false;
    std::optional<study::NodeGroupingChoice> adapters;  ///< which hosts are one node
    std::uint32_t ranks_per_node = 0;                   ///< 0: not given
    std::vector<std::uint32_t> among = {};              ///< in place of `nodes`: their numbers in study::ComputeNodes

    /// How its ranks are ordered, in words.
    std::string order_words() const;
    /// Without it every host takes one rank.
    bool asked() const;
    /// Compute nodes are asked for by more than a choice among their adapters.
    bool asks_for_nodes() const;
    /// The files that it names.
    model::NamedFiles named_files() const;
};

/// Which hosts are one node. @param words `name`, `system`, a number, `file:PATH`; empty: none is chosen.
/// @throws InputError
std::optional<study::NodeGroupingChoice> read_node_grouping(std::string const& words);
/// Where none is chosen, by name, or as many as a `rail:` network says.
study::NodeGroupingChoice node_grouping(std::optional<study::NodeGroupingChoice> const& chosen,
                                        std::optional<topologies::TopologySpec> const& spec);

/// `--rail has no effect`, where every compute node has one adapter: of the options that choose among adapters; empty:
/// they have one, or are not given.
std::string idle_adapter_options(PlacementRequest const& request, study::ComputeNodes const& nodes,
                                 model::Fabric const& fabric, std::optional<topologies::TopologySpec> const& spec);

/// The sizes of a torus or mesh that is made from a spec; empty for anything else.
std::vector<std::uint32_t> grid_sizes(std::optional<topologies::TopologySpec> const& spec);

/// Nodes, order and adapters of one job on nodes that are known; a mapping file says all three.
study::JobPlacement find_job_placement(PlacementRequest const& request, study::ComputeNodes const& nodes,
                                       model::Network const& network);

/// What else a placement goes by.
struct PlacedBy {
    std::optional<topologies::TopologySpec> const& spec;
    bool mappings_given = false;
    bool draws_flows = false;  ///< anew for every mapping: there is more than one although no rank moves
};
/// Lists the hosts of every mapping of the study: `mapping_hosts`, `ranks`, `mappings`, `placed`.
/// @throws InputError also where the list takes more than 1 GiB.
void place_study(study::Study& study, PlacementRequest const& request, model::Fabric const& fabric, PlacedBy const& by);

/// The mappings of a file, which names nodes or adapters; says in the study how they are placed.
study::MappingList list_placed_mappings(study::Study& study, PlacementRequest const& request,
                                        model::Fabric const& fabric,
                                        std::optional<topologies::TopologySpec> const& spec,
                                        std::string const& mapping_file);

}  // namespace tailback::api
