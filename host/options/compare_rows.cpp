// Options of `tailback compare`: counters of ports, and plans of cables.
#include "host/options/registry.hpp"
#include "host/options/rows.hpp"

#include <cstdint>

namespace tailback::options {

void register_compare(Registry& registry) {
    Commands const compare = registry.add(CommandName{.name = "compare"}, "improve");
    registry.share(compare, trace,
                   "network,tables,strict,routing,routing-seed,lmc,fail-cables,fail-switches,fail-seed,output");
    // clang-format off
    registry.add(Option
        {.name = "counters", .metavar = "FILE", .group = Group::network,
         .brief = "the counters: db_csv, perfquery, ibqueryerrors",
         .text = "counters: ibdiagnet2.db_csv (PM_DELTA or PM_INFO), output of perfquery or of ibqueryerrors --data",
         .kind = Kind::file, .commands = compare, .stage = Stage::study, .excludes = "plan,format=html", .reason = "one thing is held against the fabric at a time, and a page is of a plan", .in_short_help = true});
    registry.add(Option
        {.name = "plan", .metavar = "FILE", .group = Group::network,
         .brief = "a plan of cables: is it cabled so?",
         .text = "a plan of cables, to be held against those that are there: a table with the columns StartDevice, StartPort, EndDevice, EndPort (as UFM's network diff tool has them) or From, From Port, To, To Port, in any order and behind others; a column Rack names where mistakes are",
         .kind = Kind::file, .commands = compare, .stage = Stage::study, .in_short_help = true});
    registry.add(Option
        {.name = "costs", .metavar = "N", .group = Group::network,
         .brief = "mistakes of cabling whose cost is found",
         .text = "of how many mistakes of cabling the cost is found, the first ones: each is put right by itself, and --routing makes routes anew (where none is given minhop, or ar:minimal where switches choose among routes of equal cost); 0 = of none",
         .kind = Kind::number, .most = UINT32_MAX, .fallback = "10", .commands = compare, .stage = Stage::study, .needs = "plan", .reason = "a cost is that of a mistake of cabling"});
    registry.add(Option
        {.name = "job", .metavar = "JOB", .group = Group::study,
         .brief = "what a job sends is expected; any number of times",
         .text = "expected is what a job sends: NAME:traffic=FILE,nodes=.. as for evaluate; may be given several times",
         .kind = Kind::texts, .commands = compare, .stage = Stage::study, .excludes = "plan", .reason = "jobs are held against counters"});
    registry.add(Option
        {.name = "jobs", .metavar = "FILE", .group = Group::study,
         .brief = "the same, of a YAML file of jobs",
         .text = "the same, of a YAML file of jobs",
         .kind = Kind::file, .commands = compare, .stage = Stage::study, .excludes = "plan", .reason = "jobs are held against counters"});
    registry.add(Option
        {.name = "format", .metavar = "FORMAT", .group = Group::output,
         .brief = "report as text, JSON or CSV; of a plan a page, too",
         .text = "report format: text, json, csv (all that JSON has, a number a row), or with --plan html (a page for a browser)",
         .kind = Kind::choice, .choices = "text|json|csv|html", .fallback = "text", .commands = compare, .stage = Stage::output, .in_short_help = true});
    registry.add(Option
        {.name = "picture", .metavar = "FILE.svg", .group = Group::output,
         .brief = "sent over expected as SVG, a dot a port",
         .text = "write a picture: a dot a port, sent over expected",
         .kind = Kind::file, .choices = ".svg", .commands = compare, .stage = Stage::output, .excludes = "plan", .reason = "it is of counters"});
    registry.add(Option
        {.name = "group-by", .metavar = "HOW", .group = Group::output,
         .brief = "sum ports by group of nodes",
         .text = "sum ports by group of the nodes that send: leaf, name:REGEX or file:PATH, as for audit",
         .kind = Kind::text, .commands = compare, .stage = Stage::output, .excludes = "plan", .reason = "it sums counters; a plan has racks of its own"});
    registry.add(Option
        {.name = "top", .metavar = "N", .group = Group::output,
         .brief = "entries of each list that the text names",
         .text = "number of ports, or of cables, that the text names of each list",
         .kind = Kind::number, .most = UINT32_MAX, .fallback = "10", .commands = compare, .stage = Stage::output, .excludes = "format=json|csv|html", .reason = "only the text report leaves anything out"});
    // clang-format on
}

}  // namespace tailback::options
