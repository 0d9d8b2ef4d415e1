// The worst case of an audit, as far as it is asked for or quickly had.
#pragma once

#include "host/api/audit.hpp"

namespace tailback::api {

/// Worst permutations and shifts between the hosts of `audit`, whose routes and balance are there. Notes say what is
/// left out, and what will take more than a few seconds.
audit::WorstCase find_worst_case(audit::Audit const& audit, AuditChoice const& choice, AuditListener const& listener);

}  // namespace tailback::api
