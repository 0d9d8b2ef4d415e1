// tailback place: what ranks send each other, and nodes; out comes the order to start them in.
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/place_options.hpp"
#include "host/commands/threads.hpp"
#include "host/evaluation/interruption.hpp"
#include "host/io/output_file.hpp"
#include "host/report/orders/orders_report.hpp"
#include "host/study/fabric_digest.hpp"
#include "kernels/cpu/stop.hpp"

#include <fmt/format.h>

#include <chrono>
#include <list>

namespace tailback::commands {
namespace {

/// What `evaluate` says of every order: they are the mappings of the plan.
report::OrdersReport report_of(api::RankOrders const& found, unsigned threads) {
    report::OrdersReport report{*found.plan, study::digest(*found.fabric)};
    report.goal = found.goal;
    report.places = found.places;
    report.levels = found.traffic_levels;
    report.different_levels = found.different_levels;
    report.flows = found.flows;
    for (api::JudgedOrder const& one : found.orders)
        report.orders.push_back({one.name, double(one.value) * found.unit, 0, 0, 0, one.order});
    evaluation::ExecutionOptions execution{.device = evaluation::DeviceChoice::cpu, .threads = threads};
    execution.per_mapping = [&](std::uint64_t m, std::span<kernels::MappingTally const> row) {
        kernels::MappingTally const& tally = row.front();

        report::ReportedOrder& one = report.orders[m];
        one.time = evaluation::number_of(*found.plan, study::Metric::sum_max_cong, tally);
        one.bandwidth = evaluation::number_of(*found.plan, study::Metric::hist_acc_band, tally);
        one.hop_bytes = evaluation::number_of(*found.plan, study::Metric::hop_bytes, tally);
    };
    evaluation::evaluate(*found.plan, execution);
    report.bound = double(found.bound) * found.unit;
    report.random_orders = found.random.orders;
    report.random_not_worse = found.random.not_worse;
    report.random_least = double(found.random.least) * found.unit;
    report.random_median = double(found.random.median) * found.unit;
    report.random_most = double(found.random.most) * found.unit;
    report.moves = found.moves;
    report.seed = found.seed;
    report.stopped = found.stopped;
    return report;
}

}  // namespace

int run_place(std::vector<std::string> const& arguments) {
    PlaceOptions const options = parse_place_options(arguments);
    unsigned const wanted = options.choice.search.threads;
    Threads const threads(wanted);
    auto const started = std::chrono::steady_clock::now();
    std::optional<api::RankOrders> found;
    {
        evaluation::Interruption const interruption({SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU});
        kernels::StopWish::Scope const scope(interruption.wish());
        try {
            found = api::find_rank_order(options.choice, listener());
        } catch (kernels::Stopped const&) {
            tell("note", "interrupted before the search began: there is nothing to report");
            return interrupted;
        }
    }
    for (study::PlacementFile const& file : options.write) study::check_placement_names(*found->plan, file.form);
    report::OrdersReport const report = report_of(*found, wanted);
    std::uint64_t const last = found->orders.size() - 1;
    io::OutputFile file(options.output);
    report::write_as(file.stream(), report, options.format, file.columns());
    std::vector<io::OutputFile*> files = {&file};
    std::list<io::OutputFile> orders;
    for (study::PlacementFile const& one : options.write) {
        files.push_back(&orders.emplace_back(one.path));
        study::write_placement(orders.back().stream(), one.form, *found->plan, last);
        std::uint32_t const others =
            one.form == study::PlacementForm::mapping ? 0 : study::ranks_on_other_adapters(*found->plan, last);
        if (others > 0)
            tell("warning",
                 fmt::format("{} of the order use another adapter of their node than their slot there gives: "
                             "{} does not hold that; mapping:FILE does",
                             base::counted(others, "rank", "ranks"), one.path));
    }
    io::commit_together(files);
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    tell("done", fmt::format("{} in {}", base::counted(found->moves, "swap", "swaps"), io::duration_text(seconds)));
    return found->stopped ? interrupted : success;
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
  tailback place --network rail:gpus=8,nodes=16,groups=4 --pattern all-to-all:size=1MiB --ranks 64 \
                 --ranks-per-node 8 --keep-together 8
)";
}

}  // namespace tailback::commands
