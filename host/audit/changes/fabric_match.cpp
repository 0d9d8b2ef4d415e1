#include "host/audit/changes/fabric_match.hpp"

#include <algorithm>
#include <unordered_map>

namespace tailback::audit {
namespace {

bool has_guids(model::Network const& network) {
    return std::any_of(network.nodes().begin(), network.nodes().end(),
                       [](model::NodeRecord const& node) { return node.guid != 0; });
}

constexpr model::Port beyond_all = 1u << 20;

}  // namespace

model::Port FabricMatch::port_before(model::Node now, model::Port port) const {
    return by_name_ && port < ports_before_[now.value].size() ? ports_before_[now.value][port] : port;
}

model::Port FabricMatch::port_after(model::Node was, model::Port port) const {
    return by_name_ && port > 0 ? after_.port_called(node_after[was], before_.port_name(was, port)) : port;
}

FabricMatch::FabricMatch(model::Network const& before, model::Network const& after)
    : node_after(before.nodes().size()),
      node_before(after.nodes().size()),
      host_after(before.hosts().size()),
      link_after(before.links().size()),
      link_before(after.links().size()),
      before_(before),
      after_(after),
      by_name_(before.named_ports() && after.named_ports()) {
    bool const guids = has_guids(before) && has_guids(after);
    std::unordered_map<std::string, std::vector<model::Node>> unnamed;  // by name: nodes after, the last first
    for (std::size_t n = after.nodes().size(); n-- > 0;)
        if (!guids || after[model::Node{n}].guid == 0) unnamed[after[model::Node{n}].name].emplace_back(n);
    for (std::size_t n = 0; n < before.nodes().size(); ++n) {
        model::NodeRecord const& node = before[model::Node{n}];
        model::Node same;
        if (guids && node.guid != 0) {
            same = after.node_by_guid(node.guid);
        } else if (auto const named = unnamed.find(node.name); named != unnamed.end() && !named->second.empty()) {
            same = named->second.back();
            named->second.pop_back();
        }
        if (!same.exists() || after[same].kind != node.kind) continue;
        node_after[model::Node{n}] = same;
        node_before[same] = model::Node{n};
    }
    for (std::size_t n = 0; by_name_ && n < after.nodes().size(); ++n) {
        model::Node const now{n}, was = node_before[now];
        std::vector<model::Port>& ports = ports_before_.emplace_back();
        for (model::Port port = 0; port <= after[now].ports; ++port) {
            model::Port const old = was.exists() && port > 0 ? before.port_called(was, after.port_name(now, port)) : 0;
            ports.push_back(old != 0 || port == 0 ? old : beyond_all + port);
        }
    }
    for (std::size_t h = 0; h < before.hosts().size(); ++h) {
        model::HostRecord const& host = before[model::Host{h}];
        if (model::Node const node = node_after[host.node]; node.exists())
            for (model::Host const one : after.hosts_of(node))
                if (port_before(node, after[one].port) == host.port) host_after[model::Host{h}] = one;
    }
    for (std::size_t l = 0; l < before.links().size(); ++l) {
        model::LinkRecord const& link = before[model::Link{l}];
        if (!node_after[link.from].exists()) continue;
        model::Link const same = after.link_at(node_after[link.from], port_after(link.from, link.from_port));
        if (!same.exists() || after[same].to != node_after[link.to] ||
            port_before(after[same].to, after[same].to_port) != link.to_port)
            continue;
        link_after[model::Link{l}] = same;
        link_before[same] = model::Link{l};
    }
    for (model::Lid lid = 1; lid <= before.max_lid(); ++lid) {
        model::LidOwner const owner = before.owner(lid);
        if (!owner.node.exists()) continue;
        model::Lid base = 0;
        model::Host const host = owner.host.exists() ? host_after[owner.host] : model::Host{};
        if (owner.host.exists()) {
            if (host.exists() && after[host].lid != 0) base = after[host].lid - before[owner.host].lid;  // modulo 2^32
            else continue;
        } else {
            model::Node const node = node_after[owner.node];
            if (!node.exists() || after[node].lid == 0) continue;
            base = after[node].lid - before[owner.node].lid;
        }
        model::LidOwner const now = after.owner(lid + base);
        if (owner.host.exists() ? now.host == host : now.node == node_after[owner.node] && !now.host.exists())
            lids.push_back({lid, lid + base, owner.host, host});
    }
}

}  // namespace tailback::audit
