// Tables that a search may begin with: those of the fabric, and what routings make of it.
#pragma once

#include "host/api/choose.hpp"
#include "host/search/tables/trees.hpp"

#include <string>
#include <vector>

namespace tailback::api {

struct NamedTrees {
    std::string name;  ///< `input`, or a routing
    search::Trees trees;
};

/// The input, and of the routings that fit those with the fewest collisions: on very large networks one of them.
/// @param seed of routings that draw
std::vector<NamedTrees> starts_of(NetworkChoice const& choice, search::Trees input, std::uint64_t seed);

}  // namespace tailback::api
