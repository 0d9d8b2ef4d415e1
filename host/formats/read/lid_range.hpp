// What a LID or a port number may be in a file: one place for the limits of InfiniBand.
#pragma once

#include "host/model/network.hpp"

namespace tailback::formats {

using model::most_ports;
inline constexpr model::Port max_port = 255;     ///< the field has 8 bits; as a table entry 255 means "none"
inline constexpr std::uint64_t no_lid = 0xFFFF;  ///< how the tools print "no LID"

}  // namespace tailback::formats
