// The readers behind read_fabric, by format: for whoever knows the format already.
#pragma once

#include "host/formats/formats.hpp"

namespace tailback::formats {

/// As read_fabric does; `used` says which file of a folder is used for what.
model::Fabric read_fabric(std::string const& network_path, std::optional<std::string> const& tables_path,
                          model::Disagreements& disagreements, model::NamedFiles* used);
/// @throws InputError for a format that is no topology alone.
model::Network read_topology_as(Format format, io::LineReader& lines, model::Disagreements& disagreements);
/// @throws InputError for a format that is no tables.
model::ForwardingTables read_tables_as(Format format, io::LineReader& lines, model::Network const& network,
                                       model::Disagreements& disagreements);

}  // namespace tailback::formats
