// What every router does with packets for each host: its longest prefix, and the ports of that route's next hops.
#pragma once

#include "host/formats/frr/router_fabric.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/model/tables.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tailback::formats {

struct RouterForwarding {
    model::ForwardingTables tables;  ///< one port of each set
    std::shared_ptr<model::CandidateSets> sets;
    std::set<std::uint32_t> routed;  ///< hosts that some router has a route for
    struct Drops {
        std::set<std::pair<std::uint32_t, std::uint32_t>> prefixes;  ///< address, length
        std::vector<model::Lid> lids;
    };
    std::map<std::uint32_t, Drops> drops;  ///< by node: routes without a next hop
    struct Connected {
        std::uint32_t node, address, length;
        std::string interface;
        auto operator<=>(Connected const&) const = default;
    };
    /// Networks that a router is connected to, with hosts of them that neither it nor a cable to their router has.
    std::map<Connected, std::vector<model::Lid>> elsewhere;
    std::map<std::pair<std::uint32_t, model::Port>, std::vector<model::Lid>> to_no_cable;  ///< by node and port
};

/// Candidate sets hold all next hops, each as often as its weight says; tables one of them: of those that the router
/// has used least so far, the first.
/// @throws InputError where the weights of a route make a set of over 65,536 places.
RouterForwarding find_forwarding(RouterFabric const& fabric);

}  // namespace tailback::formats
