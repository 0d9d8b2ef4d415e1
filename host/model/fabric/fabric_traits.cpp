#include "host/model/fabric/fabric_traits.hpp"

#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routing.hpp"

#include <algorithm>

namespace tailback::model {

FabricTraits traits_of(Fabric const& fabric) {
    FabricTraits traits;
    if (fabric.formula) traits.routes = RoutesAre::formula;
    else if (!fabric.routed) traits.routes = RoutesAre::none;
    else if (fabric.routing->is_made_on_demand()) traits.routes = RoutesAre::on_demand;
    else traits.routes = fabric.routing->depends_on_source() ? RoutesAre::pairs : RoutesAre::tables;
    if (fabric.candidates != nullptr)
        (fabric.candidates->chosen_by() == ChosenBy::hash ? traits.by_hash : traits.by_load) = true;
    traits.is_ip = fabric.ip != nullptr;
    traits.apart = count_apart(fabric.network);
    for (HostRecord const& host : fabric.network.hosts()) traits.lmc = std::max(traits.lmc, host.lmc);
    return traits;
}

Node host_that_forwards(Fabric const& fabric) {
    if (fabric.tables.lids() == 0) return {};  // its routes are not in tables
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
        if (Node const node{n}; !fabric.network.is_switch(node) && fabric.tables.has_table(node)) return node;
    return {};
}

bool may_have_other_tables(Fabric const& fabric) {
    FabricTraits const traits = traits_of(fabric);
    return traits.routes != RoutesAre::none && !traits.is_ip && !traits.by_load && !traits.by_hash &&
           !fabric.routing->depends_on_source() && !host_that_forwards(fabric).exists();
}

EndpointsApart count_apart(Network const& network) {
    EndpointsApart apart;
    for (HostRecord const& host : network.hosts()) {
        apart.aggregation_nodes += host.role == HostRole::aggregation;
        apart.router_ports += host.role == HostRole::router;
    }
    return apart;
}

}  // namespace tailback::model
