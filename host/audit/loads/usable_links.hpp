// The links that some hosts' pairs could take: the others of a fabric say nothing about how even their loads are.
#pragma once

#include "host/model/routes/forwarding.hpp"

#include <span>
#include <vector>

namespace tailback::audit {

/// By link: true where it lies on a shortest path from one of `hosts` to one of their LIDs, `towards`. O(groups x
/// links), a group being hosts that hang off the same switches.
std::vector<bool> usable_links(model::Forwarding const& forwarding, std::span<model::Host const> hosts,
                               std::span<model::Destination const> towards, unsigned threads);

}  // namespace tailback::audit
