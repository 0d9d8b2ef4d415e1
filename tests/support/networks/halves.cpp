#include "tests/support/networks/halves.hpp"

#include "host/audit/loads/edge_forwarding_index.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace tailback {
namespace {

bool parts_hosts(Topology const& topology) {
    return topology.hosts_do == HostsDo::forward || topology.network.switches() == 1;
}

/// Most units that can go from one set of vertices to another when every cable carries one: by Menger's theorem the
/// fewest cables whose loss parts them (Dinic's algorithm).
class MaxFlow {
public:
    explicit MaxFlow(std::size_t vertices) : arcs_(vertices + 2) {}

    static constexpr int unbounded = 1 << 30;
    std::size_t source() const { return arcs_.size() - 2; }
    std::size_t sink() const { return arcs_.size() - 1; }
    void join(std::size_t from, std::size_t to, int forth, int back) {
        arcs_[from].push_back(static_cast<std::uint32_t>(to_.size()));
        to_.push_back(to), capacity_.push_back(forth);
        arcs_[to].push_back(static_cast<std::uint32_t>(to_.size()));
        to_.push_back(from), capacity_.push_back(back);
    }
    std::size_t most() {
        std::size_t flow = 0;
        while (number_levels()) {
            next_.assign(arcs_.size(), 0);
            while (int const more = push(source(), unbounded)) flow += std::size_t(more);
        }
        return flow;
    }

private:
    bool number_levels() {
        level_.assign(arcs_.size(), 0);
        level_[source()] = 1;
        std::vector<std::size_t> queue = {source()};
        for (std::size_t q = 0; q < queue.size(); ++q)
            for (std::uint32_t const arc : arcs_[queue[q]])
                if (capacity_[arc] > 0 && level_[to_[arc]] == 0) {
                    level_[to_[arc]] = level_[queue[q]] + 1;
                    queue.push_back(to_[arc]);
                }
        return level_[sink()] != 0;
    }
    int push(std::size_t node, int most) {
        if (node == sink()) return most;
        for (std::size_t& i = next_[node]; i < arcs_[node].size(); ++i) {
            std::uint32_t const arc = arcs_[node][i];
            if (capacity_[arc] == 0 || level_[to_[arc]] != level_[node] + 1) continue;
            if (int const sent = push(to_[arc], std::min(most, capacity_[arc]))) {
                capacity_[arc] -= sent;
                capacity_[arc ^ 1] += sent;
                return sent;
            }
        }
        return 0;
    }

    std::vector<std::vector<std::uint32_t>> arcs_;
    std::vector<std::size_t> to_, next_;
    std::vector<int> capacity_;
    std::vector<std::uint32_t> level_;
};

}  // namespace

Halves::Halves(Topology const& topology) {
    Network const& network = topology.network;
    bool const of_hosts = parts_hosts(topology);
    std::vector<std::size_t> hosts(network.nodes().size());
    for (std::size_t h = 0; h < network.hosts().size(); ++h)
        ++hosts[(of_hosts ? network[Host{h}].node : network[network.up_link(Host{h})].to).value];
    std::vector<std::uint32_t> vertex(network.nodes().size());
    for (std::size_t n = 0; n < hosts.size(); ++n)
        if (hosts[n] > 0) {
            vertex[n] = seats_++;
            if (hosts_of_seat_ == 0) hosts_of_seat_ = hosts[n];
            EXPECT_EQ(hosts[n], hosts_of_seat_);
        }
    vertices_ = seats_;
    for (std::size_t n = 0; n < hosts.size(); ++n)
        if (hosts[n] == 0 && network[Node{n}].kind == NodeKind::switch_node) vertex[n] = vertices_++;
    for (LinkRecord const& link : network.links()) {
        auto const counts = [&](Node node) { return of_hosts || network[node].kind == NodeKind::switch_node; };
        if (link.from.value > link.to.value || !counts(link.from) || !counts(link.to)) continue;
        cables_.push_back({vertex[link.from.value], vertex[link.to.value]});
        if (cables_.back().a > cables_.back().b) std::swap(cables_.back().a, cables_.back().b);
        flows_ |= cables_.back().a >= seats_;
    }
    if (flows_) return;
    groups_.resize(vertices_ - seats_);
    for (Cable const& cable : cables_) {
        if (cable.b < seats_) groups_.push_back({cable.a, cable.b});
        else groups_[cable.b - seats_].push_back(cable.a);
    }
    groups_of_.resize(seats_);
    for (std::uint32_t g = 0; g < groups_.size(); ++g)
        for (std::uint32_t const host_index : groups_[g]) groups_of_[host_index].push_back(g);
}

/// A half, and its cables as seats change sides.
class Halves::Parting {
public:
    explicit Parting(Halves const& halves) : halves_(halves), inside_(halves.seats_), count_(halves.groups_.size()) {}

    bool inside(std::uint32_t host_index) const { return inside_[host_index]; }
    int cables() const { return cables_; }
    void toggle(std::uint32_t host_index) {
        inside_[host_index] = !inside_[host_index];
        for (std::uint32_t const g : halves_.groups_of_[host_index]) {
            cables_ -= cost(g);
            count_[g] += inside_[host_index] ? 1 : -1;
            cables_ += cost(g);
        }
    }
    /// Exchanges seats of the two sides until none helps.
    void improve() {
        for (bool improved = true; improved;) {
            improved = false;
            for (std::uint32_t a = 0; a < inside_.size(); ++a)
                for (std::uint32_t b = 0; b < inside_.size(); ++b) {
                    if (!inside_[a]) break;
                    if (inside_[b]) continue;
                    int const before = cables_;
                    toggle(a), toggle(b);
                    if (cables_ < before) improved = true;
                    else toggle(a), toggle(b);
                }
        }
    }

private:
    int cost(std::uint32_t g) const { return std::min(count_[g], int(halves_.groups_[g].size()) - count_[g]); }

    Halves const& halves_;
    std::vector<bool> inside_;
    std::vector<int> count_;  // of each group, inside
    int cables_ = 0;
};

std::size_t Halves::cables_around(std::vector<bool> const& inside) const {
    if (!flows_) {
        Parting parting(*this);
        for (std::uint32_t host_index = 0; host_index < seats_; ++host_index)
            if (inside[host_index]) parting.toggle(host_index);
        return std::size_t(parting.cables());
    }
    MaxFlow flow(vertices_);
    for (Cable const& cable : cables_) flow.join(cable.a, cable.b, 1, 1);
    for (std::uint32_t host_index = 0; host_index < seats_; ++host_index) {
        if (inside[host_index]) flow.join(flow.source(), host_index, MaxFlow::unbounded, 0);
        else flow.join(host_index, flow.sink(), MaxFlow::unbounded, 0);
    }
    return flow.most();
}

std::size_t Halves::of_half(Half const& inside) const {
    std::vector<bool> half(seats_);
    for (std::uint32_t host_index = 0; host_index < seats_; ++host_index) half[host_index] = inside(host_index);
    EXPECT_EQ(std::size_t(std::count(half.begin(), half.end(), true)), seats_ / 2);
    return cables_around(half);
}

std::size_t Halves::of_first_half() const {
    return of_half([&](std::uint32_t host_index) { return host_index < seats_ / 2; });
}

std::size_t Halves::found(int shuffles) const {
    std::vector<std::uint32_t> order(seats_);
    std::iota(order.begin(), order.end(), 0u);
    if (flows_) return of_first_half();
    std::mt19937 random(1);
    int best = std::numeric_limits<int>::max();
    auto const from = [&] {
        Parting parting(*this);
        for (std::uint32_t i = 0; i < seats_ / 2; ++i) parting.toggle(order[i]);
        parting.improve();
        best = std::min(best, parting.cables());
    };
    from();
    double eigenvalue = 0;
    std::vector<double> const x = eigenvector(eigenvalue);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return x[a] < x[b]; });
    from();
    for (int i = 0; i < shuffles; ++i) {
        for (std::size_t n = order.size(); n > 1; --n) std::swap(order[n - 1], order[random() % n]);
        from();
    }
    return std::size_t(best);
}

/// Branch and bound: seat after seat to the one half or the other.
class Halves::Search {
public:
    Search(Halves const& halves, std::size_t best, std::uint64_t most)
        : halves_(halves),
          best_(int(best)),
          left_(most),
          side_(halves.seats_, 0),
          free_(halves.groups_.size()),
          count_(halves.groups_.size()),
          pays_(halves.seats_) {
        for (std::size_t g = 0; g < free_.size(); ++g) free_[g] = int(halves.groups_[g].size());
        room_[0] = int(halves.seats_ / 2), room_[1] = int(halves.seats_) - room_[0];
    }
    std::size_t least() {
        bool const even = room_[0] == room_[1];
        if (even) place(0, 1, 1);  // which half is which does not matter
        branch();
        return left_ == 0 ? 0 : std::size_t(best_);
    }

private:
    int cost(std::uint32_t g) const { return std::min(count_[g][0], count_[g][1]); }
    void place(std::uint32_t host_index, int side, int by) {
        side_[host_index] = by > 0 ? side + 1 : 0;
        room_[side] -= by;
        for (std::uint32_t const g : halves_.groups_of_[host_index]) {
            cables_ -= cost(g);
            count_[g][side] += by;
            free_[g] -= by;
            cables_ += cost(g);
        }
    }
    /// What seats not placed yet will add at least. Of a group with d more on one side and u not placed, x of these on
    /// the other side add min(x, d + u - x) >= x min(d, u) / u: so much each seat pays there. Then so many seats as
    /// there is room for must go to each side: first all to side 0, then those that lose least (or gain most) to
    /// side 1.
    double still_to_pay() {
        differences_.clear();
        double sum = 0;
        for (std::uint32_t host_index = 0; host_index < side_.size(); ++host_index) {
            if (side_[host_index] != 0) continue;
            double pays[2] = {0, 0};
            for (std::uint32_t const g : halves_.groups_of_[host_index]) {
                int const more = count_[g][0] - count_[g][1];
                if (more == 0) continue;
                double const part = double(std::min(std::abs(more), free_[g])) / double(free_[g]);
                pays[more > 0 ? 1 : 0] += part;
            }
            pays_[host_index] = {pays[0], pays[1]};
            sum += pays[0];
            differences_.push_back(pays[1] - pays[0]);
        }
        if (room_[1] > 0 && room_[0] > 0)
            std::nth_element(differences_.begin(), differences_.begin() + room_[1] - 1, differences_.end());
        for (int i = 0; i < room_[1]; ++i) sum += differences_[std::size_t(i)];
        return sum;
    }
    void branch() {
        if (left_ == 0 || --left_ == 0) return;
        if (cables_ + std::ceil(still_to_pay() - 1e-6) >= best_) return;
        std::uint32_t chosen = halves_.seats_;
        double much = -1;
        for (std::uint32_t host_index = 0; host_index < side_.size(); ++host_index)
            if (side_[host_index] == 0) {
                double const this_much = std::abs(pays_[host_index][0] - pays_[host_index][1]) +
                                         0.25 * (pays_[host_index][0] + pays_[host_index][1]);
                if (this_much > much + 1e-9) much = this_much, chosen = host_index;
            }
        if (chosen == halves_.seats_) {
            best_ = cables_;
            return;
        }
        int const first = pays_[chosen][0] <= pays_[chosen][1] ? 0 : 1;
        for (int const side : {first, 1 - first}) {
            if (room_[side] == 0) continue;
            place(chosen, side, 1);
            branch();
            place(chosen, side, -1);
        }
    }

    Halves const& halves_;
    int best_, cables_ = 0;
    std::uint64_t left_;
    int room_[2];
    std::vector<int> side_;  // 0 = not placed yet
    std::vector<int> free_;
    std::vector<std::array<int, 2>> count_;
    std::vector<std::array<double, 2>> pays_;
    std::vector<double> differences_;
};

std::size_t Halves::least(std::uint64_t most, bool from_found) const {
    return flows_ ? least_by_flows() : Search(*this, from_found ? found() : cables_.size() + 1, most).least();
}

std::size_t Halves::least_by_flows() const {
    if (seats_ > 18) return 0;  // 24,310 halves
    std::size_t best = std::numeric_limits<std::size_t>::max();
    std::vector<bool> inside(seats_);
    std::fill(inside.begin(), inside.begin() + seats_ / 2, true);
    do {
        if (inside[0] || seats_ % 2 == 1) best = std::min(best, cables_around(inside));
    } while (std::prev_permutation(inside.begin(), inside.end()));
    return best;
}

double Halves::mean() const {
    EXPECT_EQ(vertices_, seats_);
    return double(cables_.size()) * 2 * double(pairs_across()) / (double(seats_) * double(seats_ - 1));
}

std::vector<double> Halves::eigenvector(double& eigenvalue) const {
    double most = 0;
    for (std::vector<std::uint32_t> const& groups : groups_of_) most = std::max(most, double(groups.size()));
    std::mt19937 random(1);
    std::vector<double> x(seats_), y(seats_);
    for (double& value : x) value = double(random() % 1000);
    int const steps = 3000;
    for (int step = 0; step < steps; ++step) {
        double mean = 0, norm = 0;
        for (double const value : x) mean += value / double(seats_);
        for (double& value : x) value -= mean, norm += value * value;
        for (double& value : x) value /= std::sqrt(norm);
        for (std::size_t v = 0; v < seats_; ++v) y[v] = 2 * most * x[v];
        for (std::vector<std::uint32_t> const& group : groups_) {
            double const n = double(group.size());
            if (group.size() < 2) continue;
            double sum = 0;
            for (std::uint32_t const v : group) sum += x[v];
            for (std::uint32_t const v : group) y[v] -= (n * x[v] - sum) / (n - 1);
        }
        double quotient = 0;
        for (std::size_t v = 0; v < seats_; ++v) quotient += x[v] * y[v];
        eigenvalue = 2 * most - quotient;
        x.swap(y);
    }
    return x;
}

double Halves::second_eigenvalue() const {
    double eigenvalue = 0;
    eigenvector(eigenvalue);
    return eigenvalue;
}

std::size_t Halves::bound_by_eigenvalue(double eigenvalue) const {
    return std::size_t(std::ceil(eigenvalue * double(pairs_across()) / double(seats_) - 1e-6));
}

std::size_t Halves::bound_by_common_switches() const {
    std::size_t bound = 0;
    for (std::vector<std::uint32_t> const& group : groups_) {
        std::vector<std::size_t> cables(seats_);
        for (std::uint32_t const host_index : group) ++cables[host_index];
        if (std::equal(cables.begin() + 1, cables.end(), cables.begin())) bound += cables[0] * (seats_ / 2);
    }
    return bound;
}

std::size_t Halves::bound_by_even_routes() const {
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> arcs(
        vertices_);  // to, number of the direction of a cable
    for (std::uint32_t c = 0; c < cables_.size(); ++c) {
        arcs[cables_[c].a].emplace_back(cables_[c].b, 2 * c);
        arcs[cables_[c].b].emplace_back(cables_[c].a, 2 * c + 1);
    }
    std::vector<double> load(2 * cables_.size());
    for (std::uint32_t from = 0; from < seats_; ++from) {
        std::vector<std::uint32_t> distance(vertices_, ~0u), queue = {from};
        std::vector<double> routes(vertices_), through(vertices_);
        distance[from] = 0, routes[from] = 1;
        for (std::size_t q = 0; q < queue.size(); ++q)
            for (auto const& [to, arc] : arcs[queue[q]]) {
                if (distance[to] == ~0u) distance[to] = distance[queue[q]] + 1, queue.push_back(to);
                if (distance[to] == distance[queue[q]] + 1) routes[to] += routes[queue[q]];
            }
        for (std::size_t q = queue.size(); q-- > 0;) {
            std::uint32_t const at = queue[q];
            for (auto const& [to, arc] : arcs[at])
                if (distance[to] == distance[at] + 1) {
                    double const flow = routes[at] / routes[to] * (through[to] + (to < seats_ ? 1 : 0));
                    load[arc] += flow, through[at] += flow;
                }
        }
    }
    return std::size_t(std::ceil(double(pairs_across()) / *std::max_element(load.begin(), load.end()) - 1e-6));
}

std::size_t Halves::bound_by_routing(Topology const& topology, std::string const& routing) const {
    Network const& network = topology.network;
    bool const of_hosts = parts_hosts(topology);
    Fabric const fabric{topology.network, make_tables(topology, {routing, 1}), true};
    std::vector<std::uint64_t> const pairs = edge_forwarding_index(fabric);
    std::uint64_t busiest = 0;
    for (std::size_t l = 0; l < pairs.size(); ++l) {
        LinkRecord const& link = network.links()[Link{l}];
        if (of_hosts ||
            (network[link.from].kind == NodeKind::switch_node && network[link.to].kind == NodeKind::switch_node))
            busiest = std::max(busiest, pairs[l]);
    }
    std::uint64_t const across = pairs_across() * hosts_of_seat_ * hosts_of_seat_;
    return std::size_t((across + busiest - 1) / busiest);
}

}  // namespace tailback
