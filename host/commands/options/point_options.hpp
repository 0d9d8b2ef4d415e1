// The words of a sweep's point, as its command understands them.
#pragma once

#include "host/sweep/points.hpp"

namespace tailback::commands {

/// @throws InputError for anything that is not right in itself; files are not opened.
sweep::AskedPoint parse_point(options::Commands command, std::vector<std::string> const& words);

}  // namespace tailback::commands
