// What readers count while they read files that disagree, and how a warning says it.
#pragma once

#include <cstdint>
#include <string>

namespace tailback::diagnosis {

/// The ways in which a topology file and a table file (or one of them with itself) can disagree: what is counted
/// together, for one warning. Each has one or several codes (code.hpp), which say what it is in detail.
enum class Disagreement : std::uint8_t {
    unowned_lid,              ///< a table routes a LID that no port of the topology owns
    table_of_unknown_switch,  ///< a table for a GUID that the topology does not have, or has as an adapter
    switch_without_table,     ///< a switch of the topology that no table describes
    port_beyond_switch,       ///< an entry names a port above the switch's port count
    port_without_cable,       ///< an entry names a port with nothing plugged in
    host_without_cable,       ///< an adapter port (or dot host) with no link
    one_sided_cable,          ///< a cable listed from one end only, or whose ends contradict each other
    duplicate_lid,            ///< one LID owned by two ports
    duplicate_entry,          ///< two different entries for one LID on one switch (the later one counts)
    port_without_lid,         ///< a cabled adapter port with LID 0 or 65535
    unparsed_line,            ///< a line inside a table that no rule explains
    unknown_speed,            ///< a width or speed nobody knows, taken as the base rate
    unrouted_comment,         ///< an ORCS edge comment that names no node of the file
    incomplete_table,         ///< a table without its end, or that counts other entries than it has
    duplicate_guid,           ///< one GUID in the records of two nodes
    lanes_of_unknown_port,    ///< an SL2VL record of a node or port that the topology does not have
    level_of_unknown_path,    ///< a service level for a path from or to somebody the topology does not have
    odd_lid,                  ///< what stands for a LID is none (`-1`, 65335, nothing)
    told_twice,               ///< a LID or GUID that lines of one file tell otherwise
    missing_record,           ///< a node that only its neighbours tell of
    duplicate_table,          ///< two tables of one switch that differ
    table_header_lid,         ///< a table whose header has another LID for its switch than the topology
    other_owner,              ///< a LID that tables give to another port than the topology does
    damaged_file,             ///< a section or a file that is missing, cut, or not as long as its index says
    odd_cell,                 ///< a row with a number that none is, or with more or fewer cells than its heading
    unknown_group,            ///< an entry of adaptive routing names a group that its switch does not have
    private_table,            ///< a private table of a switch beside its first, which is not followed
    port_not_active,          ///< a cabled port that is down, or that no subnet manager has made active
    unlike_file,              ///< two descriptions of one run that tell different networks
    unknown_node_kind,        ///< a node whose own word for what it is nobody knows
    unread_attribute,         ///< an attribute of a file that nothing reads
    black_hole,               ///< a router with routes without a next hop, which drops packets
    router_without_routes,    ///< a router with cables to others and no route by any of them
    routers_disagree,         ///< what routers and hosts tell of addresses, networks, cables contradicts each other
};
inline constexpr std::size_t disagreement_kinds = 34;
/// Does it say that something is wrong? Else it tells how a file was taken, and `strict` lets it pass.
constexpr bool contradicts(Disagreement kind) {
    return kind != Disagreement::unknown_node_kind && kind != Disagreement::unread_attribute;
}
/// `12 table entries are for LIDs nobody owns`
std::string count_text(Disagreement kind, std::uint64_t times);

}  // namespace tailback::diagnosis
