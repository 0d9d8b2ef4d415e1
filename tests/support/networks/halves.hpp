// The bisection of a network: the fewest cables between two halves of its hosts, over all such halves. The hosts of a
// switch stay together and their cables do not count; but where hosts forward packets of others (server-centric
// networks), or there is one switch alone, hosts are parted one by one and every cable counts. A switch without hosts
// stands on the side that costs fewer cables. Of an odd number one half has one more.
#pragma once

#include "tests/support/rooms.hpp"
#include "topologies/topology.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace tailback {

/// Halves of the hosts of a network, the cables that part them, and bounds of the fewest.
class Halves {
public:
    /// The network's hosts stand in equal numbers on all switches that have any.
    explicit Halves(Topology const& topology);

    /// What is parted: hosts or switches with hosts, in node order.
    std::size_t study_hosts() const { return seats_; }
    std::size_t cables() const { return cables_.size(); }

    /// True of the seats of one half.
    using Half = std::function<bool(std::uint32_t host_index)>;
    /// Cables of one half, so many seats as half of them are.
    std::size_t of_half(Half const& inside) const;
    std::size_t of_first_half() const;

    /// The bisection, by branch and bound: over all halves but those whose cables cannot be fewer than the best found
    /// before. Where switches without hosts are joined to each other all halves are tried, each as a maximum flow.
    /// 0 = given up after `most` steps. @param from_found: the best that `found` finds is where it starts.
    std::size_t least(std::uint64_t most = 20'000'000, bool from_found = true) const;

    /// No less than the bisection: the least found by exchanging two seats as long as that helps, from the first half,
    /// from shuffled ones and from that of the second eigenvector.
    std::size_t found(int shuffles = 5) const;

    /// The mean over all halves of a network where all switches have hosts: the bisection is no more.
    double mean() const;

    /// Second smallest eigenvalue of the Laplacian, by power iteration: of switches, or of hosts where those with a
    /// common switch of n are joined by cables of weight 1/(n-1) each.
    double second_eigenvalue() const;
    /// Fiedler: a set S of N vertices is parted from the rest by at least eigenvalue * |S| (N - |S|) / N cables. So it
    /// is by a switch of n hosts, too: i of them inside cost min(i, n-i) >= i (n-i) / (n-1) cables.
    std::size_t bound_by_eigenvalue(double eigenvalue) const;

    /// No more than the bisection: a switch with as many cables to every seat loses the same to every half.
    std::size_t bound_by_common_switches() const;

    /// No more than the bisection: all ordered pairs from one half to the other cross its cables, each of which carries
    /// at most as many of them as the busiest one does. Here each pair's flow is spread evenly over all its shortest
    /// routes.
    std::size_t bound_by_even_routes() const;
    /// The same by the tables of a routing on the topology that was given.
    std::size_t bound_by_routing(Topology const& topology, std::string const& routing) const;

private:
    class Parting;
    class Search;
    struct Cable {
        std::uint32_t a, b;
    };
    std::size_t pairs_across() const { return seats_ / 2 * (seats_ - seats_ / 2); }
    std::vector<double> eigenvector(double& eigenvalue) const;
    std::size_t cables_around(std::vector<bool> const& inside) const;
    std::size_t least_by_flows() const;

    std::size_t hosts_of_seat_ = 0;
    std::uint32_t seats_ = 0, vertices_ = 0;  // vertices: seats, then switches without hosts
    std::vector<Cable> cables_;
    bool flows_ = false;  // switches without hosts are joined
    // Otherwise: the seats of a cable, or of a switch, as often as it is joined to them. Parted i to j it costs min(i,
    // j).
    std::vector<std::vector<std::uint32_t>> groups_, groups_of_;
};

}  // namespace tailback
