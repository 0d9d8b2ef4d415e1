// What ports have counted beside what the routes say they should have.
#pragma once

#include "host/audit/loads/groups.hpp"
#include "host/formats/ibdiagnet2/counters.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tailback::audit {

/// One port: what it sent, and its share of what all sent by the expected loads. In words of 4 bytes.
struct MeasuredPort {
    model::Link link;  ///< that it sends on
    std::uint64_t sent = 0;
    double expected = 0;
    std::optional<std::uint64_t> waited;
    bool waited_longer = false;  ///< at least so long: the counter has stopped at its end
};

struct Measured {
    std::vector<MeasuredPort> ports;  ///< with a counter, in the order of links
    std::uint64_t links = 0;          ///< of the network
    /// With a counter, of cables of aggregation nodes and routers: what they send is no pair's of hosts, so nothing is
    /// expected of them, and they are not compared.
    std::uint64_t apart = 0;
    double words_a_unit = 0;  ///< words for a unit of expected load: sum of sent / sum of expected loads
    /// Rank correlation of sent and expected (Spearman; equal values share their mean rank); none where one of them has
    /// one value alone.
    std::optional<double> rank_correlation;
    /// Ports by |sent - expected|, largest first; places in `ports`.
    std::vector<std::size_t> by_difference;
    std::size_t differing = 0;  ///< of them by half a word and more: all others are as expected
    /// Ports with a wait above 0, longest first.
    std::vector<std::size_t> by_wait;
};

/// @param load expected, by link, in any unit: pairs, bytes
Measured compare_counters(model::Network const& network, formats::Counters const& counters,
                          std::vector<std::uint64_t> const& load);

/// The ports of a group's nodes, added up.
struct MeasuredGroup {
    std::string name;
    std::uint64_t ports = 0;  ///< with a counter
    std::uint64_t sent = 0;
    double expected = 0;
    std::uint64_t waiting = 0, waited = 0;  ///< ports with a wait above 0; ticks of all ports
};
/// In the order of the groups; a port belongs to the node that sends on it.
std::vector<MeasuredGroup> sum_measured(model::Network const& network, Measured const& measured,
                                        NodeGroups const& groups);

}  // namespace tailback::audit
