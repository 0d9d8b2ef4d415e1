#include "host/audit/changes/returned_cables.hpp"

#include "host/audit/loads/levels.hpp"
#include "host/base/error.hpp"
#include "host/io/progress.hpp"
#include "host/model/fabric/network_match.hpp"
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
#include <map>
#include <utility>

namespace tailback::audit {
namespace {

constexpr std::array starts = {"minhop", "sssp", "updn", "bfs"};
constexpr int rounds_of_a_start = 8;

/// Ports without a cable, the lowest first.
class FreePorts {
public:
    explicit FreePorts(model::Network const& network) : network_(network), used_(network.nodes().size()) {
        for (std::size_t l = 0; l < network.links().size(); ++l) {
            model::LinkRecord const& link = network[model::Link{l}];
            use(link.from, link.from_port);
            use(link.to, link.to_port);
        }
    }
    bool is_free(model::Node node, model::Port port) const {
        std::vector<std::uint8_t> const& used = used_[node.value];
        return port > 0 && (port >= used.size() || used[port] == 0);
    }
    /// A port up to this; 0 where the switch has none.
    model::Port take(model::Node node, model::Port last) {
        for (model::Port port = 1; port <= last; ++port)
            if (is_free(node, port)) return use(node, port), port;
        return 0;
    }
    /// Is the last port of every switch cabled? Then nobody has told how many ports switches have, or none is free.
    bool are_last_cabled() const {
        for (std::size_t n = 0; n < used_.size(); ++n)
            if (model::Node const node{n}; network_.is_switch(node) && is_free(node, network_[node].ports))
                return false;
        return true;
    }
    void use(model::Node node, model::Port port) {
        std::vector<std::uint8_t>& used = used_[node.value];
        if (port >= used.size()) used.resize(std::size_t{port} + 1);
        used[port] = 1;
    }

private:
    model::Network const& network_;
    std::vector<std::vector<std::uint8_t>> used_;  // by node, port
};

/// How many cables lie between switches, and how many there would be if a switch were as most of those are that have
/// the same neighbours.
class Bundling {
public:
    using Cables = std::map<std::uint32_t, std::uint32_t>;  // by neighbour

    explicit Bundling(model::Network const& network)
        : cables_(network.nodes().size()), level_(levels_of(network).of_node) {
        for (std::size_t l = 0; l < network.links().size(); ++l) {
            model::LinkRecord const& link = network[model::Link{l}];
            if (network.is_switch(link.from) && network.is_switch(link.to) && !(link.from == link.to))
                ++cables_[link.from.value][link.to.value];
        }
    }
    std::uint32_t count(std::uint32_t from, std::uint32_t to) const {
        auto const found = cables_[from].find(to);
        return found == cables_[from].end() ? 0 : found->second;
    }
    /// The neighbours to which at least two thirds of its like have more cables: so many. Who is like it is asked for
    /// neighbours nearer to hosts and farther from them apart.
    Cables usual_of(std::uint32_t from) const {
        std::map<std::uint32_t, std::vector<std::uint32_t>> neighbours;  // by level
        for (auto const& [near, count] : cables_[from]) neighbours[level_[near]].push_back(near);
        Cables usual;
        for (auto const& [level, near] : neighbours) add_usual(from, level, near, usual);
        return usual;
    }

private:
    void add_usual(std::uint32_t from, std::uint32_t level, std::vector<std::uint32_t> const& neighbours,
                   Cables& usual) const {
        Cables common;  // by switch: these neighbours that both have
        for (std::uint32_t const near : neighbours)
            for (auto const& [other, its] : cables_[near])
                if (other != from && level_[other] == level_[from]) ++common[other];
        std::map<std::uint32_t, Cables> times;  // by neighbour and number of cables: how often
        std::uint32_t like = 0;
        for (auto const& [other, shared] : common) {
            auto const alike =
                static_cast<std::size_t>(std::count_if(cables_[other].begin(), cables_[other].end(),
                                                       [&](auto const& one) { return level_[one.first] == level; }));
            if (2 * shared < neighbours.size() || 2 * shared < alike) continue;
            ++like;
            for (auto const& [near, count] : cables_[other])
                if (near != from && level_[near] == level) ++times[near][count];
        }
        for (auto const& [near, counts] : times)
            for (auto const& [count, often] : counts)
                if (3 * often >= 2 * like && count > this->count(from, near)) usual[near] = count;
    }

    std::vector<Cables> cables_;
    std::vector<std::uint32_t> level_;
};

/// By node the last port that a cable could be put in: where files do not tell how many ports a switch has, as many as
/// the switches of its level are seen to have.
std::vector<model::Port> last_ports(model::Network const& network, FreePorts const& ports) {
    std::vector<std::uint32_t> const level = levels_of(network).of_node;
    std::map<std::uint32_t, model::Port> most;  // by level
    std::vector<model::Port> last(network.nodes().size());
    for (std::size_t n = 0; n < last.size(); ++n) {
        last[n] = network[model::Node{n}].ports;
        if (network.is_switch(model::Node{n})) most[level[n]] = std::max(most[level[n]], last[n]);
    }
    if (!ports.are_last_cabled()) return last;
    for (std::size_t n = 0; n < last.size(); ++n)
        if (network.is_switch(model::Node{n})) last[n] = most[level[n]];
    return last;
}

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

/// By start.
std::vector<TablesMade> make_tables_of(model::Network const& network, std::span<model::Host const> hosts) {
    search::SwitchGraph const graph(network, hosts, model::CapacityKind::unit);
    search::LegalWays const ways = search::LegalWays::shortest(graph);
    topologies::Topology topology;
    topology.network = network;
    std::vector<TablesMade> made;
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
        made.push_back({expected.missing.empty() ? expected.mean : 0, trees.per_permutation(trees.collisions()),
                        double(trees.largest_load())});
    }
    return made;
}

/// No tables of shortest routes have less.
std::uint64_t least_largest_load(model::Network const& network, std::span<model::Host const> hosts) {
    search::SwitchGraph const graph(network, hosts, model::CapacityKind::unit);
    search::Bundles const bundles(graph);
    search::LoadBound const divided =
        search::find_load_bound(bundles, search::Demand::all_pairs(graph), search::BoundRoutes::shortest,
                                {.gap = 0.001, .most_steps = 50'000'000});
    return std::max(divided.bound.rounded_up(),
                    search::find_table_bound(bundles, search::BoundRoutes::shortest).load.rounded_up());
}

TablesMade mean_of(std::vector<TablesMade> const& made) {
    TablesMade mean;
    for (TablesMade const& one : made) {
        mean.bandwidth += one.bandwidth / double(made.size());
        mean.collisions += one.collisions / double(made.size());
        mean.largest += one.largest / double(made.size());
    }
    return mean;
}

}  // namespace

std::vector<MissingCable> cables_gone(model::Network const& before, model::Network const& now) {
    model::NetworkMatch const match(before, now);
    bool any = false;
    for (std::size_t n = 0; n < now.nodes().size(); ++n)
        any = any || (now.is_switch(model::Node{n}) && match.node_before[model::Node{n}].exists());
    if (!any)
        throw base::InputError({}, "no switch of the older network is in this one", "they are two fabrics",
                               "name an older dump of the same fabric", "return-cables");
    FreePorts const ports(now);
    std::vector<MissingCable> gone;
    for (std::size_t l = 0; l < before.links().size(); ++l) {
        model::LinkRecord const& link = before[model::Link{l}];
        if (!before.is_switch(link.from) || !before.is_switch(link.to) || match.link_after[model::Link{l}].exists())
            continue;
        if (link.reverse.exists() && link.reverse.value < l) continue;
        model::Node const from = match.node_after[link.from], to = match.node_after[link.to];
        if (!from.exists() || !to.exists() || !ports.is_free(from, link.from_port) || !ports.is_free(to, link.to_port))
            continue;
        gone.push_back({from, to, link.from_port, link.to_port});
    }
    return gone;
}

std::vector<MissingCable> cables_of_uneven_bundles(model::Network const& network) {
    Bundling const bundling(network);
    FreePorts ports(network);
    std::vector<model::Port> const last = last_ports(network, ports);
    std::vector<MissingCable> missing;
    for (std::uint32_t from = 0; from < network.nodes().size(); ++from)
        for (auto const& [to, usual] : bundling.usual_of(from)) {
            if (to < from) continue;
            std::map<std::uint32_t, std::uint32_t> const back = bundling.usual_of(to);
            auto const agrees = back.find(from);
            if (agrees == back.end()) continue;
            for (std::uint32_t have = bundling.count(from, to); have < std::min(usual, agrees->second); ++have) {
                model::Port const one = ports.take(model::Node{from}, last[from]),
                                  other = ports.take(model::Node{to}, last[to]);
                if (one == 0 || other == 0) break;
                missing.push_back({model::Node{from}, model::Node{to}, one, other});
            }
        }
    return missing;
}

CableReturns try_cables(model::Network const& now, std::span<model::Host const> hosts,
                        std::vector<MissingCable> const& cables) {
    // Tables are made for base LIDs, so the bound is of these, too.
    model::Network const network = model::with_base_lids(now);
    auto const stop = kernels::StopWish::now();
    io::Progress progress("returning cables", cables.size() + 1, "cables");
    CableReturns found;
    std::vector<TablesMade> const before = make_tables_of(network, hosts);
    found.as_it_is = mean_of(before);
    found.least = least_largest_load(network, hosts);
    double squares = 0;  // of what starts differ in, of all cables
    std::size_t freedom = 0;
    for (MissingCable const& cable : cables) {
        stop.heed();
        progress.show(found.cables.size() + 1);
        model::Network const more = with_cable(network, cable);
        std::vector<TablesMade> const made = make_tables_of(more, hosts);
        ReturnedCable one{.cable = cable, .tables = mean_of(made)};
        one.gain = one.tables.bandwidth - found.as_it_is.bandwidth;
        one.least = least_largest_load(more, hosts);
        for (std::size_t s = 0; s < made.size() && made.size() == before.size(); ++s) {
            double const off = made[s].bandwidth - before[s].bandwidth - one.gain;
            squares += off * off;
        }
        freedom += made.size() - 1;
        found.cables.push_back(one);
    }
    if (freedom > 0 && !before.empty()) found.error = 3 * std::sqrt(squares / double(freedom) / double(before.size()));
    std::stable_sort(found.cables.begin(), found.cables.end(),
                     [](ReturnedCable const& a, ReturnedCable const& b) { return a.gain > b.gain; });
    for (ReturnedCable& one : found.cables) one.stands_out = one.gain - found.cables.back().gain > 2 * found.error;
    if (found.cables.size() == 1) found.cables.front().stands_out = found.cables.front().gain > found.error;
    return found;
}

}  // namespace tailback::audit
