// Every file format Tailback reads or writes, one function each; and the one that tells them apart.
#pragma once

#include "host/io/line_reader.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/model/tables.hpp"

#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback::formats {

/// Those that extensions read follow behind the last (registry.hpp).
enum class Format : std::uint8_t {
    unknown,
    orcs_dot,
    ibnetdiscover,
    subnet_list,
    lft_dump,
    fdbs,
    graphml,
    db_csv,
    net_dump,
    lane_maps,
    path_levels,
    adaptive,
    private_tables
};

/// Tells a format by its content (the first bytes of a file), never by its name.
Format recognise(std::string_view head);

/// What becomes of a file of tables that ends within one: an InputError, or what there is of it is read, and its end is
/// noted with all that follows.
enum class CutOff : std::uint8_t { is_refused, is_data };

/// Reads a network and, where given or contained, its tables; a folder of dumps by host/formats/fabric/folder.hpp.
/// At most one of the paths is `-`. `used`, where not null: which file of a folder is used for what.
/// @throws InputError for anything that is not data: unreadable, empty, binary, of unknown format, no hosts, two nodes
/// of one GUID. What merely disagrees goes to `disagreements`.
model::Fabric read_fabric(std::string const& network_path, std::optional<std::string> const& tables_path,
                          model::Disagreements& disagreements, model::NamedFiles* used = nullptr);

/// ORCS's annotated dot: hosts = names that begin with `H`, routes in edge comments, `*` = any destination.
/// Node order = first appearance. Out-links of a node are numbered from 1 by (first appearance of the head, edge
/// order).
model::Fabric read_orcs_dot(io::LineReader& lines, model::Disagreements& disagreements);
/// `ibdiagnet2.db_csv`, `opensm-smdb.dump`: sections NODES, PORTS, LINKS, where there, SWITCHES and
/// PORT_HIERARCHY_INFO. Columns go by name. INDEX_TABLE, where there, is held against what was read.
model::Network read_db_csv(io::LineReader& lines, model::Disagreements& disagreements);
/// `ibdiagnet2.net_dump`: a table of ports for each switch.
model::Network read_net_dump(io::LineReader& lines, model::Disagreements& disagreements);
/// `ibnetdiscover` output (which is also what ibsim reads).
model::Network read_ibnetdiscover(io::LineReader& lines, model::Disagreements& disagreements);
/// `opensm-subnet.lst`, `ibdiagnet.lst`.
model::Network read_subnet_list(io::LineReader& lines, model::Disagreements& disagreements);
/// GraphML of networkx, igraph, PFSim, `write_graphml`. Nodes are hosts or switches by their attribute `kind`, `typ`,
/// `type` or `role`; where no node has one, hosts are those with a single neighbour. `capacity`, `rate`, `port`,
/// `from_port`, `to_port` of edges, `name`, `guid`, `lid` of nodes count; all else is left out. A host with several
/// cables is so many endpoints.
model::Network read_graphml(io::LineReader& lines, model::Disagreements& disagreements);
/// `opensm-lfts.dump`, and the output of `dump_lfts`, `dump_fts`, `ibroute`.
model::ForwardingTables read_lft_dump(io::LineReader& lines, model::Network const& network,
                                      model::Disagreements& disagreements, CutOff cut_off = CutOff::is_refused);
/// `opensm.fdbs`, `ibdiagnet.fdbs`.
model::ForwardingTables read_fdbs(io::LineReader& lines, model::Network const& network,
                                  model::Disagreements& disagreements, CutOff cut_off = CutOff::is_refused);

struct PrivateTables;  // host/formats/ibdiagnet2/private_tables.hpp
/// Static entries of adaptive switches and the groups beside them.
struct AdaptiveTables {
    model::ForwardingTables tables;
    std::shared_ptr<model::CandidateSets const> sets;
    std::map<std::uint32_t, std::vector<std::uint32_t>> numbers;  ///< of the private tables met, by node
};
/// `ibdiagnet2.far`. Of several private tables of a switch that counts which packets of service level 0 take by
/// `which`, where all ports take one; else number 0. A group that is not defined leaves its
/// LIDs with their static entries, and is noted.
AdaptiveTables read_far(io::LineReader& lines, model::Network const& network, model::Disagreements& disagreements,
                        PrivateTables const* which = nullptr);

/// `ibdiagnet2.db_csv` of a network that is named by GUIDs and LIDs, or gets some as `write_ibnetdiscover` gives them.
void write_db_csv(std::ostream& out, model::Network const& network);
/// `ibdiagnet2.net_dump` of the same, in the same names.
void write_net_dump(std::ostream& out, model::Network const& network);
/// `ibdiagnet2.lst` of the same.
void write_subnet_list(std::ostream& out, model::Network const& network);
/// `ibdiagnet2.fdbs` of a routed fabric.
void write_fdbs(std::ostream& out, model::Fabric const& fabric);
/// `ibdiagnet2.far` of a fabric with candidate sets. @throws InputError when it has none.
void write_far(std::ostream& out, model::Fabric const& fabric);

/// ORCS dot with the tables as edge comments (only entries for LIDs of hosts).
void write_orcs_dot(std::ostream& out, model::Fabric const& fabric);
/// The form of `ibnetdiscover`, which `ibsim` reads. GUIDs and LIDs are made up where the network has none
/// (host/formats/write/identity.hpp); one-way links become cables, on free ports above the others. Where no link states
/// a rate, all get 4xSDR. @throws InputError for LIDs above 0xBFFF and more than 254 ports.
void write_ibnetdiscover(std::ostream& out, model::Network const& network);
/// The form of `opensm-lfts.dump`, which OpenSM's `-R file -U` loads; names nodes as `write_ibnetdiscover` does.
/// Entries to ports that the switch does not have are left out, as OpenSM refuses the whole file for one of them; LIDs
/// above 0xBFFF that nobody owns are left out too. @throws InputError for owned LIDs above 0xBFFF, more than 254 ports,
/// and hosts whose own tables choose among several links.
void write_lft_dump(std::ostream& out, model::Fabric const& fabric);
/// GraphML, a directed graph. Nodes have kind (switch, host, router), name, guid and lid (an adapter's first port's),
/// edges from_port, to_port, rate and load, each where there is one. `load` by link (empty = no load attribute): flows
/// over it.
void write_graphml(std::ostream& out, model::Network const& network, std::vector<std::uint64_t> const& load);

}  // namespace tailback::formats
