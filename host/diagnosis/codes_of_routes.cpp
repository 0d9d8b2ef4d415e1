// What is wrong with the routes themselves, with choices of adaptive routing, and what is worth knowing of both.
#include "host/diagnosis/code_rows.hpp"

namespace tailback::diagnosis {
namespace {

constexpr char const* sweep_again = "Let the manager sweep; dump again.";
constexpr char const* as_for_pairs = "Act as for the code without `switch-lid` or `aggregation`.";
constexpr char const* look_at_choices = "See adaptive routing in docs/audit.md.";
constexpr char const* look_at_sessions = "Look at `show bgp summary` of the routers at both ends.";
constexpr auto unreachable = FindingKind::unreachable, choices = FindingKind::choices, groups = FindingKind::groups;
constexpr auto switch_lids = FindingKind::switch_lids, aggregation = FindingKind::aggregation;

constexpr CodeInfo routes_rows[] = {
    found(Code::parts_not_joined, "parts-not-joined", unreachable, "the switches are in parts that no cable joins",
          "A cable or a switch is gone that joined them, or the parts are planes. What is unreachable from one part to "
          "another stands under it.",
          "Bring it back. Planes: audit each on its own."),
    found(Code::no_entry, "no-entry", unreachable, "no entry",
          "Usually the routing engine found no path that its rules allow (up*/down* with wrong roots), or the table "
          "was not written. `tailback trace` shows the route up to there.",
          "Check the roots, and let the manager sweep again."),
    found(Code::no_table, "no-table", unreachable, "no forwarding table, so LIDs cannot pass",
          "The switch has no table in the files.", "See `switch-without-table` of that switch."),
    found(Code::keeps_foreign_lid, "keeps-foreign-lid", unreachable,
          "keeps a LID for itself (entry 0) without owning it",
          "Usually the LID moved, or was the switch's own before, or entries were loaded by hand.",
          "Dump again; let the manager sweep (`opensm` rewrites all tables after a heavy sweep)."),
    found(Code::sends_beyond_ports, "sends-beyond-ports", unreachable, "sends to a port that the switch does not have",
          "The table is of another switch, or damaged.", "Dump again."),
    found(Code::sends_to_no_cable, "sends-to-no-cable", unreachable, "sends to a port without a cable",
          "Usually the table is older than the cabling.", "Dump again, and let the manager sweep."),
    found(Code::lid_in_no_table, "lid-in-no-table", unreachable, "no table has an entry for a host's LID",
          "The host is new, or the tables are old. `dump_fts` leaves out the last LID where that is a multiple of 64 "
          "(seen with 192): `opensm-lfts.dump` or `ibroute` have it, and in a folder it is taken from there.",
          sweep_again),
    found(Code::lid_in_own_table_alone, "lid-in-own-table-alone", unreachable,
          "no table but that of the host's own switch has an entry",
          "The host came after the tables were made, or the manager has not swept. A router that alone has a route to "
          "its hosts does not get through with what it announces.",
          sweep_again),
    found(Code::source_without_cable, "source-without-cable", unreachable, "a source without a cable reaches nobody",
          "The port is not plugged in.", "Plug it in, or leave the host out (`--hosts`)."),
    found(Code::lane_15, "lane-15", unreachable, "SL2VL drops a service level (lane 15)",
          "The SL2VL table of the switch has no lane for packets of this level that come that way.",
          "Look at the routing engine's service levels and its SL2VL tables."),
    found(Code::forwarding_loop, "forwarding-loop", FindingKind::loop, "packets run in a circle",
          "The first switch named is the one that sends packets away from where they should go. Usually tables of two "
          "computations are mixed, or were loaded by hand.",
          "Let the manager sweep again; until then these pairs also block others."),
    found(Code::more_loops, "more-loops", FindingKind::loop, "more circles than are kept apart",
          "20,000 circles are told apart; these are the others, each of few pairs.", "Mend the others first."),
    found(Code::wrong_host, "wrong-host", FindingKind::misdelivered, "packets arrive at another host",
          "Usually the table is older than the cabling.", "Dump again, and let the manager sweep."),
    found(Code::swapped_hosts, "swapped-hosts", FindingKind::misdelivered, "two hosts get each other's packets",
          "Their cables or their LIDs were swapped between the topology and the tables.",
          "Look which of the two it is; let the manager sweep."),
    found(Code::channel_cycle, "channel-cycle", FindingKind::deadlock, "packets can wait for each other in a circle",
          "A cycle of channel dependencies: the fabric can stop for good under load.",
          "Use another routing engine, or the virtual lanes that the engine asks for."),
    found(Code::choices_cycle, "choices-cycle", FindingKind::deadlock, "choices can wait for each other in a circle",
          "The static entries have no cycle; over all choices of adaptive routing there is one.",
          "Use the lanes or the escape paths that the adaptive engine asks for."),
    found(Code::choice_ends, "choice-ends", choices, "some choices end without an entry",
          "A group leads to a switch that has no entry for the destination.", look_at_choices),
    found(Code::choice_to_no_cable, "choice-to-no-cable", choices, "a port of a group has no cable",
          "The group is older than the cabling.", look_at_choices),
    found(Code::choice_beyond_ports, "choice-beyond-ports", choices, "a group has a port that the switch does not have",
          "The group is of another switch, or damaged.", look_at_choices),
    found(Code::choice_to_wrong_host, "choice-to-wrong-host", choices, "a port of a group leads to another host",
          "The group is older than the cabling.", look_at_choices),
    found(Code::choice_loop, "choice-loop", choices, "some choices run in a circle",
          "Groups of several switches send packets around.", look_at_choices),
    found(Code::group_empty, "group-empty", groups, "a group has no port", "Its packets take the static entries.",
          look_at_choices),
    found(Code::group_without_static, "group-without-static", groups,
          "a group does not have the ports of the static entries", "Groups and static entries are of two computations.",
          look_at_choices),
    found(Code::entry_without_group, "entry-without-group", groups,
          "static entries where most of the same switch have a group",
          "These destinations alone do not choose; of routers: one next hop where the others have several.",
          look_at_choices),
    found(Code::group_unlike_others, "group-unlike-others", groups,
          "another group than most destinations of the same switch", "The group was made at another time.",
          look_at_choices),
    found(Code::switch_without_choices, "switch-without-choices", groups, "a switch does not choose, and its kin does",
          "All its entries are static, while most switches with the same neighbours choose.",
          "Switch adaptive routing on there."),
    found(Code::router_sessions_down, "router-sessions-down", groups, "no route goes by any cable of a router",
          "Its sessions seem to be down.", look_at_sessions),
    found(Code::router_avoided, "router-avoided", groups, "no route goes towards a router that sends itself",
          "It is drained, or its neighbours do not take its routes.", look_at_sessions),
    found(Code::cable_without_routes, "cable-without-routes", groups,
          "no route goes by a cable that is as short as others", "The session on it seems to be down.",
          look_at_sessions),
    found(Code::next_hops_missing, "next-hops-missing", groups, "routes lack next hops that are as short",
          "A limit on the number of paths, or a route that is left out.", look_at_sessions),
    found(Code::route_withheld, "route-withheld", groups, "a router does not take the shortest route of a neighbour",
          "It does not get that route, or a policy refuses it; others cannot send by it.", look_at_sessions),
    found(Code::switch_lid_dropped, "switch-lid-dropped", switch_lids, "the LID of a switch is not reached: dropped",
          "A switch's own LID cannot be reached from other switches. Pairs of hosts do not notice; monitoring that "
          "asks switches by LID does. Some engines (`ftree`) leave such routes out.",
          as_for_pairs),
    found(Code::switch_lid_loop, "switch-lid-loop", switch_lids, "the LID of a switch is not reached: a circle",
          "Packets for it run in a circle.", as_for_pairs),
    found(Code::switch_lid_misdelivered, "switch-lid-misdelivered", switch_lids,
          "the LID of a switch is not reached: another host gets it", "A table leads to a host that does not own it.",
          as_for_pairs),
    found(Code::aggregation_dropped, "aggregation-dropped", aggregation,
          "an engine of in-network reduction is not reached: dropped",
          "A pair with a SHARP engine at one end fails. It matters if in-network reduction is used.", as_for_pairs),
    found(Code::aggregation_loop, "aggregation-loop", aggregation,
          "an engine of in-network reduction is not reached: a circle", "Packets of the pair run in a circle.",
          as_for_pairs),
    found(Code::aggregation_misdelivered, "aggregation-misdelivered", aggregation,
          "an engine of in-network reduction is not reached: another host gets it",
          "Packets of the pair end at a host that does not own the LID.", as_for_pairs),
    found(Code::slow_cable, "slow-cable", FindingKind::degraded, "a cable slower than others of its kind",
          "It trained narrower or slower than the ports of both ends can. Not counted as a fault by itself.",
          "Reseat or replace it."),
    found(Code::virtual_lids_delivered, "virtual-lids-delivered", FindingKind::virtual_lids,
          "LIDs that nobody owns and all tables deliver",
          "Tables deliver each to one adapter port (or to routers): virtual ports of machines (SR-IOV), or LIDs behind "
          "routers (FLIDs). One finding for all, and no fault. LIDs of nobody that run in a circle, end at several "
          "ports, or are missing in a table stay `inconsistent`.",
          "Nothing. `ibdiagnet2.db_csv` names the ports of the first (START_VPORTS)."),
    found(Code::virtual_lids_above_top, "virtual-lids-above-top", FindingKind::virtual_lids,
          "entries for virtual ports above the top of the table",
          "The top (LinearFDBTop) was read before these ports were made, or the switches drop what is sent there.",
          "Dump again."),
    found(Code::up_after_down, "up-after-down", FindingKind::updown, "routes that go up again after they went down",
          "A detour around a missing cable, or an engine that trades length for balance. Not a fault by itself.",
          "Look at the deadlock verdict."),
    found(Code::longer_than_shortest, "longer-than-shortest", FindingKind::nonminimal,
          "routes longer than the shortest path",
          "A detour around a missing cable, or an engine that trades length for balance. Not a fault by itself.",
          "Look at the balance."),
    found(Code::other_way_back, "other-way-back", FindingKind::asymmetric, "the way back is another",
          "The two directions of a pair take different cables, which is usual where leaves have several uplinks. Not a "
          "fault. It matters to those who read the counters of one direction for both.",
          "Nothing."),
    found(Code::cable_unused, "cable-unused", FindingKind::unused, "cables that no pair uses",
          "No pair uses a cable, or several cables between the same two switches.", "Compare with the balance."),
};

}  // namespace

std::span<CodeInfo const> codes_of_routes() { return routes_rows; }

}  // namespace tailback::diagnosis
