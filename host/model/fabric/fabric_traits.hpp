// What a fabric is, for whoever has to tell one kind from another.
#pragma once

#include "host/model/tables.hpp"

#include <cstddef>
#include <cstdint>

namespace tailback::model {

/// Where the routes of a fabric are.
enum class RoutesAre : std::uint8_t { none, tables, pairs, on_demand, formula };

/// Endpoints that are no hosts, or only where that is asked.
struct EndpointsApart {
    std::size_t aggregation_nodes = 0, router_ports = 0;
};
EndpointsApart count_apart(Network const& network);

struct FabricTraits {
    RoutesAre routes = RoutesAre::none;
    bool by_load = false;  ///< switches choose among candidates by load, beside the static entries
    bool by_hash = false;  ///< routers choose among routes of equal cost by a hash, beside the static entries
    bool is_ip = false;    ///< a folder of routers
    EndpointsApart apart = {};
    std::uint8_t lmc = 0;  ///< the largest of a host's
};
FabricTraits traits_of(Fabric const& fabric);
/// The first host with a table of its own; none: switches alone forward packets.
Node host_that_forwards(Fabric const& fabric);
/// Other entries could stand in the place of its routes: a subnet manager's tables, in whatever form routes are kept,
/// of switches alone.
bool may_have_other_tables(Fabric const& fabric);

}  // namespace tailback::model
