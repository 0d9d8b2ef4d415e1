// Networks so regular that their routes are arithmetic: nothing is kept but their shape. For what does not fit in
// tables.
#pragma once

#include "host/model/network.hpp"
#include "host/model/network_origin.hpp"
#include "kernels/evaluate/problem.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback {

/// A link by the names and ports of its ends; an empty `from` = there is no such link.
struct LinkEnds {
    std::string from;
    Port from_port = 0;
    std::string to;
    Port to_port = 0;
};

/// The same network that the family builds with tables: the same hosts, switches, names, ports and routes. Hosts sit on
/// the switches 0 .. host_switches-1, `hosts_each` on ports 1.. of each, in order.
class RegularNetwork {
public:
    virtual ~RegularNetwork() = default;

    std::string text;     ///< spec, and with make_regular the routing: what the digest is of
    std::string routing;  ///< the one that is meant when none is asked for
    NetworkOrigin origin;
    std::uint64_t seed = 1;          ///< of the routing's random choices
    bool depends_on_source = false;  ///< its tables would be a row for every pair of hosts
    std::uint32_t hosts = 0, switches = 0, host_switches = 0, hosts_each = 1;
    std::uint64_t links = 0;    ///< directed; those of hosts included
    std::uint32_t inner = 0;    ///< slots of links between switches (some may not exist)
    std::uint32_t longest = 0;  ///< most links between switches of a route

    /// Sets the route form and its view, which may point into this object.
    virtual void describe(Problem& problem) const = 0;
    virtual std::string switch_name(std::uint32_t number) const = 0;
    /// The link of an inner slot.
    virtual LinkEnds ends(std::uint32_t slot) const = 0;
    /// Neighbours of a switch among the switches, in port order.
    virtual void neighbours(std::uint32_t number, std::vector<std::uint32_t>& found) const = 0;

    static std::string host_name(std::uint32_t host) { return "H" + std::to_string(host + 1); }
    LinkEnds up_link(std::uint32_t host) const;
    LinkEnds down_link(std::uint32_t host) const;
    /// All hosts in the order of breadth_first_hosts (host/study/plan/study_plan.hpp).
    std::vector<std::uint32_t> breadth_first_hosts() const;

protected:
    /// @throws InputError when there are 2^30 hosts, switches or slots, or more.
    void finish(std::uint64_t all_hosts, std::uint64_t all_switches, std::uint64_t all_slots,
                std::uint64_t inner_links);
};

class RoutingSpec;   // topologies/routing.hpp
class TopologySpec;  // topologies/topology.hpp

/// The arithmetic twin of a network with a routing (null = the usual one); null when the family or the routing has
/// none. @throws InputError as make_topology does.
std::unique_ptr<RegularNetwork> make_regular(TopologySpec const& spec, RoutingSpec const* routing);

/// A routing as formulas see it: one way from the source to the destination, or one to a middle and one from it.
struct RoutingParts {
    RoutingSpec const* base = nullptr;  ///< of each part; null = the usual one
    bool by_middle = false;             ///< Valiant's
    bool group_only = false;            ///< `via=group`
};
RoutingParts parts_of(RoutingSpec const* routing);

}  // namespace tailback
