// Networks so regular that their routes are arithmetic: nothing is kept but their shape. For what does not fit in
// tables.
#pragma once

#include "host/model/tables.hpp"
#include "kernels/evaluate/problem.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tailback::topologies {

/// The same network that the family builds with tables: the same hosts, switches, names, ports and routes.
class RegularNetwork : public model::NetworkFormula, public model::Routing {
public:
    std::string words;          ///< spec, and with make_regular the routing: what the digest is of
    std::string routing;        ///< the one that is meant when none is asked for
    std::uint64_t seed = 1;     ///< of the routing's random choices
    bool pairs_differ = false;  ///< its tables would be a row for every pair of hosts
    std::uint32_t longest = 0;  ///< most links between switches of a route

    /// Sets the route form and its view, which may point into this object.
    virtual void describe(kernels::Problem& problem) const = 0;

    std::string text() const override { return words; }
    bool depends_on_source() const override { return pairs_differ; }
    model::Route trace(model::Fabric const& fabric, model::Host source, model::Lid destination) const override;
    model::RouteStore pack(model::Fabric const& fabric, std::vector<model::Host> const& hosts,
                           model::LinkCosts const& costs, std::size_t row_byte_limit,
                           kernels::MakeRoutePacker) const override;

protected:
    /// @throws InputError when there are 2^30 hosts, switches or slots, or more.
    void finish(std::uint64_t all_hosts, std::uint64_t all_switches, std::uint64_t all_slots,
                std::uint64_t inner_links);
};

/// @throws InputError when there are 2^30 hosts, switches or slots, or more.
void check_formula_sizes(std::string const& words, std::uint64_t hosts, std::uint64_t switches, std::uint64_t slots);

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

/// The network as a fabric; its own nodes and tables are none.
model::Fabric fabric_of(std::shared_ptr<RegularNetwork const> network);

}  // namespace tailback::topologies
