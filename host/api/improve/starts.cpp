#include "host/api/improve/starts.hpp"

#include "host/api/obtain.hpp"
#include "host/base/error.hpp"
#include "host/base/spec.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <algorithm>
#include <utility>

namespace tailback::api {
namespace {

/// Beyond so many entries a routing takes as long as rounds do.
constexpr std::uint64_t many_entries = 8'000'000;
constexpr std::size_t most_starts = 3;

std::vector<std::string> names_of(topologies::Topology const& topology, bool has_failures, std::uint64_t entries) {
    if (entries > many_entries) return {"sssp"};
    std::vector<std::string> names = {"minhop", "sssp", "updn", "ftree"};
    if (has_failures) return names;
    for (std::string& own : topologies::own_routings(topology))
        if (std::string const name = base::name_of_spec(own); name == "dmodk" || name == "dor")
            names.push_back(std::move(own));
    return names;
}

}  // namespace

std::vector<NamedTrees> starts_of(NetworkChoice const& choice, search::Trees input, std::uint64_t seed,
                                  std::vector<NamedTables>& all) {
    search::SwitchGraph const& graph = input.graph();
    topologies::Topology const topology = topology_of(choice, graph.network());
    std::uint64_t const entries = std::uint64_t{input.targets().size()} * graph.switches();
    search::TreesRank const rank(input);
    std::vector<NamedTrees> starts;
    starts.push_back({"input", std::move(input), rank});
    for (std::string const& name : names_of(topology, choice.failures.any(), entries)) {
        try {
            model::ForwardingTables tables = topologies::make_tables(topology, topologies::RoutingSpec(name, seed));
            search::Trees trees = starts.front().trees;
            trees.take(tables);
            search::TreesRank const of_routing(trees);
            starts.push_back({name, std::move(trees), of_routing});
            all.push_back({name, std::move(tables), of_routing});
        } catch (base::InputError const&) {
            continue;  // a routing that this network does not have
        }
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 1; i < starts.size(); ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return starts[a].rank < starts[b].rank; });
    order.resize(std::min(order.size(), most_starts - 1));
    std::vector<NamedTrees> best;
    best.push_back(std::move(starts[0]));
    for (std::size_t const i : order) best.push_back(std::move(starts[i]));
    return best;
}

}  // namespace tailback::api
