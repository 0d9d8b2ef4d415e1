// What ORCS can do without a simulation: look at every route of the network.
#pragma once

#include "host/model/tables.hpp"
#include "host/orcs/options.hpp"

#include <iosfwd>

namespace tailback::orcs {

/// `--checkinputfile`: walks every ordered pair of hosts, one line each, and says which routes are broken.
void check_all_routes(model::Fabric const& fabric, std::ostream& out);

/// `--routequal`: sends all pairs at once, then looks at every pair's largest count, its first and last edge left out.
void print_route_quality(model::Fabric const& fabric, OrcsOptions const& options, std::ostream& out);

}  // namespace tailback::orcs
