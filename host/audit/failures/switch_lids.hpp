// Routes to the LIDs of switches themselves: what management and monitoring travel by, and no pair of hosts shows.
#pragma once

#include "host/audit/failures/explain.hpp"
#include "host/audit/loads/all_pairs.hpp"
#include "host/model/routes/forwarding.hpp"

namespace tailback::audit {

/// Pairs here are (switch, LID of another switch). A route that comes to the LID's owner has arrived, whatever the
/// owner's own entry says.
struct SwitchLids {
    std::uint64_t lids = 0;  ///< LIDs that switches own
    bool routed = false;     ///< some table has an entry for another switch's LID; where none has, nothing is counted
    PairCounts pairs;
    Explanation explanation;  ///< of what fails; without examples
};

/// O(switches) a LID of a switch.
SwitchLids find_switch_lids(model::Forwarding const& forwarding);

}  // namespace tailback::audit
