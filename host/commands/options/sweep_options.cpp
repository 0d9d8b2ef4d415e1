#include "host/commands/options/sweep_options.hpp"

#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "host/evaluation/processes.hpp"
#include "host/options/parsed_options.hpp"
#include "host/report/html/page.hpp"

namespace tailback::commands {
namespace {

constexpr char const* sweep_text = R"(
FILE.yaml is a map. Its keys are the options of `tailback evaluate` that define a study, from
network to seed and metric. A list makes a loop: there is one point for every combination. An entry
that is a map sets several options at once and overrides the values outside. File names are relative
to FILE.yaml. For example:

  network:
    - "torus:8x8,hosts=2"
    - {network: "xgft:m=8x16,w=1x8", routing: [dmodk, smodk]}
  routing: [dor, minhop]      # for entries that name none
  pattern: [bisect, rand]
  mappings: 10000
  seed: [1, 2, 3]
  metric: [hist_acc_band, sum_max_cong]

  tailback sweep example.yaml --output results

Where a point has a workload, it is one of `tailback schedule` (keys workload, queue, select, seeds,
seed, adapters, ranks-per-node, rail, rail-aligned, capacities, and those of the network).

DIR then contains sweep.csv (a row per point), sweep.json (a report per point) and sweep.journal
(the points done). After any interruption the same command continues; when points are added it
computes only the new ones. A point that cannot be run is a row with the reason, and the exit code
is 1. docs/sweep.md explains all columns.
)";

}  // namespace

std::string sweep_notes() { return sweep_text; }

SweepOptions parse_sweep_options(std::vector<std::string> const& words) {
    SweepOptions sweep;
    options::ParsedOptions const options(options::sweep, words);
    sweep.file = options.word("only one sweep is run at a time", "give each its own command");
    if (sweep.file.empty())
        throw base::InputError({}, "the sweep's file is missing", "it says what to combine",
                               "`tailback sweep --help` shows an example");
    sweep.page = options.choice("format") == 1;
    if (sweep.page) report::require_pages();
    sweep.fresh = options.given("fresh");
    sweep.dry_run = options.given("dry-run");
    if (!sweep.dry_run || options.given("output"))
        sweep.output = options.required("output", "it says where to write the results");
    if (options.given("output") && sweep.output.empty())
        throw base::InputError({}, "--output has an empty name", "", "name a folder");
    sweep.execution.device = evaluation::DeviceChoice(options.choice("device"));
    sweep.execution.threads = options.threads();
    sweep.execution.batch = options.number("batch");
    evaluation::check_device(sweep.execution.device);
    return sweep;
}

}  // namespace tailback::commands
