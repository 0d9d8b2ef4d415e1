// Where a network comes from, as keys of a report's `network`.
#pragma once

#include "host/model/network_origin.hpp"

#include <nlohmann/json.hpp>

namespace tailback::report {

/// Adds `spec`, `routing`, `routing_seed`, `failed`: null for what files say.
void add_origin(nlohmann::ordered_json& network, model::NetworkOrigin const& origin);

/// `{"network": PATH, ...}`.
nlohmann::ordered_json files_json(model::NamedFiles const& files);

}  // namespace tailback::report
