// Files that are another device's, by what the device's neighbours and its other files say.
#pragma once

#include "host/formats/frr/devices.hpp"

#include <string>

namespace tailback::formats {

/// Two devices of which each is heard as the other: all their files are swapped, or those of their neighbours alone,
/// whichever fits their cables better. They are read so, and told.
void swap_back_neighbours(Devices& devices, std::string const& path, model::Disagreements& disagreements);

/// Routes and addresses that contradict each other, or the other ends of the cables: networks that are not the same at
/// both ends, loopbacks that neighbours reach elsewhere. Those of two devices that fit when they are swapped are read
/// so; others are left out, as far as they are another's. Each is told once.
void sort_out_routes_and_addresses(Devices& devices, std::string const& path, model::Disagreements& disagreements);

}  // namespace tailback::formats
