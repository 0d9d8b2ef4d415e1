// Who sends packets astray that run in a circle.
#pragma once

#include "host/model/routes/forwarding.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace tailback::audit {

/// Row and port of a switch that packets leave by.
using Step = std::pair<std::uint32_t, model::Port>;

/// Turns a circle so that it begins with the step that leads farthest away from the switch of a LID's owner, in links
/// between switches; of several with the first of them. As it is where the LID has no owner on a switch.
void begin_with_detour(model::Forwarding const& forwarding, model::Lid lid, std::vector<Step>& circle);

}  // namespace tailback::audit
