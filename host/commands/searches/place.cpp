// tailback place: what ranks send each other, and nodes; out comes the order to start them in.
#include "host/api/outcomes/outcomes.hpp"
#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/place_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/commands/visible_run.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <fmt/format.h>

#include <chrono>

namespace tailback::commands {
namespace {

/// Writes the report and the files for launchers of the order found.
void write_all(PlaceOptions const& options, report::OrdersReport const& report) {
    OutputFiles files;
    std::vector<std::string> warnings;  // of the files, told behind the report
    auto const warn = [&](std::string const& words) { warnings.push_back(words); };
    write_report(files.add(options.output), report, options.format);
    for (study::PlacementFile const& one : options.write) {
        if (report.jobs.empty())
            api::write_mapping(files.add(one.path).stream(), one, *report.plan, report.orders.size() - 1, warn);
        for (report::ReportedJob const& job : report.jobs) {
            study::PlacementFile const own{one.form, file_of_job(one.path, job.name)};
            api::write_mapping(files.add(own.path).stream(), own, *job.plan, 0, warn);
        }
    }
    files.commit();
    for (std::string const& words : warnings) tell_warning(words);
}

int place_in_session(std::vector<std::string> const& arguments, evaluation::Processes const& processes,
                     std::optional<SearchSession>& session) {
    PlaceOptions options = parse_place_options(arguments);
    require_files(processes, options.inputs);
    session.emplace(processes, options.keeping);
    options.choice.search.shared = session->wanted();
    options.choice.search.threads = session->threads(options.choice.search.threads);
    Threads const threads(options.choice.search.threads);
    auto const started = std::chrono::steady_clock::now();
    report::OrdersReport report;
    {
        VisibleRun const run(
            {.what = "", .total = 0, .unit = "moves", .is_shown = false},  // the search shows itself
            processes.shared() ? VisibleRun::Stops::by_signals_but_term : VisibleRun::Stops::by_signals);
        kernels::StopWish::Scope const scope(run.wish());
        try {
            report = api::find_rank_order(options.choice, listener());
        } catch (kernels::Stopped const&) {
            if (processes.shared()) processes.abort(interrupted);
            tell("note", "interrupted before the search began: there is nothing to report");
            return interrupted;
        }
    }
    if (!processes.leads()) return success;
    if (!search::goes_by_choices(options.choice.goal)) tell_static_entries(*report.fabric);
    for (study::PlacementFile const& file : options.write) study::check_placement_names(*report.plan, file.form);
    write_all(options, report);
    session->end(!report.was_stopped());
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    if (options.choice.seconds > 0 && !report.was_stopped())
        tell("note", fmt::format("--moves {} repeats it", report.budget));
    tell("done", fmt::format("{}{} in {}", report.beside ? report.beside->looked_at() + ", " : "", report.looked_at(),
                             io::duration_text(seconds)));
    return report.was_stopped() ? interrupted : success;
}

}  // namespace

int run_place(std::vector<std::string> const& arguments) {
    return run_session([&](evaluation::Processes const& processes, std::optional<SearchSession>& session) {
        return place_in_session(arguments, processes, session);
    });
}

std::string place_notes() {
    return R"(
Nodes with more places than there are ranks: the search chooses nodes, too.
The order found is never worse than the one that the search begins at. Ctrl-C and SIGTERM end with
the best so far (exit code 130).
Exit codes: 0 success (also where the order is best already), 2 bad input or usage, 3 internal error.

Examples:
  tailback place --network ibnetdiscover.out --tables opensm-lfts.dump --traffic app.mpiP \
                 --nodes 'node[001-064]' --write rankfile:ranks --write slurm:hosts
  tailback place --network xgft:m=8x8,w=1x4 --pattern stencil-2d --goal leaf-bytes
  squeue -h -t R -o "%i %N" > running; sinfo -N > free
  tailback place --network ibdiagnet2-output --pattern ring --ranks 512 --ranks-per-node 8 \
                 --mapping cyclic --squeue running --sinfo free --write slurm:hosts
  tailback place --network rail:gpus=8,nodes=16,groups=4 --pattern all-to-all:size=1MiB --ranks 64 \
                 --ranks-per-node 8 --keep-together 8 --keep-within node
  tailback place --network torus:8x8 --job a:pattern=stencil-2d,ranks=32 \
                 --job b:pattern=ring,ranks=32 --write hostfile:hosts
)";
}

}  // namespace tailback::commands
