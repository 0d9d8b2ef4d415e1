// Traffic as programs that trace applications write it.
#pragma once

#include "host/traffic/formats.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tailback::traffic {

/// `graphStats.txt`: undirected edges `a , b = bytes`, both directions added.
TrafficMatrix read_graph_stats(io::LineReader& lines);
/// mpiP's report with a communication matrix.
TrafficMatrix read_mpip(io::LineReader& lines);
/// Open MPI's monitoring: the files of all ranks, one after the other. Of a file, `PREFIX.RANK.prof` stands for those
/// of all ranks.
TrafficMatrix read_monitoring(std::vector<std::string> const& paths);
TrafficMatrix read_monitoring(io::LineReader& lines);
/// `PREFIX.RANK.prof` of all ranks, in their order, for one of them; the path alone where it is no such name.
std::vector<std::string> files_of_all_ranks(std::string const& path);
/// PFProf's archive of one JSON file a rank.
TrafficMatrix read_pfprof(std::unique_ptr<io::ByteSource> archive, std::string const& name);
/// NCCL's log with NCCL_DEBUG=INFO: connections between nodes.
TrafficMatrix read_nccl_log(io::LineReader& lines);
/// An algorithm of MSCCL, as XML.
TrafficMatrix read_msccl(io::LineReader& lines);

}  // namespace tailback::traffic
