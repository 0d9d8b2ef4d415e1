// The command line of `tailback place`, as values.
#pragma once

#include "host/api/ranks/rank_orders.hpp"
#include "host/study/placement/write_placement.hpp"

#include <string>
#include <vector>

namespace tailback::commands {

enum class PlaceFormat : std::uint8_t { text, json, csv };

struct PlaceOptions {
    api::RankOrderChoice choice;
    PlaceFormat format = PlaceFormat::text;
    std::string output;
    std::vector<study::PlacementFile> write;  ///< the order found, for launchers
};

/// @throws InputError for anything that is not right in itself; files are not opened.
PlaceOptions parse_place_options(std::vector<std::string> const& arguments);

}  // namespace tailback::commands
