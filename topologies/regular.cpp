#include "topologies/regular.hpp"

#include "host/base/error.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

namespace tailback {

LinkEnds RegularNetwork::up_link(std::uint32_t host) const {
    return {host_name(host), 1, switch_name(host / hosts_each), host % hosts_each + 1};
}

LinkEnds RegularNetwork::down_link(std::uint32_t host) const {
    return {switch_name(host / hosts_each), host % hosts_each + 1, host_name(host), 1};
}

std::vector<std::uint32_t> RegularNetwork::breadth_first_hosts() const {
    std::vector<bool> met(switches);
    std::vector<std::uint32_t> queue{0}, order, next;
    queue.reserve(switches);
    order.reserve(hosts);
    met[0] = true;
    for (std::size_t at = 0; at < queue.size(); ++at) {
        std::uint32_t const here = queue[at];
        if (here < host_switches)
            for (std::uint32_t k = 0; k < hosts_each; ++k) order.push_back(here * hosts_each + k);
        next.clear();
        neighbours(here, next);
        for (std::uint32_t const there : next) {
            if (met[there]) continue;
            met[there] = true;
            queue.push_back(there);
        }
    }
    return order;
}

void RegularNetwork::finish(std::uint64_t all_hosts, std::uint64_t all_switches, std::uint64_t all_slots,
                            std::uint64_t inner_links) {
    constexpr std::uint64_t most = 0x40000000;
    if (all_hosts >= most || all_switches >= most || all_slots >= most)
        throw InputError({}, "\"" + text + "\" is too large", "more than 2^30 hosts or links",
                         "choose smaller parameters");
    hosts = static_cast<std::uint32_t>(all_hosts);
    switches = static_cast<std::uint32_t>(all_switches);
    inner = static_cast<std::uint32_t>(all_slots);
    links = inner_links + 2 * all_hosts;
}

std::unique_ptr<RegularNetwork> make_regular(TopologySpec const& spec, RoutingSpec const* routing) {
    Family const& family = spec.family();
    auto network = family.regular == nullptr ? nullptr : family.regular(spec.arguments(), routing);
    if (!network) return network;
    network->text += "," + (routing == nullptr ? network->routing : routing->text());
    if (routing != nullptr) network->seed = routing->seed();
    if (network->depends_on_source) network->text += "," + std::to_string(network->seed);
    return network;
}

RoutingParts parts_of(RoutingSpec const* routing) {
    if (routing == nullptr || routing->name() != "valiant") return {routing};
    return {routing->by(), true, routing->arguments().word("via") == "group"};
}

}  // namespace tailback
