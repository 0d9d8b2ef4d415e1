// The readers behind read_fabric, by format: for whoever knows the format already.
#pragma once

#include "host/formats/formats.hpp"

namespace tailback::formats {

/// When a file was made, as its comments at the front say (`# Topology file: generated on DATE`, `# Timestamp: DATE`);
/// empty where they do not.
std::string date_of_dump(std::string_view head);
/// @throws InputError for a format that is no topology alone.
model::Network read_topology_as(Format format, io::LineReader& lines, model::Disagreements& disagreements);
/// @throws InputError for a format that is no tables.
model::ForwardingTables read_tables_as(Format format, io::LineReader& lines, model::Network const& network,
                                       model::Disagreements& disagreements, CutOff cut_off = CutOff::is_refused);

}  // namespace tailback::formats
