// Files about service levels and virtual lanes: opensm-sl2vl.dump and ibdiagnet.slvl, path lists and ibdiagnet.psl.
// What is written names nodes and LIDs as `write_ibnetdiscover` does.
#pragma once

#include "host/io/line_reader.hpp"
#include "host/model/service_levels.hpp"

#include <iosfwd>
#include <string>

namespace tailback::formats {

/// SL2VL tables: `opensm-sl2vl.dump` or `ibdiagnet.slvl`, told apart by their lines.
/// @throws InputError for a file without any record, lanes above 15, records that are cut off. Nodes and ports that the
/// topology does not have go to `disagreements`.
model::LaneMaps read_lane_maps(io::LineReader& lines, model::Network const& network,
                               model::Disagreements& disagreements);

/// Service levels of paths: `SLID DLID SL` a line, or `ibdiagnet.psl` (`0xNODEGUID DLID SL`), told apart line by line.
/// Paths from and to switches are left out. @throws InputError for a file without any path, and levels above 15.
model::ServiceLevels read_service_levels(io::LineReader& lines, model::Network const& network,
                                         model::Disagreements& disagreements);

/// The form of `opensm-sl2vl.dump`: for every switch the maps between its cabled ports, and from itself. Without `maps`
/// the lane is the service level. @throws InputError for networks that InfiniBand cannot hold.
void write_lane_maps(std::ostream& out, model::Network const& network, model::LaneMaps const* maps);

/// `SLID DLID SL` for every ordered pair of hosts whose level is known; with LMC for every destination LID.
/// @throws InputError as above.
void write_service_levels(std::ostream& out, model::Network const& network, model::ServiceLevels const& levels);

}  // namespace tailback::formats
