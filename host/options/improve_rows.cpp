// Options of the search for better tables.
#include "host/options/rows.hpp"

#include <cstdint>

namespace tailback::options {
namespace {

// clang-format off
constexpr Option improve_table[] = {
    {.name = "objective", .metavar = "WHAT", .group = Group::study,
     .brief = "what is to be small: collisions, max-load, ..",
     .text = "what is to be small: collisions (of a random permutation, which decides bandwidth; the largest load is trimmed where that costs little), max-load (the largest load between switches, at the cost of collisions), jobs (the largest load that the traffic of --job and --jobs puts on a link between switches) or permutation (the most flows that any permutation of the hosts puts on a link, audit's worst case; then collisions)",
     .kind = Kind::choice, .choices = "collisions|max-load|jobs|permutation", .fallback = "collisions", .commands = improve, .stage = Stage::study, .in_short_help = true},
    {.name = "slack", .metavar = "H", .group = Group::study,
     .brief = "links that a route may take beyond the fewest",
     .text = "links that a route may take beyond the fewest (on one lane: beyond the fewest of its order of the switches); moves and the trim use them, rounds keep to the fewest",
     .kind = Kind::number, .most = 15, .fallback = "0", .commands = improve, .stage = Stage::study, .in_short_help = true},
    {.name = "lanes", .metavar = "N", .group = Group::study,
     .brief = "virtual lanes on which no deadlock may be",
     .text = "virtual lanes on which the tables are free of deadlock; with more than one, service levels may be needed beside them (--service-levels)",
     .kind = Kind::number, .least = 1, .most = 15, .fallback = "1", .commands = improve, .stage = Stage::study, .in_short_help = true},
    {.name = "changes", .metavar = "N", .group = Group::study,
     .brief = "change at most so many entries",
     .text = "change at most so many entries of hosts' base LIDs: what is broken first, then those that gain most",
     .kind = Kind::number, .least = 1, .most = UINT64_MAX, .commands = improve, .stage = Stage::study, .in_short_help = true},
    {.name = "rounds", .metavar = "N", .group = Group::running,
     .brief = "rounds over all destinations, at most",
     .text = "rounds over all destinations, at most: in each, every destination gets the tree that meets the least load of others (default: 12)",
     .kind = Kind::number, .most = 1'000'000, .commands = improve, .stage = Stage::run, .excludes = "changes", .reason = "few changes go on until nothing is gained"},
    {.name = "moves", .metavar = "N", .group = Group::running,
     .brief = "moves of single entries",
     .text = "moves of single entries that each descent tries (default: by the size and kind of the network)",
     .kind = Kind::number, .most = UINT32_MAX, .commands = improve, .stage = Stage::run, .excludes = "changes", .reason = "few changes go on until nothing is gained"},
    {.name = "orders", .metavar = "N", .group = Group::running,
     .brief = "orders of the switches to try, for one lane",
     .text = "orders of the switches that are tried where routes of fewest links do not fit on the lanes (default: by the size and kind of the network)",
     .kind = Kind::number, .most = 100'000'000, .commands = improve, .stage = Stage::run, .excludes = "changes", .reason = "few changes go on until nothing is gained"},
    {.name = "restarts", .metavar = "N", .group = Group::running,
     .brief = "searches, each with draws of its own",
     .text = "descents of moves and searches of orders, each with draws of its own, which threads and processes share; the best counts (default: by the size and kind of the network)",
     .kind = Kind::number, .least = 1, .most = 10'000, .commands = improve, .stage = Stage::run, .excludes = "changes", .reason = "few changes draw nothing"},
    {.name = "seed", .metavar = "S", .group = Group::running,
     .brief = "seed of the search's random choices",
     .text = "seed of the search's random choices",
     .kind = Kind::number, .most = UINT64_MAX, .fallback = "1", .commands = improve, .stage = Stage::run, .excludes = "changes", .reason = "few changes draw nothing"},
    {.name = "time", .metavar = "T", .group = Group::running,
     .brief = "end the search after 60s, 5m, 1h",
     .text = "end the search after so long (60s, 5m, 1h), at a whole step; for one lane half of it is for routes of fewest links, the rest for orders of the switches where these can wait in a circle",
     .kind = Kind::text, .commands = improve, .stage = Stage::run, .in_short_help = true},
    {.name = "to", .metavar = "FORMAT", .group = Group::output,
     .brief = "the format of the tables",
     .text = "the format of the tables that are written: lft-dump, fdbs or orcs-dot",
     .kind = Kind::text, .values = write_formats, .fallback = "lft-dump", .commands = improve, .stage = Stage::output, .needs = "output", .reason = "no tables are written", .in_short_help = true},
    {.name = "output", .letter = 'o', .metavar = "FILE", .group = Group::output,
     .brief = "file for the tables; none: a report alone",
     .text = "file for the tables, the input's where nothing better was found; without it nothing but the report is written",
     .kind = Kind::file, .commands = improve, .stage = Stage::output, .in_short_help = true},
    {.name = "service-levels", .metavar = "FILE", .group = Group::output,
     .brief = "file for the service levels of paths",
     .text = "file for the service levels of paths (lines `SLID DLID SL`), where the tables need more than one lane",
     .kind = Kind::file, .commands = improve, .stage = Stage::output},
    {.name = "report", .metavar = "FILE", .group = Group::output,
     .brief = "file for the report; - is standard output",
     .text = "file for the report; - is standard output",
     .kind = Kind::file, .fallback = "-", .commands = improve, .stage = Stage::output},
};
// clang-format on

}  // namespace

std::span<Option const> improve_rows() { return improve_table; }

}  // namespace tailback::options
