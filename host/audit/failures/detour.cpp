#include "host/audit/failures/detour.hpp"

#include "host/audit/loads/switch_hops.hpp"

#include <algorithm>

namespace tailback::audit {
namespace {

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
    std::vector<std::uint32_t> hops;
    count_switch_hops(net, {&home, 1}, hops);
    auto const hops_of = [&](Step const& step) { return hops[forwarding.node_of(step.first).value]; };
    if (std::ranges::any_of(circle, [&](Step const& step) { return hops_of(step) == no_hops; })) return;
    std::size_t detour = 0;
    std::int64_t farthest = -1;
    for (std::size_t i = 0; i < circle.size(); ++i) {
        std::int64_t const away = std::int64_t{hops_of(circle[(i + 1) % circle.size()])} - hops_of(circle[i]);
        if (away > farthest) farthest = away, detour = i;
    }
    std::rotate(circle.begin(), circle.begin() + std::ptrdiff_t(detour), circle.end());
}

}  // namespace tailback::audit
