// What extensions add to sweeps: columns of the table, and reports of points that are no studies.
#pragma once

#include "host/result/json_values.hpp"

#include <string>
#include <vector>

namespace tailback::sweep {

/// A column that is an option (as the sweep sets it), a part of the report, or both.
struct Column {
    std::string name;
    std::string option;   ///< empty = none
    std::string pointer;  ///< into the report; empty = none
    bool as_set = false;  ///< what the sweep sets comes before what the report tells: names of files
    bool count = false;   ///< of points that ran, nothing is 0
};

/// The reports of an OtherPoint.
struct OtherReport {
    char const* schema;                ///< that their JSON begins with
    std::vector<Column> (*columns)();  ///< of the table, where a point has such a report
    bool (*loses_flows)(result::Json const& report);
};

struct Registry {
    std::vector<Column> columns;  ///< base::insert_before: of all tables
    std::vector<OtherReport> reports;
};

/// Calls every extension's register_NAME(Registry&) (generated from extensions.cmake).
void register_extensions(Registry& registry);

}  // namespace tailback::sweep
