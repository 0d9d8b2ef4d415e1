// The table of commands.
#include "host/commands/command.hpp"
#include "host/commands/options/cxxopts.hpp"

namespace tailback::commands {
namespace {

constexpr Command commands[] = {
    {"evaluate", "congestion and bandwidth of a traffic pattern over many mappings", run_evaluate, declare_evaluate,
     evaluate_help, true},
    {"sweep", "every combination of networks, routings, patterns, ..., as one table", run_sweep, declare_sweep,
     sweep_help},
    {"orcs", "the same as evaluate, with the options and the text output of ORCS", run_orcs},
    {"audit", "are the tables right, which links are overloaded, what can go wrong", run_audit, declare_audit,
     audit_help},
    {"diff", "what differs between two dumps of a fabric, and how that changes routes and loads", run_diff,
     declare_diff, diff_help},
    {"estimate", "latency of all pairs without load, and of packets that wait, up to saturation", run_estimate,
     declare_estimate, estimate_help},
    {"trace", "one route, link by link", run_trace, declare_trace, trace_help},
    {"traffic", "what the ranks of an application send each other: read, told, drawn, converted", run_traffic,
     declare_traffic, traffic_help},
    {"convert", "write a network and its tables in another format", run_convert, declare_convert, convert_help},
    {"generate", "make a network from a spec, route it, write both", run_generate, declare_generate, generate_help},
    {"compare", "counters of ports beside the loads that the routes give them", run_compare, declare_compare,
     compare_help},
    {"topology", "the tree of a fabric for a scheduler (Slurm's topology.conf), or one held against it", run_topology,
     declare_topology, topology_help},
    {"schedule", "jobs over time on one fabric: who waits, who runs where, whom congestion slows", run_schedule,
     declare_schedule, schedule_help},
    {"list", "topologies, routings, patterns, metrics, devices", run_list},
    {"manual", "this program's manual pages", run_manual},
    {"completion", "what a shell needs to complete commands and options", run_completion},
};

}  // namespace

std::span<Command const> all_commands() { return commands; }

}  // namespace tailback::commands
