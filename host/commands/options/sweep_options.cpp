#include "host/commands/options/sweep_options.hpp"

#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/options.hpp"
#include "host/evaluation/processes.hpp"
#include "host/report/html/page.hpp"

namespace tailback::commands {
namespace {

constexpr char const* explanation = R"(
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

cxxopts::Options declare_sweep() {
    using cxxopts::value;
    using std::string;
    cxxopts::Options options(
        "tailback sweep", "Evaluates every combination of networks, routings, patterns, ... and writes one table.\n");
    options.set_width(100);
    options.custom_help("FILE.yaml --output DIR [options]");
    // clang-format off
    options.add_options()
        ("o,output", "output folder; created if it does not exist", value<string>(), "DIR")
        ("format", "results beside sweep.json: csv, or html (sweep.csv, and sweep.html for a browser)", value<string>()->default_value("csv"), "csv|html")
        ("dry-run", "list the points and their estimated cost without evaluating any")
        ("fresh", "discard earlier results and start over")
        ("device", "where to compute: auto (CUDA where a device works and pays), cpu or cuda", value<string>()->default_value("auto"), "DEVICE")
        ("threads", "number of CPU threads; 0 = all cores", value<string>()->default_value("0"), "T")
        ("batch", "mappings computed between two progress checks; 0 = chosen for the device", value<string>()->default_value("0"), "B")
        ("h,help", "show this help");
    // clang-format on
    return options;
}

std::string sweep_help() { return declare_sweep().help() + explanation; }

SweepOptions parse_sweep_options(std::vector<std::string> words) {
    SweepOptions sweep;
    sweep.file =
        take_word(words, {"--dry-run", "--fresh"}, "only one sweep is run at a time", "give each its own command");
    ParsedOptions const options(declare_sweep(), words);
    sweep.help = options.flag("help");
    if (sweep.help) return sweep;
    if (sweep.file.empty())
        throw base::InputError({}, "the sweep's file is missing", "it says what to combine",
                               "`tailback sweep --help` shows an example");
    sweep.page = options.choice("format", {"csv", "html"}) == 1;
    if (sweep.page) report::require_pages();
    sweep.fresh = options.flag("fresh");
    sweep.dry_run = options.flag("dry-run");
    if (!sweep.dry_run || options.given("output"))
        sweep.output = options.required("output", "it says where to write the results");
    if (options.given("output") && sweep.output.empty())
        throw base::InputError({}, "--output has an empty name", "", "name a folder");
    sweep.execution.device = evaluation::DeviceChoice(options.choice("device", {"auto", "cpu", "cuda"}));
    sweep.execution.threads = options.threads();
    sweep.execution.batch = options.number("batch", 0, 1 << 20);
    evaluation::check_device(sweep.execution.device);
    return sweep;
}

}  // namespace tailback::commands
