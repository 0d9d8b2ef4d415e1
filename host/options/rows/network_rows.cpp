// Options that say which network is looked at, and how it is routed.
#include "host/options/rows/rows.hpp"

#include <cstdint>

namespace tailback::options {
namespace {

/// --network says which; `generate` has it as a word.
constexpr Commands with_a_network =
    studies | place | audit | estimate | trace | convert | compare | topology | schedule | improve;
constexpr Commands that_route = (with_a_network & ~topology) | generate;

// clang-format off
constexpr Option network_table[] = {
    {.name = "network", .metavar = "FILE|SPEC", .group = Group::network,
     .brief = "a file, a folder, or a spec like torus:8x8x8",
     .text = "the network: a file (ibnetdiscover output, opensm-subnet.lst, ibdiagnet2.db_csv, GraphML or ORCS dot; .xz and .gz are unpacked; - is standard input), the output folder of ibdiagnet2, a folder of routers (frr:DIR), or a spec like torus:8x8x8 (see `tailback list topologies`)",
     .kind = Kind::spec, .values = topology_names, .commands = with_a_network, .stage = Stage::network, .in_short_help = true},
    {.name = "tables", .metavar = "FILE", .group = Group::network,
     .brief = "forwarding tables: LFT dump or .fdbs",
     .text = "forwarding tables: LFT dump or .fdbs; ORCS dot files contain their own",
     .kind = Kind::file, .commands = that_route, .stage = Stage::network, .excludes = "routing", .reason = "each of them decides the routes", .in_short_help = true},
    {.name = "tables", .metavar = "FILE", .group = Group::network,
     .brief = "forwarding tables, which a topology does not need",
     .text = "forwarding tables: a topology does not need them, but the same words name a fabric here as elsewhere",
     .kind = Kind::file, .commands = topology, .stage = Stage::network},
    {.name = "strict", .group = Group::network,
     .brief = "contradictions between input files are errors",
     .text = "treat input files that contradict each other as an error instead of a warning; where nothing contradicts it changes nothing",
     .kind = Kind::flag, .commands = (with_a_network & ~audit) | diff | generate, .stage = Stage::network},
    {.name = "routing", .metavar = "NAME", .group = Group::network,
     .brief = "compute the routes: minhop, updn, dmodk, ..",
     .text = "compute the routes instead of reading tables: minhop, updn, dmodk, ... (see `tailback list routings`)",
     .kind = Kind::spec, .values = routing_names, .commands = that_route, .stage = Stage::routes, .in_short_help = true},
    {.name = "routing-seed", .metavar = "S", .group = Group::network,
     .brief = "seed of the routing's random choices",
     .text = "seed of the routing's random choices; refused where the routing draws nothing",
     .kind = Kind::number, .most = UINT64_MAX, .fallback = "1", .commands = that_route, .stage = Stage::routes, .idle = routing_seed_idle},
    {.name = "lmc", .metavar = "N", .group = Group::network,
     .brief = "every host gets 2^N LIDs, with a route to each",
     .text = "with a routing by destination that is computed: every host gets 2^N LIDs, with a route to each",
     .kind = Kind::number, .most = 7, .commands = that_route, .stage = Stage::routes},
    {.name = "fail-cables", .metavar = "N|P%", .group = Group::network,
     .brief = "let random cables fail: a number or a share",
     .text = "let random cables fail: a number (12) or a share (2%, rounded to the nearest whole number); switch:2% fails only cables between switches",
     .kind = Kind::text, .commands = with_a_network | generate, .stage = Stage::routes},
    {.name = "fail-switches", .metavar = "N|P%", .group = Group::network,
     .brief = "let random switches fail with all their cables",
     .text = "let random switches fail with all their cables: a number or a share",
     .kind = Kind::text, .commands = with_a_network | generate, .stage = Stage::routes},
    {.name = "fail-seed", .metavar = "S", .group = Group::network,
     .brief = "seed of the random failures",
     .text = "seed of the random failures",
     .kind = Kind::number, .most = UINT64_MAX, .fallback = "1", .commands = with_a_network | generate, .stage = Stage::routes, .needs = "fail-cables,fail-switches", .reason = "nothing fails"},
    {.name = "roots", .metavar = "FILE", .group = Group::network,
     .brief = "root switches of up*/down*",
     .text = "root switches of up*/down*, one GUID or name per line, for --routing updn and for the up*/down* check; inferred if not given",
     .kind = Kind::file, .commands = audit, .stage = Stage::routes},
    {.name = "routes", .metavar = "FORM", .group = Group::network,
     .brief = "how routes are kept: tables, formula, on demand",
     .text = "how routes are kept: tables (all in memory); arithmetic (computed by formula, for a spec without failures); trees (computed on demand, one destination at a time); auto (arithmetic if tables and the routes packed from them would take more than 1 GiB, trees if more than 8 GiB). The results are the same, but arithmetic and trees give another network digest, and links in a report may be listed in another order",
     .kind = Kind::choice, .choices = "auto|tables|arithmetic|trees", .fallback = "auto", .commands = evaluate, .stage = Stage::routes},
    {.name = "bracket", .group = Group::network,
     .brief = "the point is a bracket of adaptive routing",
     .text = "the point is one of `tailback bracket`",
     .kind = Kind::flag, .commands = sweep_key, .stage = Stage::routes},
    {.name = "sl2vl", .metavar = "FILE", .group = Group::network,
     .brief = "SL2VL tables for the deadlock check",
     .text = "SL2VL tables (opensm-sl2vl.dump, ibdiagnet.slvl) for the deadlock check on virtual lanes",
     .kind = Kind::file, .commands = audit, .stage = Stage::study},
    {.name = "path-sl", .metavar = "FILE", .group = Group::network,
     .brief = "service levels of paths for the deadlock check",
     .text = "service levels of paths (lines `SLID DLID SL`, or ibdiagnet.psl); `none`: all have level 0; if not given, a deadlock verdict that depends on them is undecided",
     .kind = Kind::file, .commands = audit, .stage = Stage::study},
    {.name = "hosts", .metavar = "PATTERN", .group = Group::network,
     .brief = "only hosts whose names match send and receive",
     .text = "only hosts whose names match this pattern (* ? [..]) send and are sent to; entries of others stay",
     .kind = Kind::text, .commands = improve, .stage = Stage::hosts},
    {.name = "hosts", .metavar = "PATTERN", .group = Group::network,
     .brief = "check only hosts whose names match",
     .text = "check only hosts whose names match this pattern (* ? [..])",
     .kind = Kind::text, .commands = audit, .stage = Stage::hosts},
    {.name = "capacities", .metavar = "KIND", .group = Group::network,
     .brief = "link capacities: by rates, or all the same",
     .text = "link capacities: rates (from link widths and speeds) or unit (all the same, as they are where no rates are known)",
     .kind = Kind::choice, .choices = "rates|unit", .fallback = "rates", .commands = studies | place | estimate | schedule | improve, .stage = Stage::hosts},
    {.name = "aggregation-nodes", .metavar = "apart|hosts", .group = Group::network,
     .brief = "aggregation nodes in switches: left out, or hosts",
     .text = "aggregation nodes inside switches: apart (left out) or hosts (counted as hosts)",
     .kind = Kind::choice, .choices = "apart|hosts", .fallback = "apart", .commands = studies | place, .stage = Stage::hosts},
    {.name = "aggregation-nodes", .metavar = "apart|hosts", .group = Group::network,
     .brief = "aggregation nodes in switches: apart, or hosts",
     .text = "aggregation nodes inside switches: apart (checked, but not counted) or hosts (counted as hosts)",
     .kind = Kind::choice, .choices = "apart|hosts", .fallback = "apart", .commands = audit, .stage = Stage::hosts},
    {.name = "aggregation-nodes", .metavar = "apart|hosts", .group = Group::network,
     .brief = "aggregation nodes in switches: left out, or hosts",
     .text = "aggregation nodes inside switches: apart (their pairs are left out) or hosts (counted as hosts)",
     .kind = Kind::choice, .choices = "apart|hosts", .fallback = "apart", .commands = diff, .stage = Stage::hosts},
    {.name = "old-tables", .metavar = "FILE", .group = Group::network,
     .brief = "forwarding tables of OLD",
     .text = "forwarding tables of OLD",
     .kind = Kind::file, .commands = diff, .stage = Stage::network},
    {.name = "new-tables", .metavar = "FILE", .group = Group::network,
     .brief = "forwarding tables of NEW",
     .text = "forwarding tables of NEW",
     .kind = Kind::file, .commands = diff, .stage = Stage::network},
    {.name = "counters", .metavar = "FILE", .group = Group::network,
     .brief = "the counters: db_csv, perfquery, ibqueryerrors",
     .text = "counters: ibdiagnet2.db_csv (PM_DELTA or PM_INFO), output of perfquery or of ibqueryerrors --data",
     .kind = Kind::file, .commands = compare, .stage = Stage::study, .in_short_help = true},
};
// clang-format on

}  // namespace

std::span<Option const> network_rows() { return network_table; }

}  // namespace tailback::options
