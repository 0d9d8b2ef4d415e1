// The naive oracle: routes, loads and metrics.
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/rooms.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <set>

namespace tailback::oracle {

Fraction::Fraction(std::int64_t numerator, std::int64_t denominator) {
    std::int64_t const common = std::gcd(numerator, denominator);
    over = common == 0 ? 0 : numerator / common;
    under = common == 0 ? 1 : denominator / common;
}
Fraction operator+(Fraction const& a, Fraction const& b) {
    return {a.over * b.under + b.over * a.under, a.under * b.under};
}
Fraction operator*(Fraction const& a, Fraction const& b) { return {a.over * b.over, a.under * b.under}; }
std::strong_ordering operator<=>(Fraction const& a, Fraction const& b) { return a.over * b.under <=> b.over * a.under; }

namespace {

/// The endpoint a link leads to: the one of that port, or the node's only one.
std::optional<std::uint32_t> host_at_end(Network const& network, LinkRecord const& link) {
    auto const of_node = network.hosts_of(link.to);
    for (Host const h : of_node)
        if (network[h].port == link.to_port) return h.value;
    if (of_node.size() == 1) return of_node.front().value;
    return {};
}

std::optional<std::uint32_t> link_from(Network const& network, Node node, Port port) {
    for (std::uint32_t l = network.first_link(node).value, end = l + network.link_count(node); l < end; ++l)
        if (network[Link{l}].from_port == port) return l;
    return {};
}

bool may_be_used(HostRecord const& host, bool aggregation_nodes_are_hosts) {
    return host.role == HostRole::compute || (host.role == HostRole::aggregation && aggregation_nodes_are_hosts);
}

/// What one flow adds to the load/capacity of each link: base rate / link rate.
class Capacities {
public:
    Capacities(Network const& network, bool unit) : network_(network), unit_(unit) {
        std::map<std::uint32_t, std::uint32_t> votes;
        for (std::uint32_t h = 0; h < network.hosts().size(); ++h) {
            if (auto const up = link_from(network, network[Host{h}].node, network[Host{h}].port))
                if (network[Link{*up}].rate.stated()) ++votes[network[Link{*up}].rate.elevenths_of_gbps()];
        }
        std::uint32_t most = 0;
        for (auto const& [rate, count] : votes)  // ascending: of two with as many votes the slower stays
            if (count > most) {
                most = count;
                base_ = rate;
            }
    }
    Fraction of_one_flow(std::uint32_t link) const {
        LinkRate const rate = network_[Link{link}].rate;
        if (unit_ || base_ == 0 || !rate.stated()) return 1;
        return {base_, rate.elevenths_of_gbps()};
    }

private:
    Network const& network_;
    bool unit_;
    std::uint32_t base_ = 0;
};

}  // namespace

Walk walk(Network const& network, ForwardingTables const& tables, std::uint32_t source, std::uint32_t destination) {
    Walk route;
    Lid const lid = network[Host{destination}].lid;
    // A LID that two hosts claim is the first one's: what arrives under it has never been for the other.
    bool const owns = lid != 0 && network.owner(lid).host == Host{destination};
    Node at = network[Host{source}].node;
    std::set<Node> met;
    auto ends = [&](End end) {
        route.end = end;
        return route;
    };
    if (!tables.has_table(at)) {
        auto const up = link_from(network, at, network[Host{source}].port);
        if (!up) return ends(End::unreachable);
        route.links.push_back(*up);
        at = network[Link{*up}].to;
    }
    for (;;) {
        if (!route.links.empty() && network[at].kind != NodeKind::switch_node) {
            LinkRecord const& last = network[Link{route.links.back()}];
            bool const here = owns && network[Host{destination}].node == at;
            if (here && (last.to_port == 0 || host_at_end(network, last) == destination)) return ends(End::delivered);
            if (!tables.has_table(at)) return ends(End::misdelivered);
        }
        if (!met.insert(at).second) return ends(End::loop);
        Port const port = tables.port(at, lid);  // `no_entry` stands for a missing table, a missing entry and 255
        if (port == ForwardingTables::no_entry || port == 0) return ends(End::unreachable);
        auto const link = link_from(network, at, port);
        if (!link) return ends(End::unreachable);
        route.links.push_back(*link);
        at = network[Link{*link}].to;
    }
}

std::vector<std::uint32_t> breadth_first(Network const& network, bool aggregation_nodes_are_hosts) {
    std::vector<std::uint32_t> usable, order;
    for (std::uint32_t h = 0; h < network.hosts().size(); ++h)
        if (may_be_used(network[Host{h}], aggregation_nodes_are_hosts)) usable.push_back(h);
    if (usable.empty()) return order;
    std::set<Node> seen{network[Host{usable.front()}].node};
    std::deque<Node> waiting(seen.begin(), seen.end());
    while (!waiting.empty()) {
        Node const node = waiting.front();
        waiting.pop_front();
        std::map<Port, std::uint32_t> here;
        for (std::uint32_t const h : usable)
            if (network[Host{h}].node == node) here[network[Host{h}].port] = h;
        for (auto const& [port, h] : here) order.push_back(h);
        std::map<Port, Node> beyond;
        for (LinkRecord const& link : network.links())
            if (link.from == node) beyond[link.from_port] = link.to;
        for (auto const& [port, next] : beyond)
            if (seen.insert(next).second) waiting.push_back(next);
    }
    for (std::uint32_t const h : usable)
        if (std::find(order.begin(), order.end(), h) == order.end()) order.push_back(h);
    return order;
}

namespace {

struct MeasuredFlow {
    std::uint32_t from, to;  // ranks
    Walk route;
    std::int64_t weight;
};

/// The levels of the question's pattern in mapping m.
std::vector<Flows> levels_in_mapping(Question const& q, std::uint64_t m) {
    std::vector<Flows> levels;
    auto single = [&](std::string const& name, std::uint32_t n, std::uint32_t stream) {
        return levels_of(name, n, name == "rand" ? permutation(q.seed, stream, m, n, n) : std::vector<std::uint32_t>{});
    };
    if (q.pattern == "ptrnvsptrn") {
        std::uint32_t const z = q.first_ranks;
        levels = single(q.first, z, 3);
        std::vector<Flows> const others = single(q.second, q.ranks - z, 4);
        for (std::size_t l = 0; l < levels.size() && !others.empty(); ++l)
            for (auto const& [s, d] : others[l % others.size()]) levels[l].emplace_back(s + z, d + z);
    } else if (q.pattern == "file") {
        levels = q.listed;
    } else {
        levels = single(q.pattern, q.ranks, 3);
    }
    if (q.level) levels = {levels.at(*q.level)};
    return levels;
}

}  // namespace

/// A route depends on source and destination alone.
Walk const& Oracle::route(std::uint32_t source, std::uint32_t destination) {
    auto const at = walked_.find({source, destination});
    if (at != walked_.end()) return at->second;
    return walked_[{source, destination}] = walk(network_, tables_, source, destination);
}

std::vector<std::uint32_t> const& Oracle::linear(bool aggregation_nodes_are_hosts) {
    auto const at = linear_.find(aggregation_nodes_are_hosts);
    if (at != linear_.end()) return at->second;
    return linear_[aggregation_nodes_are_hosts] = breadth_first(network_, aggregation_nodes_are_hosts);
}

std::vector<std::uint32_t> Oracle::hosts_by_rank(Question const& q, std::uint64_t m) {
    std::vector<std::uint32_t> hosts(q.ranks);
    if (q.mapping == Mapping::listed) {
        for (std::uint32_t r = 0; r < q.ranks; ++r) hosts[r] = q.mapping_hosts.at(m * q.ranks + r);
        return hosts;
    }
    std::vector<std::uint32_t> subset;
    if (q.subset == Subset::listed) subset = q.subset_hosts;
    if (q.subset == Subset::linear_bfs) subset = linear(q.aggregation_nodes_are_hosts);
    if (q.subset == Subset::random) {
        std::vector<std::uint32_t> all;  // in the order of the file
        for (std::uint32_t h = 0; h < network_.hosts().size(); ++h)
            if (may_be_used(network_[Host{h}], q.aggregation_nodes_are_hosts)) all.push_back(h);
        auto const size = static_cast<std::uint32_t>(all.size());
        for (std::uint32_t const k : permutation(q.seed, 2, m, size, q.ranks)) subset.push_back(all[k]);
    }
    subset.resize(q.ranks);
    std::vector<std::uint32_t> p(q.ranks);
    std::iota(p.begin(), p.end(), 0u);
    if (q.mapping == Mapping::random) p = permutation(q.seed, 1, m, q.ranks, q.ranks);
    for (std::uint32_t r = 0; r < q.ranks; ++r) hosts[r] = subset[p[r]];
    return hosts;
}

namespace {

/// The host that a flow between ranks on these hosts leaves its node by.
std::uint32_t leaves_by(Question const& q, std::uint32_t source, std::uint32_t destination) {
    if (q.rail_of_host.empty()) return source;
    for (std::uint32_t h = 0; h < q.rail_of_host.size(); ++h)
        if (q.node_of_host.at(h) == q.node_of_host.at(source) && q.rail_of_host[h] == q.rail_of_host.at(destination))
            return h;
    return source;
}

}  // namespace

Answer Oracle::answer(Question const& q) {
    Answer all;
    double all_bandwidths = 0;
    std::uint64_t all_delivered = 0, all_failed = 0;
    Capacities const capacities(network_, q.unit_capacities);
    for (std::uint64_t m = 0; m < q.mappings; ++m) {
        MappingAnswer one;
        one.hosts = hosts_by_rank(q, m);
        std::vector<Fraction> delay(q.ranks);
        std::uint32_t const measured = q.pattern == "ptrnvsptrn" ? q.first_ranks : q.ranks;
        double bandwidths = 0;
        std::vector<Flows> const levels = levels_in_mapping(q, m);
        for (std::size_t l = 0; l < levels.size(); ++l) {
            std::map<std::uint32_t, std::uint64_t> load;
            std::vector<MeasuredFlow> delivered;
            Flows staying;
            for (std::size_t f = 0; f < levels[l].size(); ++f) {
                auto const& [from, to] = levels[l][f];
                std::int64_t const weight = q.weights.empty() ? 1 : q.weights.at(l).at(f);
                if (from == to) {
                    ++one.local;
                    continue;
                }
                if (!q.node_of_host.empty() && q.node_of_host.at(one.hosts[from]) == q.node_of_host.at(one.hosts[to])) {
                    one.within_nodes += std::uint64_t(weight);
                    staying.emplace_back(from, to);
                    continue;
                }
                Walk const& way = route(leaves_by(q, one.hosts[from], one.hosts[to]), one.hosts[to]);
                switch (way.end) {
                    case End::delivered: ++one.delivered; break;
                    case End::unreachable: ++one.unreachable; continue;
                    case End::loop: ++one.loop; continue;
                    case End::misdelivered: ++one.misdelivered; continue;
                }
                for (std::uint32_t const link : way.links) load[link] += std::uint64_t(weight);
                delivered.push_back({from, to, way, weight});
            }
            for (auto const& [link, weights_on_it] : load) all.get_cable_cong[link] += weights_on_it;
            Fraction largest;
            std::vector<Fraction> const before = delay;
            for (auto const& [from, to] : staying)
                if (from < measured && to < measured) delay[to] = std::max(delay[to], before[from]);
            for (MeasuredFlow const& flow : delivered) {
                Fraction congestion;
                for (std::uint32_t const link : flow.route.links)
                    congestion =
                        std::max(congestion, Fraction(std::int64_t(load.at(link))) * capacities.of_one_flow(link));
                largest = std::max(largest, congestion);
                ++all.hist_max_cong[congestion];
                bandwidths += double(flow.weight) / congestion.value();
                if (flow.from < measured && flow.to < measured)
                    delay[flow.to] = std::max(delay[flow.to], before[flow.from] + congestion);
            }
            one.sum_max_cong = one.sum_max_cong + largest;
        }
        std::uint64_t const failed = one.unreachable + one.loop + one.misdelivered;
        if (one.delivered > 0) one.hist_acc_band = bandwidths / double(one.delivered);
        if (one.delivered + failed > 0) one.hist_acc_band_of_all = bandwidths / double(one.delivered + failed);
        all_bandwidths += bandwidths;
        all_delivered += one.delivered;
        all_failed += failed;
        one.dep_max_delay = *std::max_element(delay.begin(), delay.end());
        all.mappings.push_back(std::move(one));
    }
    if (all_delivered > 0) all.bw = all_bandwidths / double(all_delivered);
    if (all_delivered + all_failed > 0) all.bw_of_all = all_bandwidths / double(all_delivered + all_failed);
    return all;
}

}  // namespace tailback::oracle
