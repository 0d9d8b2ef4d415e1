#include "host/audit/findings/virtual_lids.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::audit {

LidEnds::LidEnds(model::Fabric const& fabric)
    : fabric_(fabric), known_(fabric.network.nodes().size()), ends_(fabric.network.nodes().size()) {}

std::vector<std::pair<model::Node, LidEnds::End>> const& LidEnds::of(model::Lid lid) {
    model::Network const& net = fabric_.network;
    found_.clear();
    std::vector<model::Node> way;
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        if (!net.is_switch(model::Node{n}) || !fabric_.tables.has_table(model::Node{n})) continue;
        way.clear();
        End end;
        for (model::Node at{n};;) {
            if (known_[at.value] == lid) {  // a circle has no end so far, and keeps none
                end = ends_[at.value];
                break;
            }
            known_[at.value] = lid;
            ends_[at.value] = {};
            way.push_back(at);
            model::Port const port =
                fabric_.tables.has_table(at) ? fabric_.tables.port(at, lid) : model::ForwardingTables::no_entry;
            if (port == model::ForwardingTables::no_entry || port == 0) break;
            model::Link const link = net.link_at(at, port);
            if (!link.exists()) break;
            if (!net.is_switch(net[link].to)) {
                end = {net[link].to, net[link].to_port};
                break;
            }
            at = net[link].to;
        }
        for (model::Node const one : way) ends_[one.value] = end;
        found_.emplace_back(model::Node{n}, end);
    }
    return found_;
}

std::optional<LidEnds::End> LidEnds::delivered_to(model::Lid lid) {
    model::Network const& net = fabric_.network;
    std::vector<std::pair<model::Node, End>> const& all = of(lid);
    if (all.empty()) return std::nullopt;
    End const first = all.front().second;
    bool routers = true, one_port = true;
    for (auto const& [node, end] : all) {
        if (!end.node.exists()) return std::nullopt;
        routers &= net[end.node].kind == model::NodeKind::router;
        one_port &= end == first;
    }
    if (routers) return first;
    if (!one_port) return std::nullopt;
    for (model::Host const host : net.hosts_of(first.node)) {
        if (net[host].port != first.port || net[host].lid == 0) continue;
        model::Link const up = net.up_link(host);
        bool const knows_own = up.exists() && fabric_.tables.has_table(net[up].to) &&
                               fabric_.tables.port(net[up].to, net[host].lid) == net[up].to_port;
        if (knows_own) return first;
    }
    return std::nullopt;
}

Finding virtual_lids(model::Fabric const& fabric, std::vector<std::pair<model::Lid, LidEnds::End>> const& lids) {
    model::Network const& net = fabric.network;
    Finding found{Code::virtual_lids_delivered, "the tables"};
    std::size_t behind_routers = 0;
    for (auto const& [lid, end] : lids) {
        found.lids.add(lid);
        behind_routers += net[end.node].kind == model::NodeKind::router;
    }
    auto const& [lid, end] = lids.front();
    bool const one = lids.size() == 1;
    found.message = fmt::format(
        "nobody owns {} by the topology, and all tables deliver {} to {} (the first: LID {} to {})",
        found.lids.text(fabric), one ? "it" : "each", behind_routers == lids.size() ? "routers" : "one adapter port",
        lid, net.place_of(end.node, end.port).text);
    std::string const virtual_ports =
        "LIDs of virtual ports (SR-IOV), which ibdiagnet2.db_csv names in START_VPORTS and ibnetdiscover does not";
    if (behind_routers == 0) found.message += ": " + virtual_ports;
    else if (behind_routers == lids.size()) found.message += ": LIDs behind routers (FLIDs)";
    else
        found.message += fmt::format(": {}; and {} behind routers (FLIDs)", virtual_ports,
                                     base::counted(behind_routers, "LID", "LIDs"));
    return found;
}

std::vector<Finding> stray_virtual_lids(model::Fabric const& fabric) {
    model::Network const& net = fabric.network;
    std::vector<Finding> found;
    if (net.virtual_lids().empty()) return found;
    LidEnds ends(fabric);
    for (model::VirtualLid const& one : net.virtual_lids()) {
        std::size_t tables = 0, strays = 0;
        model::Node first;
        LidEnds::End where;
        for (auto const& [node, end] : ends.of(one.lid)) {
            ++tables;
            if (end == LidEnds::End{one.node, one.port}) continue;
            if (strays++ == 0) first = node, where = end;
        }
        if (strays == 0) continue;
        found.emplace_back(
            Code::virtual_lid_elsewhere, net.place_of(one.node, one.port).text, 0,
            fmt::format("LID {} is that of a virtual port of it, and {} of {} tables do not lead there (the "
                        "first: {}, from where it {})",
                        one.lid, strays, tables, net.describe(first),
                        where.node.exists() ? "reaches " + net.place_of(where.node, where.port).text
                                            : std::string("reaches nobody")),
            one.node, one.port);
        found.back().lids.add(one.lid);
    }
    return found;
}

}  // namespace tailback::audit
