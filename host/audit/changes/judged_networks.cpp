#include "host/audit/changes/judged_networks.hpp"

#include "host/audit/changes/tried_routings.hpp"
#include "host/audit/choices/choices.hpp"
#include "host/base/error.hpp"
#include "host/evaluation/adaptive/equal_split.hpp"
#include "host/evaluation/statistics.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/model/host_order.hpp"
#include "host/model/routes/forwarding.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/cpu/fast/team.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace tailback::audit {
namespace {

constexpr std::uint32_t draws_of_tables = 6;
constexpr std::uint64_t seed_of_bisections = 1;

/// Cables of a network by what they join: where a number comes from that is the same whichever ports they use.
class DrawnOrder {
public:
    DrawnOrder(model::Network const& network, std::uint32_t draw) : network_(network), draw_(draw) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> parallel;  // by lower and higher switch
        std::map<std::uint32_t, std::uint32_t> hosts;                               // by switch
        number_.resize(network.links().size());
        for (std::size_t l = 0; l < number_.size(); ++l) {  // in the order of nodes and ports
            model::LinkRecord const& link = network[model::Link{l}];
            if (network.is_switch(link.from) && network.is_switch(link.to)) {
                bool const is_second = link.to < link.from || (link.to == link.from && link.reverse.value < l);
                if (is_second && link.reverse.exists()) number_[l] = number_[link.reverse.value];
                else number_[l] = parallel[std::minmax(link.from.value, link.to.value)]++;
            } else if (network.is_switch(link.to)) {
                number_[l] = hosts[link.to.value]++;
                if (link.reverse.exists()) number_[link.reverse.value] = number_[l];
            }
        }
    }

    /// Of a port of a switch, by its link.
    auto port_key(model::Link link) const {
        model::LinkRecord const& record = network_[link];
        bool const to_switch = network_.is_switch(record.to);
        return std::tuple(drawn(record.from.value, to_switch ? record.to.value : no_switch, number_[link.value], 1),
                          record.from_port);
    }
    auto host_key(model::Host host) const {
        model::Link const up = network_.up_link(host);
        std::uint64_t const key =
            up.exists() ? drawn(network_[up].to.value, no_switch, number_[up.value], 2) : ~std::uint64_t{0};
        return std::tuple(key, host.value);
    }

private:
    static constexpr std::uint32_t no_switch = 0xFFFFFFFFu;
    std::uint64_t drawn(std::uint32_t at, std::uint32_t to, std::uint32_t number, std::uint32_t what) const {
        kernels::PhiloxBlock const block = kernels::philox(at, to, number, what, draw_);
        return std::uint64_t{block.word[0]} << 32 | block.word[1];
    }

    model::Network const& network_;
    std::uint64_t draw_;
    std::vector<std::uint32_t> number_;  // by link: which of those alike
};

std::vector<model::Host> in_order(std::vector<model::Host> hosts, DrawnOrder const& order) {
    std::sort(hosts.begin(), hosts.end(),
              [&](model::Host a, model::Host b) { return order.host_key(a) < order.host_key(b); });
    return hosts;
}

/// Permutation number m of the hosts (kernels/common/permutation.hpp); the first half sends to the second.
std::vector<evaluation::HostFlow> bisection(std::span<model::Host const> hosts, std::uint64_t m) {
    auto const size = static_cast<std::uint32_t>(hosts.size());
    std::vector<std::uint32_t> order(size), targets(std::size_t{size} + 4);
    kernels::CpuTeam team;
    kernels::draw_permutation(team, kernels::Draw{seed_of_bisections, kernels::Stream::mapping, m, size, size},
                              targets.data(), order.data());
    std::vector<evaluation::HostFlow> flows;
    for (std::uint32_t i = 0; i < size / 2; ++i) flows.push_back({hosts[order[i]], hosts[order[i + size / 2]]});
    return flows;
}

/// Hosts of one network in another of the same nodes.
std::vector<model::Host> same_hosts(model::Network const& network, std::span<model::Host const> hosts,
                                    model::Network const& other) {
    std::set<std::pair<model::Node, model::Port>> wanted;
    for (model::Host const host : hosts) wanted.emplace(network[host].node, network[host].port);
    std::vector<model::Host> same = model::cabled_hosts(other);
    if (!hosts.empty())
        std::erase_if(same, [&](model::Host host) { return !wanted.contains({other[host].node, other[host].port}); });
    return same;
}

JudgedNetwork judge_divided(model::Fabric const& fabric, std::vector<model::Host> const& among, unsigned threads) {
    constexpr std::uint64_t most_flows = 250'000;
    std::vector<model::Host> const hosts = in_order(among, DrawnOrder(fabric.network, 0));
    JudgedNetwork judged{.divided = true};
    if (hosts.size() < 2) return judged;
    model::Forwarding const forwarding(fabric);
    model::ChoiceGraph const graph(forwarding, model::ChoicesOf::sets, hosts);
    AllChoices const all = judge_all_choices(graph, hosts);
    judged.not_delivered = all.not_always;
    judged.free = all.free;
    PairLoads const loads = divided_loads(graph, hosts, threads);
    for (std::size_t l = 0; l < loads.load.size(); ++l)
        if (fabric.between_switches(model::Link{l}))
            judged.largest = std::max(judged.largest, loads.pairs(model::Link{l}));
    evaluation::SplitPlan const plan(graph, hosts, threads);
    model::LinkCosts const costs;
    evaluation::EqualSplit split(plan, costs);
    auto const stop = kernels::StopWish::now();
    std::uint64_t const mappings = std::clamp<std::uint64_t>(most_flows / hosts.size(), 20, 1000);
    for (std::uint64_t m = 0; m < mappings; ++m) {
        stop.heed();
        std::vector<evaluation::HostFlow> const flows = bisection(hosts, m);
        evaluation::FlowLoads const& found = split.carry(flows);
        double sum = 0;  // of 1 / congestion
        for (std::uint64_t const congestion : found.congestion)
            if (congestion > 0) sum += double(plan.unit()) / double(congestion);
        judged.bandwidth.push_back(sum / double(flows.size()));
    }
    return judged;
}

/// One draw of tables beside those before it.
void add(JudgedNetwork& judged, TriedRouting const& tables, std::uint32_t draw) {
    judged.largest += (double(tables.largest) - judged.largest) / double(draw + 1);
    judged.not_delivered = std::max(judged.not_delivered, tables.not_delivered);
    judged.free = judged.free && tables.free;
    if (tables.bandwidth) judged.bandwidth.push_back(*tables.bandwidth);
}

/// Of tables whose entries lead into LAGs, which divide equally.
void add(JudgedNetwork& judged, JudgedNetwork const& divided, std::uint32_t draw) {
    judged.largest += (divided.largest - judged.largest) / double(draw + 1);
    judged.not_delivered = std::max(judged.not_delivered, divided.not_delivered);
    judged.free = judged.free && divided.free;
    if (std::optional<double> const mean = mean_bandwidth(divided)) judged.bandwidth.push_back(*mean);
}

}  // namespace

model::Network in_drawn_order(model::Network const& network, std::uint32_t draw, model::Lags* lags) {
    DrawnOrder const order(network, draw);
    model::NetworkBuilder builder(network.named());
    for (model::NodeRecord node : network.nodes()) {
        node.lid = 0, node.lmc = 0;
        builder.add_node(std::move(node));
    }
    std::vector<model::Host> all;
    for (std::size_t h = 0; h < network.hosts().size(); ++h) all.emplace_back(h);
    model::Lid lid = 0;
    for (model::Host const host : in_order(std::move(all), order)) {
        model::HostRecord record = network[host];
        record.lmc = 0, record.lid = network.up_link(host).exists() ? ++lid : 0;
        builder.add_host(record);
    }
    std::vector<model::Port> port(network.links().size());  // by link: where it leaves
    for (std::size_t n = 0; n < network.nodes().size(); ++n) {
        model::Node const node{n};
        std::vector<model::Link> links(network.link_count(node));
        for (std::uint32_t i = 0; i < links.size(); ++i) links[i] = model::Link{network.first_link(node).value + i};
        if (network.is_switch(node))
            std::sort(links.begin(), links.end(),
                      [&](model::Link a, model::Link b) { return order.port_key(a) < order.port_key(b); });
        for (std::uint32_t i = 0; i < links.size(); ++i)
            port[links[i].value] = network.is_switch(node) ? i + 1 : network[links[i]].from_port;
    }
    for (std::size_t l = 0; l < network.links().size(); ++l) {
        model::LinkRecord link = network[model::Link{l}];
        if (!link.reverse.exists()) continue;  // half a cable, which no routing takes
        link.from_port = port[l], link.to_port = port[link.reverse.value];
        link.reverse = {};
        builder.add_link(link);
    }
    if (lags != nullptr)
        *lags = lags->renumbered([&](model::Node node, model::Port old) {
            model::Link const link = network.link_at(node, old);
            return link.exists() && network[link].reverse.exists() ? port[link.value] : model::Port{0};
        });
    model::Disagreements disagreements;
    return model::with_lids(builder.finish(disagreements, ""));
}

JudgedNetwork NetworkJudge::judge(model::Network const& network, model::Lags const* lags,
                                  std::span<model::Host const> hosts) const {
    JudgedNetwork judged;
    auto const stop = kernels::StopWish::now();
    for (std::uint32_t draw = 0; draw < draws_of_tables; ++draw) {
        stop.heed();
        topologies::Topology topology;
        model::Lags drawn_lags = lags != nullptr ? *lags : model::Lags();
        topology.network = in_drawn_order(network, draw, &drawn_lags);
        if (!drawn_lags.empty()) topology.lags = std::make_shared<model::Lags const>(std::move(drawn_lags));
        try {
            topologies::Routes routes = topologies::make_routes(topology, routing_);
            if (routes.routing->depends_on_source())
                return {.refused =
                            "its routes depend on the source; ar:minimal divides flows over all shortest routes"};
            model::Fabric fabric{std::move(topology.network), std::move(routes.tables), true};
            fabric.candidates = std::move(routes.candidates);
            std::vector<model::Host> const among = same_hosts(network, hosts, fabric.network);
            bool const by_tables = model::traits_of(fabric).by_hash;  // sets are LAGs, and ties are broken
            if (fabric.candidates != nullptr && !by_tables) return judge_divided(fabric, among, threads_);
            if (by_tables) add(judged, judge_divided(fabric, among, threads_), draw);
            else add(judged, judge_fabric(fabric, among, threads_), draw);
        } catch (base::InputError const& error) {
            return {.refused = error.what()};
        }
    }
    if (judged.bandwidth.size() < draws_of_tables) judged.bandwidth.clear();
    return judged;
}

JudgedNetwork NetworkJudge::judge_as_it_is(model::Fabric const& fabric) const {
    std::vector<model::Host> const hosts = model::cabled_hosts(fabric.network);
    if (fabric.candidates != nullptr) return judge_divided(fabric, hosts, threads_);
    JudgedNetwork judged;
    add(judged, judge_fabric(fabric, hosts, threads_), 0);
    return judged;
}

std::optional<double> mean_bandwidth(JudgedNetwork const& judged) {
    if (judged.bandwidth.empty()) return std::nullopt;
    return std::accumulate(judged.bandwidth.begin(), judged.bandwidth.end(), 0.0) / double(judged.bandwidth.size());
}

std::optional<BandwidthGain> gain_over(JudgedNetwork const& before, JudgedNetwork const& after) {
    std::size_t const draws = std::min(before.bandwidth.size(), after.bandwidth.size());
    if (draws < 2) return std::nullopt;
    BandwidthGain gain;
    for (std::size_t d = 0; d < draws; ++d) gain.mean += (after.bandwidth[d] - before.bandwidth[d]) / double(draws);
    double squares = 0;
    for (std::size_t d = 0; d < draws; ++d) {
        double const off = after.bandwidth[d] - before.bandwidth[d] - gain.mean;
        squares += off * off;
    }
    gain.error = evaluation::student_t99(draws - 1) * std::sqrt(squares / double(draws - 1) / double(draws));
    return gain;
}

}  // namespace tailback::audit
