// What people call where packets are for: a LID, or in an IP fabric the address of a host.
#pragma once

#include "host/model/tables.hpp"

#include <string>

namespace tailback::model {

/// `LID 63`; in an IP fabric `10.0.1.2`.
std::string destination_text(Fabric const& fabric, Lid lid);

/// Where a switch has nothing for it: `no entry for LID 63`, `no route to 10.0.1.2`. `destinations` is a text of them.
std::string no_way_text(Fabric const& fabric, std::string const& destinations);

}  // namespace tailback::model
