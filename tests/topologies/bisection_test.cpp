// The bisection of a network: the fewest cables between two halves of its hosts. Of small networks the least over all
// halves is found by trying them; of larger ones the cut between the first and the second half of the hosts, as a
// maximum flow.
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace tailback {
namespace {

/// Most units that can go from one set of hosts to all others when every link between switches carries one: by Menger's
/// theorem the fewest cables whose loss parts them. Host cables do not count.
class Cut {
public:
    explicit Cut(Network const& network) : arcs_(network.nodes().size() + 2) {
        for (LinkRecord const& link : network.links())
            if (network[link.from].kind == NodeKind::switch_node && network[link.to].kind == NodeKind::switch_node)
                join(link.from.value, link.to.value, 1);
        for (std::size_t h = 0; h < network.hosts().size(); ++h) {
            Node const node = network[Host{h}].node, leaf = network[network.up_link(Host{h})].to;
            join(source(), node.value, 0);
            join(node.value, leaf.value, huge);
            join(leaf.value, node.value, huge);
            join(node.value, sink(), 0);
            node_of_host_.push_back(node.value);
        }
        fresh_ = capacity_;
    }

    /// @param inside true for the hosts of one half.
    std::size_t between(std::vector<bool> const& inside) {
        capacity_ = fresh_;
        for (std::uint32_t const arc : arcs_[source()]) capacity_[arc] = inside[host_at(to_[arc])] ? huge : 0;
        for (std::uint32_t const arc : arcs_[sink()]) capacity_[arc ^ 1] = inside[host_at(to_[arc])] ? 0 : huge;
        std::size_t flow = 0;
        while (number_levels()) {
            next_.assign(arcs_.size(), 0);
            while (std::uint32_t const more = push(source(), huge)) flow += more;
        }
        return flow;
    }

private:
    static constexpr std::uint32_t huge = 1u << 30;
    std::size_t source() const { return arcs_.size() - 2; }
    std::size_t sink() const { return arcs_.size() - 1; }
    std::size_t host_at(std::size_t node) const {
        return std::size_t(std::find(node_of_host_.begin(), node_of_host_.end(), node) - node_of_host_.begin());
    }
    void join(std::size_t from, std::size_t to, std::uint32_t capacity) {
        arcs_[from].push_back(static_cast<std::uint32_t>(to_.size()));
        to_.push_back(to), capacity_.push_back(capacity);
        arcs_[to].push_back(static_cast<std::uint32_t>(to_.size()));
        to_.push_back(from), capacity_.push_back(0);
    }
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
    std::uint32_t push(std::size_t node, std::uint32_t most) {
        if (node == sink()) return most;
        for (std::size_t& i = next_[node]; i < arcs_[node].size(); ++i) {
            std::uint32_t const arc = arcs_[node][i];
            if (capacity_[arc] == 0 || level_[to_[arc]] != level_[node] + 1) continue;
            if (std::uint32_t const sent = push(to_[arc], std::min(most, capacity_[arc]))) {
                capacity_[arc] -= sent;
                capacity_[arc ^ 1] += sent;
                return sent;
            }
        }
        return 0;
    }

    std::vector<std::vector<std::uint32_t>> arcs_;
    std::vector<std::size_t> to_, node_of_host_, next_;
    std::vector<std::uint32_t> capacity_, fresh_, level_;
};

std::size_t cut_of_first_half(std::string const& spec) {
    Network const network = make_topology(spec).network;
    std::vector<bool> inside(network.hosts().size());
    std::fill(inside.begin(), inside.begin() + std::ptrdiff_t(inside.size() / 2), true);
    return Cut(network).between(inside);
}

/// The least over all halves.
std::size_t bisection(std::string const& spec) {
    Network const network = make_topology(spec).network;
    std::size_t const hosts = network.hosts().size();
    Cut cut(network);
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (std::uint32_t set = 1; set < 1u << hosts; set += 2) {  // host 0 is inside
        if (std::size_t(std::popcount(set)) != hosts / 2) continue;
        std::vector<bool> inside(hosts);
        for (std::size_t h = 0; h < hosts; ++h) inside[h] = set >> h & 1;
        least = std::min(least, cut.between(inside));
    }
    return least;
}

std::size_t power(std::size_t base, std::size_t exponent) {
    std::size_t result = 1;
    for (; exponent > 0; --exponent) result *= base;
    return result;
}

TEST(Bisection, OfSmallNetworksOverAllHalves) {
    EXPECT_EQ(bisection("ring:8"), 2u);
    EXPECT_EQ(bisection("ring:12"), 2u);
    EXPECT_EQ(bisection("mesh:6x2"), 2u);  // N/k, k the longest side, even
    EXPECT_EQ(bisection("mesh:4x3"), 3u);
    EXPECT_EQ(bisection("torus:6x2"), 4u);  // 2N/k
    EXPECT_EQ(bisection("torus:4x3"), 6u);
    EXPECT_EQ(bisection("hypercube:n=3"), 4u);        // 2^(n-1)
    EXPECT_EQ(bisection("fully-connected:n=6"), 9u);  // n^2/4
    EXPECT_EQ(bisection("fully-connected:n=8,cables=2"), 32u);
    EXPECT_EQ(bisection("hyperx:4x3"), 12u);          // N/k * k^2/4
    EXPECT_EQ(bisection("kary-ntree:k=2,n=3"), 4u);   // k^n/2
    EXPECT_EQ(bisection("mport-ntree:m=4,n=2"), 4u);  // half the hosts
    EXPECT_EQ(bisection("thintree:k=2,up=1,n=3"), 1u);
    EXPECT_EQ(bisection("dragonfly:a=2,p=2,h=1,groups=2"), 2u);
    EXPECT_EQ(bisection("star:n=4,hosts=2"), 2u);  // n/2
    EXPECT_EQ(bisection("star:n=6,hosts=2"), 3u);
    EXPECT_EQ(bisection("rail:gpus=2,nodes=2,groups=2"), 4u);  // leaves/2 * spines
    EXPECT_EQ(bisection("rail:gpus=2,nodes=3,groups=2,spines=1"), 2u);
}

TEST(Bisection, OfStars) {  // half of the spokes: a part without the hub loses a cable for each of its switches
    for (std::size_t n = 2; n <= 26; n += 2)
        for (std::size_t const hosts : {1, 3})
            EXPECT_EQ(cut_of_first_half("star:n=" + std::to_string(n) + ",hosts=" + std::to_string(hosts)), n / 2) << n;
}

TEST(Bisection, OfRails) {  // every spine is joined to all leaves: on either side it loses leaves/2 cables
    for (auto const& [gpus, nodes, groups] : std::vector<std::array<std::size_t, 3>>{
             {8, 16, 4}, {8, 4, 2}, {4, 8, 2}, {2, 2, 2}, {4, 4, 4}, {8, 8, 8}, {1, 6, 4}, {2, 12, 2}, {3, 5, 6}, {6, 3, 2}, {8, 2, 10}, {1, 1, 8}}) {
        std::string const spec = "rail:gpus=" + std::to_string(gpus) + ",nodes=" + std::to_string(nodes) + ",groups=" + std::to_string(groups);
        EXPECT_EQ(cut_of_first_half(spec), gpus * groups / 2 * nodes) << spec;  // half of the hosts
        EXPECT_EQ(cut_of_first_half(spec + ",spines=3"), gpus * groups / 2 * 3) << spec;
    }
}

TEST(Bisection, OfTori) {  // k even and the longest side, the last to vary: 2N/k cables, a mesh has half
    for (auto const& [sides, k] : std::vector<std::pair<std::string, std::size_t>>{{"4", 4},
                                                                                   {"4x4", 4},
                                                                                   {"8x8", 8},
                                                                                   {"4x8", 8},
                                                                                   {"8x16", 16},
                                                                                   {"3x6", 6},
                                                                                   {"4x4x4", 4},
                                                                                   {"8x8x8", 8},
                                                                                   {"2x4x8", 8},
                                                                                   {"10x10x10", 10},
                                                                                   {"5x5x6", 6},
                                                                                   {"4x4x4x4", 4}}) {
        SCOPED_TRACE(sides);
        std::size_t const switches = make_topology("torus:" + sides).network.switches();
        EXPECT_EQ(cut_of_first_half("torus:" + sides), 2 * switches / k);
        EXPECT_EQ(cut_of_first_half("torus:" + sides + ",hosts=3"), 2 * switches / k);
        EXPECT_EQ(cut_of_first_half("mesh:" + sides), switches / k);
        EXPECT_EQ(cut_of_first_half("hyperx:" + sides), switches / k * (k * k / 4));
    }
    for (std::size_t n = 2; n <= 10; ++n)
        EXPECT_EQ(cut_of_first_half("hypercube:n=" + std::to_string(n)), power(2, n - 1));
    // A triangular torus has a diagonal beside every cable of a dimension.
    for (std::size_t const k : {4, 6, 8, 12, 16})
        EXPECT_EQ(cut_of_first_half("triangular-torus:" + std::to_string(k) + "x" + std::to_string(k)), 4 * k);
}

TEST(Bisection, OfFatTrees) {  // half of the hosts: nothing is lost
    for (auto const& [k, n] : std::vector<std::pair<std::size_t, std::size_t>>{
             {2, 2}, {2, 5}, {4, 2}, {4, 3}, {4, 4}, {6, 2}, {6, 3}, {8, 2}, {8, 3}, {10, 2}, {12, 2}, {16, 2}})
        EXPECT_EQ(cut_of_first_half("kary-ntree:k=" + std::to_string(k) + ",n=" + std::to_string(n)), power(k, n) / 2)
            << k << " " << n;
    for (auto const& [m, n] : std::vector<std::pair<std::size_t, std::size_t>>{
             {4, 2}, {4, 3}, {4, 4}, {6, 2}, {6, 3}, {8, 2}, {8, 3}, {12, 2}, {16, 2}, {24, 2}})
        EXPECT_EQ(cut_of_first_half("mport-ntree:m=" + std::to_string(m) + ",n=" + std::to_string(n)),
                  m * power(m / 2, n - 1) / 2)
            << m << " " << n;
    // Leaves with d ports down and u up keep u/d of it.
    EXPECT_EQ(cut_of_first_half("clos:radix=12,levels=2,taper=2"), 24u);
    EXPECT_EQ(cut_of_first_half("clos:radix=12,levels=2,taper=3"), 18u);
    EXPECT_EQ(cut_of_first_half("xgft:m=18x36,w=1x18"), 324u);
    EXPECT_EQ(cut_of_first_half("xgft:m=8x8,w=1x4,p=1x2"), 32u);
}

TEST(Bisection, OfThinTrees) {  // k'^(n-1) k/2: table 1 of the INSEE dissertation
    for (std::size_t n = 2; n <= 4; ++n)
        for (std::size_t up = 1; up <= 8; ++up) {
            if (n == 4 && up % 3 != 0) continue;
            EXPECT_EQ(cut_of_first_half("thintree:k=8,up=" + std::to_string(up) + ",n=" + std::to_string(n)),
                      power(up, n - 1) * 4)
                << up << " " << n;
        }
    EXPECT_EQ(cut_of_first_half("thintree:k=10,up=2,n=3"), 20u);
    EXPECT_EQ(cut_of_first_half("thintree:k=6,up=6,n=3"), 108u);
}

TEST(Bisection, OfDragonflies) {  // even numbers of groups: (groups/2)^2 pairs, floor(ah/(groups-1)) cables each where
                                  // that divides evenly
    EXPECT_EQ(cut_of_first_half("dragonfly:a=3,p=1,h=1"), 4u);            // 4 groups
    EXPECT_EQ(cut_of_first_half("dragonfly:a=5,p=2,h=1"), 9u);            // 6
    EXPECT_EQ(cut_of_first_half("dragonfly:a=5,p=3,h=3"), 64u);           // 16
    EXPECT_EQ(cut_of_first_half("dragonfly:a=7,p=4,h=3"), 121u);          // 22
    EXPECT_EQ(cut_of_first_half("dragonfly:a=6,p=2,h=2,groups=4"), 16u);  // 12 global cables a group, 4 to each other
    EXPECT_EQ(cut_of_first_half("dragonfly:a=10,p=2,h=1,groups=6"), 18u);
    for (char const* const arrangement : {"relative", "palmtree", "circulant", "helix", "nautilus"})
        EXPECT_EQ(cut_of_first_half(std::string("dragonfly:a=5,p=3,h=3,arrangement=") + arrangement), 64u)
            << arrangement;
    EXPECT_EQ(cut_of_first_half("dragonfly+:leaves=3,p=2,h=1,spines=3"), 4u);
    EXPECT_EQ(cut_of_first_half("dragonfly+:leaves=5,p=2,h=3,spines=5"), 64u);
}

}  // namespace
}  // namespace tailback
