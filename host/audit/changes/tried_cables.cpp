#include "host/audit/changes/judged_networks.hpp"
#include "host/audit/changes/returned_cables.hpp"
#include "host/base/error.hpp"
#include "host/io/progress.hpp"
#include "host/model/port_lids.hpp"
#include "host/search/bisection/expected_bisection.hpp"
#include "host/search/bounds/load_bound.hpp"
#include "host/search/bounds/table_bound.hpp"
#include "host/search/tables/rounds.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "topologies/routing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace tailback::audit {
namespace {

constexpr std::array starts = {"minhop", "sssp", "updn", "bfs"};
constexpr int rounds_of_a_start = 8;

model::Network with_cable(model::Network const& network, MissingCable const& cable) {
    model::NetworkBuilder builder(true);
    for (std::size_t n = 0; n < network.nodes().size(); ++n) builder.add_node(network[model::Node{n}]);
    for (std::size_t h = 0; h < network.hosts().size(); ++h) builder.add_host(network[model::Host{h}]);
    for (std::size_t l = 0; l < network.links().size(); ++l) builder.add_link(network[model::Link{l}]);
    model::LinkRecord there;
    there.from = cable.from;
    there.to = cable.to;
    there.from_port = cable.from_port;
    there.to_port = cable.to_port;
    model::LinkRecord back = there;
    std::swap(back.from, back.to);
    std::swap(back.from_port, back.to_port);
    builder.add_link(there);
    builder.add_link(back);
    model::Disagreements disagreements;
    return builder.finish(disagreements, "");
}

/// What a network comes to.
struct Tried {
    RoutesMade routes;
    ReturnsDraw drawn = ReturnsDraw::starts;
    std::vector<double> bandwidth;  ///< by draw; empty = not known
    double least = 0;
};

/// By start.
std::vector<RoutesMade> make_tables_of(model::Network const& network, std::span<model::Host const> hosts) {
    search::SwitchGraph const graph(network, hosts, model::CapacityKind::unit);
    search::LegalWays const ways = search::LegalWays::shortest(graph);
    topologies::Topology topology;
    topology.network = network;
    std::vector<RoutesMade> made;
    for (char const* const start : starts) {
        model::ForwardingTables tables;
        try {
            tables = topologies::make_tables(topology, topologies::RoutingSpec(start));
        } catch (base::InputError const&) {
            continue;  // it has no roots
        }
        search::Trees trees(graph, search::targets_of_plane(graph, 0));
        trees.take(tables);
        for (int round = 0; round < rounds_of_a_start; ++round)
            if (search::run_round(trees, ways) == 0) break;
        trees.write(tables);
        search::ExpectedBisection const expected = search::expect_bisection(graph, tables, {.most_pairs = 20'000});
        made.push_back({expected.missing.empty() ? std::optional(expected.mean) : std::nullopt,
                        trees.per_permutation(trees.collisions()), double(trees.largest_load()), trees.lost()});
    }
    return made;
}

search::LoadBound divided_bound(search::Bundles const& bundles, search::SwitchGraph const& graph) {
    return search::find_load_bound(bundles, search::Demand::all_pairs(graph), search::BoundRoutes::shortest,
                                   {.gap = 0.001, .most_steps = 50'000'000});
}

Tried by_tables(model::Network const& network, std::span<model::Host const> hosts) {
    std::vector<RoutesMade> const made = make_tables_of(network, hosts);
    Tried tried;
    double bandwidth = 0, collisions = 0;
    for (RoutesMade const& one : made) {
        if (one.bandwidth) tried.bandwidth.push_back(*one.bandwidth);
        bandwidth += one.bandwidth.value_or(0) / double(made.size());
        collisions += *one.collisions / double(made.size());
        tried.routes.largest += one.largest / double(made.size());
        tried.routes.not_delivered = std::max(tried.routes.not_delivered, one.not_delivered);
    }
    if (tried.bandwidth.size() < made.size()) tried.bandwidth.clear();
    if (!tried.bandwidth.empty()) tried.routes.bandwidth = bandwidth;
    tried.routes.collisions = collisions;
    search::SwitchGraph const graph(network, hosts, model::CapacityKind::unit);
    search::Bundles const bundles(graph);
    tried.least = double(std::max(divided_bound(bundles, graph).bound.rounded_up(),
                                  search::find_table_bound(bundles, search::BoundRoutes::shortest).load.rounded_up()));
    return tried;
}

/// @throws InputError where the routing does not fit
Tried by_division(model::Network const& network, model::Lags const* lags, std::span<model::Host const> hosts,
                  NetworkJudge const& judge) {
    JudgedNetwork judged = judge.judge(network, lags, hosts);
    if (!judged.refused.empty())
        throw base::InputError({}, "no cables can be tried here", judged.refused, "leave out --return-cables",
                               "return-cables");
    search::SwitchGraph const graph(network, hosts, model::CapacityKind::unit);
    Tried tried{.drawn = judged.divided ? ReturnsDraw::bisections : ReturnsDraw::orders,
                .least = divided_bound(search::Bundles(graph), graph).bound.value()};
    tried.routes.bandwidth = mean_bandwidth(judged);
    tried.routes.largest = judged.largest;
    tried.routes.not_delivered = judged.not_delivered;
    tried.bandwidth = std::move(judged.bandwidth);
    return tried;
}

/// As they are where a cable is back: it is a member at each end that tells the LAG. Where none does the older network
/// told it, and one end is enough.
model::Lags lags_with(model::Network const& network, model::Lags const& lags, MissingCable const& cable) {
    if (!cable.beside.exists()) return lags;
    model::LinkRecord const& beside = network[cable.beside];
    bool const same_way = beside.from == cable.from;
    model::Port const at_from = same_way ? cable.from_port : cable.to_port;
    model::Port const at_to = same_way ? cable.to_port : cable.from_port;
    bool const is_told_at_from = !lags.of(beside.from, beside.from_port).empty(),
               is_told_at_to = !lags.of(beside.to, beside.to_port).empty();
    model::Lags more = is_told_at_to ? lags.with_member(beside.to, beside.to_port, at_to) : lags;
    return is_told_at_from || !is_told_at_to ? more.with_member(beside.from, beside.from_port, at_from) : more;
}

/// Beside the last, or of one alone beside none.
void mark_those_that_stand_out(CableReturns& found) {
    if (found.cables.empty()) return;
    bool const is_alone = found.cables.size() == 1;
    std::uint64_t const lost = (is_alone ? found.as_it_is : found.cables.back().routes).not_delivered;
    std::optional<double> const gain = is_alone ? std::optional(0.0) : found.cables.back().gain;
    double const error = is_alone ? found.error : 2 * found.error;
    for (ReturnedCable& one : found.cables)
        one.stands_out = one.routes.not_delivered < lost || (one.gain && gain && *one.gain - *gain > error);
}

/// @param try_one (cable that is back; null = none) -> what the network comes to
CableReturns try_each(std::vector<MissingCable> const& cables,
                      std::function<Tried(MissingCable const*)> const& try_one) {
    auto const stop = kernels::StopWish::now();
    io::Progress progress("returning cables", cables.size() + 1, "cables");
    CableReturns found;
    Tried const before = try_one(nullptr);
    found.drawn = before.drawn;
    found.draws = before.bandwidth.size();
    found.as_it_is = before.routes;
    found.least = before.least;
    double squares = 0;  // of what draws differ in, of all cables
    std::size_t freedom = 0;
    for (MissingCable const& cable : cables) {
        stop.heed();
        progress.show(found.cables.size() + 1);
        Tried const tried = try_one(&cable);
        ReturnedCable one{.cable = cable, .routes = tried.routes, .least = tried.least};
        if (tried.routes.bandwidth && before.routes.bandwidth)
            one.gain = *tried.routes.bandwidth - *before.routes.bandwidth;
        if (one.gain && tried.bandwidth.size() == found.draws) {
            for (std::size_t d = 0; d < found.draws; ++d) {
                double const off = tried.bandwidth[d] - before.bandwidth[d] - *one.gain;
                squares += off * off;
            }
            freedom += found.draws - 1;
        }
        found.cables.push_back(std::move(one));
    }
    if (freedom > 0) found.error = 3 * std::sqrt(squares / double(freedom) / double(found.draws));
    std::stable_sort(found.cables.begin(), found.cables.end(), [](ReturnedCable const& a, ReturnedCable const& b) {
        if (a.routes.not_delivered != b.routes.not_delivered) return a.routes.not_delivered < b.routes.not_delivered;
        return a.routes.bandwidth > b.routes.bandwidth;  // as gains; none is less than any
    });
    mark_those_that_stand_out(found);
    return found;
}

}  // namespace

CableReturns try_cables(model::Network const& now, std::span<model::Host const> hosts,
                        std::vector<MissingCable> const& cables) {
    // Tables are made for base LIDs, so the bound is of these, too.
    model::Network const network = model::with_base_lids(now);
    return try_each(cables, [&](MissingCable const* cable) {
        return by_tables(cable != nullptr ? with_cable(network, *cable) : network, hosts);
    });
}

CableReturns try_divided_cables(model::Network const& now, model::Lags const* lags, std::span<model::Host const> hosts,
                                std::vector<MissingCable> const& cables, topologies::RoutingSpec const& routing,
                                unsigned threads) {
    model::Network const network = model::with_base_lids(now);
    model::Lags const told = lags != nullptr ? *lags : model::Lags();
    NetworkJudge const judge(routing, threads);
    CableReturns found = try_each(cables, [&](MissingCable const* cable) {
        if (cable == nullptr) return by_division(network, &told, hosts, judge);
        model::Lags const more = lags_with(now, told, *cable);
        return by_division(with_cable(network, *cable), &more, hosts, judge);
    });
    found.routing = routing.text();
    return found;
}

}  // namespace tailback::audit
