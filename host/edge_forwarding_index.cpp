// Counts pairs down the tree of each destination: every node passes on what entered it, once.
#include "host/edge_forwarding_index.hpp"

#include <algorithm>

namespace tailback {
namespace {

/// The next hops of all forwarding nodes towards one destination, and which of them lead there.
class DestinationTree {
public:
    explicit DestinationTree(Fabric const& fabric)
        : fabric_(fabric), state_(fabric.network.nodes().size()), next_(fabric.network.nodes().size()) {
        for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
            if (fabric.tables.has_table(Node{n})) forwarders_.push_back(Node{n});
    }

    void grow(Host destination) {
        destination_ = destination;
        lid_ = fabric_.network[destination].lid;
        order_.clear();
        for (Node const node : forwarders_) state_[node.value] = State::unknown;
        for (Node const node : forwarders_) resolve(node);
    }

    bool leads_there(Node node) const { return fabric_.tables.has_table(node) && state_[node.value] == State::good; }
    /// Does a packet on this link arrive at the destination's own port?
    bool delivers(Link link) const {
        Network const& net = fabric_.network;
        LinkRecord const& record = net[link];
        HostRecord const& host = net[destination_];
        return record.to == host.node && (net.named() || record.to_port == 0 || record.to_port == host.port);
    }
    /// The nodes that lead there, each after the one it forwards to.
    std::vector<Node> const& order() const { return order_; }
    Link next(Node node) const { return next_[node.value]; }

private:
    enum class State : std::uint8_t { unknown, on_path, good, bad };

    void resolve(Node node) {
        path_.clear();
        State end = State::bad;
        for (;;) {
            State& state = state_[node.value];
            if (state != State::unknown) {
                end = state == State::good ? State::good : State::bad;  // on_path: a loop
                break;
            }
            state = State::on_path;
            path_.push_back(node);
            Port const port = fabric_.tables.port(node, lid_);
            if (port == ForwardingTables::no_entry || port == 0) break;
            Link const link = fabric_.network.link_at(node, port);
            if (!link.exists()) break;
            next_[node.value] = link;
            if (delivers(link)) {
                end = State::good;
                break;
            }
            node = fabric_.network[link].to;
            if (!fabric_.tables.has_table(node)) break;
        }
        for (std::size_t i = path_.size(); i-- > 0;) {
            state_[path_[i].value] = end;
            if (end == State::good) order_.push_back(path_[i]);
        }
    }

    Fabric const& fabric_;
    Host destination_;
    Lid lid_ = 0;
    std::vector<Node> forwarders_;
    std::vector<State> state_;
    std::vector<Link> next_;
    std::vector<Node> order_;
    std::vector<Node> path_;
};

/// Where a host's packets meet their first table.
struct Entry {
    Node node;  ///< none: the cable leads to an adapter, or there is no cable
    Link up;    ///< the link to `node`; none where the host itself has the table
};

}  // namespace

std::vector<std::uint64_t> edge_forwarding_index(Fabric const& fabric) {
    Network const& net = fabric.network;
    std::vector<std::uint64_t> load(net.links().size());
    IndexedVector<Host, Entry> entry(net.hosts().size());
    std::vector<Host> plugged_into_adapter;
    std::vector<std::uint64_t> enter(net.nodes().size());  // hosts whose first table is there
    auto const is_compute = [&](Host h) { return net[h].role == HostRole::compute; };

    for (std::size_t i = 0; i < net.hosts().size(); ++i) {
        Host const host{i};
        if (!is_compute(host)) continue;
        Node const own = net[host].node;
        if (fabric.tables.has_table(own)) entry[host].node = own;
        else if (Link const up = net.up_link(host); up.exists()) {
            if (net[net[up].to].kind != NodeKind::switch_node) plugged_into_adapter.push_back(host);
            else entry[host] = {net[up].to, up};
        }
        if (entry[host].node.exists()) ++enter[entry[host].node.value];
    }

    DestinationTree tree(fabric);
    std::vector<std::uint64_t> weight(net.nodes().size());
    std::vector<std::uint64_t> reached_from(net.nodes().size());  // destinations
    for (std::size_t i = 0; i < net.hosts().size(); ++i) {
        Host const destination{i};
        if (!is_compute(destination) || net.owner(net[destination].lid).host != destination) continue;
        tree.grow(destination);
        for (Node const node : tree.order()) {
            weight[node.value] = enter[node.value];
            ++reached_from[node.value];
        }
        Entry const& own = entry[destination];
        if (own.node.exists() && tree.leads_there(own.node)) {  // no pair with itself
            --weight[own.node.value];
            if (own.up.exists()) --load[own.up.value];  // wraps below zero until its reached_from is added
        }
        for (Host const source : plugged_into_adapter) {
            if (source == destination) continue;
            Link const up = net.up_link(source);
            bool const there = tree.delivers(up);
            if (there || tree.leads_there(net[up].to)) ++load[up.value];
            if (!there && tree.leads_there(net[up].to)) ++weight[net[up].to.value];
        }
        for (std::size_t at = tree.order().size(); at-- > 0;) {
            Node const node = tree.order()[at];
            Link const next = tree.next(node);
            load[next.value] += weight[node.value];
            if (!tree.delivers(next)) weight[net[next].to.value] += weight[node.value];
        }
    }
    for (std::size_t i = 0; i < net.hosts().size(); ++i)
        if (Entry const& e = entry[Host{i}]; e.up.exists()) load[e.up.value] += reached_from[e.node.value];
    return load;
}

}  // namespace tailback
