// The worst case of an audit, as far as it is asked for or quickly had.
#pragma once

#include "host/api/audit.hpp"

namespace tailback {

/// Worst permutations and shifts between the hosts of `audit`, whose routes and balance are there. Notes say what is
/// left out, and what will take more than a few seconds.
WorstCase find_worst_case(Audit const& audit, AuditChoice const& choice, AuditListener const& listener);

}  // namespace tailback
