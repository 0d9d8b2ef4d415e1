#include "host/api/outcomes/outcomes.hpp"

#include "host/base/numbers.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::api {

report::OrdersReport make_report(RankOrders const& found, unsigned threads) {
    report::OrdersReport report{*found.plan, study::digest(*found.fabric)};
    report.goal = found.goal;
    report.places = found.places;
    for (JobOutcome const& one : found.jobs)
        report.jobs.push_back({one.job.name, one.job.first_rank, one.job.ranks, one.at_start, one.found});
    report.together = found.together;
    report.within = name_of(found.within);
    report.levels = found.traffic_levels;
    report.different_levels = found.different_levels;
    report.flows = found.flows;
    for (JudgedOrder const& one : found.orders)
        report.orders.push_back({one.name, found.number_of(one.value), 0, 0, 0, one.order, one.is_changed});
    report.without_places = found.without_places;
    evaluation::ExecutionOptions execution{.device = evaluation::DeviceChoice::cpu, .threads = threads};
    execution.per_mapping = [&](std::uint64_t m, std::span<kernels::MappingTally const> row) {
        kernels::MappingTally const& tally = row.front();

        report::ReportedOrder& one = report.orders[m];
        one.time = evaluation::number_of(*found.plan, study::Metric::sum_max_cong, tally) / found.time_unit;
        one.bandwidth = evaluation::number_of(*found.plan, study::Metric::hist_acc_band, tally);
        one.hop_bytes = evaluation::number_of(*found.plan, study::Metric::hop_bytes, tally) / found.weight_unit;
    };
    evaluation::evaluate(*found.plan, execution);
    report.bound = found.bound > 0 ? found.number_of(found.bound) : 0;
    report.random_orders = found.random.orders;
    report.random_not_worse = found.random.not_worse;
    report.random_least = found.number_of(found.random.least);
    report.random_median = found.number_of(found.random.median);
    report.random_most = found.number_of(found.random.most);
    report.moves = found.moves;
    report.seed = found.seed;
    report.stopped = found.stopped;
    report.hash_draws = found.hash_draws;
    return report;
}

report::NodeSetsReport make_report(NodeSets const& found, unsigned threads) {
    report::NodeSetsReport report{make_report(found.orders, threads)};
    study::ComputeNodes const& nodes = *found.orders.plan->study.placement.nodes->nodes;
    auto const reported = [&](std::vector<ValuedNodes> const& all) {
        std::vector<report::ReportedNodes> list;
        for (ValuedNodes const& one : all) {
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
    report.adapters_differ = found.adapters_differ;
    report.random_least = found.random_least;
    report.random_median = found.random_median;
    report.ordered = found.ordered;
    report.moves = found.moves;
    report.stopped = found.stopped;
    return report;
}

report::JobsReport make_report(PreparedJobs const& jobs, evaluation::JobsResult const& result,
                               evaluation::LidSpread spread) {
    report::JobsReport report{jobs.plan(), jobs.jobs(),  result, {}, study::digest(*jobs.plan().fabric),
                              spread,      jobs.groups()};
    for (JobRequest const& job : jobs.request().jobs)
        report.words.push_back({job.pattern.empty() ? job.traffic : job.pattern,
                                job.placement.nodes.empty() ? "free" : job.placement.nodes, job.placement.order_words(),
                                std::max(1u, job.placement.ranks_per_node)});
    return report;
}

std::string unlike_times(std::vector<evaluation::Job> const& jobs, evaluation::JobsResult const& result) {
    auto const unlike = evaluation::unlike_jobs(result);
    if (!unlike) return {};
    evaluation::Job const &longest = jobs[unlike->longest], &shortest = jobs[unlike->shortest];
    std::string text = fmt::format("job {} takes {} times as long as job {}: their slowdowns cannot be compared",
                                   longest.name, base::three_digits(unlike->ratio), shortest.name);
    if (!shortest.flows.has_bytes())
        text += fmt::format("; the flows of {} have no bytes and count as 1 byte each: give them sizes (size=1MiB)",
                            shortest.name);
    return text;
}

void write_mapping(std::ostream& out, study::PlacementFile const& file, study::StudyPlan const& plan,
                   std::uint64_t mapping, TakeSentence const& warn) {
    study::write_placement(out, file.form, plan, mapping);
    std::uint32_t const others = study::ranks_on_other_adapters(plan, file.form, mapping);
    if (others > 0)
        warn(
            fmt::format("{}: {} on another adapter of their node than a {} can say: read back, they are on others; "
                        "mapping:FILE keeps the adapters",
                        file.path, base::counted(others, "rank is", "ranks are"), study::name_of(file.form)));
}

}  // namespace tailback::api
