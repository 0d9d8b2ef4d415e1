// Whether a search for other tables would pay: a short look, for what advises one.
#pragma once

#include "host/model/fabric/fabric_traits.hpp"
#include "host/model/tables.hpp"

#include <optional>

namespace tailback::audit {

/// What part of the collisions of a random permutation (search::Trees::collisions) one round of new trees and a few
/// single moves along ways of fewest links take away, from the base LIDs of the compute hosts; 1 where pairs are lost.
/// None where the fabric has no such tables, or is so large that the look takes longer than what asks for it.
std::optional<double> gain_at_first_sight(model::Fabric const& fabric);

/// Pairs are lost that other tables may deliver: something fails, and the routes are a file's, or of a routing that
/// goes by the form of the whole network. Those for any graph go round what fails as far as there is a way.
bool others_may_go_round(model::Fabric const& fabric);

/// Below this a search is not advised: tables that a search has settled give nothing.
constexpr double least_gain = 0.01;

}  // namespace tailback::audit
