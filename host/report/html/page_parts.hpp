// What pages are made of: the file around a report, and the fabric that its map draws, with the loads of its links.
#pragma once

#include "host/audit/audit.hpp"
#include "host/audit/loads/levels.hpp"
#include "host/model/tables.hpp"
#include "host/report/forms.hpp"

#include <iosfwd>
#include <string_view>

namespace tailback::report {

/// Nodes, hosts, links and tables; loads and ideals are left to the caller. Null where it is too large for a map.
Json fabric_json(model::Fabric const& fabric, audit::Levels const& levels);
/// The load of every link, the stage that it is of, and the ideal load of each stage.
void add_loads(Json& fabric, Json load, Json stage, Json ideals);
/// With the loads of an audit.
Json audited_fabric(audit::Audit const& audit);

/// What a page with a map is made of. @param kind which script of the page shows it
Json with_map(char const* kind, Json report, Json fabric);
/// @throws InputError where the program has no pages
void write_page(std::ostream& out, std::string_view title, Json data);

/// False where the program was built without the library that pages use.
bool has_pages();
/// @throws InputError when the program was built without the library that pages use: says what to install.
void require_pages();

}  // namespace tailback::report
