// What no tables can beat, in words and as JSON.
#pragma once

#include "host/model/network.hpp"
#include "host/report/forms.hpp"
#include "host/search/bisection/expected_bisection.hpp"
#include "host/search/bounds/fabric_bound.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tailback::report {

/// How low tables can go, why, which links carry that, and which cable would help.
/// @param largest between switches, by the routes as they are; all their pairs are `delivered`, or some are not
/// @param divided flows divide, so the bound is that of divided flows
std::vector<std::string> bound_sentences(model::Network const& network, search::FabricBound const& bound,
                                         double largest, bool divided, bool delivered);

/// What hosts get that are paired at random, and what no tables can exceed; empty where nothing is known.
std::string bisection_sentence(search::ExpectedBisection const& expected, std::optional<double> most);
Json bisection_json(search::ExpectedBisection const& expected, std::optional<double> most);

Json bound_json(model::Network const& network, search::FabricBound const& bound);

}  // namespace tailback::report
