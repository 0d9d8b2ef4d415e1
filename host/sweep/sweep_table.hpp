// The results of a sweep: a CSV with a row a point, and JSON with a report a point.
#pragma once

#include "host/model/network_origin.hpp"
#include "host/result/json_values.hpp"
#include "host/sweep/sweep_file.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace tailback::sweep {

struct SweepRow {
    SweepPoint const* point = nullptr;
    std::string report;  ///< the point's JSON report in one line, without the lists of links; empty when it was not run
    std::string reason;  ///< why it could not be run; empty when it is still open
};

/// How many points have flows that are not delivered, and how many of them no delivered flow.
struct SweepFailures {
    std::size_t some = 0, all = 0;
};
/// @throws InputError as below.
SweepFailures failures_of(std::vector<SweepRow> const& rows);

/// Columns: docs/sweep.md. @throws InputError when a report does not have the form of this version's.
void write_sweep_csv(std::ostream& out, std::vector<SweepRow> const& rows);
/// @param files that were read: the sweep's
void write_sweep_json(std::ostream& out, std::vector<SweepRow> const& rows, model::NamedFiles const& files = {});
/// What that writes, as a value.
result::Json whole_sweep(std::vector<SweepRow> const& rows, model::NamedFiles const& files);

}  // namespace tailback::sweep
