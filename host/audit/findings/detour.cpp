#include "host/audit/findings/detour.hpp"

#include <algorithm>

namespace tailback::audit {
namespace {

constexpr std::uint32_t nowhere = 0xFFFFFFFF;

/// By node: links between switches to `target`.
std::vector<std::uint32_t> distances_to(model::Network const& net, model::Node target) {
    std::vector<std::uint32_t> hops(net.nodes().size(), nowhere);
    std::vector<model::Node> queue = {target};
    hops[target.value] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (std::uint32_t l = 0; l < net.link_count(queue[i]); ++l) {
            model::LinkRecord const& link = net[model::Link{net.first_link(queue[i]).value + l}];
            if (!link.reverse.exists() || !net.is_switch(link.to) || hops[link.to.value] != nowhere) continue;
            hops[link.to.value] = hops[queue[i].value] + 1;
            queue.push_back(link.to);
        }
    return hops;
}

/// The switch that the owner's cable leads to, or that owns the LID itself.
model::Node home_of(model::Network const& net, model::Lid lid) {
    model::LidOwner const owner = net.owner(lid);
    if (!owner.host.exists()) return owner.node.exists() && net.is_switch(owner.node) ? owner.node : model::Node{};
    model::Link const up = net.up_link(owner.host);
    return up.exists() && net.is_switch(net[up].to) ? net[up].to : model::Node{};
}

}  // namespace

void begin_with_detour(model::Forwarding const& forwarding, model::Lid lid, std::vector<Step>& circle) {
    model::Network const& net = forwarding.fabric().network;
    model::Node const home = home_of(net, lid);
    if (!home.exists() || circle.size() < 2) return;
    std::vector<std::uint32_t> const hops = distances_to(net, home);
    auto const hops_of = [&](Step const& step) { return hops[forwarding.node_of(step.first).value]; };
    if (std::ranges::any_of(circle, [&](Step const& step) { return hops_of(step) == nowhere; })) return;
    std::size_t detour = 0;
    std::int64_t farthest = -1;
    for (std::size_t i = 0; i < circle.size(); ++i) {
        std::int64_t const away = std::int64_t{hops_of(circle[(i + 1) % circle.size()])} - hops_of(circle[i]);
        if (away > farthest) farthest = away, detour = i;
    }
    std::rotate(circle.begin(), circle.begin() + std::ptrdiff_t(detour), circle.end());
}

}  // namespace tailback::audit
