// The order in which hosts take ranks.
#include "host/model/host_order.hpp"

namespace tailback::model {
namespace {

bool takes_part(HostRecord const& host, bool aggregation_nodes_are_hosts) {
    return host.role == HostRole::compute || (host.role == HostRole::aggregation && aggregation_nodes_are_hosts);
}

}  // namespace

std::vector<Host> usable_hosts(Network const& network, bool aggregation_nodes_are_hosts) {
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < network.hosts().size(); ++h)
        if (takes_part(network[Host{h}], aggregation_nodes_are_hosts)) hosts.push_back(Host{h});
    return hosts;
}

std::vector<Host> cabled_hosts(Network const& network) {
    std::vector<Host> hosts = usable_hosts(network, false);
    std::erase_if(hosts, [&](Host host) { return !network.up_link(host).exists(); });
    return hosts;
}

std::vector<Host> breadth_first_hosts(Network const& network, bool aggregation_nodes_are_hosts) {
    std::vector<Host> const usable = usable_hosts(network, aggregation_nodes_are_hosts);
    std::vector<Host> order;
    if (usable.empty()) return order;
    std::vector<bool> met(network.nodes().size()), listed(network.hosts().size());
    std::vector<Node> queue{network[usable.front()].node};
    met[queue.front().value] = true;
    auto list = [&](Host host) {
        if (listed[host.value] || !takes_part(network[host], aggregation_nodes_are_hosts)) return;
        listed[host.value] = true;
        order.push_back(host);
    };
    for (std::size_t next = 0; next < queue.size(); ++next) {
        Node const node = queue[next];
        for (Host const host : network.hosts_of(node)) list(host);
        for (std::uint32_t k = 0; k < network.link_count(node); ++k) {
            Node const to = network[Link{network.first_link(node).value + k}].to;
            if (met[to.value]) continue;
            met[to.value] = true;
            queue.push_back(to);
        }
    }
    for (Host const host : usable) list(host);
    return order;
}

std::vector<Host> usable_hosts(Fabric const& fabric, bool aggregation_nodes_are_hosts) {
    if (!fabric.formula) return usable_hosts(fabric.network, aggregation_nodes_are_hosts);
    std::vector<Host> hosts;
    hosts.reserve(fabric.formula->hosts);
    for (std::uint32_t h = 0; h < fabric.formula->hosts; ++h) hosts.emplace_back(h);
    return hosts;
}

std::vector<Host> breadth_first_hosts(Fabric const& fabric, bool aggregation_nodes_are_hosts) {
    if (!fabric.formula) return breadth_first_hosts(fabric.network, aggregation_nodes_are_hosts);
    std::vector<Host> hosts;
    hosts.reserve(fabric.formula->hosts);
    for (std::uint32_t const h : fabric.formula->breadth_first_hosts()) hosts.emplace_back(h);
    return hosts;
}

}  // namespace tailback::model
