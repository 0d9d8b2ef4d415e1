// Compute nodes: which adapters belong to one machine, and in which order.
#pragma once

#include "host/io/line_reader.hpp"
#include "host/model/tables.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tailback::study {

/// What makes hosts of the network (adapter ports) the adapters of one compute node.
enum class NodeGrouping : std::uint8_t {
    name,    ///< descriptions that differ in an adapter at their end alone: `node0001 mlx5_0`, `node0001 HCA-2`
    system,  ///< the same SystemImageGUID
    number,  ///< so many hosts that follow each other in the file
    file     ///< a file with a node a line: its name, then its hosts
};

/// A grouping as it is asked for; its file may be read once the network is there.
struct NodeGroupingChoice {
    NodeGrouping kind = NodeGrouping::name;
    std::uint32_t number = 1;  ///< NodeGrouping::number
    std::string file;          ///< NodeGrouping::file
};

/// The compute nodes of a network. Aggregation nodes and routers own none.
struct ComputeNodes {
    static constexpr std::uint32_t none = 0xFFFFFFFFu;
    struct Node {
        std::string name;
        std::vector<model::Host> adapters;  ///< by rail, then in natural order of their names
    };
    std::vector<Node> nodes;                  ///< in natural order of their names (of NodeGrouping::file: of the file)
    std::vector<std::uint32_t> node_of_host;  ///< by host; none = belongs to none
    std::vector<std::uint32_t> rail_of_host;  ///< by host: adapters of the same name (`mlx5_3`) are on one rail
    std::uint32_t rails = 0;                  ///< numbers of rails are below it

    /// Of a node.
    std::size_t most_adapters() const {
        std::size_t most = 0;
        for (Node const& node : nodes) most = std::max(most, node.adapters.size());
        return most;
    }
};

/// @param aggregation_nodes_are_hosts as Study has it.
/// @throws InputError where the hosts of the network are not known by name (a formula), where a number of hosts is no
/// multiple, and for a file that names unknown hosts or one host twice.
ComputeNodes find_compute_nodes(model::Fabric const& fabric, NodeGroupingChoice const& choice,
                                bool aggregation_nodes_are_hosts);

/// `node0001` and `mlx5_0` of `node0001 mlx5_0`; the adapter is empty where a description does not end in one: a word
/// of letters, then digits, `_` and `-`.
struct AdapterName {
    std::string node, adapter;
};
AdapterName split_adapter_name(std::string_view description);

/// Does `a` come before `b`, digits compared as numbers: node2 before node10?
bool natural_less(std::string_view a, std::string_view b);

}  // namespace tailback::study
