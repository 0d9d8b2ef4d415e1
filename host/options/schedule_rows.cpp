// Options of `tailback schedule`: what waits, where it runs, what it sends.
#include "host/options/registry.hpp"
#include "host/options/rows.hpp"

#include <cstdint>

namespace tailback::options {

void register_schedule(Registry& registry) {
    Commands const schedule = registry.add(CommandName{.name = "schedule", .swept_by = "workload"}, "improve");
    registry.share(schedule, evaluate, of_routed_networks);
    registry.share(schedule, evaluate, "capacities,rail-aligned");
    registry.share(schedule, trace, "output");
    // clang-format off
    registry.add_before("pattern", Option
        {.name = "workload", .group = Group::study,
         .brief = "the jobs of a schedule",
         .text = "the jobs that come: YAML, or a file in the Standard Workload Format; the point is one of `tailback schedule`",
         .kind = Kind::file, .commands = sweep_key, .stage = Stage::study});
    registry.add_before("pattern", Option
        {.name = "queue", .metavar = "fcfs|easy", .group = Group::study,
         .brief = "which waiting jobs begin: in order, or backfilled",
         .text = "which waiting jobs begin: fcfs (in their order) or easy (EASY backfilling: others may go before if that does not delay the first)",
         .kind = Kind::choice, .choices = "fcfs|easy", .fallback = "fcfs", .commands = schedule, .stage = Stage::study, .in_short_help = true});
    registry.add_before("pattern", Option
        {.name = "select", .metavar = "POLICY", .group = Group::study,
         .brief = "which free nodes a job gets",
         .text = "which free nodes a job gets: first, contiguous (a run of neighbours where there is one), leaf (few leaf switches), random, or search (searched beside the jobs that run, by the time of the job and of those; the report says what that brings beside the others)",
         .kind = Kind::choice, .choices = "first|contiguous|leaf|random|search", .fallback = "first", .commands = schedule, .stage = Stage::study, .in_short_help = true});
    registry.add(Option
        {.name = "pattern", .metavar = "NAME", .group = Group::study,
         .brief = "what jobs of a Standard Workload Format file send",
         .text = "what the jobs of a file in the Standard Workload Format send; otherwise nothing",
         .kind = Kind::spec, .values = pattern_names, .commands = schedule, .stage = Stage::study, .in_short_help = true});
    registry.add(Option
        {.name = "adapters", .metavar = "HOW", .group = Group::study,
         .brief = "which hosts are adapters of one compute node",
         .text = "which hosts are adapters of one compute node: name, system, a number or file:PATH",
         .kind = Kind::text, .values = adapter_rules, .commands = schedule, .stage = Stage::hosts});
    registry.add(Option
        {.name = "ranks-per-node", .metavar = "K", .group = Group::study,
         .brief = "ranks on a compute node",
         .text = "ranks of a compute node; processors of one, for the Standard Workload Format",
         .kind = Kind::number, .least = 1, .most = UINT16_MAX, .fallback = "1", .commands = schedule, .stage = Stage::hosts});
    registry.add(Option
        {.name = "rail", .metavar = "RULE", .group = Group::study,
         .brief = "which adapter of its node a rank uses",
         .text = "which adapter of its node a rank uses: local-rank, round-robin, nearest or file:PATH",
         .kind = Kind::text, .values = rail_rules, .commands = schedule, .stage = Stage::study});
    registry.add(Option
        {.name = "seed", .metavar = "S", .group = Group::study,
         .brief = "seed of everything that is drawn",
         .text = "seed of everything that is drawn; the first of --seeds",
         .kind = Kind::number, .most = UINT64_MAX - 1'000'000, .fallback = "1", .commands = schedule, .stage = Stage::study});
    registry.add_before("dependencies", Option
        {.name = "seeds", .metavar = "N", .group = Group::study,
         .brief = "how many schedules",
         .text = "how many schedules: seeds S, S + 1, ..",
         .kind = Kind::number, .least = 1, .most = 1'000'000, .fallback = "1", .commands = schedule, .stage = Stage::study, .excludes = "format=csv", .reason = "CSV has the jobs of one seed"});
    registry.add(Option
        {.name = "format", .metavar = "FORMAT", .group = Group::output,
         .brief = "report as text, JSON, or jobs as CSV",
         .text = "text, json, or csv (a row for each job of the first seed)",
         .kind = Kind::choice, .choices = "text|json|csv", .fallback = "text", .commands = schedule, .stage = Stage::output, .in_short_help = true});
    registry.add(Option
        {.name = "timeline", .metavar = "FILE", .group = Group::output,
         .brief = "every moment of the first seed as CSV",
         .text = "write every moment of the first seed as CSV: jobs, busy nodes, largest load, slowdown",
         .kind = Kind::file, .commands = schedule, .stage = Stage::output});
    registry.add(Option
        {.name = "threads", .metavar = "N", .group = Group::running,
         .brief = "CPU threads, which share the seeds; 0 = all cores",
         .text = "CPU threads, which share the seeds; 0 = all cores",
         .kind = Kind::number, .most = 1024, .fallback = "0", .commands = schedule, .stage = Stage::run});
    // clang-format on
}

}  // namespace tailback::options
