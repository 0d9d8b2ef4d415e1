#include "host/diagnosis/disagreement.hpp"

namespace tailback::diagnosis {
namespace {

struct Wording {
    char const* singular;
    char const* plural;
};

Wording wording(Disagreement kind) {
    switch (kind) {
        case Disagreement::unowned_lid:
            return {"table entry is for a LID nobody owns", "table entries are for LIDs nobody owns"};
        case Disagreement::table_of_unknown_switch:
            return {"table is of a switch that the topology does not have",
                    "tables are of switches that the topology does not have"};
        case Disagreement::switch_without_table:
            return {"switch has no forwarding table", "switches have no forwarding table"};
        case Disagreement::port_beyond_switch:
            return {"table entry names a port beyond the switch", "table entries name ports beyond the switch"};
        case Disagreement::port_without_cable:
            return {"table entry names a port without a cable", "table entries name ports without a cable"};
        case Disagreement::host_without_cable: return {"host has no cable", "hosts have no cable"};
        case Disagreement::one_sided_cable:
            return {"cable is listed from one end only, or at a port that has another",
                    "cables are listed from one end only, or at ports that have others"};
        case Disagreement::duplicate_lid: return {"LID is owned by two ports", "LIDs are owned by two ports"};
        case Disagreement::duplicate_entry:
            return {"table entry contradicts an earlier one", "table entries contradict earlier ones"};
        case Disagreement::port_without_lid:
            return {"cabled adapter port has no LID", "cabled adapter ports have no LID"};
        case Disagreement::unparsed_line:
            return {"line was not understood and is left out", "lines were not understood and are left out"};
        case Disagreement::unknown_speed:
            return {"link has an unknown width or speed and counts as base rate",
                    "links have an unknown width or speed and count as base rate"};
        case Disagreement::unrouted_comment:
            return {"name in the route comments belongs to no node", "names in the route comments belong to no node"};
        case Disagreement::incomplete_table:
            return {"forwarding table is incomplete", "forwarding tables are incomplete"};
        case Disagreement::duplicate_guid:
            return {"GUID is in the records of two nodes", "GUIDs are in the records of two nodes"};
        case Disagreement::lanes_of_unknown_port:
            return {"SL2VL record is of a port that the topology does not have",
                    "SL2VL records are of ports that the topology does not have"};
        case Disagreement::level_of_unknown_path:
            return {"service level is of a path that the topology does not have",
                    "service levels are of paths that the topology does not have"};
        case Disagreement::odd_lid: return {"LID is not a unicast LID", "LIDs are no unicast LIDs"};
        case Disagreement::told_twice: return {"LID or GUID is told in two ways", "LIDs or GUIDs are told in two ways"};
        case Disagreement::missing_record:
            return {"node has no record of its own", "nodes have no record of their own"};
        case Disagreement::duplicate_table:
            return {"switch has two tables that differ", "switches have two tables that differ"};
        case Disagreement::table_header_lid:
            return {"table has another LID for its switch than the topology",
                    "tables have other LIDs for their switches than the topology"};
        case Disagreement::other_owner:
            return {"LID has another owner by the tables than by the topology",
                    "LIDs have other owners by the tables than by the topology"};
        case Disagreement::damaged_file:
            return {"section or file is missing, cut, or not as it should be",
                    "sections or files are missing, cut, or not as they should be"};
        case Disagreement::odd_cell: return {"row is damaged", "rows are damaged"};
        case Disagreement::unknown_group:
            return {"entry names a group that its switch does not have",
                    "entries name groups that their switches do not have"};
        case Disagreement::private_table:
            return {"private table of a switch is not followed", "private tables of switches are not followed"};
        case Disagreement::port_not_active: return {"cabled port is not active", "cabled ports are not active"};
        case Disagreement::unlike_file:
            return {"difference between two descriptions of the fabric",
                    "differences between descriptions of the fabric"};
        case Disagreement::unknown_node_kind:
            return {"node is of a kind that is not known", "nodes are of kinds that are not known"};
        case Disagreement::unread_attribute:
            return {"attribute of the file is not read", "attributes of the file are not read"};
        case Disagreement::black_hole:
            return {"router drops packets by routes without a next hop",
                    "routers drop packets by routes without a next hop"};
        case Disagreement::router_without_routes:
            return {"router has no route by any of its cables", "routers have no route by any of their cables"};
        case Disagreement::routers_disagree:
            return {"contradiction in what routers and hosts tell", "contradictions in what routers and hosts tell"};
    }
    return {"disagreement", "disagreements"};
}

}  // namespace

std::string count_text(Disagreement kind, std::uint64_t times) {
    Wording const words = wording(kind);
    return std::to_string(times) + " " + (times == 1 ? words.singular : words.plural);
}

}  // namespace tailback::diagnosis
