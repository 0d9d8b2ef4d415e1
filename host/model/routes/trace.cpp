#include "host/model/routes/trace.hpp"

#include "host/model/routes/fabric_words.hpp"

#include <algorithm>

namespace tailback::model {
namespace {

bool owns(Network const& network, Node node, Lid lid) { return network.owner(lid).node == node; }

/// Continues `route` from `at`, which was reached by the last of its links (if any).
void walk(Fabric const& fabric, Node at, bool arrived_at_host_port, Lid destination, Route& route) {
    Network const& net = fabric.network;
    std::vector<Node> met;  // routes are short: a linear search beats a bitmap of the whole network
    auto fail = [&](Fate fate, Cause cause, Port entry = ForwardingTables::no_entry) {
        route.fate = fate;
        route.cause = cause;
        route.entry = entry;
    };
    bool first = !arrived_at_host_port;
    for (;;) {
        route.end = at;
        NodeRecord const& node = net[at];
        LidOwner const owner = net.owner(destination);
        if (node.kind == NodeKind::switch_node) {
            if (owner.node == at) return;
        } else if (!first) {
            // Arrived at an adapter: at the owner's own port, or (multi-rail) at another port of the same adapter?
            bool const right_port = owner.host.exists() && owner.node == at &&
                                    (route.links.empty() || leads_into(net, net[route.links.back()], owner.host));
            if (right_port) return;
            if (!fabric.tables.has_table(at)) return fail(Fate::misdelivered, Cause::wrong_host);
        }
        first = false;
        if (std::find(met.begin(), met.end(), at) != met.end()) return fail(Fate::loop, Cause::met_twice);
        met.push_back(at);
        NextHop const hop = next_hop_to(fabric, at, destination);
        if (!hop.link.exists()) return fail(Fate::unreachable, hop.cause, hop.entry);
        route.links.push_back(hop.link);
        at = net[hop.link].to;
    }
}

}  // namespace

bool meets_twice(Network const& network, std::vector<Link> const& links) {
    return !links.empty() && std::any_of(links.begin(), links.end() - 1,
                                         [&](Link const one) { return network[one].to == network[links.back()].to; });
}

Route trace_from_host(Fabric const& fabric, Host source, Lid destination) {
    return fabric.routing->trace(fabric, source, destination);
}

Route trace_by_tables(Fabric const& fabric, Host source, Lid destination) {
    Route route;
    Network const& net = fabric.network;
    Node const node = net[source].node;
    route.end = node;
    if (net.owner(destination).host == source) return route;
    if (fabric.tables.has_table(node)) {
        walk(fabric, node, false, destination, route);
        return route;
    }
    Link const up = net.up_link(source);
    if (!up.exists()) {
        route.fate = Fate::unreachable;
        route.cause = Cause::source_without_cable;
        return route;
    }
    route.links.push_back(up);
    walk(fabric, net[up].to, true, destination, route);
    return route;
}

Route trace_from_node(Fabric const& fabric, Node source, Lid destination) {
    Network const& net = fabric.network;
    if (!net.is_switch(source) && !fabric.tables.has_table(source)) {
        for (Host const host : net.hosts_of(source))
            if (net.up_link(host).exists()) return trace_from_host(fabric, host, destination);
        Route route;
        route.end = source;
        if (!owns(net, source, destination)) {
            route.fate = Fate::unreachable;
            route.cause = Cause::source_without_cable;
        }
        return route;
    }
    Route route;
    walk(fabric, source, false, destination, route);
    return route;
}

std::string Route::why(Fabric const& fabric, Lid destination) const {
    Network const& network = fabric.network;
    std::string const where = network.describe(end);
    std::string const lid = destination_text(fabric, destination);
    switch (cause) {
        case Cause::none: return "";
        case Cause::source_without_cable: return where + " has no cable";
        case Cause::no_table: return where + " has no forwarding table";
        case Cause::no_entry: return where + " has " + no_way_text(fabric, lid);
        case Cause::own_port_zero: return where + " keeps " + lid + " for itself (entry 0) without owning it";
        case Cause::port_beyond_switch:
            return where + " sends " + lid + " to port " + std::to_string(entry) + " and has " +
                   std::to_string(network[end].ports) + " ports";
        case Cause::port_without_cable:
            return where + " sends " + lid + " to port " + network.port_name(end, entry) + ", which has no cable";
        case Cause::met_twice: return where + " is met twice on the way to " + lid;
        case Cause::no_path: return "the routing knows no way on from " + where;
        case Cause::wrong_host: return "the route ends at " + where + ", which does not own " + lid;
    }
    return "";
}

}  // namespace tailback::model
