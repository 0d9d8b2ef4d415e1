// The report on routes that depend on the source or on chance.
#pragma once

#include "host/audit/expected/expected_loads.hpp"
#include "host/model/network_origin.hpp"

#include <iosfwd>
#include <string>

namespace tailback::report {

/// References must outlive it.
struct ExpectedReport {
    model::Fabric const& fabric;
    audit::ExpectedLoads const& found;
    std::uint64_t hosts = 0;
    std::string digest;
    model::NamedFiles files;
};

void write_text_report(std::ostream& out, ExpectedReport const& report);
/// Keys: docs/report.md.
void write_json_report(std::ostream& out, ExpectedReport const& report);

}  // namespace tailback::report
