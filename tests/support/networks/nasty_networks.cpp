#include "tests/support/networks/nasty_networks.hpp"

#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <random>
#include <stdexcept>

namespace tailback {

Node Sketch::add_switch(Port ports) {
    NodeRecord record;
    record.name = "S" + std::to_string(builder_.nodes().size());
    record.guid = next_guid_++;
    record.ports = ports;
    record.lid = next_lid_++;
    return builder_.add_node(std::move(record));
}

Node Sketch::add_host(std::uint8_t lmc) {
    NodeRecord record;
    record.kind = NodeKind::adapter;
    record.name = "H" + std::to_string(builder_.nodes().size());
    record.guid = next_guid_++;
    record.ports = 1;
    Node const node = builder_.add_node(std::move(record));
    builder_.add_host({.node = node, .port = 1, .lid = next_lid_, .lmc = lmc});
    next_lid_ += Lid{1} << lmc;
    return node;
}

Host Sketch::add_rail(Node node, Port port) {
    builder_.nodes()[node].ports = std::max(builder_.nodes()[node].ports, port);
    return builder_.add_host({.node = node, .port = port, .lid = next_lid_++});
}

Port Sketch::free_port(Node n) {
    for (Port port = 1;; ++port) {
        bool taken = false;
        for (LinkRecord const& link : builder_.links())
            taken |= (link.from == n && link.from_port == port) || (link.to == n && link.to_port == port);
        if (!taken) return port;
    }
}

Node Sketch::host_at(Node switch_node, LinkRate rate, std::uint8_t lmc) {
    Node const host = add_host(lmc);
    cable(host, 1, switch_node, free_port(switch_node), rate);
    return host;
}

void Sketch::cable(Node a, Node b, LinkRate rate) {
    Port const at_a = free_port(a);
    cable(a, at_a, b, free_port(b), rate);
}

void Sketch::cable(Node a, Port a_port, Node b, Port b_port, LinkRate rate) {
    one_way(a, a_port, b, b_port, rate);
    one_way(b, b_port, a, a_port, rate);
}

void Sketch::one_way(Node a, Port a_port, Node b, Port b_port, LinkRate rate) {
    builder_.add_link({.from = a, .from_port = a_port, .to = b, .to_port = b_port, .rate = rate});
    for (auto const& [node, port] : {std::pair{a, a_port}, std::pair{b, b_port}})
        builder_.nodes()[node].ports = std::max(builder_.nodes()[node].ports, port);
}

Fabric Sketch::route(bool hosts_forward) {
    Fabric fabric;
    Disagreements expected;
    fabric.network = builder_.finish(expected, "sketch");
    Network const& net = fabric.network;
    fabric.tables = ForwardingTables(net, net.nodes().size());
    fabric.routed = true;
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        if (net[Node{n}].kind == NodeKind::switch_node || hosts_forward) fabric.tables.add_table(Node{n});
    for (HostRecord const& to : net.hosts()) {
        if (to.lid == 0) continue;
        constexpr std::uint32_t far = 0xFFFFFFFF;
        std::vector<std::uint32_t> distance(net.nodes().size(), far);
        distance[to.node.value] = 0;
        std::deque<Node> waiting{to.node};
        while (!waiting.empty()) {
            Node const at = waiting.front();
            waiting.pop_front();
            if (at != to.node && !fabric.tables.has_table(at)) continue;  // nothing passes through it
            for (LinkRecord const& link : net.links())
                if (link.to == at && distance[link.from.value] == far &&
                    (at != to.node || link.to_port == to.port || hosts_forward)) {
                    distance[link.from.value] = distance[at.value] + 1;
                    waiting.push_back(link.from);
                }
        }
        for (std::size_t n = 0; n < net.nodes().size(); ++n) {
            if (!fabric.tables.has_table(Node{n}) || distance[n] == far || distance[n] == 0) continue;
            std::vector<Port> ways;
            for (LinkRecord const& link : net.links())
                if (link.from == Node{n} && distance[link.to.value] + 1 == distance[n] &&
                    (link.to != to.node || link.to_port == to.port || hosts_forward))
                    ways.push_back(link.from_port);
            for (Lid lid = to.lid; lid < to.lid + (Lid{1} << to.lmc); ++lid)
                fabric.tables.set(Node{n}, lid, ways[lid % ways.size()]);
        }
    }
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        if (net[Node{n}].lid != 0 && fabric.tables.has_table(Node{n})) fabric.tables.set(Node{n}, net[Node{n}].lid, 0);
    return fabric;
}

namespace {

constexpr LinkRate qdr{4, Speed::qdr}, fdr{4, Speed::fdr}, edr{4, Speed::edr}, hdr2{2, Speed::hdr}, hdr{4, Speed::hdr},
    fdr10{4, Speed::fdr10};

Lid lid_of(Fabric const& fabric, std::size_t host) { return fabric.network[Host{host}].lid; }

/// Two switches with `each` hosts and `cables` cables between them; switches are nodes 0 and 1.
Sketch dumbbell(std::size_t each, std::size_t cables) {
    Sketch sketch;
    Node const a = sketch.add_switch(), b = sketch.add_switch();
    for (std::size_t c = 0; c < cables; ++c) sketch.cable(a, b);
    for (std::size_t h = 0; h < each; ++h) {
        sketch.host_at(a);
        sketch.host_at(b);
    }
    return sketch;
}

Fabric one_switch() {
    Sketch sketch;
    Node const s = sketch.add_switch(12);
    for (int h = 0; h < 12; ++h) sketch.host_at(s);
    return sketch.route();
}

Fabric one_host() {
    Sketch sketch;
    sketch.host_at(sketch.add_switch());
    return sketch.route();
}

Fabric back_to_back() {
    Sketch sketch;
    Node const a = sketch.add_host(), b = sketch.add_host();
    sketch.cable(a, b);
    return sketch.route();
}

/// `length` switches in a row, a host at each.
Fabric line(std::size_t length) {
    Sketch sketch;
    Node last;
    for (std::size_t s = 0; s < length; ++s) {
        Node const next = sketch.add_switch(3);
        if (s > 0) sketch.cable(last, next);
        sketch.host_at(next);
        last = next;
    }
    return sketch.route();
}

Fabric parallel_cables() { return dumbbell(5, 3).route(); }

Fabric host_without_cable() {
    Sketch sketch = dumbbell(3, 1);
    sketch.add_host();
    return sketch.route();
}

/// A switch in the middle of a line has no table: built again without its row.
Fabric switch_without_table() {
    Fabric const whole = line(4);
    Fabric fabric = whole;
    fabric.tables = ForwardingTables(whole.network);
    for (std::size_t n = 0; n < whole.network.nodes().size(); ++n) {
        if (!whole.tables.has_table(Node{n}) || n == 4) continue;
        fabric.tables.add_table(Node{n});
        for (Lid lid = 1; lid <= whole.network.max_lid(); ++lid)
            fabric.tables.set(Node{n}, lid, whole.tables.port(Node{n}, lid));
    }
    return fabric;
}

/// What single entries can do wrong, all in one fabric of 8 hosts: LIDs of hosts 0..5 are each broken at one switch.
Fabric broken_entries() {
    Fabric fabric = dumbbell(4, 2).route();
    Node const a{0}, b{1};
    fabric.tables.set(a, lid_of(fabric, 1), ForwardingTables::no_entry);  // 255
    fabric.tables.set(b, lid_of(fabric, 0), 0);                           // kept, but not its own
    fabric.tables.set(b, lid_of(fabric, 2), 99);                          // beyond the switch
    fabric.tables.set(a, lid_of(fabric, 3), 8);                           // a port without cable
    fabric.tables.set(b, lid_of(fabric, 5), 1);                           // back where it came from: a loop
    fabric.tables.set(a, lid_of(fabric, 4), fabric.tables.port(a, lid_of(fabric, 6)));  // to another host
    return fabric;
}

Fabric with_lmc() {
    Sketch sketch;
    Node const a = sketch.add_switch(), b = sketch.add_switch(), c = sketch.add_switch(), d = sketch.add_switch();
    for (Node const spine : {c, d}) {
        sketch.cable(a, spine);
        sketch.cable(b, spine);
    }
    for (int h = 0; h < 3; ++h) {
        sketch.host_at(a, {}, 2);
        sketch.host_at(b, {}, 2);
    }
    return sketch.route();
}

/// Adapters with two ports on two planes; from plane to plane there is a way, and one rail is fed by the other's LID.
Fabric multi_rail() {
    Sketch sketch;
    Node const a = sketch.add_switch(), b = sketch.add_switch();
    sketch.cable(a, b);
    for (int h = 0; h < 4; ++h) {
        Node const host = sketch.host_at(a);
        sketch.add_rail(host, 2);
        sketch.cable(host, 2, b, Port(h + 2));
    }
    Fabric fabric = sketch.route();
    fabric.tables.set(b, lid_of(fabric, 2), fabric.tables.port(b, lid_of(fabric, 3)));  // arrives at the other rail
    return fabric;
}

Fabric mixed_rates() {
    Sketch sketch;
    Node const a = sketch.add_switch(), b = sketch.add_switch(), c = sketch.add_switch(), d = sketch.add_switch();
    sketch.cable(a, c, fdr);
    sketch.cable(a, d, qdr);
    sketch.cable(b, c, edr);
    sketch.cable(b, d, fdr10);
    sketch.cable(a, b, hdr2);
    LinkRate const of_hosts[] = {qdr, fdr, edr, hdr2, hdr, fdr, qdr, {}};
    for (std::size_t h = 0; h < 24; ++h) sketch.host_at(h % 3 == 0 ? a : h % 3 == 1 ? b : c, of_hosts[h % 8]);
    return sketch.route();
}

/// Hosts are slower than what is between switches, so that a link's share of a flow is below 1.
Fabric fast_spine() {
    Sketch sketch;
    Node const a = sketch.add_switch(), b = sketch.add_switch();
    sketch.cable(a, b, hdr);
    for (int h = 0; h < 6; ++h) {
        sketch.host_at(a, edr);
        sketch.host_at(b, edr);
    }
    return sketch.route();
}

Fabric only_unknown_host_rates() {
    Sketch sketch;
    Node const a = sketch.add_switch(), b = sketch.add_switch();
    sketch.cable(a, b, hdr);
    for (int h = 0; h < 3; ++h) {
        sketch.host_at(a);
        sketch.host_at(b);
    }
    return sketch.route();
}

/// As ORCS draws: named, hosts have tables, may lie on a path and have two up links; two hosts are cabled to each
/// other.
Fabric forwarding_hosts() {
    Sketch sketch(true);
    Node const a = sketch.add_switch(), b = sketch.add_switch();
    for (int h = 0; h < 5; ++h) {
        Node const host = sketch.host_at(a);
        sketch.cable(host, b);  // the only ways between a and b
    }
    Node const x = sketch.host_at(b);
    Node const y = sketch.add_host();
    sketch.cable(x, y);
    return sketch.route(true);
}

/// More than 254 ports, tables two bytes an entry; hosts sit on the high ones.
Fabric wide_switch() {
    Sketch sketch;
    Node const s = sketch.add_switch(400);
    Node const t = sketch.add_switch(4);
    for (int h = 0; h < 10; ++h) sketch.cable(sketch.add_host(), 1, s, Port(250 + h));
    sketch.cable(s, 400, t, 1);
    sketch.host_at(t);
    sketch.host_at(t);
    return sketch.route();
}

/// A ring of switches with links in one direction only, hosts cabled as usual, and one host that can only send.
Fabric one_way_ring() {
    Sketch sketch;
    std::vector<Node> ring;
    for (int s = 0; s < 5; ++s) ring.push_back(sketch.add_switch());
    for (std::size_t s = 0; s < 5; ++s) sketch.one_way(ring[s], 1, ring[(s + 1) % 5], 0);
    for (Node const s : ring) sketch.host_at(s);
    sketch.one_way(sketch.add_host(), 1, ring[2], 7);
    return sketch.route();
}

Fabric host_without_lid() {
    Sketch sketch = dumbbell(3, 1);
    sketch.host(Host{1}).lid = 0;
    return sketch.route();
}

/// Two hosts claim one LID: it is the first one's.
Fabric one_lid_twice() {
    Sketch sketch = dumbbell(3, 1);
    sketch.host(Host{4}).lid = sketch.host(Host{1}).lid;
    return sketch.route();
}

/// Two islands: no way between their hosts.
Fabric two_islands() {
    Sketch sketch;
    for (int island = 0; island < 2; ++island) {
        Node const a = sketch.add_switch(), b = sketch.add_switch();
        sketch.cable(a, b);
        for (int h = 0; h < 4; ++h) sketch.host_at(h % 2 == 0 ? a : b);
    }
    return sketch.route();
}

/// A collective engine and a router among the hosts, both first in the file.
Fabric strange_endpoints() {
    Sketch sketch;
    Node const a = sketch.add_switch(), b = sketch.add_switch();
    sketch.cable(a, b);
    sketch.node(sketch.host_at(a)).kind = NodeKind::router;
    sketch.node(sketch.host_at(b)).name = "Mellanox Technologies Aggregation Node";
    for (int h = 0; h < 6; ++h) sketch.host_at(h % 2 == 0 ? b : a);
    return sketch.route();
}

/// Random cables, rates and tables, some of the entries overwritten by any port at all.
Fabric random_graph(std::uint32_t seed, std::size_t switches, std::size_t hosts, bool rated, bool broken) {
    std::mt19937 random(seed);
    auto below = [&](std::size_t n) { return std::size_t(random() % n); };
    LinkRate const rates[] = {qdr, fdr, edr, hdr2, hdr, {}};
    auto rate = [&] { return rated ? rates[below(6)] : LinkRate{}; };
    Sketch sketch;
    std::vector<Node> nodes;
    for (std::size_t s = 0; s < switches; ++s) {
        nodes.push_back(sketch.add_switch());
        std::size_t const other = s > 0 ? below(s) : 0;
        if (s > 0) sketch.cable(nodes[s], nodes[other], rate());
    }
    for (std::size_t more = 0; more < switches; ++more) {
        std::size_t const a = below(switches), b = (a + 1 + below(switches - 1)) % switches;
        sketch.cable(nodes[a], nodes[b], rate());
    }
    for (std::size_t h = 0; h < hosts; ++h) {
        Node const at = nodes[below(switches)];
        sketch.host_at(at, rate());
    }
    Fabric fabric = sketch.route();
    if (broken)
        for (std::size_t change = 0; change < switches * hosts / 8 + 1; ++change) {
            Node const at = nodes[below(switches)];
            Port const port = Port(below(fabric.network[at].ports + 3));
            Lid const lid = lid_of(fabric, below(hosts));
            fabric.tables.set(at, lid, below(9) == 0 ? ForwardingTables::no_entry : port);
        }
    return fabric;
}

/// Every entry drawn from all ports: mostly loops and wrong hosts.
Fabric chaos(std::uint32_t seed) {
    Fabric fabric = random_graph(seed, 6, 14, false, false);
    std::mt19937 random(seed + 1);
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
        if (fabric.tables.has_table(Node{n}))
            for (Lid lid = 1; lid <= fabric.network.max_lid(); ++lid)
                fabric.tables.set(Node{n}, lid, Port(random() % (fabric.network[Node{n}].ports + 1)));
    return fabric;
}

}  // namespace

std::deque<NastyNetwork> const& nasty_networks() {
    static std::deque<NastyNetwork> const all = [] {
        std::deque<NastyNetwork> list;
        auto add = [&](char const* name, Fabric fabric) { list.push_back({name, std::move(fabric)}); };
        add("one switch", one_switch());
        add("one host", one_host());
        add("back to back", back_to_back());
        add("line", line(6));
        add("long line", line(40));
        add("parallel cables", parallel_cables());
        add("host without cable", host_without_cable());
        add("switch without table", switch_without_table());
        add("broken entries", broken_entries());
        add("lmc", with_lmc());
        add("multi-rail", multi_rail());
        add("mixed rates", mixed_rates());
        add("fast spine", fast_spine());
        add("only unknown host rates", only_unknown_host_rates());
        add("forwarding hosts", forwarding_hosts());
        add("wide switch", wide_switch());
        add("one-way ring", one_way_ring());
        add("host without LID", host_without_lid());
        add("one LID twice", one_lid_twice());
        add("two islands", two_islands());
        add("strange endpoints", strange_endpoints());
        add("random graph", random_graph(1, 7, 40, false, false));
        add("random rated graph", random_graph(2, 5, 40, true, false));
        add("random broken graph", random_graph(3, 8, 24, false, true));
        add("random rated broken graph", random_graph(4, 6, 18, true, true));
        add("chaos", chaos(5));
        add("tree 7x6", make_xgft({{7, 6}, {1, 3}}));
        add("tree 4x4", make_xgft({{4, 4}, {1, 4}}));
        add("tree of three levels", make_xgft({{2, 4, 5}, {1, 2, 3}}));
        add("tree of four levels", make_xgft({{2, 2, 3, 3}, {1, 2, 2, 1}}));
        add("cut tree", make_xgft({{3, 3, 3}, {1, 3, 2}, 20}));
        return list;
    }();
    return all;
}

Fabric const& nasty_network(std::string const& name) {
    for (NastyNetwork const& network : nasty_networks())
        if (network.name == name) return network.fabric;
    throw std::out_of_range("no nasty network \"" + name + "\"");
}

}  // namespace tailback
