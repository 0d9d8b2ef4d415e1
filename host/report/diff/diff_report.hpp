// Two dumps of a fabric and what differs between them, for people and for programs.
#pragma once

#include "host/audit/changes/diff.hpp"
#include "host/report/diff/compared.hpp"

namespace tailback::report {

struct DiffReport {
    model::Fabric const& before;
    model::Fabric const& after;
    audit::FabricDiff const& diff;
    model::NamedFiles files;  ///< that were read
    std::uint64_t top = 10;   ///< how many of each kind the text names
    /// Of both fabrics audited; null where there are no routes to audit.
    Comparison const* comparison = nullptr;
};

/// Nothing at all for equal fabrics.
Document document_of(DiffReport const& report);
/// `equal` and everything else, also for equal fabrics.
Json value_of(DiffReport const& report);

}  // namespace tailback::report
