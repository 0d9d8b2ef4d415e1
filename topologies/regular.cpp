#include "topologies/regular.hpp"

#include "host/base/error.hpp"
#include "host/model/pack/route_store.hpp"
#include "kernels/evaluate/dispatch.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

namespace tailback::topologies {

void check_formula_sizes(std::string const& words, std::uint64_t hosts, std::uint64_t switches, std::uint64_t slots) {
    constexpr std::uint64_t most = 0x40000000;
    if (hosts >= most || switches >= most || slots >= most)
        throw base::InputError({}, "\"" + words + "\" is too large", "more than 2^30 hosts or links",
                               "choose smaller parameters");
}

void RegularNetwork::finish(std::uint64_t all_hosts, std::uint64_t all_switches, std::uint64_t all_slots,
                            std::uint64_t inner_links) {
    check_formula_sizes(words, all_hosts, all_switches, all_slots);
    hosts = static_cast<std::uint32_t>(all_hosts);
    switches = static_cast<std::uint32_t>(all_switches);
    inner = static_cast<std::uint32_t>(all_slots);
    links = inner_links + 2 * all_hosts;
}

namespace {

/// Mean links of routes over pairs of these hosts, from 65,536 of them.
double sampled_links(kernels::Problem const& problem, std::vector<std::uint32_t> const& hosts) {
    std::uint64_t links = 0, pairs = 0;
    auto const count = static_cast<std::uint32_t>(hosts.size());
    kernels::with_routes(problem, [&](auto const& found) {
        for (std::uint32_t i = 0; i < 65536 && count > 1; ++i) {
            kernels::PhiloxBlock const word = kernels::philox(i, 0, 0, 0, 0);
            std::uint32_t const s = word.word[0] % count, d = word.word[1] % count;
            if (s == d) continue;
            ++pairs;
            links += 2;
            found.each(found.find(hosts[s], d), [&](std::uint32_t slot) { links += slot != problem.routes.inner; });
        }
    });
    return pairs == 0 ? 0 : double(links) / double(pairs);
}

}  // namespace

model::Route RegularNetwork::trace(model::Fabric const&, model::Host, model::Lid) const {
    throw base::InputError({}, "routes that are computed by formula have no links to follow",
                           "the network is not kept in memory", "use --routes tables");
}

model::RouteStore RegularNetwork::pack(model::Fabric const&, std::vector<model::Host> const& study_hosts,
                                       model::LinkCosts const&, std::size_t, kernels::MakeRoutePacker) const {
    model::RouteStore routes;
    for (model::Host const host_index : study_hosts) routes.group.push_back(host_index.value);
    routes.groups = hosts;
    routes.inner = inner;
    routes.slots = inner + 4 + 2 * static_cast<std::uint32_t>(study_hosts.size());
    routes.host_links_implied = routes.all_delivered = true;
    routes.longest = longest;
    routes.formula = [this](kernels::Problem& problem) { describe(problem); };
    kernels::Problem problem;
    describe(problem);
    problem.routes.inner = inner;
    problem.routes.group = routes.group.data();
    routes.mean_links = sampled_links(problem, routes.group);
    return routes;
}

model::Fabric fabric_of(std::shared_ptr<RegularNetwork const> network) {
    model::Fabric fabric;
    fabric.routed = true;
    fabric.routing = network;
    fabric.formula = std::move(network);
    return fabric;
}

std::unique_ptr<RegularNetwork> make_regular(TopologySpec const& spec, RoutingSpec const* routing) {
    Family const& family = spec.family();
    bool const other_group =
        routing != nullptr && routing->name() == "valiant" && routing->arguments().word("via") == "other-group";
    if (other_group) return nullptr;
    auto network = family.regular == nullptr ? nullptr : family.regular(spec.arguments(), routing);
    if (!network) return network;
    network->words += "," + (routing == nullptr ? network->routing : routing->text());
    if (routing != nullptr) network->seed = routing->seed();
    if (network->pairs_differ) network->words += "," + std::to_string(network->seed);
    return network;
}

RoutingParts parts_of(RoutingSpec const* routing) {
    if (routing == nullptr || routing->name() != "valiant") return {routing};
    return {routing->by(), true, routing->arguments().word("via") == "group"};
}

}  // namespace tailback::topologies
