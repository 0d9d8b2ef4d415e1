#include "host/audit/findings/consistency.hpp"
#include "host/audit/findings/folding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

namespace tailback::audit {
namespace {

/// Most hosts of a switch are at other ports than its table says, and not just two of them in each other's place.
std::optional<Finding> moved_hosts(model::Fabric const& fabric, model::Node node) {
    model::Network const& net = fabric.network;
    if (!net.is_switch(node) || !fabric.tables.has_table(node)) return std::nullopt;
    std::map<model::Port, model::Port> told;  // a host's port to that of the table
    std::vector<model::Host> moved;
    std::size_t hosts = 0;
    for (model::Link link = net.first_link(node); link.value < net.first_link(node).value + net.link_count(node);
         ++link.value)
        for (model::Host const host : net.hosts_of(net[link].to)) {
            if (net.up_link(host) != net[link].reverse || net[host].lid == 0) continue;
            ++hosts;
            model::Port const port = fabric.tables.port(node, net[host].lid);
            if (port == net[link].from_port || port == model::ForwardingTables::no_entry) continue;
            told[net[link].from_port] = port;
            moved.push_back(host);
        }
    bool const are_two_swapped = moved.size() == 2 && told.begin()->second == told.rbegin()->first &&
                                 told.rbegin()->second == told.begin()->first;
    if (moved.size() < 2 || 2 * moved.size() <= hosts || are_two_swapped) return std::nullopt;
    model::HostRecord const& first = net[moved.front()];
    Finding one{
        Code::hosts_moved, net.describe(node), 0,
        fmt::format("its table sends the LIDs of {} of its {} hosts elsewhere than to their ports (the first: "
                    "LID {} by port {}, and {} is at port {}): it is of another day, or their cables were moved",
                    moved.size(), hosts, first.lid, fabric.tables.port(node, first.lid),
                    net.place_of(first.node, first.port).text, net[net.up_link(moved.front())].to_port),
        node};
    one.explains_nodes = {node};
    for (model::Host const host : moved) {
        one.explains_lids.push_back(net[host].lid);
        one.lids.add(net[host].lid);
    }
    return one;
}

/// The hosts of so many switches are not moved at once.
constexpr std::size_t most_moved = 4;

Finding of_another_day(std::vector<Finding>&& moved) {
    Finding all{
        Code::tables_of_another_day, "the tables", 0,
        fmt::format("those of {} switches send the LIDs of their hosts elsewhere than to their ports (the first: "
                    "{}): they are of another day than the topology; collect both again, one right after the "
                    "other",
                    moved.size(), moved.front().where)};
    for (Finding& one : moved) {
        all.explains_nodes.insert(all.explains_nodes.end(), one.explains_nodes.begin(), one.explains_nodes.end());
        all.explains_lids.insert(all.explains_lids.end(), one.explains_lids.begin(), one.explains_lids.end());
        all.symptoms.push_back(std::move(one));
    }
    std::sort(all.explains_lids.begin(), all.explains_lids.end());
    for (model::Lid const lid : all.explains_lids) all.lids.add(lid);
    return all;
}

/// The one port that tables send a LID to, at its cable: a host's, or a switch itself (port 0).
struct Home {
    model::Node node;
    model::Port port = 0;
    bool several = false;
    void add(model::Node other, model::Port other_port) {
        if (!node.exists()) node = other, port = other_port;
        else several |= node != other || port != other_port;
    }
};
/// The switch whose LID the table of `node` keeps, where it does not keep the node's own; none: the table is its own.
model::Node owner_of_table(model::Fabric const& fabric, model::Node node) {
    model::Network const& net = fabric.network;
    model::Lid const own = net[node].lid;
    if (!net.is_switch(node) || own == 0 || !fabric.tables.has_table(node) || fabric.tables.port(node, own) == 0)
        return {};
    for (std::size_t m = 0; m < net.nodes().size(); ++m)
        if (model::Node const other{m}; net.is_switch(other) && other != node && net[other].lid != 0 &&
                                        fabric.tables.port(node, net[other].lid) == 0)
            return other;
    return {};
}

/// Switches with a table of their own: it may tell where LIDs are.
std::vector<model::Node> witnesses_of(model::Fabric const& fabric) {
    std::vector<model::Node> witnesses;
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
        if (model::Node const node{n};
            fabric.network.is_switch(node) && fabric.tables.has_table(node) && !owner_of_table(fabric, node).exists())
            witnesses.push_back(node);
    return witnesses;
}

Home home_of(model::Fabric const& fabric, std::vector<model::Node> const& witnesses, model::Lid lid) {
    model::Network const& net = fabric.network;
    Home home;
    for (model::Node const node : witnesses) {
        model::Port const port = fabric.tables.port(node, lid);
        if (port == model::ForwardingTables::no_entry) continue;
        if (port == 0) home.add(node, 0);
        else if (model::Link const link = net.link_at(node, port); link.exists() && !net.is_switch(net[link].to))
            home.add(net[link].to, net[link].to_port);
    }
    return home;
}

/// Do the tables lead to a port by this LID, where its cable is?
bool is_known_at_home(model::Fabric const& fabric, Home const& home, model::Lid lid) {
    if (home.port == 0) return fabric.tables.port(home.node, lid) == 0;
    model::LinkRecord const& up = fabric.network[fabric.network.link_at(home.node, home.port)];
    return fabric.tables.has_table(up.to) && fabric.tables.port(up.to, lid) == up.to_port;
}

model::Lid lid_at(model::Network const& net, Home const& home) {
    if (home.port == 0) return net[home.node].lid;
    for (model::Host const host : net.hosts_of(home.node))
        if (net[host].port == home.port) return net[host].lid;
    return 0;
}

}  // namespace

bool is_sent_to(model::Fabric const& fabric, model::Lid lid, model::Node node) {
    model::Network const& net = fabric.network;
    bool any = false;
    for (std::uint32_t l = 0; l < net.link_count(node); ++l) {
        model::Node const from = net[model::Link{net.first_link(node).value + l}].to;
        if (!net.is_switch(from) || !fabric.tables.has_table(from)) continue;
        model::Port const port = fabric.tables.port(from, lid);
        if (port == model::ForwardingTables::no_entry) continue;
        model::Link const link = net.link_at(from, port);
        if (!link.exists() || net[link].to != node) return false;
        any = true;
    }
    return any;
}

model::Lid former_lid(model::Fabric const& fabric, model::Node node) {
    model::Lid only = 0;
    if (!fabric.routed || fabric.ip != nullptr || !fabric.network.is_switch(node)) return 0;
    if (model::Lid const own = fabric.network[node].lid; own != 0 && is_sent_to(fabric, own, node)) return 0;
    for (model::Lid lid = 1; lid < fabric.tables.lids(); ++lid) {
        if (fabric.network.owner(lid).node.exists() || !is_sent_to(fabric, lid, node)) continue;
        if (only != 0) return 0;
        only = lid;
    }
    return only;
}

namespace {

/// LIDs of a switch and of its hosts, where no table has an entry for any of them: the tables were made without it.
/// Empty elsewhere, and for a switch without hosts.
std::vector<model::Lid> lids_of_new_leaf(model::Fabric const& fabric, model::Node node) {
    model::Network const& net = fabric.network;
    if (fabric.ip != nullptr) return {};
    std::vector<model::Lid> lids;
    for (std::uint32_t l = 0; l < net.link_count(node); ++l) {
        model::LinkRecord const& link = net[model::Link{net.first_link(node).value + l}];
        for (model::Host const host : net.hosts_of(link.to))
            if (net.up_link(host) == link.reverse && net[host].lid != 0)
                for (model::Lid i = 0; i < model::Lid{1} << net[host].lmc; ++i) lids.push_back(net[host].lid + i);
    }
    if (lids.empty()) return {};
    if (net[node].lid != 0) lids.push_back(net[node].lid);
    for (model::Lid const lid : lids)
        for (std::size_t n = 0; n < net.nodes().size(); ++n)
            if (fabric.tables.port(model::Node{n}, lid) != model::ForwardingTables::no_entry) return {};
    return lids;
}

/// What else follows where a switch without a table has a new LID, or is new with all its hosts.
void add_lids_without_table(model::Fabric const& fabric, Finding& one) {
    if (model::Lid const lid = former_lid(fabric, one.node); lid != 0) {
        one.message += fmt::format("; its neighbours send LID {} to it, which nobody owns", lid);
        one.explains_lids = {lid};
    } else if (std::vector<model::Lid> const lids = lids_of_new_leaf(fabric, one.node); !lids.empty()) {
        one.message += ", nor has any table an entry for its LID or those of its hosts: it came after the tables";
        one.explains_lids = lids;
    }
}

}  // namespace

void find_former_lids(Dumps const& dumps, std::vector<Finding>& found) {
    model::Fabric const& fabric = dumps.fabric;
    if (!fabric.routed || fabric.ip != nullptr) return;
    model::Network const& net = fabric.network;
    std::map<std::pair<model::Node, model::Port>, LidList> former;
    std::vector<model::Node> const witnesses = witnesses_of(fabric);
    for (model::Lid lid = 1; lid < fabric.tables.lids(); ++lid) {
        if (net.owner(lid).node.exists()) continue;
        Home const home = home_of(fabric, witnesses, lid);
        model::Lid const now = home.node.exists() && !home.several ? lid_at(net, home) : 0;
        if (now != 0 && !is_known_at_home(fabric, home, now)) former[{home.node, home.port}].add(lid);
    }
    for (auto const& [home, lids] : former) {
        auto const& [node, port] = home;
        model::Lid const now = lid_at(net, {node, port});
        Finding one{Code::lid_changed,
                    net.place_of(node, port).text,
                    0,
                    fmt::format("the tables send {} to it, and its LID is {} in the topology: it has a new LID since, "
                                "or one of the two is wrong",
                                lids.text(), now),
                    node,
                    port};
        one.lids = lids;
        one.lids.add(now);
        for (auto const& [first, last] : one.lids.ranges())
            for (model::Lid lid = first; lid <= last; ++lid) one.explains_lids.push_back(lid);
        found.push_back(std::move(one));
    }
}

void find_missing_tables(Dumps const& dumps, std::vector<Finding>& found) {
    model::Fabric const& fabric = dumps.fabric;
    if (!fabric.routed) return;
    std::size_t const first = found.size();
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
        if (fabric.network.is_switch(model::Node{n}) && !fabric.tables.has_table(model::Node{n})) {
            found.push_back(finding_at(Code::switch_without_table, fabric.network, model::Node{n}, 0,
                                       "it has no forwarding table"));
            found.back().explains_nodes = {model::Node{n}};
        }
    std::size_t const missing = found.size() - first;
    if (missing < many_of_a_kind)  // else all entries would be walked for each
        for (std::size_t f = first; f < found.size(); ++f) add_lids_without_table(fabric, found[f]);
    if (missing < many_of_a_kind || fabric.ip != nullptr) return;
    bool const is_told = std::any_of(found.begin(), found.begin() + std::ptrdiff_t(first), [&](Finding const& one) {
        return std::ranges::find(one.explains_nodes, found[first].node) != one.explains_nodes.end();
    });
    if (is_told) return;  // by the reader that met the end of the file
    put_under(Finding(Code::tables_cut_off, "the tables", 0,
                      fmt::format("{} switches have no forwarding table (the first: {}): the file of tables is cut "
                                  "off, or they did not answer",
                                  missing, found[first].where)),
              found, first, [](Finding const&) { return true; });
}

std::vector<Finding> find_wrong_tables(model::Fabric const& fabric) {
    model::Network const& net = fabric.network;
    std::vector<Finding> found;
    for (std::size_t n = 0; n < net.nodes().size() && fabric.routed; ++n) {
        model::Node const node{n}, other = owner_of_table(fabric, node);
        if (!other.exists()) continue;
        model::Lid const own = net[node].lid;
        model::Port const to_own = fabric.tables.port(node, own);
        Finding one{
            Code::table_of_another_switch, net.describe(node), 0,
            fmt::format("its table keeps LID {} for itself, which {} owns, and {} its own LID {}: it is the "
                        "table of that switch, or the LIDs of the two are swapped",
                        net[other].lid, net.describe(other),
                        to_own == model::ForwardingTables::no_entry ? std::string("has no entry for")
                                                                    : fmt::format("sends out by port {}", to_own),
                        own),
            node};
        one.explains_nodes = {node};
        one.explains_lids = {std::min(own, net[other].lid), std::max(own, net[other].lid)};
        for (model::Lid const lid : one.explains_lids) one.lids.add(lid);
        found.push_back(std::move(one));
    }
    std::vector<Finding> moved;
    for (std::size_t n = 0; n < net.nodes().size() && fabric.routed && fabric.ip == nullptr; ++n) {
        if (std::ranges::any_of(found, [&](Finding const& one) { return one.node == model::Node{n}; })) continue;
        if (std::optional<Finding> one = moved_hosts(fabric, model::Node{n})) moved.push_back(std::move(*one));
    }
    if (moved.size() > most_moved) moved = {of_another_day(std::move(moved))};
    std::ranges::move(moved, std::back_inserter(found));
    return found;
}

}  // namespace tailback::audit
