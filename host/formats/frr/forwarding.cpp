#include "host/formats/frr/forwarding.hpp"

#include "host/base/error.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace tailback::formats {
namespace {

/// The ports of a route, with their weights, in its order.
using WeightedPorts = std::vector<std::pair<model::Port, std::uint32_t>>;

/// One router.
class RouterTable {
public:
    RouterTable(RouterFabric const& fabric, std::string const& name, Device const& device, RouterForwarding& forwarding)
        : fabric_(fabric),
          net_(fabric.network),
          name_(name),
          device_(device),
          node_(fabric.nodes.at(name)),
          forwarding_(forwarding) {}

    void route_to(model::Host host) {
        IpRoute const* const route = fabric_.lookup.find(device_, fabric_.addresses[host.value]);
        if (route == nullptr) return;
        model::Lid const lid = net_[host].lid;
        forwarding_.routed.insert(host.value);
        if (route->next_hops.empty()) {
            RouterForwarding::Drops& drops = forwarding_.drops[node_.value];
            drops.prefixes.emplace(route->prefix.address, route->prefix.length);
            drops.lids.push_back(lid);
        }
        WeightedPorts const ports = ports_to(*route, host);
        if (ports.empty()) {
            Prefix const& prefix = route->prefix;
            if (!route->next_hops.empty() && !route->next_hops.front().has_gateway && prefix.length < 32)
                forwarding_.elsewhere[{node_.value, prefix.address, prefix.length, route->next_hops.front().interface}]
                    .push_back(lid);
            return;
        }
        model::Port const chosen = std::min_element(ports.begin(), ports.end(), [&](auto const& a, auto const& b) {
                                       return entries_of_port_[a.first] < entries_of_port_[b.first];
                                   })->first;
        ++entries_of_port_[chosen];
        forwarding_.tables.set(node_, lid, chosen);
        for (auto const& [port, weight] : ports)
            if (!net_.link_at(node_, port).exists()) forwarding_.to_no_cable[{node_.value, port}].push_back(lid);
        if (ports.size() > 1)
            forwarding_.sets->set(node_, lid, model::LidState::hashed,
                                  forwarding_.sets->group_of(node_, by_weight(ports)));
    }

private:
    /// Each port as often as its weight says.
    std::vector<model::Port> by_weight(WeightedPorts const& ports) const {
        std::uint32_t divisor = 0;
        for (auto const& [port, weight] : ports) divisor = std::gcd(divisor, weight);
        std::uint64_t parts = 0;
        for (auto const& [port, weight] : ports) parts += divisor > 0 ? weight / divisor : 1;
        if (parts > model::CandidateSets::most_places)
            throw base::InputError({device_.file, 0}, "the weights of a route are too different",
                                   std::to_string(parts) + " parts of equal weight",
                                   "65,536 is the limit; round the weights");
        std::vector<model::Port> places;
        for (auto const& [port, weight] : ports) places.insert(places.end(), divisor > 0 ? weight / divisor : 1, port);
        return places;
    }

    /// Those of a route by neighbours are looked up once.
    WeightedPorts ports_to(IpRoute const& route, model::Host host) {
        if (auto const known = ports_of_route_.find(&route); known != ports_of_route_.end()) return known->second;
        WeightedPorts const ports = ports_of(route, host, 0);
        if (is_by_neighbours(route)) ports_of_route_[&route] = ports;
        return ports;
    }

    /// Then its ports are the same for every host.
    bool is_by_neighbours(IpRoute const& route) const {
        return std::all_of(route.next_hops.begin(), route.next_hops.end(), [&](IpNextHop const& hop) {
            return hop.has_gateway && fabric_.port_of({name_, hop.interface}) != 0;
        });
    }

    /// Members of a LAG to a host are all on its link.
    static void add_once(WeightedPorts& found, model::Port port, std::uint32_t weight) {
        if (std::ranges::find(found, port, &WeightedPorts::value_type::first) == found.end())
            found.emplace_back(port, weight);
    }

    WeightedPorts ports_of(IpRoute const& route, model::Host host, int depth) const {
        WeightedPorts found;
        for (IpNextHop const& hop : route.next_hops) {
            model::Port const port = fabric_.port_of({name_, hop.interface});
            if (!hop.has_gateway) {  // on the link, or on a bridge that the host hangs off
                model::Link const up = cable_to(host);
                if (up.exists() && net_[up].to == node_) add_once(found, net_[up].to_port, hop.weight);
                else if (up.exists() && route.prefix.length < 32 && port == 0)  // the bridge goes on there: a peer link
                    for (model::Link const link : fabric_.links_between(node_, net_[up].to))
                        add_once(found, net_[link].from_port, hop.weight);
            } else if (port != 0) {
                found.emplace_back(port, hop.weight);
            } else if (depth < 4 && hop.gateway != 0) {
                if (IpRoute const* const further = fabric_.lookup.find(device_, hop.gateway))
                    for (auto const& one : ports_of(*further, host, depth + 1)) found.push_back(one);
            }
        }
        return found;
    }

    /// A host's link up; where the host has the same address on a cable to this router, that one.
    model::Link cable_to(model::Host host) const {
        model::Link const own = net_.up_link(host);
        if (own.exists() && net_[own].to == node_) return own;
        for (model::Host const other : net_.hosts_of(net_[host].node))
            if (model::Link const up = net_.up_link(other);
                up.exists() && net_[up].to == node_ && fabric_.addresses[other.value] == fabric_.addresses[host.value])
                return up;
        return own;
    }

    RouterFabric const& fabric_;
    model::Network const& net_;
    std::string const& name_;
    Device const& device_;
    model::Node node_;
    RouterForwarding& forwarding_;
    std::map<model::Port, std::uint64_t> entries_of_port_;
    std::unordered_map<IpRoute const*, WeightedPorts> ports_of_route_;
};

}  // namespace

RouterForwarding find_forwarding(RouterFabric const& fabric) {
    model::Network const& net = fabric.network;
    RouterForwarding forwarding;
    forwarding.tables = model::ForwardingTables(net);
    forwarding.sets = std::make_shared<model::CandidateSets>(net.nodes().size(), std::size_t{net.max_lid()} + 1,
                                                             "routes of equal cost", model::ChosenBy::hash);
    for (std::string const& name : fabric.roles.routers) {
        if (!has_routes(fabric.devices, name)) continue;
        model::Node const node = fabric.nodes.at(name);
        forwarding.tables.add_table(node);
        forwarding.sets->add_row(node);
        RouterTable router(fabric, name, fabric.devices.at(name), forwarding);
        for (std::size_t h = 0; h < net.hosts().size(); ++h)
            if (model::Host const host{h}; net[host].lid != 0) router.route_to(host);
    }
    return forwarding;
}

}  // namespace tailback::formats
