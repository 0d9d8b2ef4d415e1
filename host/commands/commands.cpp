// The table of commands.
#include "host/base/extensions.hpp"
#include "host/commands/registry.hpp"

#include <iterator>

namespace tailback::commands {
namespace {

constexpr Command commands_of_core[] = {
    {"evaluate",
     "congestion and bandwidth of a traffic pattern over many mappings",
     run_evaluate,
     {options::evaluate,
      "Measures the congestion and bandwidth of a traffic pattern over many mappings of ranks to hosts.",
      "--network FILE|SPEC [--tables FILE | --routing NAME] [options]",
      "tailback evaluate --network torus:8x8x8 --pattern bisect"},
     evaluate_notes,
     true},
    {"jobs",
     "several jobs on one fabric: each alone and together, who slows whom",
     run_jobs,
     {options::jobs, "Puts several jobs on one fabric: each alone and together, and the links that they share.",
      "--network FILE|SPEC --job NAME:KEY=VALUE,.. [options]",
      "tailback jobs --network torus:8x8 --job a:pattern=rand,nodes=any:20 --job b:pattern=all-to-all,ranks=10"},
     jobs_notes},
    {"bracket",
     "what adaptive routing is worth: static entries, equal division, a hash, the best",
     run_bracket,
     {options::bracket,
      "Evaluates a pattern under every way to use routes of equal cost, side by side: what adaptive routing is worth.",
      "--network FILE|SPEC [--routing NAME] [options]",
      "tailback bracket --network torus:8x8 --routing ar:minimal --pattern rand"},
     bracket_notes,
     true},
    {"multipath",
     "flows spread over the 2^LMC LIDs of their destinations, or over queue pairs",
     run_multipath,
     {options::multipath, "Spreads flows over the 2^LMC LIDs of their destinations, in several ways side by side.",
      "--network FILE|SPEC [--tables FILE | --routing NAME --lmc N] [options]",
      "tailback multipath --network xgft:m=8x8,w=1x4 --lmc 2"},
     multipath_notes,
     true},
    {"place",
     "in which order do I start the ranks? the best order for these nodes",
     run_place,
     {options::place, "Searches the order of ranks on given nodes that the network serves best.",
      "--network FILE|SPEC --traffic FILE|--pattern NAME|--job JOB .. [options]",
      "tailback place --network xgft:m=8x8,w=1x4 --pattern stencil-2d --ranks 64"},
     place_notes,
     true},
    {"sweep",
     "every combination of networks, routings, patterns, ..., as one table",
     run_sweep,
     {options::sweep, "Evaluates every combination of networks, routings, patterns, ... and writes one table.",
      "FILE.yaml --output DIR [options]", "tailback sweep example.yaml --output results"},
     sweep_notes},
    {"audit",
     "are the tables right, which links are overloaded, what can go wrong",
     run_audit,
     {options::audit, "Checks the routes of all pairs of hosts: wrong tables, overloaded links, deadlock, worst cases.",
      "--network FILE [--tables FILE] [options]",
      "tailback audit --network ibnetdiscover.out --tables opensm-lfts.dump"},
     audit_notes},
    {"improve",
     "better forwarding tables: fewer collisions, lower loads, no deadlock",
     run_improve,
     {options::improve,
      "Searches for forwarding tables with fewer collisions, proves them by an audit, and writes them.",
      "--network FILE|SPEC [--tables FILE | --routing NAME] [--output FILE] [options]",
      "tailback improve --network ibnetdiscover.out --tables opensm-lfts.dump -o better.lfts"},
     improve_notes,
     true},
    {"diff",
     "what differs between two dumps of a fabric, and how that changes routes and loads",
     run_diff,
     {options::diff,
      "Compares two dumps of a fabric: cables, LIDs, tables, routes of all pairs, link loads; or tells of many, a row "
      "each, how they get better or worse.",
      "OLD[,TABLES] NEW[,TABLES] [NEWER[,TABLES] ..] [options]", "tailback diff dumps/monday dumps/tuesday"},
     diff_notes},
    {"trace",
     "one route, link by link",
     run_trace,
     {options::trace, "Prints one route, link by link, and whether it is delivered.",
      "--network FILE|SPEC [--tables FILE | --routing NAME] SRC DST ..",
      "tailback trace --network torus:4x4x4 --routing dor H1 H64"},
     trace_notes},
    {"traffic",
     "what the ranks of an application send each other: read, told, drawn, converted",
     run_traffic,
     {options::traffic, "Tells what the ranks of an application send each other.", "FILE [options]",
      "tailback traffic examples/applications/app.mpiP"},
     traffic_notes},
    {"convert",
     "write a network and its tables in another format",
     run_convert,
     {options::convert, "Writes a network and its tables in another format.",
      "--network FILE|SPEC [--tables FILE | --routing NAME] --to FORMAT [--output FILE]",
      "tailback convert --network fabric.dot --to ibnetdiscover --output fabric.net"},
     convert_notes},
    {"generate",
     "make a network from a spec, route it, write both",
     run_generate,
     {options::generate, "Makes a network from a spec, routes it, and writes the network and its tables.",
      "SPEC --output DIR [--routing NAME] [options]",
      "tailback generate mport-ntree:m=8,n=3 --routing minhop --output tree128"},
     generate_notes},
    {"list", "topologies, routings, patterns, metrics, findings, devices", run_list},
    {"manual", "this program's manual pages", run_manual},
    {"completion", "what a shell needs to complete commands and options", run_completion},
};

}  // namespace

namespace {

/// With what extensions add.
Registry const& tables() {
    static Registry const all =
        base::with_extensions(Registry{.commands = {std::begin(commands_of_core), std::end(commands_of_core)}});
    return all;
}

}  // namespace

std::span<Command const> all_commands() { return tables().commands; }
std::span<StudyOutput const> study_outputs() { return tables().study_outputs; }
std::span<JobList const> job_lists() { return tables().job_lists; }
std::span<NodeList const> node_lists() { return tables().node_lists; }

}  // namespace tailback::commands
