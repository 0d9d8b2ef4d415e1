// Where routes are longer than need be, where they turn from down to up, and whether they come back as they went.
#pragma once

#include "host/audit/findings/finding.hpp"
#include "host/audit/loads/all_pairs.hpp"
#include "host/model/routes/forwarding.hpp"

#include <vector>

namespace tailback::audit {

/// Findings of kind `nonminimal` and `updown`: one a port, or one a switch where so much is not looked at twice; and of
/// kind `asymmetric`. `request` is what was all_pairs. O(rows x destinations) where all_pairs counts any detours or
/// wrong turns.
std::vector<Finding> quality_findings(model::Forwarding const& forwarding, AllPairsRequest const& request,
                                      AllPairsResult const& all_pairs, Asymmetry const& asymmetry, unsigned threads);

}  // namespace tailback::audit
