// The form of opensm-lfts.dump, which OpenSM's file routing loads: tables in the order of GUIDs, LIDs in order.
#include "host/formats/formats.hpp"
#include "host/formats/write/identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace tailback::formats {
namespace {

/// What follows the port on the line of each LID: the same in every table.
std::vector<std::string> line_ends(model::Network const& net, FabricIdentity const& identity, std::size_t lids) {
    std::vector<std::string> ends(lids, " # unknown node and type\n");
    for (std::size_t lid = 1; lid < lids; ++lid) {
        model::LidOwner const owner = net.owner(static_cast<model::Lid>(lid));
        if (!owner.node.exists()) continue;
        model::NodeKind const kind = net[owner.node].kind;
        ends[lid] =
            fmt::format(" # {} portguid 0x{:016x}: '{}'\n",
                        kind == model::NodeKind::switch_node ? "Switch"
                        : kind == model::NodeKind::router    ? "Router"
                                                             : "Channel Adapter",
                        owner.host.exists() ? identity.host_guid[owner.host] : identity.port_guid(net, owner.node, 0),
                        net[owner.node].name);
    }
    return ends;
}

}  // namespace

void write_lft_dump(std::ostream& out, model::Fabric const& fabric) {
    model::Network const& net = fabric.network;
    FabricIdentity const identity(net);
    check_fits_infiniband(net, identity);
    check_only_switches_choose(fabric.tables, net);
    model::Lid const top = std::min<model::Lid>(
        model::max_unicast_lid,
        std::max<model::Lid>(net.max_lid(),
                             static_cast<model::Lid>(std::max<std::size_t>(fabric.tables.lids(), 1) - 1)));
    std::vector<std::string> const ends = line_ends(net, identity, std::size_t{top} + 1);
    std::vector<model::Node> switches;
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        if (net.is_switch(model::Node{n}) && fabric.tables.has_table(model::Node{n}))
            switches.push_back(model::Node{n});
    std::sort(switches.begin(), switches.end(),
              [&](model::Node a, model::Node b) { return identity.guid[a] < identity.guid[b]; });
    std::string text;
    for (model::Node const node : switches) {
        model::NodeRecord const& record = net[node];
        text = fmt::format("Unicast lids [0-{}] of switch Lid {} guid 0x{:016x} ('{}'):\n", top,
                           identity.switch_lid[node], identity.guid[node], record.name);
        for (model::Lid lid = 1; lid <= top; ++lid) {
            model::Port port = fabric.tables.port(node, lid);
            if (port == model::ForwardingTables::no_entry && net.named() && lid == identity.switch_lid[node]) port = 0;
            if (port == model::ForwardingTables::no_entry || port > record.ports) continue;
            text += fmt::format("0x{:04x} {:03}", lid, port);
            text += ends[lid];
        }
        out << text << top << " lids dumped\n";
    }
}

}  // namespace tailback::formats
