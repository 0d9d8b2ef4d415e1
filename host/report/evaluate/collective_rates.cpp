#include "host/report/evaluate/collective_rates.hpp"

#include "host/base/disjoint_sets.hpp"
#include "host/base/numbers.hpp"
#include "host/model/capacities.hpp"
#include "host/search/bounds/cut_bound.hpp"
#include "host/search/bounds/exchange_bound.hpp"
#include "host/study/placement/compute_nodes.hpp"
#include "host/study/placement/ranks_in_rows.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace tailback::report {
namespace {

/// By host how many ranks it has; empty where that differs from mapping to mapping.
std::map<std::uint32_t, std::uint64_t> ranks_of_hosts(study::StudyPlan const& plan) {
    study::Placement const& placement = plan.study.placement;
    std::map<std::uint32_t, std::uint64_t> ranks;
    if (placement.mapping != study::MappingKind::listed) {
        if (placement.ranks == plan.study_hosts.size())
            for (model::Host const host : plan.study_hosts) ++ranks[host.value];
        return ranks;
    }
    std::size_t const count = placement.ranks;
    for (std::size_t m = 0; m < placement.mapping_hosts.size() / count; ++m) {
        std::map<std::uint32_t, std::uint64_t> of_mapping;
        for (std::size_t r = 0; r < count; ++r) ++of_mapping[placement.mapping_hosts[m * count + r].value];
        if (m == 0) ranks = std::move(of_mapping);
        else if (of_mapping != ranks) return {};
    }
    return ranks;
}

/// Nodes of the network, the adapters of a compute node one vertex: what is exchanged inside takes no time.
struct Cabling {
    search::CapacityGraph graph;
    std::vector<std::uint32_t> vertex;  ///< by node of the network
    double unit = 1;                    ///< capacities of it are a link of the base rate
};

/// Joins the ranks that share a node as the pattern says; false: others do in other mappings.
bool join_ranks(study::StudyPlan const& plan, std::uint64_t per_node, base::DisjointSets& nodes) {
    study::Placement const& placement = plan.study.placement;
    bool const listed = placement.mapping == study::MappingKind::listed;
    std::vector<model::Host> const& hosts = listed ? placement.mapping_hosts : plan.study_hosts;
    auto const node_of = [&](std::size_t rank) { return plan.fabric->network[hosts[rank]].node.value; };
    for (std::size_t r = 0; r < hosts.size(); ++r) {
        std::uint32_t const first = node_of(r - r % placement.ranks % per_node), own = node_of(r);
        if (nodes.of(first) != nodes.of(own) && r >= placement.ranks) return false;
        nodes.join(first, own);
    }
    return true;
}

std::optional<Cabling> cabling_of(study::StudyPlan const& plan, std::uint64_t per_node) {
    model::Network const& network = plan.fabric->network;
    std::map<std::uint32_t, std::uint64_t> const ranks = ranks_of_hosts(plan);
    if (ranks.empty() || network.links().size() == 0) return std::nullopt;
    base::DisjointSets nodes(network.nodes().size());
    if (plan.study.placement.nodes)
        for (study::ComputeNodes::Node const& node : plan.study.placement.nodes->nodes->nodes)
            for (model::Host const adapter : node.adapters)
                nodes.join(network[adapter].node.value, network[node.adapters.front()].node.value);
    if (per_node > 1 && !join_ranks(plan, per_node, nodes)) return std::nullopt;
    Cabling cabling;
    std::vector<std::uint32_t>& vertex = cabling.vertex;
    for (std::size_t n = 0; n < network.nodes().size(); ++n) vertex.push_back(static_cast<std::uint32_t>(nodes.of(n)));
    cabling.graph.endpoints.assign(vertex.size(), 0);
    for (auto const& [host, count] : ranks) {
        if (host >= network.hosts().size()) return std::nullopt;
        cabling.graph.endpoints[vertex[network[model::Host{host}].node.value]] += count;
    }
    model::LinkCosts const costs = model::link_costs(network, plan.study.measures.capacities);
    std::uint64_t common = 1;
    for (std::uint32_t const cost : costs.cost)
        if (common = std::lcm(common, std::uint64_t{cost}); common > UINT32_MAX) return std::nullopt;
    cabling.unit = costs.cost.empty() ? 1 : double(common) / costs.denominator;
    for (std::size_t l = 0; l < network.links().size(); ++l) {
        model::LinkRecord const& link = network[model::Link{l}];
        cabling.graph.edges.push_back(
            {vertex[link.from.value], vertex[link.to.value], costs.cost.empty() ? 1 : common / costs.cost[l]});
    }
    return cabling;
}

search::CapacityGraph reversed(search::CapacityGraph graph) {
    for (search::CapacityGraph::Edge& edge : graph.edges) std::swap(edge.from, edge.to);
    return graph;
}

/// The vertex of the root; none: it is not the same in all mappings.
std::optional<std::uint32_t> root_of(study::StudyPlan const& plan, Cabling const& cabling, std::uint32_t root) {
    study::Placement const& placement = plan.study.placement;
    auto const vertex_of = [&](model::Host host) { return cabling.vertex[plan.fabric->network[host].node.value]; };
    if (placement.mapping == study::MappingKind::random) return std::nullopt;
    if (placement.mapping == study::MappingKind::identity) return vertex_of(plan.study_hosts[root]);
    std::uint32_t const first = vertex_of(placement.mapping_hosts[root]);
    for (std::size_t at = root; at < placement.mapping_hosts.size(); at += placement.ranks)
        if (vertex_of(placement.mapping_hosts[at]) != first) return std::nullopt;
    return first;
}

CableTime cable_time(study::StudyPlan const& plan, patterns::Collective const& collective) {
    using Kind = patterns::Collective::Kind;
    std::optional<Cabling> const cabling = cabling_of(plan, collective.per_node);
    if (!cabling) return {};
    search::CapacityGraph const& graph = cabling->graph;
    double const ranks = plan.study.placement.ranks;
    if (collective.kind == Kind::exchange) {
        std::optional<search::ExchangeBound> const bound = search::bound_exchange(graph);
        if (!bound) return {};
        return {bound->time.value() * cabling->unit / ranks,
                std::isfinite(bound->gap) ? std::optional(bound->gap) : std::nullopt};
    }
    auto const time_of = [&](std::optional<search::CutBound> const& bound, double all) {
        return bound ? CableTime{double(bound->parts) * cabling->unit / double(bound->bandwidth) / all, 0}
                     : CableTime{};
    };
    std::optional<std::uint32_t> const root = root_of(plan, *cabling, collective.root);
    if (collective.kind == Kind::broadcast) return time_of(search::bound_broadcast(graph, root), 1);
    if (collective.kind == Kind::reduce) return time_of(search::bound_broadcast(reversed(graph), root), 1);
    if (collective.kind == Kind::gather) return time_of(search::bound_gather(graph, root), ranks);
    if (collective.kind == Kind::scatter) return time_of(search::bound_gather(reversed(graph), root), ranks);
    // A reduce-scatter is an allgather backwards, an allreduce takes both.
    if (collective.kind == Kind::reduce_scatter) return time_of(search::bound_allgather(reversed(graph)), ranks);
    CableTime const gather = time_of(search::bound_allgather(graph), ranks);
    if (collective.kind == Kind::allgather || !gather.of_a_byte) return gather;
    CableTime const scatter =
        search::is_same_both_ways(graph) ? gather : time_of(search::bound_allgather(reversed(graph)), ranks);
    return scatter.of_a_byte ? CableTime{*gather.of_a_byte + *scatter.of_a_byte, 0} : scatter;
}

}  // namespace

std::optional<CollectiveRates> collective_rates(std::string const& pattern, std::uint32_t ranks, double time,
                                                bool in_seconds) {
    std::optional<patterns::Collective> const collective = patterns::collective_of(pattern, ranks);
    if (!collective || !(time > 0)) return std::nullopt;
    double const algbw = double(collective->bytes) / time / (in_seconds ? 1e9 : 1);
    return CollectiveRates{collective->bytes, ranks, in_seconds, algbw, algbw * collective->bus_factor};
}

namespace {

/// Of the hosts' own links, of which several rates may be there.
double largest_rate_elevenths(study::StudyPlan const& plan) {
    double largest = plan.base_rate_elevenths;
    model::Network const& network = plan.fabric->network;
    for (model::Host const host : plan.study_hosts)
        if (host.value < network.hosts().size())
            if (model::Link const link = network.up_link(host); link.exists() && network[link].rate.stated())
                largest = std::max(largest, double(network[link].rate.elevenths_of_gbps()));
    return largest;
}

/// What the adapters of a node carry, and a bit: of ranks placed on nodes, or in rows of `per-node` ranks.
double rate_of_adapters(study::StudyPlan const& plan, patterns::Collective const& collective, bool in_seconds) {
    std::optional<study::NodePlacement> const& placed = plan.study.placement.nodes;
    std::size_t const adapters = placed ? placed->nodes->most_adapters() : collective.per_node;
    constexpr double rounding = 1e-6;
    double const base = in_seconds ? 88.0 : plan.base_rate_elevenths;  // of GB/s, or of links
    double const rate = base > 0 ? largest_rate_elevenths(plan) / base : 1;
    return double(std::max<std::size_t>(adapters, 1)) * rate * (1 + rounding);
}

}  // namespace

std::optional<CollectiveRates> collective_rates(study::StudyPlan const& plan, evaluation::Evaluation const& result,
                                                std::optional<CableTime>& known) {
    study::Study const& study = plan.study;
    auto const times = result.numbers.find(study::Metric::makespan);
    bool const fails = result.unreachable + result.loop + result.misdelivered > 0;
    if (times == result.numbers.end() || times->second.count() == 0 || fails || study.traffic.level)
        return std::nullopt;
    std::optional<CollectiveRates> rates =
        collective_rates(study.traffic.pattern, study.placement.ranks, times->second.mean(), plan.in_seconds());
    if (!rates) return rates;
    evaluation::Distribution const& all = times->second;
    if (all.best_mapping() && all.min() > 0 && all.min() < all.max())
        rates->best = CollectiveRates::Best{*all.best_mapping(), all.min()};
    patterns::Collective const collective = *patterns::collective_of(study.traffic.pattern, study.placement.ranks);
    rates->passes_adapters = rates->busbw > rate_of_adapters(plan, collective, rates->in_seconds);
    if (!known) known = cable_time(plan, collective);
    if (!known->of_a_byte) return rates;
    rates->gap = known->gap;
    rates->is_in_two = collective.kind == patterns::Collective::Kind::allreduce;
    rates->algbw_of_cables = (rates->in_seconds ? plan.base_rate_elevenths / 88.0 : 1) / *known->of_a_byte;  // GB/s
    rates->least_time = double(rates->bytes) / *rates->algbw_of_cables / (rates->in_seconds ? 1e9 : 1);
    return rates;
}

char const* why_no_number(study::StudyPlan const& plan) {
    study::Study const& study = plan.study;
    std::optional<patterns::Collective> const collective =
        patterns::collective_of(study.traffic.pattern, study.placement.ranks);
    bool const on_one_node =
        study::all_on_one_node(study) || (collective && collective->per_node == study.placement.ranks);
    return on_one_node ? "all ranks are on one node: nothing crosses the network" : nullptr;
}

std::string rate_words(CollectiveRates const& rates, double rate) {
    return rates.in_seconds ? rate_text(base::rounded(rate)) : base::significant_text(rate, 4) + " links";
}

namespace {

/// How far off what the cables allow may be, where that shows.
std::string gap_words(CollectiveRates const& rates) {
    if (!rates.gap) return " (or less: how much less is not known)";
    double const less = *rates.gap / (1 + *rates.gap);  // of the rate, where the time is longer
    return less < 0.0005 ? "" : fmt::format(" (or up to {} % less)", base::significant_text(100 * less, 2));
}

char const* inside_words(CollectiveRates const& rates) {
    return rates.passes_adapters ? "; more than the adapters of a node carry, as busbw counts bytes inside nodes, too"
                                 : "";
}

}  // namespace

Json value_of(CollectiveRates const& rates) {
    return {{"bytes", rates.bytes},
            {"ranks", rates.ranks},
            {"unit", rates.in_seconds ? "GB/s" : "links"},
            {"algbw", real(rates.algbw)},
            {"busbw", real(rates.busbw)},
            {"busbw_passes_adapters", rates.passes_adapters},
            {"least_time", real(rates.least_time)},
            {"algbw_of_cables", real(rates.algbw_of_cables)},
            {"share_of_cables", real(rates.share())},
            {"best_share_of_cables", real(rates.share_of_best())},
            {"gap_of_cables", real(rates.gap)}};
}

std::string share_text(CollectiveRates const& rates) {
    return rates.share() ? base::fixed_text(100 * *rates.share(), 1) + " %" : "";
}

std::vector<std::pair<std::string, std::string>> facts_of(CollectiveRates const& rates) {
    std::vector<std::pair<std::string, std::string>> facts;
    facts.emplace_back(
        "algbw",
        fmt::format(
            "{}   busbw {} (as nccl-tests define them{}{})", rate_words(rates, rates.algbw),
            rate_words(rates, rates.busbw), inside_words(rates),
            rates.in_seconds ? "" : "; no rates are known: 1 = what a link carries, unless --link-rate says it"));
    std::string best;
    if (rates.share_of_best())
        best = fmt::format("; in its best order, mapping {}, {} %", rates.best->mapping,
                           base::fixed_text(100 * *rates.share_of_best(), 1));
    if (rates.share())
        facts.emplace_back("cables",
                           fmt::format("allow an algbw of {} at best, by any routes and order{}{}: this reaches {} of "
                                       "it{}",
                                       rate_words(rates, *rates.algbw_of_cables),
                                       rates.is_in_two ? ", as a reduce-scatter and then an allgather" : "",
                                       gap_words(rates), share_text(rates), best));
    return facts;
}

void add_rates(Document& document, CollectiveRates const& rates) {
    for (auto& [name, text] : facts_of(rates)) document.fact(std::move(name), std::move(text));
}

}  // namespace tailback::report
