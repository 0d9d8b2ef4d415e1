// Routes without the links that need not be counted.
#pragma once

#include "host/model/pack/route_store.hpp"

#include <optional>

namespace tailback::study {

/// What is left of the rows when links are dropped that no two flows of a level share in any mapping: where no rank
/// gets two flows of a level, those whose packets all go to one host; where none sends two, those whose packets all
/// come from one. Their load is at most 1, which a flow's host links have anyway, so no flow's congestion changes, nor
/// what follows from it. Loads of links do. In full trees with D-mod-K that is every link down, half of all. Needs
/// unit costs, implied host links, and ranks on hosts of their own.
/// @param full what `problem` describes. @return none where the rows would be no narrower, or there is no memory for
/// them; mean_links is of links that are left.
std::optional<model::RouteStore> keep_shared_links(model::RouteStore const& full, kernels::Problem const& problem);

}  // namespace tailback::study
