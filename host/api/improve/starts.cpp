#include "host/api/improve/starts.hpp"

#include "host/api/obtain.hpp"
#include "host/audit/changes/tried_routings.hpp"
#include "host/base/error.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <algorithm>
#include <utility>

namespace tailback::api {
namespace {

/// Beyond so many entries a routing takes as long as rounds do.
constexpr std::uint64_t many_entries = 8'000'000;
constexpr std::size_t most_starts = 3;

std::vector<std::string> names_of(topologies::Topology const& topology, std::uint64_t entries) {
    if (entries > many_entries) return {"sssp"};
    if (entries > search::entries_of_large_searches) return {"minhop", "sssp", "updn", "ftree"};
    return audit::routings_to_try(topology);
}

auto same_as(std::vector<NamedTrees>& starts, search::Trees const& trees) {
    return std::ranges::find_if(starts, [&](NamedTrees const& start) { return start.trees.has_same_arcs(trees); });
}

/// The place of the input among the routings: that of the one it is, else the first. So a search that begins with
/// tables of one of the routings is the same whichever that is.
void put_input(std::vector<NamedTrees>& starts, NamedTrees input) {
    auto const same = same_as(starts, input.trees);
    if (same == starts.end()) starts.insert(starts.begin(), std::move(input));
    else same->name = std::move(input.name);
}

/// The input, and of the others those with the best ranks, in their order.
void keep_best(std::vector<NamedTrees>& starts) {
    std::vector<search::TreesRank> ranks;
    for (NamedTrees const& start : starts)
        if (start.name != "input") ranks.push_back(start.rank);
    if (ranks.size() < most_starts) return;
    std::sort(ranks.begin(), ranks.end());
    search::TreesRank const last = ranks[most_starts - 2];
    std::size_t kept = 0;
    std::erase_if(starts, [&](NamedTrees const& start) {
        return start.name != "input" && (last < start.rank || ++kept >= most_starts);
    });
}

}  // namespace

std::vector<NamedTrees> starts_of(NetworkChoice const& choice, search::Trees input, std::uint64_t seed,
                                  std::vector<NamedTables>& all) {
    topologies::Topology const topology = topology_of(choice, input.graph().network());
    std::uint64_t const entries = input.entries();
    std::vector<NamedTrees> starts;
    for (std::string const& name : names_of(topology, entries)) {
        try {
            model::ForwardingTables tables = topologies::make_tables(topology, topologies::RoutingSpec(name, seed));
            search::Trees trees = input;
            trees.take(tables);
            if (!search::is_large(trees) && same_as(starts, trees) != starts.end()) continue;
            search::TreesRank const rank(trees);
            starts.push_back({name, std::move(trees), rank});
            all.push_back({name, std::move(tables), rank});
        } catch (base::InputError const&) {
            continue;  // a routing that this network does not have
        }
    }
    search::TreesRank const rank(input);
    put_input(starts, {"input", std::move(input), rank});
    if (entries > search::entries_of_large_searches) keep_best(starts);
    return starts;
}

}  // namespace tailback::api
