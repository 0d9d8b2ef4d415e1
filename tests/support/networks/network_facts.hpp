// What is true of a network and of routes on it, found by the plainest means: sizes, degrees, distances, cycles of
// channels.
#pragma once

#include "host/model/tables.hpp"
#include "tests/support/rooms.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tailback {

struct NetworkFacts {
    std::size_t hosts = 0, switches = 0;
    std::size_t host_cables = 0;    ///< with a host at one end at least
    std::size_t switch_cables = 0;  ///< between switches; a one-way link counts as half a cable, so links = 2 x cables
    std::size_t one_way_links = 0;
    std::map<std::size_t, std::size_t> degree;  ///< switches by number of cabled ports to switches
};

NetworkFacts facts_of(Network const& network);

/// Every port of every link is used once, is within its node's ports, and a cable's ends name each other. Reports
/// failures.
void expect_sound_ports(Network const& network);

/// Hops between all ordered pairs of different switches (by links between switches): pairs by number of hops; 0 = no
/// way.
std::map<std::size_t, std::size_t> switch_distances(Network const& network);
/// Hops from each host to each, [source][destination], by breadth-first search. Packets pass hosts only if
/// `through_hosts`.
std::vector<std::vector<std::uint32_t>> host_distances(Network const& network, bool through_hosts);

/// How all ordered pairs of different hosts fare.
struct RoutedPairs {
    std::size_t delivered = 0, failed = 0;
    std::size_t longer = 0;  ///< delivered by more links than the distance
    std::map<std::size_t, std::size_t> by_links;
    bool cyclic = false;  ///< a cycle of links that wait for each other, on one lane
    std::string first_failure;
};

/// Walks every pair. Routes between hosts alone count for the cycles (Dally and Seitz 1987: link a depends on link b
/// when some route takes b right after a).
RoutedPairs walk_all_pairs(Fabric const& fabric, bool through_hosts);

}  // namespace tailback
