// What people call things: InfiniBand has LIDs, entries and virtual lanes; an IP fabric addresses, routes and traffic
// classes.
#pragma once

#include "host/model/tables.hpp"

#include <string>

namespace tailback::model {

struct FabricWords {
    char const* destination;  ///< what a packet is for: `LID`
    char const* receivers;    ///< of a column: `LIDs`
    char const* entry;        ///< what a switch has for a destination
    char const *lane, *lanes;
    char const* fixed;       ///< how packets go where nothing is chosen: `by the static entries`
    bool sets_have_numbers;  ///< that people know
};
FabricWords const& words_of(Fabric const& fabric);

/// `LID 63`; in an IP fabric `10.0.1.2`.
std::string destination_text(Fabric const& fabric, Lid lid);

/// `4xHDR`; in an IP fabric `200 Gb/s`; `unknown`
std::string rate_text(Fabric const& fabric, LinkRate const& rate);

/// Where a switch has nothing for it: `no entry for LID 63`, `no route to 10.0.1.2`. `destinations` is a text of them.
std::string no_way_text(Fabric const& fabric, std::string const& destinations);

}  // namespace tailback::model
