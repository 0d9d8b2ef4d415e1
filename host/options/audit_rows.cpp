// Options of audits, and of commands that look at one thing.
#include "host/options/rows.hpp"

#include <cstdint>

namespace tailback::options {
namespace {

/// Of formats of an audit that draw the network.
constexpr char const* loads_alone = "a drawing has the loads of links alone; text, json, csv and html have it";

// clang-format off
constexpr Option audit_table[] = {
    {.name = "without-cable", .metavar = "NODE:PORT", .group = Group::what_if,
     .brief = "pairs that break without this cable; repeatable",
     .text = "report the pairs that break without the cable in this port (NODE is a name, GUID or LID); repeatable",
     .kind = Kind::words, .commands = audit, .stage = Stage::study, .excludes = "format=dot|svg", .reason = loads_alone},
    {.name = "without-switch", .metavar = "SWITCH", .group = Group::what_if,
     .brief = "pairs that break without this switch; repeatable",
     .text = "report the pairs that break without this switch; repeatable",
     .kind = Kind::words, .commands = audit, .stage = Stage::study, .excludes = "format=dot|svg", .reason = loads_alone},
    {.name = "criticality", .group = Group::what_if,
     .brief = "cables by the number of pairs that depend on them",
     .text = "list the cables by the number of pairs that depend on them",
     .kind = Kind::flag, .commands = audit, .stage = Stage::study, .excludes = "format=dot|svg", .reason = loads_alone},
    {.name = "return-cables", .metavar = "WHICH", .group = Group::what_if,
     .brief = "which missing cable is worth most",
     .text = "what each missing cable between switches would bring, with tables (or the next hops that flows divide over) made anew: those that a switch lacks and most switches with the same neighbours have (uneven), those that fail here (failed, or some of them by name: leaf-07:31,leaf-09:2, as for --fail-cables), or those that an older dump of the network has (its file)",
     .kind = Kind::file, .commands = audit, .stage = Stage::study, .excludes = "format=dot|svg", .reason = loads_alone},
    {.name = "try-routings", .group = Group::what_if,
     .brief = "what other routings would give this network",
     .text = "beside the tables as they are: what every routing by destination that fits would give this network, the best first",
     .kind = Kind::flag, .commands = audit, .stage = Stage::study, .excludes = "format=dot|svg", .reason = loads_alone},
    {.name = "bound", .metavar = "ROUTES", .group = Group::worst_case,
     .brief = "what no tables can beat",
     .text = "the least possible largest load of a link between switches: by shortest routes, by any routes, or none (not computed)",
     .kind = Kind::choice, .choices = "shortest|any|none", .fallback = "shortest", .commands = audit, .stage = Stage::study},
    {.name = "certificate", .metavar = "FILE", .group = Group::worst_case,
     .brief = "write the prices of links that prove the bound",
     .text = "write the prices of links that prove the bound, as CSV that anyone can add up again (docs/audit.md)",
     .kind = Kind::file, .commands = audit, .stage = Stage::output},
    {.name = "ebb", .metavar = "formula|none", .group = Group::worst_case,
     .brief = "effective bisection bandwidth to expect",
     .text = "effective bisection bandwidth: formula (what these tables give in the mean over all pairings of hosts, and what no tables can exceed), or none (not computed)",
     .kind = Kind::choice, .choices = "formula|none", .fallback = "formula", .commands = audit, .stage = Stage::study},
    {.name = "worst-case", .metavar = "HOW", .group = Group::worst_case,
     .brief = "largest load by any permutation",
     .text = "for every link, the largest load that any permutation causes: exact (maximum matching), bound (the smaller of the numbers of its sources and destinations), none, or auto (exact if that takes one core a few seconds at most)",
     .kind = Kind::choice, .choices = "auto|exact|bound|none", .fallback = "auto", .commands = audit, .stage = Stage::study, .idle = worst_case_idle},
    {.name = "shifts", .metavar = "HOW", .group = Group::worst_case,
     .brief = "largest load by any shift",
     .text = "largest load over all shift permutations of the hosts: all, none, or auto (all if that takes one core a few seconds at most)",
     .kind = Kind::choice, .choices = "auto|all|none", .fallback = "auto", .commands = audit, .stage = Stage::study, .idle = shifts_idle},
    {.name = "shift-order", .metavar = "file|bfs", .group = Group::worst_case,
     .brief = "order of the hosts for shifts",
     .text = "order of the hosts for shifts: file (as listed) or bfs (breadth first, as `evaluate` places ranks)",
     .kind = Kind::choice, .choices = "file|bfs", .fallback = "file", .commands = audit, .stage = Stage::study, .idle = shift_order_idle},
    {.name = "write-worst-permutation", .metavar = "FILE", .group = Group::worst_case,
     .brief = "write the worst permutation as a mapping",
     .text = "write the worst permutation as a mapping that `evaluate --mapping file:FILE` replays; if a host both sends and receives, its flows go to FILE.flows",
     .kind = Kind::file, .commands = audit, .stage = Stage::output},
    {.name = "source-port", .metavar = "PORT", .group = Group::study,
     .brief = "UDP source port, or A..B, for equal-cost routes",
     .text = "of a network whose switches choose among routes of equal cost: the ways of UDP packets from this port, or from A..B, by the Linux kernel's hash; its seeds are those of the folder, or of --routing ecmp:hash=linux,..",
     .kind = Kind::text, .commands = trace, .stage = Stage::study},
    {.name = "destination-port", .metavar = "PORT", .group = Group::study,
     .brief = "the port these packets go to",
     .text = "the port these packets go to",
     .kind = Kind::number, .least = 1, .most = 65535, .fallback = "4791", .commands = trace, .stage = Stage::study, .needs = "source-port", .reason = "these packets are from --source-port"},
    {.name = "fail-on", .metavar = "WORDS", .group = Group::output,
     .brief = "kinds or codes of findings that make exit code 1",
     .text = "kinds of findings, or codes (`tailback list findings`), that make the exit code 1, separated by commas; or all, or none",
     .kind = Kind::words, .values = finding_names, .commands = audit, .stage = Stage::output},
};
// clang-format on

}  // namespace

std::span<Option const> audit_rows() { return audit_table; }

}  // namespace tailback::options
