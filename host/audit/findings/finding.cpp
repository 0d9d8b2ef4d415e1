#include "host/audit/findings/finding.hpp"

#include <algorithm>

namespace tailback::audit {

bool Finding::has_kind(FindingKind wanted) const {
    return kind == wanted ||
           std::any_of(symptoms.begin(), symptoms.end(), [&](Finding const& one) { return one.has_kind(wanted); });
}

bool Finding::has_code(Code wanted) const {
    return code == wanted ||
           std::any_of(symptoms.begin(), symptoms.end(), [&](Finding const& one) { return one.has_code(wanted); });
}

}  // namespace tailback::audit
