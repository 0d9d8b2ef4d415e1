// Two dumps of a fabric and what differs between them, for people and for programs.
#pragma once

#include "host/audit/changes/diff.hpp"
#include "host/model/network_origin.hpp"
#include "host/report/diff/compared.hpp"

#include <iosfwd>

namespace tailback::report {

struct DiffReport {
    model::Network const& before;
    model::Network const& after;
    audit::FabricDiff const& diff;
    model::NamedFiles files;  ///< that were read
    std::uint64_t top = 10;   ///< how many of each kind the text names
    /// Of both fabrics audited; null where there are no routes to audit.
    Comparison const* comparison = nullptr;
};

/// Nothing at all for equal fabrics.
void write_diff_text(std::ostream& out, DiffReport const& report);
/// `equal` and everything else, also for equal fabrics.
void write_diff_json(std::ostream& out, DiffReport const& report);

}  // namespace tailback::report
