// Groups of consecutive ranks that are kept together: where they may be, on given nodes and among free ones.
#pragma once

#include "host/api/ranks/job_orders.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tailback::api {

/// What groups of ranks keep to: places that follow each other, or all places of one of these.
enum class KeptWithin : std::uint8_t { neighbours, node, leaf, rack };
char const* name_of(KeptWithin within);

/// Groups of so many consecutive ranks, from a multiple on.
struct RankGroups {
    std::uint32_t ranks = 1;
    KeptWithin within = KeptWithin::neighbours;
};

/// By host: the number of its rack. @param words of --racks. @throws InputError
std::vector<std::uint32_t> racks_of(model::Fabric const& fabric, std::string const& words,
                                    std::span<model::Host const> hosts);

/// Groups of ranks, and the zones that they stay in: each job has its own.
/// @param jobs empty: there is one. @throws InputError where no order keeps the groups there
void keep_groups(search::PlaceProblem& problem, RankGroups const& groups, std::span<OrderedJob const> jobs,
                 search::Order const& start);

/// How many of `slots` places of a node ranks take where nodes are chosen for them: all, or those of whole groups that
/// stay in nodes. @throws InputError for groups that whole nodes cannot be chosen for
std::uint32_t slots_for_groups(RankGroups const& groups, std::uint32_t ranks, std::uint32_t slots);

/// Zones of places for whole nodes, so that nodes which share a group are in one; none where no group needs two nodes.
/// @param problem its ranks are those of whole nodes, `together` the places of a node
/// @throws InputError where the groups find no room
void keep_groups_of_nodes(search::PlaceProblem& problem, RankGroups const& groups);

/// Units of places in an order that is drawn: draw `number` of the seed.
std::vector<std::uint32_t> drawn_units(search::PlaceProblem const& problem, std::uint64_t seed, std::uint64_t number);

}  // namespace tailback::api
