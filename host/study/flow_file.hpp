// Files that list a pattern: levels of flows between ranks, as an application or a worst case has them.
#pragma once

#include "host/io/line_reader.hpp"
#include "patterns/pattern.hpp"

#include <iosfwd>

namespace tailback::study {

/// Lines, words divided by blanks; `#` in front makes a comment, blank lines are skipped:
///   `ranks N`               how many ranks there are, once and before all else; without it the highest rank met + 1
///   `level`                 begins a level; what comes before the first of them is a level of its own
///   `SOURCE DESTINATION`    a flow of the level, in ranks from 0; the same again is one flow more
///   `SOURCE DESTINATION BYTES`  the same with so many bytes, 1 .. 2^63 - 1; without, it is of 1
/// A flow from a rank to itself is local.
/// @throws InputError with file:line for anything else, and for a file without a flow.
patterns::FlowList read_flows(io::LineReader& lines);

/// Writes what read_flows reads, bytes where the flows have weights; random and local flows are left out.
void write_flows(std::ostream& out, patterns::FlowList const& list);

}  // namespace tailback::study
