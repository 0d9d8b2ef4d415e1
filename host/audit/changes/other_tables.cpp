#include "host/audit/changes/other_tables.hpp"

#include "host/base/error.hpp"
#include "host/base/spec.hpp"
#include "host/model/host_order.hpp"
#include "host/search/tables/moves.hpp"
#include "host/search/tables/rounds.hpp"
#include "topologies/routing.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tailback::audit {
namespace {

constexpr std::uint64_t most_entries = 500'000;  // tens of milliseconds
constexpr std::uint64_t first_moves = 20'000;

double gain_of(search::Trees& trees) {
    if (trees.lost() > 0) return 1;
    auto const before = static_cast<double>(trees.collisions());
    if (before == 0) return 0;
    search::LegalWays const ways = search::LegalWays::shortest(trees.graph());
    search::run_round(trees, ways);
    search::MovableTrees movable(trees);
    search::Annealer moves(movable, ways, {});
    moves.run(first_moves);
    moves.end();
    return 1 - static_cast<double>(trees.collisions()) / before;
}

}  // namespace

std::optional<double> gain_at_first_sight(model::Fabric const& fabric) {
    if (!model::may_have_other_tables(fabric) || model::traits_of(fabric).routes != model::RoutesAre::tables)
        return std::nullopt;
    std::vector<model::Host> const hosts = model::cabled_hosts(fabric.network);
    if (hosts.size() < 2 || hosts.size() * fabric.network.switches() > most_entries) return std::nullopt;
    try {
        search::SwitchGraph const graph(fabric.network, hosts, model::CapacityKind::from_rates);
        search::Trees trees(graph, search::targets_of_plane(graph, 0));
        trees.take(fabric.tables);
        return gain_of(trees);
    } catch (base::InputError const&) {
        return std::nullopt;  // what such a search refuses
    }
}

bool others_may_go_round(model::Fabric const& fabric) {
    model::NetworkOrigin const& origin = fabric.origin;
    if (!origin.failed() || !model::may_have_other_tables(fabric)) return false;
    std::string const name = base::name_of_spec(origin.routing);
    return std::ranges::none_of(topologies::all_routings(), [&](topologies::RoutingAlgorithm const& one) {
        return one.name == name && one.for_any_graph();
    });
}

}  // namespace tailback::audit
