// Files of hosts: hostfiles with slots, rankfiles, lists with a host for every rank.
#pragma once

#include "host/study/placement/node_finder.hpp"
#include "host/study/placement/node_list.hpp"

#include <string>

namespace tailback::study {

/// See read_node_selection. @throws InputError with file:line.
NodeSelection read_host_file(io::LineReader& lines, ComputeNodes const& nodes, NodeFinder& finder);

}  // namespace tailback::study
