#include "host/report/orders/node_sets_report.hpp"

#include "host/base/numbers.hpp"
#include "host/study/placement/compute_nodes.hpp"
#include "host/study/placement/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::report {
namespace {

std::string multiple(double value) { return base::fixed_text(value, 3); }

std::string folded(ReportedNodes const& nodes) {
    std::vector<std::string> names = nodes.nodes;
    std::sort(names.begin(), names.end(), study::natural_less);
    return study::fold_hostlist(names);
}

Json pair_json(search::NodeValue const& value) {
    return {{"time", real(value.time)}, {"worst_harm", real(value.harm)}};
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

}  // namespace

std::string NodeSetsReport::verdict() const {
    ReportedNodes const& one = sets[chosen];
    std::string text = fmt::format("Set {} takes {} times as long as its busiest adapter alone{}", one.name,
                                   multiple(one.value.time), adapters_differ ? " would on the fastest free nodes" : "");
    if (jobs > 0)
        text += one.value.harm > 1 + 1e-9
                    ? fmt::format(", and the busiest link of a running job gets {} times what it has",
                                  multiple(one.value.harm))
                    : ", and no running job has a busier busiest link";
    if (random_sets > 0 && random_not_worse == 0 && chosen == 0)
        text += fmt::format("; it is better than all of {} random sets", base::grouped(random_sets));
    return text + ".";
}

Document document_of(NodeSetsReport const& report) {
    study::Study const& study = report.orders.plan.study;
    Document document;
    document.sentence(fmt::format(
        "{} for {}, of {} that are free; {} of {} are taken, {}", base::counted(report.wanted, "node", "nodes"),
        base::counted(study.placement.ranks, "rank", "ranks"), base::grouped(report.free), base::grouped(report.taken),
        base::grouped(report.machine),
        report.jobs == 0 ? "and no traffic of running jobs is known"
                         : base::counted(report.jobs, "running job sends", "running jobs send")));
    document.sentence(fmt::format("traffic {}, all levels together", study.traffic.pattern));
    add_network(document, *report.orders.plan.fabric, report.orders.digest,
                study.placement.aggregation_nodes_are_hosts);
    document.sentence("1 = what the busiest adapter of a job takes alone: every job sends as fast as that lets it");
    if (report.adapters_differ)
        document.sentence("adapters of free nodes have several rates: own time is told by the fastest of them");
    document.blank();
    Table table{.columns = {name_column("nodes"), {"own time"}, {"worst harm"}, {"leaves"}}};
    auto const row = [&](std::string name, search::NodeValue const& value, std::string leaves) {
        table.rows.push_back({std::move(name), multiple(value.time), multiple(value.harm), std::move(leaves)});
    };
    for (std::size_t k = 0; k < report.sets.size(); ++k) {
        ReportedNodes const& one = report.sets[k];
        row("set " + one.name + (k == report.chosen ? ", taken" : ""), one.value, base::grouped(one.leaves));
    }
    row("  with the order below", report.ordered, base::grouped(report.sets[report.chosen].leaves));
    for (ReportedNodes const& one : report.others) row(one.name, one.value, base::grouped(one.leaves));
    if (report.random_sets > 0) {
        row("random, the best of " + base::grouped(report.random_sets), report.random_least, "");
        row("random, median", report.random_median, "");
    }
    document.table(std::move(table));
    document.blank();
    document.sentence(report.verdict());
    document.sentence(fmt::format("{} of nodes looked at (seed {}){}", base::counted(report.moves, "swap", "swaps"),
                                  report.orders.seed, report.stopped ? "; interrupted: the best so far" : ""));
    document.fact("set " + report.sets[report.chosen].name, folded(report.sets[report.chosen]));
    document.heading("The order of ranks on these nodes, beside the jobs, by the largest load of a link");
    document.blank();
    add_orders(document, report.orders);
    return document;
}

Json value_of(NodeSetsReport const& report) {
    Json random = nullptr;
    if (report.random_sets > 0)
        random = {{"sets", report.random_sets},
                  {"least", pair_json(report.random_least)},
                  {"median", pair_json(report.random_median)},
                  {"not_worse_than_first", report.random_not_worse}};
    Json json = value_of(report.orders);
    json.update(Json{{"beside",
                      {{"jobs", report.jobs},
                       {"of_nodes", report.machine},
                       {"taken", report.taken},
                       {"free", report.free},
                       {"wanted", report.wanted},
                       {"moves", report.moves},
                       {"interrupted", report.stopped},
                       {"verdict", report.verdict()},
                       {"sets", nodes_json(report.sets)},
                       {"chosen", report.sets[report.chosen].name},
                       {"ordered", pair_json(report.ordered)},
                       {"others", nodes_json(report.others)},
                       {"random", std::move(random)}}}});
    return json;
}

}  // namespace tailback::report
