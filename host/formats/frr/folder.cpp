// From the files of all devices to one fabric.
#include "host/formats/frr/findings.hpp"
#include "host/formats/registry.hpp"
#include "host/model/routes/ip_plan.hpp"

namespace tailback::formats {
namespace {

/// A member without a cable carries something as soon as it has one.
void take_lag(model::IpPlan& plan, RouterFabric const& routers, std::string const& name, Lag const& lag) {
    model::Node const node = routers.nodes.at(name);
    std::vector<model::Port> members;
    for (std::string const& member : lag.members) members.push_back(routers.port_of({name, member}));
    for (Lag::Idle const& one : lag.idle) {
        model::Port const port = routers.port_of({name, one.member});
        if (port == 0) continue;
        if (!routers.network.link_at(node, port).exists()) {
            members.push_back(port);
            continue;
        }
        plan.idle.push_back({node, port, one.why});
        plan.lags.add_idle(node, port);
    }
    plan.lags.add(node, std::move(members));
}

model::IpPlan plan_of(RouterFabric const& routers) {
    model::IpPlan plan;
    plan.address = routers.addresses;
    plan.remarks = remarks_on(routers);
    plan.seed.resize(routers.network.nodes().size());
    plan.policy.resize(routers.network.nodes().size());
    for (std::string const& name : routers.roles.routers) {
        if (!has_routes(routers.devices, name)) continue;
        model::Node const node = routers.nodes.at(name);
        HashSettings const& hash = routers.devices.at(name).hash;
        plan.seed[node.value] = hash.seed;
        plan.policy[node.value] = hash.policy;
    }
    for (auto const& [ends, network] : routers.cabling.unheard)
        for (Interface const& end : {ends.first, ends.second})
            if (auto const node = routers.nodes.find(end.first); node != routers.nodes.end())
                if (model::Port const port = routers.port_of(end); port != 0)
                    plan.unheard.emplace_back(node->second, port);
    for (auto const& [name, node] : routers.nodes)
        if (auto const device = routers.devices.find(name); device != routers.devices.end())
            for (auto const& [interface, lag] : device->second.lags) take_lag(plan, routers, name, lag);
    return plan;
}

}  // namespace

model::Fabric read_router_folder(std::string const& path, model::Disagreements& disagreements) {
    Devices const devices = read_devices(path, disagreements);
    RouterCabling const cabling = find_cabling(devices, disagreements);
    RouteLookup const lookup(devices);
    Roles const roles = find_roles(devices, cabling, lookup);
    RouterFabric routers = build_router_fabric(path, devices, cabling, lookup, roles, disagreements);
    note_network(routers, disagreements);
    RouterForwarding forwarding = find_forwarding(routers);
    note_forwarding(routers, forwarding, disagreements);

    model::Fabric fabric;
    fabric.ip = std::make_shared<model::IpPlan const>(plan_of(routers));
    fabric.network = std::move(routers.network);
    fabric.tables = std::move(forwarding.tables);
    fabric.candidates = std::move(forwarding.sets);
    fabric.routed = true;
    return fabric;
}

void register_routers(Registry& registry) {
    registry.folders.push_back({.kind = "frr",
                                .name = "a folder of routers",
                                .holds = "routes and neighbours of IP routers",
                                .read = read_router_folder,
                                .is_one = holds_routers});
}

}  // namespace tailback::formats
