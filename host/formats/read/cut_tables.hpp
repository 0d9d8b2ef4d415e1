// Files of forwarding tables that end within a table.
#pragma once

#include "host/formats/formats.hpp"

namespace tailback::formats {

/// What becomes of one: an InputError, or what there is of it is read, and its end is noted with all that follows.
enum class CutOff : std::uint8_t { is_refused, is_data };

model::ForwardingTables read_lft_dump(io::LineReader& lines, model::Network const& network,
                                      model::Disagreements& disagreements, CutOff cut_off);
model::ForwardingTables read_fdbs(io::LineReader& lines, model::Network const& network,
                                  model::Disagreements& disagreements, CutOff cut_off);
/// @throws InputError for a format that is no tables.
model::ForwardingTables read_tables_as(Format format, io::LineReader& lines, model::Network const& network,
                                       model::Disagreements& disagreements, CutOff cut_off);

}  // namespace tailback::formats
