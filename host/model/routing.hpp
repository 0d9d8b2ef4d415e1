// How a fabric is routed: what everything above asks of routes, whatever form they have.
#pragma once

#include "host/model/network.hpp"
#include "kernels/route_packer.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback::model {

class ExpectedRoutes;     // host/model/routes/expected_routes.hpp
class PairRoutes;         // host/model/pack/pair_routes.hpp
struct Fabric;            // host/model/tables.hpp
struct LinkCosts;         // host/model/capacities.hpp
struct Route;             // host/model/routes/trace.hpp
struct RouteStore;        // host/model/pack/route_store.hpp
struct UnreachablePairs;  // host/model/pack/route_store.hpp

/// Tables, routes of pairs, trees made on demand and formulas are its models. May be asked by many threads at once.
/// Sets of candidates (several next hops, of which a flow or a switch chooses) stand beside it: Fabric::candidates.
class Routing {
public:
    virtual ~Routing() = default;

    /// The routing with its options and its seed: what tells two of them apart on one network. Empty for tables, whose
    /// entries do.
    virtual std::string text() const = 0;
    /// The route of a pair depends on its source, too: no forwarding table holds it.
    virtual bool depends_on_source() const { return false; }
    /// Routes are made when mappings ask for them, and kept nowhere.
    virtual bool is_made_on_demand() const { return false; }
    /// Itself, where it can be asked pair by pair for routes that depend on the source; else null.
    virtual PairRoutes const* pairs() const { return nullptr; }
    /// Itself, where routes depend on chance (or are one each) and their law is known; else null.
    virtual ExpectedRoutes const* law() const { return nullptr; }
    /// Follows a route from an adapter port. @throws InputError where routes are no links of a kept network.
    virtual Route trace(Fabric const& fabric, Host source, Lid destination) const = 0;
    /// The routes between these hosts, for the kernels. Rows of more than `row_byte_limit` bytes give way to another
    /// form, where there is one. @param make_packer who walks tables, where there are some. @throws InputError when
    /// they cannot be had.
    virtual RouteStore pack(Fabric const& fabric, std::vector<Host> const& hosts, LinkCosts const& costs,
                            std::size_t row_byte_limit, kernels::MakeRoutePacker make_packer) const = 0;
    /// The pairs of these hosts that have no route, where what `pack` gives does not tell; otherwise none.
    /// @param named how many of them to name.
    virtual std::optional<UnreachablePairs> find_unreachable(Fabric const& fabric, std::vector<Host> const& hosts,
                                                             std::size_t named) const;
};

/// By the tables of the fabric.
std::shared_ptr<Routing const> routing_by_tables();

}  // namespace tailback::model
