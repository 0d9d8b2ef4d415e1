// What a LID, an LMC or a port number may be in a file: one place for the limits of InfiniBand and their messages.
#pragma once

#include "host/base/error.hpp"
#include "host/model/network.hpp"

namespace tailback::formats {

inline constexpr model::Port max_port = 255;     ///< the field has 8 bits; as a table entry 255 means "none"
inline constexpr std::uint64_t no_lid = 0xFFFF;  ///< how the tools print "no LID"

/// 0 for 0 and 65535 (both mean "none"). @throws InputError for what no port can own.
inline model::Lid checked_lid(std::uint64_t lid, base::SourceLocation const& place) {
    if (lid == no_lid) return 0;
    if (lid > model::max_unicast_lid)
        throw base::InputError(place, "LID " + std::to_string(lid) + " is not a unicast LID",
                               "they end at 49151 (0xbfff)", "the line is damaged; make the file again");
    return static_cast<model::Lid>(lid);
}

inline std::uint8_t checked_lmc(std::uint64_t lmc, base::SourceLocation const& place) {
    if (lmc > 7)
        throw base::InputError(place, "LMC " + std::to_string(lmc) + " is out of range", "it has 3 bits",
                               "the line is damaged; make the file again");
    return static_cast<std::uint8_t>(lmc);
}

inline model::Port checked_port(std::uint64_t port, base::SourceLocation const& place) {
    if (port > max_port)
        throw base::InputError(place, "port number " + std::to_string(port) + " is out of range",
                               "InfiniBand's have 8 bits", "the line is damaged; make the file again");
    return static_cast<model::Port>(port);
}

}  // namespace tailback::formats
