#include "host/audit/changes/tried_routings.hpp"

#include "host/model/routes/candidate_sets.hpp"

#include "host/audit/deadlock/deadlock.hpp"
#include "host/base/error.hpp"
#include "host/io/progress.hpp"
#include "host/model/host_order.hpp"
#include "host/model/routes/forwarding.hpp"
#include "host/search/bisection/expected_bisection.hpp"
#include "host/search/tables/trees.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "topologies/routing.hpp"

#include <algorithm>
#include <tuple>

namespace tailback::audit {
namespace {

TriedRouting judge_tables(search::SwitchGraph const& graph, model::Fabric const& fabric,
                          std::span<model::Host const> hosts, unsigned threads) {
    TriedRouting judged;
    search::Trees trees(graph, search::targets_of_plane(graph, 0));
    trees.take(fabric.tables);
    trees.cut_undelivered(fabric.tables);
    judged.not_delivered = trees.lost();
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d)
        if (trees.own_entry_differs(d, fabric.tables))  // then also those of its own switch
            judged.not_delivered += graph.seats().size() - 1 - trees.lost_to(d);
    judged.largest = trees.largest_load();
    judged.collisions = trees.per_permutation(trees.collisions());
    search::ExpectedBisection const expected = search::expect_bisection(graph, fabric.tables);
    if (expected.missing.empty()) judged.bandwidth = expected.mean;
    judged.free = is_free_on_one_lane(model::Forwarding(fabric), hosts, hosts, threads);
    return judged;
}

}  // namespace

std::vector<std::string> routings_to_try(topologies::Topology const& topology) {
    std::vector<std::string> names;
    for (topologies::RoutingAlgorithm const& one : topologies::all_routings())
        if ((one.trees != nullptr || one.make != nullptr) && one.lanes == nullptr && !one.claims.draws)
            names.push_back(one.name);
    auto const tables_follow = [&](std::string const& own) {
        return std::none_of(topology.routings.begin(), topology.routings.end(),
                            [&](auto const& one) { return one.name == own && (!one.make || one.claims.draws); });
    };
    for (std::string& own : topologies::own_routings(topology))
        if (tables_follow(own) && std::find(names.begin(), names.end(), own) == names.end())
            names.push_back(std::move(own));
    return names;
}

TriedRouting judge_fabric(model::Fabric const& fabric, std::span<model::Host const> hosts, unsigned threads) {
    search::SwitchGraph const graph(fabric.network, hosts, model::CapacityKind::unit);
    return judge_tables(graph, fabric, hosts, threads);
}

TriedRouting try_routing(topologies::Topology const& topology, std::string const& routing, unsigned threads) {
    TriedRouting tried;
    try {
        topologies::Routes routes = topologies::make_routes(topology, topologies::RoutingSpec(routing));
        tried = judge_fabric({topology.network, std::move(routes.tables), true}, model::cabled_hosts(topology.network),
                             threads);
    } catch (base::InputError const& error) {
        tried.refused = error.what();
    }
    tried.name = routing;
    return tried;
}

std::vector<TriedRouting> try_routings(model::Fabric const& fabric, topologies::Topology const& topology,
                                       std::span<model::Host const> hosts, std::vector<model::Node> const& roots,
                                       unsigned threads) {
    search::SwitchGraph const graph(fabric.network, hosts, model::CapacityKind::unit);
    auto const stop = kernels::StopWish::now();
    std::vector<std::string> const names = routings_to_try(topology);
    io::Progress progress("trying routings", names.size() + 1, "routings");
    std::vector<TriedRouting> all = {judge_tables(graph, fabric, hosts, threads)};
    all.front().name = "as they are";
    std::size_t tried_so_far = 0;
    for (std::string const& name : names) {
        stop.heed();
        progress.show(++tried_so_far);
        TriedRouting tried;
        try {
            topologies::RoutingSpec spec(name);
            if (spec.wants_roots()) spec = spec.with_roots(roots);
            topologies::Routes routes = topologies::make_routes(topology, spec);
            if (routes.candidates != nullptr && routes.candidates->chosen_by() == model::ChosenBy::switches)
                continue;  // its tables are those of another
            model::Fabric routed = fabric;
            routed.candidates = nullptr;
            routed.find_lanes = nullptr;
            routed.tables = std::move(routes.tables);
            tried = judge_tables(graph, routed, hosts, threads);
        } catch (base::InputError const& error) {
            tried.refused = error.what();
        }
        tried.name = name;
        all.push_back(std::move(tried));
    }
    std::stable_sort(all.begin(), all.end(), [](TriedRouting const& a, TriedRouting const& b) {
        auto const rank = [](TriedRouting const& one) {
            return std::tuple(!one.refused.empty(), one.not_delivered, -one.bandwidth.value_or(0), one.collisions);
        };
        return rank(a) < rank(b);
    });
    return all;
}

}  // namespace tailback::audit
