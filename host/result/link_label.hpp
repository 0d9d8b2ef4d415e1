// Links and their ends as people call them.
#pragma once

#include "host/model/network.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tailback::result {

/// `leaf-07 [19]`, `leaf01 [swp49]`.
std::string end_label(model::Network const& network, model::Node node, model::Port port);
/// Of a cable that the network may not have, between ports that it may not know.
model::LinkEnds ends_between(model::Network const& network, model::Node from, model::Port from_port, model::Node to,
                             model::Port to_port);
/// `leaf-07 [19] -> spine-3 [7]`, the names cut short where it would be wider than `width`.
std::string link_label(model::LinkEnds const& ends, std::size_t width = SIZE_MAX);
std::string link_label(model::Network const& network, model::Link link);

}  // namespace tailback::result
