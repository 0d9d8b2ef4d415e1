#include "host/model/pack/pair_routes.hpp"

#include "host/model/pack/route_store.hpp"
#include "host/model/routes/trace.hpp"

namespace tailback::model {

Route PairRoutes::trace(Fabric const& fabric, Host source, Lid destination) const {
    Network const& net = fabric.network;
    Route route;
    route.end = net[source].node;
    Host const to = net.owner(destination).host;
    if (to == source) return route;
    bool const there = to.exists() && append(net, source, to, route.links);
    if (!route.links.empty()) route.end = net[route.links.back()].to;
    if (!there) {
        bool const loops = meets_twice(net, route.links);
        route.fate = loops ? Fate::loop : Fate::unreachable;
        route.cause = loops ? Cause::met_twice : Cause::no_path;
    }
    return route;
}

RouteStore PairRoutes::pack(Fabric const& fabric, std::vector<Host> const& hosts, LinkCosts const& costs,
                            std::size_t row_byte_limit, kernels::MakeRoutePacker) const {
    return pack_pair_routes(fabric, *this, hosts, costs, row_byte_limit);
}

}  // namespace tailback::model
