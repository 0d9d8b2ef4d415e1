// Keys that several reports have: where a network comes from, and what times are made of.
#pragma once

#include "host/model/network_origin.hpp"
#include "host/study/timing.hpp"

#include <nlohmann/json.hpp>

namespace tailback::report {

/// Adds `spec`, `routing`, `routing_seed`, `failed`: null for what files say.
void add_origin(nlohmann::ordered_json& network, model::NetworkOrigin const& origin);

/// Of simulated times: `dependencies`, `compute`, ..
nlohmann::ordered_json timing_json(study::Timing const& timing);

/// `{"network": PATH, ...}`.
nlohmann::ordered_json files_json(model::NamedFiles const& files);

}  // namespace tailback::report
