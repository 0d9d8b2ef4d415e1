// Options for what Slurm writes and reads: `tailback topology`, jobs that run, nodes that are free.
#include "host/options/registry.hpp"
#include "host/options/rows.hpp"

#include <cstdint>

namespace tailback::options {

void register_slurm(Registry& registry) {
    Commands const topology = registry.add(CommandName{.name = "topology"}, "improve");
    registry.share(topology, trace, "network,strict,fail-cables,fail-switches,fail-seed,output");
    // clang-format off
    registry.add(Option
        {.name = "tables", .metavar = "FILE", .group = Group::network,
         .brief = "forwarding tables, which a topology does not need",
         .text = "forwarding tables: a topology does not need them, but the same words name a fabric here as elsewhere",
         .kind = Kind::file, .commands = topology, .stage = Stage::network});
    registry.add(Option
        {.name = "adapters", .metavar = "HOW", .group = Group::study,
         .brief = "which hosts are adapters of one compute node",
         .text = "which adapters are one compute node: name, system, a number, or file:PATH",
         .kind = Kind::text, .values = adapter_rules, .fallback = "name", .commands = topology, .stage = Stage::hosts});
    registry.add(Option
        {.name = "ranks-per-node", .metavar = "K", .group = Group::study,
         .brief = "ranks on a compute node of the jobs of --squeue",
         .text = "ranks that the jobs of --squeue have on a compute node (one for every adapter unless given)",
         .kind = Kind::number, .least = 1, .most = UINT16_MAX, .commands = jobs, .stage = Stage::hosts, .needs = "squeue", .reason = "every job has its own (NAME:ranks-per-node=..)"});
    registry.add_after("jobs", Option
        {.name = "squeue", .metavar = "FILE", .group = Group::study,
         .brief = "the jobs that run, as squeue prints them",
         .text = "the jobs that run, as `squeue -h -t R -o \"%i %N\"` prints them: each with its nodes and the traffic of --squeue-pattern; those of one node are left out. --ranks-per-node says how many ranks they have on a node (one for every adapter unless given)",
         .kind = Kind::file, .commands = jobs, .stage = Stage::study, .in_short_help = true});
    registry.add_after("squeue", Option
        {.name = "squeue-pattern", .metavar = "NAME", .group = Group::study,
         .brief = "traffic of the jobs of --squeue",
         .text = "traffic of the jobs of --squeue",
         .kind = Kind::spec, .values = pattern_names, .fallback = "all-to-all", .commands = jobs | place, .stage = Stage::study, .needs = "squeue", .reason = "it belongs to --squeue"});
    registry.add_before("set", Option
        {.name = "squeue", .metavar = "FILE", .group = Group::study,
         .brief = "the jobs that run, as squeue prints them",
         .text = "such jobs as `squeue -h -t R -o \"%i %N\"` prints them: each with a rank for every adapter of its nodes and the traffic of --squeue-pattern; those of one node send nothing, but their nodes are taken",
         .kind = Kind::file, .commands = place, .stage = Stage::study, .excludes = "stay", .reason = "nodes are chosen beside them", .idle = beside_jobs_idle, .in_short_help = true});
    registry.add_before("set", Option
        {.name = "sinfo", .metavar = "FILE", .group = Group::study,
         .brief = "the nodes that are free, as sinfo tells",
         .text = "the nodes that are free: those that are idle by the output of `sinfo`, `sinfo -N` or `scontrol show nodes`, or the lists of `sinfo -h -t idle -o %N`. Without it all that no running job has; of --nodes, where that is given, alone",
         .kind = Kind::file, .commands = place, .stage = Stage::study, .excludes = "stay", .reason = "nodes are chosen among those that are free", .idle = beside_jobs_idle});
    registry.add(Option
        {.name = "check", .metavar = "FILE", .group = Group::study,
         .brief = "hold this topology.conf against the fabric",
         .text = "hold this topology.conf against the fabric and print what differs",
         .kind = Kind::file, .commands = topology, .stage = Stage::study, .excludes = "to", .reason = "a check writes no topology.conf", .in_short_help = true});
    registry.add(Option
        {.name = "to", .metavar = "FORMAT", .group = Group::output,
         .brief = "for which plugin of Slurm",
         .text = "slurm-tree or slurm-block",
         .kind = Kind::choice, .choices = "slurm-tree|slurm-block", .fallback = "slurm-tree", .commands = topology, .stage = Stage::output, .in_short_help = true});
    // clang-format on
}

}  // namespace tailback::options
