// tailback sweep: the product of networks, routings, patterns and whatever else evaluate can be asked, as one table.
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/evaluate_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/point_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/commands/visible_run.hpp"
#include "host/evaluation/processes/processes.hpp"
#include "host/io/line_reader.hpp"
#include "host/io/output_file.hpp"
#include "host/io/progress.hpp"
#include "host/options/parsed_options.hpp"
#include "host/sweep/estimate.hpp"
#include "host/sweep/evaluate_points.hpp"
#include "host/sweep/journal.hpp"
#include "host/sweep/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

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

constexpr std::size_t most_bytes = 1 << 20;

struct SweepOptions {
    std::string file, output;
    bool fresh = false, dry_run = false;
    bool page = false;  ///< sweep.html, too
    evaluation::ExecutionOptions execution;
};

SweepOptions parse_sweep_options(std::vector<std::string> const& words) {
    SweepOptions sweep;
    options::ParsedOptions const options(options::sweep, words);
    sweep.file = options.word("only one sweep is run at a time", "give each its own command");
    if (sweep.file.empty())
        throw base::InputError({}, "the sweep's file is missing", "it says what to combine",
                               "`tailback sweep --help` shows an example");
    sweep.page = format_of(options) == report::Form::html;
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

void make_sweep_folder(std::string const& path) {
    std::error_code error;
    std::filesystem::create_directory(path, error);
    if (error || !std::filesystem::is_directory(path, error))
        throw base::InputError({path, 0}, "the folder cannot be created",
                               error ? error.message() : "there is a file of this name",
                               "name a new folder inside one that exists");
}

/// From here on names of files are relative to the sweep's file.
void go_to(std::string const& file) {
    std::filesystem::path const folder = std::filesystem::path(file).parent_path();
    std::error_code error;
    if (file != "-" && !folder.empty()) std::filesystem::current_path(folder, error);
    if (error)
        throw base::InputError({folder.string(), 0}, "the folder of the sweep's file cannot be entered",
                               error.message(), "copy the file elsewhere");
}

int tell_estimate(sweep::CheckedSweep const& sweep, unsigned threads) {
    WarningsByPoint warnings;
    sweep::SweepEstimate const estimate = sweep::estimate_sweep(
        sweep.points, threads, {.turn_to = [&](std::size_t p) { warnings.turn_to(p); }, .warn = tell_warning});
    io::write_standard_output(estimate.text);
    return estimate.impossible > 0 ? faults_found : success;
}

/// With progress, warnings named after points, and signals heard. False when it was stopped.
bool evaluate_visibly(sweep::CheckedSweep const& sweep, std::vector<std::size_t> const& order,
                      sweep::SweepJournal& journal, evaluation::ExecutionOptions execution,
                      std::vector<sweep::SweepRow>& rows) {
    std::uint64_t const all = sweep::mappings_of(sweep, order);
    VisibleRun run(std::max<std::uint64_t>(all, 1));
    run.watch(execution);
    WarningsByPoint warnings;
    return sweep::evaluate_points(sweep, order, journal, execution,
                                  {.turn_to = [&](std::size_t p) { warnings.turn_to(p); },
                                   .warn = tell_warning,
                                   .progress = [&](std::uint64_t done) { run.show(std::min(all, done)); }},
                                  rows);
}

/// Writes the table whole, or nothing of it. @param page empty: none
void write_results(std::string const& csv, std::string const& json, std::string const& page,
                   std::vector<sweep::SweepRow> const& rows, model::NamedFiles const& files_read) {
    OutputFiles files;
    sweep::write_sweep_csv(files.add(csv).stream(), rows);
    sweep::write_sweep_json(files.add(json).stream(), rows, files_read);
    if (io::OutputFile* const file = files.asked(page))
        report::write_sweep_html(file->stream(), sweep::whole_sweep(rows, files_read));
    files.commit();
}

/// Says what came of it. @param already points that were done before @return the exit code
int tell_outcome(std::vector<sweep::SweepRow> const& rows, std::size_t already, std::string const& output,
                 double seconds, bool stopped) {
    std::size_t failed = 0, open = 0, short_of_goal = 0;
    for (sweep::SweepRow const& row : rows) {
        failed += !row.reason.empty();
        open += row.report.empty() && row.reason.empty();
        short_of_goal += row.report.find("\"reached\":false") != std::string::npos;
    }
    std::string const points_done =
        (open > 0 ? base::grouped(rows.size() - open) + " of " : "") + base::counted(rows.size(), "point", "points");
    tell("done", fmt::format("{} in {}, {} of them done before: {}", points_done, io::duration_text(seconds),
                             base::grouped(already), (std::filesystem::path(output) / "sweep.csv").string()));
    if (failed > 0)
        tell("note", fmt::format("{} of them could not be run; the column reason says why", base::grouped(failed)));
    if (short_of_goal > 0)
        tell("note", fmt::format("{} of them did not reach the goal of until; allow more mappings or a wider interval",
                                 base::grouped(short_of_goal)));
    sweep::SweepFailures const failures = sweep::failures_of(rows);
    if (failures.some > 0)
        tell("note",
             fmt::format("{} of them {} flows that are not delivered: columns mean and bw are of delivered flows "
                         "alone, mean_all and bw_all count the others as 0",
                         base::grouped(failures.some), failures.some == 1 ? "has" : "have"));
    if (failures.all > 0)
        tell("warning", fmt::format("in {} of them no flow was delivered", base::grouped(failures.all)));
    if (stopped) {
        tell("note",
             fmt::format("stopped with {} open; the same command continues", base::counted(open, "point", "points")));
        return interrupted;
    }
    return failed + short_of_goal + failures.all > 0 ? faults_found : success;
}

}  // namespace

std::string sweep_notes() { return sweep_text; }

int run_sweep(std::vector<std::string> const& arguments) {
    auto const started = std::chrono::steady_clock::now();
    SweepOptions const options = parse_sweep_options(arguments);

    io::LineReader lines(io::open_source(options.file), options.file);
    std::vector<sweep::SweepPoint> const points = sweep::read_sweep(lines.rest(most_bytes), options.file);
    std::filesystem::path const folder =
        options.output.empty() ? std::filesystem::path() : std::filesystem::absolute(options.output);
    go_to(options.file);
    sweep::CheckedSweep const sweep = sweep::check_points(points, options.file, parse_point);
    Threads const threads(options.execution.threads);
    if (options.dry_run) return tell_estimate(sweep, options.execution.threads);

    make_sweep_folder(folder.string());
    std::string const csv = (folder / "sweep.csv").string(), json = (folder / "sweep.json").string(),
                      page = (folder / "sweep.html").string(), done = (folder / "sweep.journal").string();
    std::vector<std::string> inputs = sweep.files;
    if (options.file != "-") inputs.push_back(std::filesystem::path(options.file).filename().string());
    std::vector<std::string> outputs = {csv, json, done};
    if (options.page) outputs.push_back(page);
    check_files(inputs, outputs);
    sweep::SweepJournal journal(done, options.fresh);
    if (journal.mended())
        tell("note", "the last line of the journal was not written whole; its point is computed again");

    std::vector<sweep::SweepRow> rows = sweep::known_rows(sweep, journal);
    std::vector<std::size_t> const order = sweep::open_points(sweep, rows);
    bool const stopped = !evaluate_visibly(sweep, order, journal, options.execution, rows);

    write_results(csv, json, options.page ? page : "", rows, {{"sweep", options.file}});
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return tell_outcome(rows, rows.size() - order.size(), options.output, seconds, stopped);
}

}  // namespace tailback::commands
