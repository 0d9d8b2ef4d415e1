// Rates of Ethernet as rates of links.
#pragma once

#include "host/model/network.hpp"

#include <cstdint>

namespace tailback::model {

/// The same number of Gb/s as lanes of InfiniBand; not stated where there is none (1 Gb/s).
LinkRate ethernet_rate(std::uint64_t megabits);

}  // namespace tailback::model
