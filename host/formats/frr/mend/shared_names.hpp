// Systems that have one name by LLDP: `localhost`, the name of an image, ..
#pragma once

#include "host/formats/frr/devices.hpp"

namespace tailback::formats {

/// Neighbours of one name that the folder does not have, which two interfaces hear on one port with different chassis,
/// are several: each goes by the id of its chassis, as who tells no name does. Of those without a name, or of one that
/// is shared, that device of the folder counts which has the port that is told, in the same network of a cable.
void tell_shared_names_apart(Devices& devices);

}  // namespace tailback::formats
