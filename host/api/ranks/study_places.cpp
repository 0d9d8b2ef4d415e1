#include "host/api/ranks/study_places.hpp"

#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"
#include "host/search/places/plan_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tailback::api {
namespace {

/// The request with an order that puts a rank on every place, and a pattern that any number of ranks has.
StudyRequest request_of_places(StudyRequest request) {
    request.pattern_file.clear();
    request.traffic_file.clear();
    request.study.traffic = {};
    request.study.traffic.pattern = "1shift";
    request.study.placement.ranks = 0;
    request.placement.order.emplace();  // block
    request.study.placement.mapping = study::MappingKind::listed;
    request.study.measures.metrics = {study::Metric::get_cable_cong};  // all links are looked at
    request.study.sample.mappings = 1;
    request.study.sample.first_mapping = 0;
    request.mappings_given = true;
    return request;
}

/// Of an order that puts more ranks on this host than it has places.
[[noreturn]] void refuse_start(model::Network const& network, model::Host host, StudyPlaces const& found) {
    auto const places = std::ranges::count(found.hosts(), host);
    throw base::InputError({},
                           fmt::format("rank {} begins at \"{}\", which has {}", found.order.size(),
                                       network[network[host].node].name.substr(0, 80),
                                       places == 0 ? "no place for a rank"
                                                   : base::counted(std::uint64_t(places), "place", "places") +
                                                         ", taken by ranks before it"),
                           "places are where block order puts a rank in every slot of the nodes",
                           "begin at block order, or give every rank a slot of its own there", "mapping");
}

}  // namespace

std::vector<search::PlacedLevel> levels_of(patterns::FlowList const& list, std::string const& pattern,
                                           WeightsOfFlows weights) {
    std::vector<search::PlacedLevel> levels;
    for (patterns::Level const& level : list.levels) {
        if (!level.random.empty())
            throw base::InputError({}, "the flows of pattern \"" + pattern + "\" are drawn",
                                   "no order of ranks is better than another for them", "choose a pattern with flows",
                                   "pattern");
        search::PlacedLevel& one = levels.emplace_back();
        if (level.all_to_all) {
            base::require_memory("the flows of the all-to-all",
                                 std::uint64_t{2} * sizeof(search::PlacedFlow) * list.ranks * list.ranks,
                                 "choose fewer ranks");
            for (std::uint32_t a = 0; a < list.ranks; ++a)
                for (std::uint32_t b = 0; b < list.ranks; ++b)
                    if (a != b) one.flows.push_back({a, b, 1});
            continue;
        }
        for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f)
            one.flows.push_back({list.flows[f].source, list.flows[f].destination,
                                 list.weights.empty() || weights == WeightsOfFlows::alike ? 1 : list.weights[f]});
    }
    return search::tidied(std::move(levels));
}

PlacesOfHosts::PlacesOfHosts(std::span<model::Host const> places) {
    for (std::uint32_t place = 0; place < places.size(); ++place) of_host_[places[place].value].push_back(place);
}

search::Order PlacesOfHosts::order_of(std::span<model::Host const> hosts) const {
    std::map<std::uint32_t, std::size_t> used;
    search::Order order;
    for (model::Host const host : hosts) {
        auto const at = of_host_.find(host.value);
        std::size_t& next = used[host.value];
        if (at == of_host_.end() || next == at->second.size()) break;
        order.push_back(at->second[next++]);
    }
    return order;
}

std::uint64_t StudyPlaces::put_beside(BusyLinks const& links) {
    std::uint64_t const scale = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(0x1p24 / links.unit));
    for (search::PlacedLevel& level : problem.levels)
        for (search::PlacedFlow& flow : level.flows) flow.weight *= scale;
    problem.background.clear();
    for (std::size_t l = 0; l < link.size(); ++l) {
        double const load = links.busy[link[l].value] * links.unit * double(scale) / problem.cost[l];
        if (!(load < 0x1p61))
            throw base::InputError({}, "the running jobs load links too much to add up", "loads could pass 2^61",
                                   "give the traffic in larger units");
        problem.background.push_back(static_cast<std::uint64_t>(std::llround(load)));
    }
    return scale;
}

void find_ways(StudyPlaces& found, unsigned threads) {
    study::StudyPlan const &start = *found.start, &all = *found.all;
    if (study::makes_routes_on_demand(start))
        throw base::InputError({}, "routes that are made on demand cannot be searched", "every pair is asked for often",
                               "choose a smaller network, or fewer nodes");
    search::PlaceProblem& problem = found.problem;
    problem.ranks = start.study.placement.ranks;
    if (problem.ranks < 2)
        throw base::InputError({}, "there is nothing to order", "the traffic has fewer than two ranks",
                               "give traffic of more ranks");
    std::vector<std::uint32_t> slots;
    problem.ways = search::ways_of(all, threads, problem.cost, slots);
    for (std::uint32_t const slot : slots)
        found.link.push_back(all.link_of_index.empty() ? model::Link{slot} : all.link_of_index[slot]);
    study::ComputeNodes const& machine = *all.study.placement.nodes->nodes;
    model::Network const& network = all.fabric->network;
    for (model::Host const host : found.hosts()) {
        problem.node.push_back(machine.node_of_host[host.value]);
        problem.leaf.push_back(network[network.up_link(host)].to.value);
    }
    found.order = PlacesOfHosts(found.hosts()).order_of(start.study.placement.mapping_hosts);
    if (found.order.size() < problem.ranks)
        refuse_start(network, start.study.placement.mapping_hosts[found.order.size()], found);
}

StudyPlaces find_places(StudyRequest const& request, std::vector<std::uint32_t> const& nodes,
                        std::shared_ptr<model::Fabric const> const& fabric, unsigned threads,
                        Listener const& listener) {
    auto const plan_of = [&](StudyRequest const& wanted, Listener const& told) {
        auto const prepared =
            std::make_shared<PreparedStudy const>(wanted, fabric, told, evaluation::DeviceChoice::cpu);
        return std::shared_ptr<study::StudyPlan const>(prepared, &prepared->plan());
    };
    StudyPlaces found;
    found.start = plan_of(request, listener);
    StudyRequest of_all = request_of_places(request);
    if (!nodes.empty()) of_all.placement.among = nodes;
    found.all = plan_of(of_all, {});
    find_ways(found, threads);
    found.problem.levels = levels_of(found.start->flow_list, found.start->study.traffic.pattern, WeightsOfFlows::own);
    return found;
}

}  // namespace tailback::api
