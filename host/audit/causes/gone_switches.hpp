// Switches that are gone: their neighbours still send to the ports that led to them.
#pragma once

#include "host/audit/findings/finding.hpp"
#include "host/model/tables.hpp"

#include <vector>

namespace tailback::audit {

/// Two such ports by which two switches send for each other are one finding: the cable between them is gone; so are
/// two of a bundle of parallel cables, of which each end could deliver what the other sends there. A port takes in
/// that nobody owns the LIDs that are sent there.
/// Where two switches or more send a LID to ports without a cable, and nobody owns it, or a switch without any cable
/// does: one finding takes in those at the ports. Memory and time: LIDs like that by ports like these.
void fold_gone_switches(model::Fabric const& fabric, std::vector<Finding>& findings);

}  // namespace tailback::audit
