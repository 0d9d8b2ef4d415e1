// ORCS's questions in the meaning of its paper, answered by the engine that `tailback evaluate` uses.
#pragma once

#include "host/model/tables.hpp"
#include "host/orcs/options.hpp"
#include "host/orcs/orcs_placement.hpp"
#include "host/orcs/results.hpp"

#include <functional>
#include <iosfwd>
#include <string>

namespace tailback::orcs {

/// @param console gets what ORCS prints on the way (names, patterns, runs). @param warn hears of undelivered flows.
/// @throws InputError for what cannot be studied.
OrcsResults evaluate_orcs(model::Fabric const& fabric, OrcsOptions const& options, OrcsPlacement const& seating,
                          std::ostream& console, std::function<void(std::string const&)> const& warn);

}  // namespace tailback::orcs
