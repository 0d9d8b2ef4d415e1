// The report on routes that depend on the source or on chance.
#pragma once

#include "host/audit/expected/expected_loads.hpp"
#include "host/report/forms.hpp"

#include <string>

namespace tailback::report {

/// References must outlive it.
struct ExpectedReport {
    model::Fabric const& fabric;
    audit::ExpectedLoads const& found;
    std::uint64_t hosts = 0;  ///< whose pairs these are
    bool aggregation_nodes_are_hosts = false;
    std::string digest;
    model::NamedFiles files;
};

Document document_of(ExpectedReport const& report);
/// Keys: docs/report.md.
Json value_of(ExpectedReport const& report);

}  // namespace tailback::report
