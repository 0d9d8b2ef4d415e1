// What ports sent beside what is expected of them, as a picture.
#pragma once

#include "host/audit/loads/measured.hpp"

#include <iosfwd>

namespace tailback::report {

/// SVG: a dot a port, expected to the right, sent upwards, both on the same scale from 0; a line where they are equal.
/// Ports that waited are drawn darker the longer they did; every dot names its ends and numbers as a tooltip, and the
/// ten that disagree most are circled.
void write_counters_svg(std::ostream& out, model::Network const& network, audit::Measured const& measured);

}  // namespace tailback::report
