// Which files a spec or a routing names: outputs are kept off them, and a sweep's journal knows what they held.
#pragma once

#include <string>
#include <vector>

namespace tailback {

/// Of the parameters that take text, those called `file` are names of files; a value `file:PATH` names one; and a value
/// that is a routing names what that names. @throws InputError for a spec that is wrong in itself.
std::vector<std::string> files_named_by_topology(std::string const& spec);
/// The same of `NAME[:options]`.
std::vector<std::string> files_named_by_routing(std::string const& spec);

}  // namespace tailback
