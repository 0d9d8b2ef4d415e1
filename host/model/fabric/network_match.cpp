#include "host/model/fabric/network_match.hpp"

#include <algorithm>
#include <unordered_map>

namespace tailback::model {
namespace {

bool has_guids(Network const& network) {
    return std::any_of(network.nodes().begin(), network.nodes().end(),
                       [](NodeRecord const& node) { return node.guid != 0; });
}

constexpr Port beyond_all = 1u << 20;

}  // namespace

Port NetworkMatch::port_before(Node now, Port port) const {
    return by_name_ && port < ports_before_[now.value].size() ? ports_before_[now.value][port] : port;
}

Port NetworkMatch::port_after(Node was, Port port) const {
    return by_name_ && port > 0 ? after_.port_called(node_after[was], before_.port_name(was, port)) : port;
}

NetworkMatch::NetworkMatch(Network const& before, Network const& after)
    : node_after(before.nodes().size()),
      node_before(after.nodes().size()),
      host_after(before.hosts().size()),
      link_after(before.links().size()),
      link_before(after.links().size()),
      before_(before),
      after_(after),
      by_name_(before.named_ports() && after.named_ports()) {
    bool const guids = has_guids(before) && has_guids(after);
    std::unordered_map<std::string, std::vector<Node>> unnamed;  // by name: nodes after, the last first
    for (std::size_t n = after.nodes().size(); n-- > 0;)
        if (!guids || after[Node{n}].guid == 0) unnamed[after[Node{n}].name].emplace_back(n);
    std::unordered_map<std::uint64_t, Node> by_port;  // nodes after, by the GUIDs of their hosts' ports
    for (HostRecord const& host : after.hosts())
        if (host.port_guid != 0) by_port.emplace(host.port_guid, host.node);
    for (std::size_t n = 0; n < before.nodes().size(); ++n) {
        NodeRecord const& node = before[Node{n}];
        Node same;
        if (guids && node.guid != 0) {
            same = after.node_by_guid(node.guid);
            if (auto const at = by_port.find(node.guid); !same.exists() && at != by_port.end()) same = at->second;
            for (Host const host : before.hosts_of(Node{n}))
                if (!same.exists() && before[host].port_guid != 0) same = after.node_by_guid(before[host].port_guid);
        } else if (auto const named = unnamed.find(node.name); named != unnamed.end() && !named->second.empty()) {
            same = named->second.back();
            named->second.pop_back();
        }
        if (!same.exists() || after[same].kind != node.kind) continue;
        node_after[Node{n}] = same;
        node_before[same] = Node{n};
    }
    for (std::size_t n = 0; by_name_ && n < after.nodes().size(); ++n) {
        Node const now{n}, was = node_before[now];
        std::vector<Port>& ports = ports_before_.emplace_back();
        for (Port port = 0; port <= after[now].ports; ++port) {
            Port const old = was.exists() && port > 0 ? before.port_called(was, after.port_name(now, port)) : 0;
            ports.push_back(old != 0 || port == 0 ? old : beyond_all + port);
        }
    }
    for (std::size_t h = 0; h < before.hosts().size(); ++h) {
        HostRecord const& host = before[Host{h}];
        if (Node const node = node_after[host.node]; node.exists())
            for (Host const one : after.hosts_of(node))
                if (port_before(node, after[one].port) == host.port) host_after[Host{h}] = one;
    }
    for (std::size_t l = 0; l < before.links().size(); ++l) {
        LinkRecord const& link = before[Link{l}];
        if (!node_after[link.from].exists()) continue;
        Link const same = after.link_at(node_after[link.from], port_after(link.from, link.from_port));
        if (!same.exists() || after[same].to != node_after[link.to] ||
            port_before(after[same].to, after[same].to_port) != link.to_port)
            continue;
        link_after[Link{l}] = same;
        link_before[same] = Link{l};
    }
    for (Lid lid = 1; lid <= before.max_lid(); ++lid) {
        LidOwner const owner = before.owner(lid);
        if (!owner.node.exists()) continue;
        Lid base = 0;
        Host const host = owner.host.exists() ? host_after[owner.host] : Host{};
        if (owner.host.exists()) {
            if (host.exists() && after[host].lid != 0) base = after[host].lid - before[owner.host].lid;  // modulo 2^32
            else continue;
        } else {
            Node const node = node_after[owner.node];
            if (!node.exists() || after[node].lid == 0) continue;
            base = after[node].lid - before[owner.node].lid;
        }
        LidOwner const now = after.owner(lid + base);
        if (owner.host.exists() ? now.host == host : now.node == node_after[owner.node] && !now.host.exists())
            lids.push_back({lid, lid + base, owner.host, host});
    }
}

}  // namespace tailback::model
