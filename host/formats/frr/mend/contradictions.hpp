// Files of several devices that cannot all be right: copies, files in the wrong folder, devices under two names.
#pragma once

#include "host/formats/frr/devices.hpp"

namespace tailback::formats {

/// First, names that differ on purpose: VLANs on ports are the ports; names in capitals are those without; ports that
/// all neighbours call by other names than the device does are found by their cables. Then contradictions. Which of
/// them is wrong shows by the others; each is left out or read as what it is, and told.
/// - A device that hears what another hears, port by port: the neighbours, or all, are copies of the other's files.
/// - A neighbour that has no files, where a device that has hears the same end of the cable: it is that device under
///   another name.
/// - Files of another device (foreign_files.hpp).
void mend_contradictions(Devices& devices, std::string const& path, model::Disagreements& disagreements);

}  // namespace tailback::formats
