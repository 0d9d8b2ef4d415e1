#include "host/base/numbers.hpp"
#include "host/report/orders/orders_report.hpp"
#include "host/study/placement/compute_nodes.hpp"
#include "host/study/placement/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tailback::report {
namespace {

std::string multiple(double value) { return base::fixed_text(value, 3); }

std::string folded(ReportedNodes const& nodes) {
    std::vector<std::string> names = nodes.nodes;
    std::sort(names.begin(), names.end(), study::natural_less);
    return study::fold_hostlist(names);
}

Json pair_json(search::NodeValue const& value) {
    return {{"time", real(value.time)}, {"alone", real(value.alone)}, {"worst_harm", real(value.harm)}};
}

Json nodes_json(ReportedNodes const& one) {
    Json json = {{"name", one.name}};
    json.update(pair_json(one.value));
    json.update(Json{{"leaves", one.leaves}, {"nodes", one.nodes}});
    return json;
}

Json nodes_json(std::vector<ReportedNodes> const& all) {
    Json list = Json::array();
    for (ReportedNodes const& one : all) list.push_back(nodes_json(one));
    return list;
}

bool is_told_by_others(search::NodeValue const& value) { return std::abs(value.alone - 1) > 1e-9; }

/// What it comes to, in a sentence.
std::string verdict_of(NodeSets const& all) {
    ReportedNodes const& one = all.sets[all.chosen];
    std::string text = fmt::format("Set {} takes {} times as long as its busiest adapter alone", one.name,
                                   multiple(one.value.time / one.value.alone));
    if (is_told_by_others(one.value)) text += fmt::format(" ({} by the unit of the table)", multiple(one.value.time));
    if (all.jobs > 0)
        text += one.value.harm > 1 + 1e-9
                    ? fmt::format(", and the busiest link of a running job gets {} times what it has",
                                  multiple(one.value.harm))
                    : ", and no running job has a busier busiest link";
    if (all.is_proven) text += fmt::format("; all {} were looked at", base::counted(all.moves, "choice", "choices"));
    else if (all.random_sets > 0 && all.random_not_worse == 0 && all.chosen == 0)
        text += fmt::format("; it is better than all of {} random sets", base::grouped(all.random_sets));
    return text + ".";
}

Table table_of(NodeSets const& all) {
    Table table{.columns = {name_column("nodes"), {"own time"}, {"worst harm"}, {"leaves"}}};
    auto const row = [&](std::string name, search::NodeValue const& value, std::string leaves) {
        table.rows.push_back({std::move(name), multiple(value.time), multiple(value.harm), std::move(leaves)});
    };
    for (std::size_t k = 0; k < all.sets.size(); ++k) {
        ReportedNodes const& one = all.sets[k];
        row("set " + one.name + (k == all.chosen ? ", taken" : ""), one.value, base::grouped(one.leaves));
    }
    row("  with the order below", all.ordered, base::grouped(all.sets[all.chosen].leaves));
    for (ReportedNodes const& one : all.others) row(one.name, one.value, base::grouped(one.leaves));
    if (all.random_sets > 0) {
        row("random, the best of " + base::grouped(all.random_sets), all.random_least, "");
        row("random, median", all.random_median, "");
    }
    return table;
}

}  // namespace

std::string NodeSets::looked_at() const {
    return base::counted(moves, is_proven ? "choice of nodes" : "swap of nodes",
                         is_proven ? "choices of nodes" : "swaps of nodes");
}

void add_node_sets(Document& document, OrdersReport const& report) {
    study::Study const& study = report.plan->study;
    NodeSets const& all = *report.beside;
    document.sentence(fmt::format("{} for {}, of {} that are free; {} of {} are taken, {}",
                                  base::counted(all.wanted, "node", "nodes"),
                                  base::counted(study.placement.ranks, "rank", "ranks"), base::grouped(all.free),
                                  base::grouped(all.taken), base::grouped(all.machine),
                                  all.jobs == 0 ? "and no traffic of running jobs is known"
                                                : base::counted(all.jobs, "running job sends", "running jobs send")));
    document.sentence(fmt::format("traffic {}, all levels together", study.traffic.pattern));
    add_network(document, *report.plan->fabric, report.digest, study.placement.aggregation_nodes_are_hosts);
    document.sentence("1 = what the busiest adapter of a job takes alone: every job sends as fast as that lets it");
    if (all.adapters_differ)
        document.sentence("adapters of free nodes have several rates: own time is told by the fastest of them");
    auto const is_told = [](ReportedNodes const& one) { return is_told_by_others(one.value); };
    bool const is_of_another = is_told_by_others(all.ordered) || is_told_by_others(all.random_least) ||
                               std::ranges::any_of(all.sets, is_told) || std::ranges::any_of(all.others, is_told);
    if (is_of_another && !all.adapters_differ)
        document.sentence(
            "its busiest adapter has more or less to send on other nodes or in another order of ranks: own time is "
            "told by what it takes in block order on the first free nodes");
    document.blank();
    document.table(table_of(all));
    document.blank();
    document.sentence(verdict_of(all));
    document.sentence(fmt::format("{} looked at (seed {}){}", all.looked_at(), report.seed,
                                  all.stopped ? "; interrupted: the best so far" : ""));
    document.fact("set " + all.sets[all.chosen].name, folded(all.sets[all.chosen]));
    document.heading("The order of ranks on these nodes, beside the jobs, by the largest load of a link");
    if (is_of_another && all.jobs > 0) {
        document.sentence(
            "running jobs load links here as they do while the job goes at the speed of block order; own time above "
            "goes by the speed of each order");
        document.blank();
    }
}

Json node_sets_json(NodeSets const& all) {
    Json random = nullptr;
    if (all.random_sets > 0)
        random = {{"sets", all.random_sets},
                  {"least", pair_json(all.random_least)},
                  {"median", {{"time", real(all.random_median.time)}, {"worst_harm", real(all.random_median.harm)}}},
                  {"not_worse_than_first", all.random_not_worse}};
    return {{"jobs", all.jobs},
            {"of_nodes", all.machine},
            {"taken", all.taken},
            {"free", all.free},
            {"wanted", all.wanted},
            {"moves", all.moves},
            {"interrupted", all.stopped},
            {"verdict", verdict_of(all)},
            {"sets", nodes_json(all.sets)},
            {"chosen", all.sets[all.chosen].name},
            {"ordered", pair_json(all.ordered)},
            {"others", nodes_json(all.others)},
            {"random", std::move(random)}};
}

}  // namespace tailback::report
