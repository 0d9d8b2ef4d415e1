// ibdiagnet2.plft: which private forwarding table (pLFT) a switch takes for packets of a service level that come by a
// port.
#pragma once

#include "host/io/line_reader.hpp"
#include "host/model/network.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tailback::formats {

/// Of the switches that a file names.
struct PrivateTables {
    /// By switch, in port and service level: the number of the table.
    std::map<std::uint32_t, std::map<std::pair<model::Port, std::uint32_t>, std::uint32_t>> table;

    bool has(model::Node node) const { return table.contains(node.value); }
    /// The table of packets of service level 0, where all ports of the switch have one; else 0.
    /// @param uniform out: false where ports differ
    std::uint32_t followed(model::Node node, bool& uniform) const;
};

/// A heading with `Switch 0x<guid>` for each switch, and below it a line a port: `rq:<port> sl-plft:<sl>:<table>, ..`.
/// No file is public: blanks are free, and lines that fit neither are noted.
PrivateTables read_private_tables(io::LineReader& lines, model::Network const& network,
                                  model::Disagreements& disagreements);

/// Tables that a switch has, by its node.
using TablesOfSwitch = std::map<std::uint32_t, std::vector<std::uint32_t>>;
/// What the map names and the tables (of a .far file) do not have, and the other way round.
void compare_private_tables(model::Network const& network, PrivateTables const& map, TablesOfSwitch const& tables,
                            std::string const& file, model::Disagreements& disagreements);

}  // namespace tailback::formats
