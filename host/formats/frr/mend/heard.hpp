// What devices hear of each other, seen from the one that is heard.
#pragma once

#include "host/formats/frr/devices.hpp"

#include <map>
#include <string>
#include <utility>

namespace tailback::formats {

using End = std::pair<std::string, std::string>;  ///< device, interface

/// Who hears an interface, and on which of its own.
std::map<End, End> hearers(Devices const& devices);

/// Under which names its neighbours hear a device at the cables that both ends tell, each with its cables.
std::map<std::string, std::size_t> heard_as(Devices const& devices, Device const& device);

/// A contradiction about a device, or about one of its interfaces.
void note_contradiction(model::Disagreements& disagreements, diagnosis::Code code, std::string const& file,
                        std::string const& where, std::string const& text);

}  // namespace tailback::formats
