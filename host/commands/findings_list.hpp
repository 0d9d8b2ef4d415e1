// What findings mean, by their codes.
#pragma once

#include <string>

namespace tailback::commands {

/// All codes, kind by kind, in Markdown that a terminal shows as well: docs/findings.md is this.
std::string list_findings();
/// @throws InputError for an unknown code, with the nearest
std::string explain_finding(std::string const& id);

}  // namespace tailback::commands
