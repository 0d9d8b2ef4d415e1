// tailback place: what ranks send each other, and nodes; out comes the order to start them in.
#include "host/api/ranks/node_sets.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/jobs_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/commands/visible_run.hpp"
#include "host/report/orders/node_sets_report.hpp"
#include "host/study/fabric_digest.hpp"
#include "host/study/placement/write_placement.hpp"
#include "kernels/cpu/stop.hpp"

#include <fmt/format.h>

#include <chrono>

namespace tailback::commands {
namespace {

struct PlaceOptions {
    api::RankOrderChoice choice;
    std::optional<api::NodesChoice> nodes;  ///< of the same choice: nodes are chosen beside running jobs
    report::Form format = report::Form::text;
    std::string output;
    std::vector<study::PlacementFile> write;  ///< the order found, for launchers
};

/// Running jobs, free nodes: then nodes are chosen. @param inputs files that it reads are added
std::optional<api::NodesChoice> beside_jobs(options::ParsedOptions const& options, api::RankOrderChoice const& choice,
                                            std::vector<std::string>& inputs) {
    if (!options.given("job") && !options.given("jobs") && !options.given("squeue") && !options.given("sinfo"))
        return {};
    if (options.given("goal") && choice.goal != search::OrderGoal::load)
        throw base::InputError({}, fmt::format("--goal {} does not go with running jobs", search::name_of(choice.goal)),
                               "all levels of all jobs are added up beside each other",
                               "leave it out, or give --goal load", "goal");
    RequestedJobs requested = requested_jobs(options, {});
    api::NodesChoice nodes{choice, {}, std::move(requested.taken), options.not_empty("sinfo", "name a file")};
    nodes.orders.goal = search::OrderGoal::load;
    nodes.running.jobs = std::move(requested.jobs);
    nodes.running.adapters = choice.study.placement.adapters;
    nodes.running.rail_aligned = choice.study.placement.rail_aligned;
    nodes.running.network = choice.study.network;
    nodes.running.mappings = 1;
    nodes.running.mappings_given = true;
    nodes.running.seed = choice.search.seed;
    nodes.running.capacities = choice.study.study.measures.capacities;
    nodes.running.aggregation_nodes_are_hosts = choice.study.study.placement.aggregation_nodes_are_hosts;
    nodes.set = static_cast<std::uint32_t>(options.number("set"));
    inputs = api::paths_of(nodes.named_files());
    inputs.insert(inputs.end(), requested.inputs.begin(), requested.inputs.end());
    return nodes;
}

PlaceOptions parse_place_options(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::place, arguments);
    PlaceOptions parsed;
    api::StudyRequest& request = parsed.choice.study;
    request.network = network_choice(options, "it says which network the ranks run on");
    request.pattern_file = listed_file(options, "pattern");
    request.traffic_file = options.not_empty("traffic", "name a file");
    study::Study& study = request.study;
    if (!options.given("pattern") && request.traffic_file.empty())
        throw base::InputError({}, "nothing says what the ranks send each other", "the best order depends on it",
                               "give --traffic FILE or --pattern NAME", "traffic");
    study.traffic.pattern = request.lists_flows() ? patterns::listed_pattern : options.text("pattern").value_or("");
    if (options.given("level")) study.traffic.level = static_cast<std::uint32_t>(options.number("level"));
    study.placement.ranks = static_cast<std::uint32_t>(options.number("ranks"));
    study.placement.mapping = study::MappingKind::listed;
    study.placement.aggregation_nodes_are_hosts = options.choice("aggregation-nodes") == 1;
    study.sample.seed = parsed.choice.search.seed = options.number("seed");
    study.measures.capacities =
        options.choice("capacities") == 0 ? model::CapacityKind::from_rates : model::CapacityKind::unit;
    api::PlacementRequest& placement = request.placement;
    placement = placement_of(options, "see `tailback place --help`");
    placement.order = options.given("mapping") ? options.not_empty("mapping", "see `tailback place --help`") : "block";
    if (placement.order == "random")
        throw base::InputError({}, "--mapping random is not an order to begin with", "the search begins at one order",
                               "leave it out, or choose block or cyclic", "mapping");
    study::read_rank_order(placement.order);
    request.network.form = api::RoutesForm::automatic;

    parsed.choice.goal = search::OrderGoal(options.choice("goal"));
    parsed.choice.search.moves = options.given("moves") ? options.number("moves") : 0;
    parsed.choice.search.threads = options.threads();
    parsed.choice.random_orders = options.number("random-orders");
    parsed.choice.together = static_cast<std::uint32_t>(options.number("keep-together"));
    parsed.choice.stays = options.not_empty("stay", "write ranks as 0-3,7");
    parsed.format = format_of(options);
    parsed.output = *options.text("output");
    std::vector<std::string> outputs = {parsed.output};
    for (std::string const& words : options.list("write")) {
        parsed.write.push_back(study::read_placement_file("--write", words));
        outputs.push_back(parsed.write.back().path);
    }
    std::vector<std::string> inputs = request.files();
    parsed.nodes = beside_jobs(options, parsed.choice, inputs);
    check_files(inputs, outputs);
    return parsed;
}

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

report::NodeSetsReport report_of(api::NodeSets const& found, unsigned threads) {
    report::NodeSetsReport report{report_of(found.orders, threads)};
    study::ComputeNodes const& nodes = *found.orders.plan->study.placement.nodes->nodes;
    auto const reported = [&](std::vector<api::ValuedNodes> const& all) {
        std::vector<report::ReportedNodes> list;
        for (api::ValuedNodes const& one : all) {
            list.push_back({one.name, {}, one.value, one.leaves});
            for (std::uint32_t const node : one.nodes) list.back().nodes.push_back(nodes.nodes[node].name);
        }
        return list;
    };
    report.machine = found.machine;
    report.taken = found.taken;
    report.free = found.free;
    report.wanted = found.wanted;
    report.jobs = found.jobs;
    report.sets = reported(found.sets);
    report.chosen = found.chosen;
    report.others = reported(found.others);
    report.random_sets = found.random_sets;
    report.random_not_worse = found.not_worse;
    report.random_least = found.random_least;
    report.random_median = found.random_median;
    report.ordered = found.ordered;
    report.moves = found.moves;
    report.stopped = found.stopped;
    return report;
}

/// Writes the report and the files for launchers of the order found.
template <class Report>
void write_all(PlaceOptions const& options, api::RankOrders const& found, Report const& report) {
    std::uint64_t const last = found.orders.size() - 1;
    OutputFiles files;
    write_report(files.add(options.output), report, options.format);
    for (study::PlacementFile const& one : options.write) {
        study::write_placement(files.add(one.path).stream(), one.form, *found.plan, last);
        std::uint32_t const others =
            one.form == study::PlacementForm::mapping ? 0 : study::ranks_on_other_adapters(*found.plan, last);
        if (others > 0)
            tell("warning",
                 fmt::format("{} of the order use another adapter of their node than their slot there gives: "
                             "{} does not hold that; mapping:FILE does",
                             base::counted(others, "rank", "ranks"), one.path));
    }
    files.commit();
}

}  // namespace

int run_place(std::vector<std::string> const& arguments) {
    PlaceOptions const options = parse_place_options(arguments);
    unsigned const wanted = options.choice.search.threads;
    Threads const threads(wanted);
    auto const started = std::chrono::steady_clock::now();
    std::optional<api::RankOrders> found;
    std::optional<api::NodeSets> nodes;
    {
        VisibleRun const run({.what = "", .total = 0, .unit = "moves", .is_shown = false});  // the search shows itself
        kernels::StopWish::Scope const scope(run.wish());
        try {
            if (options.nodes) nodes = api::find_nodes(*options.nodes, listener());
            else found = api::find_rank_order(options.choice, listener());
        } catch (kernels::Stopped const&) {
            tell("note", "interrupted before the search began: there is nothing to report");
            return interrupted;
        }
    }
    api::RankOrders const& orders = nodes ? nodes->orders : *found;
    for (study::PlacementFile const& file : options.write) study::check_placement_names(*orders.plan, file.form);
    if (nodes) write_all(options, orders, report_of(*nodes, wanted));
    else write_all(options, orders, report_of(orders, wanted));
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    tell("done", fmt::format("{} in {}", base::counted(orders.moves + (nodes ? nodes->moves : 0), "swap", "swaps"),
                             io::duration_text(seconds)));
    return orders.stopped || (nodes && nodes->stopped) ? interrupted : success;
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
                 --ranks-per-node 8 --keep-together 8
)";
}

}  // namespace tailback::commands
