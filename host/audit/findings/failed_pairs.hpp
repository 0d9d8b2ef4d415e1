// Findings of pairs that fail: what is said of each group of them.
#pragma once

#include "host/audit/failures/explain.hpp"
#include "host/audit/findings/finding.hpp"
#include "host/model/routes/forwarding.hpp"

#include <vector>

namespace tailback::audit {

/// Codes by the fate of the packets, where it counts for whom they are.
struct CodesByFate {
    Code dropped, loop, misdelivered;
};
inline constexpr CodesByFate of_aggregation_nodes = {Code::aggregation_dropped, Code::aggregation_loop,
                                                     Code::aggregation_misdelivered};
inline constexpr CodesByFate of_switch_lids = {Code::switch_lid_dropped, Code::switch_lid_loop,
                                               Code::switch_lid_misdelivered};

/// One finding a group, with the code of its cause, or all with those of `instead`.
std::vector<Finding> findings_of(model::Forwarding const& forwarding, Explanation const& explanation,
                                 CodesByFate const* instead = nullptr);

}  // namespace tailback::audit
