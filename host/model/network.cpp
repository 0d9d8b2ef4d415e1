#include "host/model/network.hpp"

#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/model/port_lids.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>

namespace tailback::model {
namespace {

struct SpeedName {
    std::string_view name;
    Speed speed;
    std::uint32_t elevenths_of_gbps_per_lane;  // data rate after 8b/10b or 64b/66b coding, times 11
};

// FDR: 14.0625 GBd x 64/66 = 150/11 Gb/s; SDR, DDR, QDR: 2.5, 5, 10 GBd x 8/10; the others are whole Gb/s.
constexpr SpeedName speed_names[] = {
    {"SDR", Speed::sdr, 22},      {"DDR", Speed::ddr, 44},   {"QDR", Speed::qdr, 88},
    {"FDR10", Speed::fdr10, 110}, {"FDR", Speed::fdr, 150},  {"EDR", Speed::edr, 275},
    {"HDR", Speed::hdr, 550},     {"NDR", Speed::ndr, 1100}, {"XDR", Speed::xdr, 2200},
};

std::string hex16(std::uint64_t guid) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(guid));
    return text;
}

}  // namespace

std::uint32_t LinkRate::elevenths_of_gbps() const {
    for (SpeedName const& s : speed_names)
        if (s.speed == speed) return width * s.elevenths_of_gbps_per_lane;
    return 0;
}

std::string LinkRate::text() const {
    for (SpeedName const& s : speed_names)
        if (s.speed == speed && width > 0) return std::to_string(width) + "x" + std::string(s.name);
    return "";
}

LinkRate parse_link_rate(std::string_view text) {
    LinkRate rate;
    unsigned width = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
    if (error != std::errc{} || end == text.data() + text.size() || *end != 'x') return rate;
    if (width != 1 && width != 2 && width != 4 && width != 8 && width != 12) return rate;
    std::string_view const name = text.substr(std::size_t(end - text.data()) + 1);
    for (SpeedName const& s : speed_names)
        if (s.name == name) return {static_cast<std::uint8_t>(width), s.speed};
    return rate;
}

bool is_aggregation_node(std::string const& description) {
    return description.find("Mellanox Technologies Aggregation Node") != std::string::npos;
}

Link Network::link_at(Node n, Port port) const {
    auto const first = links_.begin() + first_link_[n.value];
    auto const last = links_.begin() + first_link_[n.value + 1];
    // Most nodes have their ports 1..k all cabled: try the place where it then is.
    if (port >= 1 && port <= std::size_t(last - first) && first[port - 1].from_port == port)
        return Link{std::size_t(first - links_.begin()) + port - 1};
    auto const at = std::lower_bound(first, last, port, [](LinkRecord const& l, Port p) { return l.from_port < p; });
    return at != last && at->from_port == port ? Link{std::size_t(at - links_.begin())} : Link{};
}

Node Network::node_by_guid(std::uint64_t guid) const {
    auto const at = by_guid_.find(guid);
    return at == by_guid_.end() ? Node{} : at->second;
}

Node Network::node_by_name(std::string const& typed) const {
    if (by_name_.empty()) return Node{};
    std::string const name = base::printable(typed);
    std::size_t const mask = by_name_.size() - 1;
    for (std::size_t at = std::hash<std::string>{}(name)&mask; by_name_[at] != Node::none_value; at = (at + 1) & mask)
        if (nodes_[Node{by_name_[at]}].name == name) return Node{by_name_[at]};
    return Node{};
}

std::span<Host const> Network::hosts_of(Node n) const {
    return {hosts_by_node_.data() + first_host_[n.value], first_host_[n.value + 1] - first_host_[n.value]};
}

std::string Network::describe(Node n) const {
    NodeRecord const& node = nodes_[n];
    char const* const kind = node.kind == NodeKind::switch_node ? "switch"
                             : node.kind == NodeKind::router    ? "router"
                                                                : "host";
    std::string text = std::string(kind) + " \"" + node.name + "\"";
    if (node.guid != 0) text += " (" + hex16(node.guid) + ")";
    return text;
}

FabricPlace Network::place_of(Node n, Port port) const {
    return {describe(n) + (port == 0 ? "" : port_text(n, port)), n, 0, port};
}

namespace {
std::uint64_t label_key(Node n, Port port) { return std::uint64_t{n.value} << 32 | port; }

std::string const no_label;
}  // namespace

std::string const& Network::port_label(Node n, Port port) const {
    auto const at = port_labels_.find(label_key(n, port));
    return at == port_labels_.end() ? no_label : at->second;
}

std::string const& Network::given_port_name(Node n, Port port) const { return named_ ? port_label(n, port) : no_label; }

std::string Network::port_name(Node n, Port port) const {
    std::string const& name = given_port_name(n, port);
    return name.empty() ? std::to_string(port) : name;
}

std::string Network::port_text(Node n, Port port) const {
    std::string const& label = named_ ? no_label : port_label(n, port);
    return " port " + port_name(n, port) + (label.empty() ? "" : " (" + label + ")");
}

Port Network::port_called(Node n, std::string_view word) const {
    std::uint64_t number = 0;
    base::Scanner scan(word);
    if (!named_ports() && scan.decimal(number) && scan.at_end())
        return number <= nodes_[n].ports ? static_cast<Port>(number) : 0;
    for (Port port = 1; port <= nodes_[n].ports; ++port)
        if (!word.empty() && (named_ports() ? port_name(n, port) : port_label(n, port)) == word) return port;
    return 0;
}

LinkEnds Network::ends(Link link) const {
    LinkRecord const& record = links_[link];
    return {nodes_[record.from].name,
            record.from_port,
            nodes_[record.to].name,
            record.to_port,
            given_port_name(record.from, record.from_port),
            given_port_name(record.to, record.to_port)};
}

void NetworkBuilder::set_port_label(Node node, Port port, std::string_view label) {
    if (label.empty() || label == std::to_string(port)) return;
    network_.port_labels_[label_key(node, port)] = base::printable(std::string(label.substr(0, 40)));
}

Node NetworkBuilder::add_node(NodeRecord record, base::SourceLocation const& place) {
    record.name = base::printable(record.name);
    if (record.guid != 0) {
        auto const [at, is_new] = network_.by_guid_.emplace(record.guid, Node{network_.nodes_.size()});
        if (!is_new)
            throw base::InputError(place, "two nodes of GUID " + hex16(record.guid),
                                   "\"" + network_.nodes_[at->second].name + "\" and \"" + record.name + "\"",
                                   "a GUID names one node; check whether two dumps were joined into one file");
    }
    return network_.nodes_.add(std::move(record));
}

void NetworkBuilder::set_guid(Node node, std::uint64_t guid) {
    if (std::uint64_t const before = network_.nodes_[node].guid; before != 0) network_.by_guid_.erase(before);
    network_.nodes_[node].guid = guid;
    if (guid != 0) network_.by_guid_.emplace(guid, node);
}

namespace {

/// By node, then by port; of equals the first stays first. In time proportional to their number: a node's links are
/// few.
void sort_links(std::size_t nodes, kernels::IndexedVector<Link, LinkRecord>& links) {
    auto const earlier = [](LinkRecord const& a, LinkRecord const& b) {
        return a.from != b.from ? a.from < b.from : a.from_port < b.from_port;
    };
    if (std::is_sorted(links.begin(), links.end(), earlier)) return;
    std::vector<std::uint32_t> place(nodes + 1);
    for (LinkRecord const& link : links) ++place[link.from.value + 1];
    for (std::size_t n = 0; n < nodes; ++n) place[n + 1] += place[n];
    kernels::IndexedVector<Link, LinkRecord> sorted;
    sorted.resize(links.size());
    for (LinkRecord const& link : links) sorted[Link{place[link.from.value]++}] = link;
    links = std::move(sorted);
    for (auto at = links.begin(); at != links.end();) {
        auto const end = std::find_if(at, links.end(), [&](LinkRecord const& link) { return link.from != at->from; });
        if (!std::is_sorted(at, end, earlier)) std::stable_sort(at, end, earlier);
        at = end;
    }
}

}  // namespace

/// Sorts links, and drops second cables of a port.
void NetworkBuilder::keep_first_cables(Disagreements& disagreements, base::SourceLocation const& place) {
    Network& net = network_;
    auto& links = net.links_;
    sort_links(net.nodes_.size(), links);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
        LinkRecord const& link = links[Link{i}];
        if (kept > 0) {
            LinkRecord const& last = links[Link{kept - 1}];
            if (last.from == link.from && last.from_port == link.from_port) {
                if (last.to != link.to || last.to_port != link.to_port)
                    disagreements.note(diagnosis::Code::port_with_two_cables, place,
                                       "port " + std::to_string(link.from_port) + " of " + net.describe(link.from) +
                                           " has two cables; the first counts",
                                       1, net.place_of(link.from, link.from_port));
                continue;
            }
        }
        if (kept != i) links[Link{kept}] = links[Link{i}];
        ++kept;
    }
    links.resize(kept);
}

/// A table of places, at least half of them free, found by the hash of a name.
void NetworkBuilder::index_names() {
    Network& net = network_;
    std::size_t places = 16;
    while (places < 2 * net.nodes_.size()) places *= 2;
    net.by_name_.assign(places, Node::none_value);
    for (std::size_t n = 0; n < net.nodes_.size(); ++n) {
        std::string const& name = net.nodes_[Node{n}].name;
        std::size_t at = std::hash<std::string>{}(name) & (places - 1);
        while (net.by_name_[at] != Node::none_value && net.nodes_[Node{net.by_name_[at]}].name != name)
            at = (at + 1) & (places - 1);
        if (net.by_name_[at] == Node::none_value) net.by_name_[at] = static_cast<std::uint32_t>(n);
    }
}

/// Links by node, ports of nodes, and which link is which one's other direction.
void NetworkBuilder::pair_links(Disagreements& disagreements, base::SourceLocation const& place) {
    Network& net = network_;
    auto& links = net.links_;
    net.first_link_.assign(net.nodes_.size() + 1, 0);
    for (LinkRecord const& link : links) ++net.first_link_[link.from.value + 1];
    for (std::size_t n = 0; n < net.nodes_.size(); ++n) net.first_link_[n + 1] += net.first_link_[n];
    std::vector<Port> declared(net.nodes_.size());
    for (std::size_t n = 0; n < declared.size(); ++n) declared[n] = net.nodes_[Node{n}].ports;
    for (LinkRecord const& link : links) {
        NodeRecord& from = net.nodes_[link.from];
        from.ports = std::max(from.ports, link.from_port);
    }
    for (std::size_t n = 0; n < declared.size(); ++n)
        if (Port const highest = net.nodes_[Node{n}].ports; declared[n] > 0 && highest > declared[n])
            disagreements.note(diagnosis::Code::cable_beyond_ports, place,
                               "its record has " + std::to_string(declared[n]) + " port" +
                                   (declared[n] == 1 ? "" : "s") + ", and it has a cable at port " +
                                   std::to_string(highest),
                               1, net.place_of(Node{n}, highest));
    for (std::size_t i = 0; i < links.size(); ++i) {
        LinkRecord& link = links[Link{i}];
        Link const back = link.to_port == 0 ? Link{} : net.link_at(link.to, link.to_port);
        if (back.exists() && links[back].to == link.from && links[back].to_port == link.from_port) link.reverse = back;
        else if (!net.named_)
            disagreements.note(diagnosis::Code::cable_from_one_end, place,
                               "the cable from port " + std::to_string(link.from_port) + " of " +
                                   net.describe(link.from) + " to port " + std::to_string(link.to_port) + " of " +
                                   net.describe(link.to) + " is not listed from the other end",
                               1, net.place_of(link.from, link.from_port));
    }
}

/// What hosts are for, and hosts by node and port.
void NetworkBuilder::order_hosts() {
    Network& net = network_;
    for (HostRecord& host : net.hosts_) {
        NodeRecord const& node = net.nodes_[host.node];
        if (node.kind == NodeKind::router) host.role = HostRole::router;
        else if (is_aggregation_node(node.name)) host.role = HostRole::aggregation;
    }
    net.first_host_.assign(net.nodes_.size() + 1, 0);
    for (HostRecord const& host : net.hosts_) ++net.first_host_[host.node.value + 1];
    for (std::size_t n = 0; n < net.nodes_.size(); ++n) net.first_host_[n + 1] += net.first_host_[n];
    net.hosts_by_node_.resize(net.hosts_.size());
    std::vector<std::uint32_t> next(net.first_host_.begin(), net.first_host_.end() - 1);
    for (std::size_t h = 0; h < net.hosts_.size(); ++h)
        net.hosts_by_node_[next[net.hosts_[Host{h}].node.value]++] = Host{h};
    for (std::size_t n = 0; n < net.nodes_.size(); ++n)
        std::sort(net.hosts_by_node_.begin() + net.first_host_[n], net.hosts_by_node_.begin() + net.first_host_[n + 1],
                  [&](Host a, Host b) { return net.hosts_[a].port < net.hosts_[b].port; });
}

/// Notes who owns which LID: the first that says so.
void NetworkBuilder::own_lids(Disagreements& disagreements, base::SourceLocation const& place) {
    Network& net = network_;
    auto own = [&](Lid lid, std::uint8_t lmc, LidOwner owner) {
        Lid const end = lid + (Lid{1} << lmc);
        if (end > net.lid_owner_.size()) net.lid_owner_.resize(end);
        for (Lid l = lid; l < end; ++l) {
            LidOwner& slot = net.lid_owner_[l];
            if (slot.node.exists())
                disagreements.note(diagnosis::Code::lid_owned_twice, place,
                                   "LID " + std::to_string(l) + " is owned by " + net.describe(slot.node) + " and by " +
                                       net.describe(owner.node) + "; the first counts");
            else slot = owner;
        }
    };
    net.switches_ = 0;
    for (std::size_t n = 0; n < net.nodes_.size(); ++n) {
        NodeRecord const& node = net.nodes_[Node{n}];
        if (node.kind != NodeKind::switch_node) continue;
        ++net.switches_;
        if (node.lid != 0) own(node.lid, node.lmc, {Node{n}, Host{}});
    }
    for (std::size_t h = 0; h < net.hosts_.size(); ++h) {
        HostRecord const& host = net.hosts_[Host{h}];
        bool const cabled = net.up_link(Host{h}).exists();
        if (!cabled)
            disagreements.note(
                diagnosis::Code::host_without_cable, place,
                "port " + std::to_string(host.port) + " of " + net.describe(host.node) + " has no cable");
        if (host.lid != 0) own(host.lid, host.lmc, {host.node, Host{h}});
        else if (cabled)
            disagreements.note(diagnosis::Code::port_without_lid, place,
                               "port " + std::to_string(host.port) + " of " + net.describe(host.node) + " has no LID");
    }
}

/// After all others.
void NetworkBuilder::own_virtual_lids(Disagreements& disagreements, base::SourceLocation const& place) {
    Network& net = network_;
    std::vector<VirtualLid> const told = std::move(net.virtual_lids_);
    net.virtual_lids_.clear();
    for (VirtualLid const& one : told) {
        std::span<Host const> const hosts = net.hosts_of(one.node);
        auto const host = std::ranges::find_if(hosts, [&](Host h) { return net.hosts_[h].port == one.port; });
        if (host == hosts.end()) continue;
        LidOwner const other = net.owner(one.lid);
        if (other.host == *host) continue;
        if (other.node.exists()) {
            disagreements.note(diagnosis::Code::lid_owned_twice, place,
                               "LID " + std::to_string(one.lid) + " is owned by " + net.describe(other.node) +
                                   " and by a virtual port of " + net.describe(one.node) + "; the first counts");
            continue;
        }
        if (one.lid >= net.lid_owner_.size()) net.lid_owner_.resize(one.lid + 1);
        net.lid_owner_[one.lid] = {one.node, *host};
        net.virtual_lids_.push_back(one);
    }
}

Network NetworkBuilder::finish(Disagreements& disagreements, std::string const& file) {
    base::SourceLocation const place{file, 0};
    if (network_.hosts_.empty())
        throw base::InputError(place, "the network has no hosts",
                               std::to_string(network_.nodes_.size()) + " nodes, none an adapter port",
                               "check that the file is complete and of the right kind");
    keep_first_cables(disagreements, place);
    network_.links_.shrink_to_fit();  // networks stay in memory beside their tables
    network_.nodes_.shrink_to_fit();
    network_.hosts_.shrink_to_fit();
    index_names();
    pair_links(disagreements, place);
    order_hosts();
    own_lids(disagreements, place);
    own_virtual_lids(disagreements, place);
    return std::move(network_);
}

namespace {

/// The same network with other records of nodes and hosts. @param keeps_lids those that there are
template <class ChangeNode, class ChangeHost>
Network rebuilt(Network const& network, ChangeNode&& change_node, ChangeHost&& change_host, bool keeps_lids = true) {
    NetworkBuilder builder(network.named());
    for (NodeRecord node : network.nodes()) {
        change_node(node);
        builder.add_node(std::move(node));
    }
    for (std::size_t h = 0; h < network.hosts().size(); ++h) {
        HostRecord host = network[Host{h}];
        change_host(host, network.up_link(Host{h}).exists());
        builder.add_host(host);
    }
    for (LinkRecord link : network.links()) {
        builder.set_port_label(link.from, link.from_port, network.port_label(link.from, link.from_port));
        link.reverse = Link{};
        builder.add_link(link);
    }
    for (VirtualLid const& one : network.virtual_lids())
        if (keeps_lids) builder.add_virtual_lid(one);
    Disagreements told_already;
    return builder.finish(told_already, "");
}

}  // namespace

std::uint64_t give_rate(Network& network, LinkRate rate) {
    std::uint64_t given = 0;
    for (LinkRecord& link : network.links_) {
        if (link.rate.stated() || link.capacity > 0) continue;
        link.rate = rate;
        ++given;
    }
    return given;
}

Network with_lids(Network const& network) {
    Lid next = network.max_lid();
    return rebuilt(
        network,
        [&](NodeRecord& node) {
            if (node.kind == NodeKind::switch_node && node.lid == 0) node.lid = ++next;
        },
        [&](HostRecord& host, bool cabled) {
            if (host.lid == 0 && cabled) host.lid = ++next, host.lmc = 0;
        });
}

Network with_lids(Network const& network, std::vector<PortLid> const& lids) {
    std::map<std::pair<std::uint32_t, Port>, PortLid const*> at;
    for (PortLid const& one : lids) at.emplace(std::pair(one.node.value, one.port), &one);
    std::uint32_t next = 0;
    return rebuilt(
        network,
        [&](NodeRecord& node) {
            auto const found = at.find({next++, 0});
            if (found != at.end()) node.lid = found->second->lid, node.lmc = found->second->lmc;
        },
        [&](HostRecord& host, bool) {
            auto const found = at.find({host.node.value, host.port});
            if (found != at.end()) host.lid = found->second->lid, host.lmc = found->second->lmc;
        });
}

Network with_base_lids(Network const& network) {
    return rebuilt(
        network, [](NodeRecord&) {}, [](HostRecord& host, bool) { host.lmc = 0; });
}

Network with_lmc(Network const& network, std::uint8_t lmc) {
    std::uint64_t const each = std::uint64_t{1} << lmc, last = (network.hosts().size() + 1) * each + network.switches();
    if (last > 0xFFFFFFFu)
        throw base::InputError({}, "the network has too many LIDs", std::to_string(last), "choose a smaller LMC");
    Lid host_lid = 0, switch_lid = static_cast<Lid>((network.hosts().size() + 1) * each);
    return rebuilt(
        network,
        [&](NodeRecord& node) {
            if (node.kind == NodeKind::switch_node) node.lid = switch_lid++, node.lmc = 0;
        },
        [&](HostRecord& host, bool cabled) {
            host.lmc = lmc;
            host.lid = cabled ? host_lid += static_cast<Lid>(each) : 0;
        },
        false);
}

}  // namespace tailback::model
