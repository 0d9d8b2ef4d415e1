// Files of hosts: hostfiles with slots, rankfiles, lists with a host for every rank.
#pragma once

#include "host/study/placement/node_finder.hpp"
#include "host/study/placement/node_list.hpp"

#include <string>

namespace tailback::study {

/// See read_node_selection. @param among the hosts that the file may name, `+n0` for the first of them; null: all, and
/// none by number. @throws InputError with file:line.
NodeSelection read_host_file(io::LineReader& lines, ComputeNodes const& nodes, NodeFinder& finder,
                             std::vector<std::uint32_t> const* among = nullptr);

}  // namespace tailback::study
