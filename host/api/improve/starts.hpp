// Tables that a search may begin with: those of the fabric, and what routings make of it.
#pragma once

#include "host/api/choose.hpp"
#include "host/search/tables/search_tables.hpp"

#include <string>
#include <vector>

namespace tailback::api {

struct NamedTrees {
    std::string name;  ///< `input`, or a routing
    search::Trees trees;
    search::TreesRank rank;
};
struct NamedTables {
    std::string name;
    model::ForwardingTables tables;
    search::TreesRank rank;
};

/// The input, and what all routings that fit make of its network, in their order; an input that one of them makes has
/// its place. On large networks of the others those with the fewest collisions, on very large ones one of them.
/// @param seed of routings that draw @param all tables of all routings that were tried, without a routing's whose
/// tables another one before it gives
std::vector<NamedTrees> starts_of(NetworkChoice const& choice, search::Trees input, std::uint64_t seed,
                                  std::vector<NamedTables>& all);

}  // namespace tailback::api
