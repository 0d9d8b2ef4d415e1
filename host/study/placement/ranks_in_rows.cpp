#include "host/study/placement/ranks_in_rows.hpp"

#include "host/base/numbers.hpp"
#include "host/study/placement/compute_nodes.hpp"

#include <fmt/format.h>

namespace tailback::study {

patterns::NodesOfRanks ranks_in_rows(ComputeNodes const& nodes, std::span<model::Host const> mapping_hosts,
                                     std::size_t ranks, std::size_t first, std::size_t count) {
    patterns::NodesOfRanks found;
    if (count == 0 || mapping_hosts.size() < ranks) return found;
    auto const node = [&](std::size_t mapping, std::size_t rank) {
        return nodes.node_of_host[mapping_hosts[mapping * ranks + first + rank].value];
    };
    std::size_t per = 1;
    bool shared = false;
    auto const refuse = [&](std::string const& why, std::string const& remedy) {
        return patterns::NodesOfRanks{0, {}, why, false, remedy, shared || per > 1};
    };
    while (per < count && node(0, per) == node(0, 0)) ++per;
    if (count % per != 0)
        return refuse(fmt::format("{} of the {} ranks are on node \"{}\"", per, count, nodes.nodes[node(0, 0)].name),
                      fmt::format("take a multiple of {0} ranks, {0} on each node", per));
    std::vector<std::size_t> seen(nodes.nodes.size(), SIZE_MAX);  // by node: the last mapping that has it
    for (std::size_t m = 0; m < mapping_hosts.size() / ranks; ++m)
        for (std::size_t r = 0; r < count; ++r) {
            std::uint32_t const at = node(m, r);
            bool const begins = r % per == 0;
            if (begins ? seen[at] == m : at != node(m, r - 1)) {
                shared = true;
                return refuse(
                    begins ? fmt::format("rank {} is back on the node of an earlier rank", r)
                           : fmt::format("the {} ranks from {} on are not those of one node", per, r / per * per),
                    "place as many ranks on every node, node after node: --mapping block");
            }
            seen[at] = m;
            std::uint32_t const rail = nodes.rail_of_host[mapping_hosts[m * ranks + first + r].value];
            if (m == 0 && r < per) {
                found.adapter_of_slot.push_back(rail);
                continue;
            }
            ComputeNodes::Node const &one = nodes.nodes[node(0, 0)], &other = nodes.nodes[at];
            if (one.adapters.size() != other.adapters.size() && found.adapter_of_slot[r % per] != rail)
                return refuse(fmt::format("node \"{}\" has {}, and \"{}\" {}", other.name,
                                          base::counted(other.adapters.size(), "adapter", "adapters"), one.name,
                                          one.adapters.size()),
                              fmt::format("take nodes that are alike, by a glob: --nodes 'any:{} of NAME*', or 'NAME*'",
                                          count / per));
            if (found.adapter_of_slot[r % per] != rail)
                return refuse(fmt::format("rank {} does not use the same adapter of its node as rank {}", r, r % per),
                              "let the ranks of every node take its adapters in the same order");
        }
    found.per_node = static_cast<std::uint32_t>(per);
    return found;
}

patterns::NodesOfRanks ranks_in_rows(Study const& study) {
    Placement const& placement = study.placement;
    if (study.traffic.ranks_move)
        return {0,
                {},
                "ranks are to move from node to node",
                false,
                "keep those of a node together (--keep-together), or take an algorithm that needs no nodes"};
    if (placement.nodes)
        return ranks_in_rows(*placement.nodes->nodes, placement.mapping_hosts, placement.ranks, 0, placement.ranks);
    if (placement.mapping == MappingKind::random)
        return {0,
                {},
                "random mappings of hosts put the ranks of a node anywhere",
                false,
                "take --mapping identity and per-node=K (so many ranks in a row), or place ranks on nodes by "
                "--ranks-per-node"};
    return {};
}

bool all_on_one_node(Study const& study) {
    Placement const& placement = study.placement;
    if (placement.mapping != MappingKind::listed || placement.ranks == 0) return false;
    auto const node = [&](std::size_t i) {
        std::uint32_t const host = placement.mapping_hosts[i].value;
        return placement.nodes ? placement.nodes->nodes->node_of_host[host] : host;
    };
    for (std::size_t i = 0; i < placement.mapping_hosts.size(); ++i)
        if (node(i) != node(i - i % placement.ranks)) return false;
    return true;
}

}  // namespace tailback::study
