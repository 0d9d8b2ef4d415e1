// Lists of the root switches of up*/down*, and the words they are named by.
#pragma once

#include "host/model/network.hpp"

#include <string>
#include <vector>

namespace tailback::formats {

/// The node of this GUID (`0x` and hex digits: the node's own, or a switch's port 0's), else the first of exactly this
/// name; none when there is neither.
model::Node node_of_word(model::Network const& network, std::string const& word);

/// Reads one switch a line: its GUID, as OpenSM's `-a` does, or its name. `#` after a blank or at the beginning begins
/// a comment. Each switch is given once.
/// @throws InputError for what is no switch of the network, and for a file without any.
std::vector<model::Node> read_roots(std::string const& path, model::Network const& network);

}  // namespace tailback::formats
