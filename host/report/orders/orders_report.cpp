#include "host/report/orders/orders_report.hpp"

#include "host/base/numbers.hpp"
#include "host/result/units.hpp"
#include "host/study/placement/compute_nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tailback::report {
namespace {

constexpr char of_busiest_rank[] = "x busiest rank";  // the unit of jobs that are ordered together

char const* words_of(search::OrderGoal goal) {
    constexpr char const* words[] = {"the time of its levels, one after the other",
                                     "the largest load of a link over all levels",
                                     "bytes x links",
                                     "bytes that leave their first switch",
                                     "bytes that leave their rack",
                                     "bytes that leave their node",
                                     "the least max-min rate of a flow",
                                     "the time of its levels at max-min rates",
                                     "the mean completion time of flows at max-min rates",
                                     "the time of its levels, flows divided equally at every switch",
                                     "the time of its levels, flows hashed over routes"};
    return words[std::size_t(goal)];
}

/// Of the values of orders, and of sum_max_cong beside them: one for all rows.
Unit unit_of(OrdersReport const& report, bool is_time, double largest) {
    if (is_time && report.jobs.empty() && report.plan->in_seconds()) return unit_of_times(largest);
    return {1, !report.jobs.empty() ? of_busiest_rank : report.plan->has_bytes() ? "bytes" : "flows"};
}

std::string number_text(double exact) {
    double const value = base::rounded(exact);
    bool const is_whole = value == std::floor(value) && value < 1e15;
    return is_whole ? base::grouped(static_cast<std::uint64_t>(value)) : base::significant_text(value, 4);
}

std::string of_bound(OrdersReport const& report, double value) {
    return report.has_strong_bound() ? base::fixed_text(value / report.best_possible(), 3) : "-";
}

Json order_json(OrdersReport const& report, ReportedOrder const& one) {
    double const best = report.best_possible();
    return {{"name", report.full_name(one)},
            {"value", real(one.value)},
            {"of_bound", best > 0 ? real(one.value / best) : Json(nullptr)},
            {"sum_max_cong", real(one.time)},
            {"hist_acc_band", real(one.bandwidth)},
            {"hop_bytes", real(one.hop_bytes)}};
}

}  // namespace

std::string OrdersReport::unit_name() const {
    std::string const bytes = !jobs.empty() ? of_busiest_rank : plan->has_bytes() ? "bytes" : "flows";
    switch (goal) {
        case search::OrderGoal::hop_bytes: return bytes + " x links";
        case search::OrderGoal::rate: return "of a link";
        default: return jobs.empty() && !search::is_distance(goal) && plan->in_seconds() ? "seconds" : bytes;
    }
}

std::string OrdersReport::full_name(ReportedOrder const& one) const {
    if (!one.is_changed) return one.name;
    return one.name + (!has_ranks_that_stay ? " with groups kept"
                       : together > 1       ? " with groups and ranks kept"
                                            : " with ranks kept");
}

bool OrdersReport::relieves_lighter() const {
    if (goal != search::OrderGoal::load && goal != search::OrderGoal::time) return false;
    std::vector<double> before, after;
    for (ReportedJob const& job : jobs) before.push_back(job.at_start), after.push_back(job.found);
    std::ranges::sort(before, std::greater());
    std::ranges::sort(after, std::greater());
    return after < before;
}

std::string OrdersReport::verdict() const {
    std::string const name = full_name(start());
    char const *const better = search::more_is_better(goal) ? "more" : "less", *const proof =
                                                                                   is_proven ? " (all were looked at)"
                                                                                             : "";
    if (found().value == start().value && relieves_lighter())
        return fmt::format("The order found has as much as {}{}, and lighter jobs have less busy links.", name,
                           is_at_bound() ? fmt::format(", and no order has {}{}", better, proof) : "");
    if (!is_improved()) {
        if (is_at_bound()) return fmt::format("The order {} is already best: no order has {}{}.", name, better, proof);
        return fmt::format("No order better than {} was found.", name);
    }
    std::string text = fmt::format("The order found has {} of what {} has",
                                   base::fixed_text(100 * found().value / start().value, 1) + " %", name);
    if (is_at_bound()) text += fmt::format(", and no order has {}{}", better, proof);
    else if (has_strong_bound())
        text += fmt::format("; no order has {} than {}", better,
                            base::fixed_text(100 * best_possible() / start().value, 1) + " %");
    if (random.orders > 0 && random.not_worse == 0)
        text += fmt::format("; it is better than all of {} random orders", base::grouped(random.orders));
    double const slower = jobs.empty() && start().time > 0 ? found().time / start().time - 1 : 0;
    if (goal != search::OrderGoal::time && slower >= 0.005)
        text += fmt::format(". One after the other, its levels take {} % longer (--goal time looks at that)",
                            base::fixed_text(100 * slower, 1));
    return text + ".";
}

namespace {

/// What is ordered, by what.
void add_question(Document& document, OrdersReport const& report) {
    study::Study const& study = report.plan->study;
    std::string const draws = report.hash_draws == 0 ? ""
                              : report.hash_is_drawn ? ", mean of " + base::counted(report.hash_draws, "draw", "draws")
                                                     : ", by a hash that draws nothing";
    document.sentence(fmt::format("The order of {} on {}, by {}{}",
                                  base::counted(study.placement.ranks, "rank", "ranks"),
                                  base::counted(report.places, "place", "places"), words_of(report.goal), draws));
    if (report.jobs.empty()) {
        document.sentence(fmt::format(
            "traffic {}, {}, {}", study.traffic.pattern,
            base::counted(report.levels, "level", "levels") +
                (report.levels > 1 ? fmt::format(" ({} different)", base::grouped(report.different_levels)) : ""),
            base::counted(report.flows, "flow", "flows")));
    } else {
        document.sentence(fmt::format("{} together, each on its own nodes, {}",
                                      base::counted(report.jobs.size(), "job", "jobs"),
                                      base::counted(report.flows, "flow", "flows")));
        document.sentence(
            "1 = all that the busiest rank of a job sends or gets, over the fastest link: jobs send as fast as that "
            "lets them");
    }
    if (report.together > 1)
        document.sentence(fmt::format("groups of {} stay {}", base::counted(report.together, "rank", "ranks"),
                                      report.within == "neighbours" ? report.within : "in one " + report.within));
    add_network(document, *report.plan->fabric, report.digest, study.placement.aggregation_nodes_are_hosts);
}

/// The table and what it comes to.
void add_orders(Document& document, OrdersReport const& report) {
    double largest = std::max(report.best_possible(), report.random.orders > 0 ? report.random.median : 0), longest = 0;
    for (ReportedOrder const& one : report.orders) {
        largest = std::max(largest, one.value);
        longest = std::max(longest, one.time);
    }
    bool const has_own = search::more_is_better(report.goal) || report.goal == search::OrderGoal::hop_bytes;
    Unit const unit =
                   has_own ? Unit{1, report.unit_name()} : unit_of(report, !search::is_distance(report.goal), largest),
               of_times = unit_of(report, true, longest);
    Table table{.columns = {name_column("order"),
                            {unit.name},
                            {"x bound"},
                            {of_times.size == 1 || of_times.name == unit.name ? "sum_max_cong"
                                                                              : "sum_max_cong, " + of_times.name},
                            {"hist_acc_band"},
                            {"hop_bytes"}}};
    for (ReportedOrder const& one : report.orders)
        table.rows.push_back({one.is_changed ? one.name + " *" : one.name, number_text(one.value / unit.size),
                              of_bound(report, one.value), number_text(one.time / of_times.size),
                              number_text(one.bandwidth), number_text(one.hop_bytes)});
    auto const row = [&](std::string const& name, double value) {
        table.rows.push_back({name, number_text(value / unit.size), of_bound(report, value), "", "", ""});
    };
    if (report.random.orders > 0) {
        row("random, the best of " + base::grouped(report.random.orders), report.random.least);
        row("random, median", report.random.median);
    }
    if (report.has_strong_bound())
        row(search::more_is_better(report.goal) ? "no order has more than" : "no order has less than",
            report.best_possible());
    document.table(std::move(table));
    document.blank();
    if (!report.jobs.empty()) {
        Table jobs{.columns = {name_column("busiest link of a job"), {"ranks"}, {report.start().name}, {"found"}}};
        for (ReportedJob const& job : report.jobs)
            jobs.rows.push_back({job.name, base::grouped(job.ranks), base::fixed_text(job.at_start, 3),
                                 base::fixed_text(job.found, 3)});
        document.table(std::move(jobs));
        document.blank();
    }
    document.sentence(report.verdict());
    if (std::ranges::any_of(report.orders, &ReportedOrder::is_changed))
        document.sentence(fmt::format("* changed so that {}", !report.has_ranks_that_stay ? "groups are kept"
                                                              : report.together > 1 ? "groups are kept and ranks stay"
                                                                                    : "ranks stay"));
    if (!report.without_places.empty())
        document.sentence(fmt::format("{} left out: more ranks on an adapter than it has places",
                                      fmt::join(report.without_places, ", ")));
    document.sentence("block fills node after node, cyclic goes round the nodes, as --mapping of evaluate");
    document.sentence(fmt::format("{} looked at (seed {}){}", report.looked_at(), report.seed,
                                  report.stopped ? "; interrupted: the best so far" : ""));
}

}  // namespace

std::string OrdersReport::looked_at() const {
    return base::counted(moves, is_proven ? "order" : "swap", is_proven ? "orders" : "swaps");
}

Document document_of(OrdersReport const& report) {
    Document document;
    if (report.beside) add_node_sets(document, report);
    else add_question(document, report);
    document.blank();
    add_orders(document, report);
    return document;
}

Json value_of(OrdersReport const& report) {
    study::Study const& study = report.plan->study;
    model::Fabric const& fabric = *report.plan->fabric;
    Json orders = Json::array(), ranks = Json::array();
    for (ReportedOrder const& one : report.orders) orders.push_back(order_json(report, one));
    study::ComputeNodes const& nodes = *study.placement.nodes->nodes;
    std::uint32_t const count = study.placement.ranks;
    std::size_t const first = (report.orders.size() - 1) * std::size_t{count};
    Json jobs = Json::array();
    for (ReportedJob const& job : report.jobs)
        jobs.push_back({{"name", job.name},
                        {"first_rank", job.first_rank},
                        {"ranks", job.ranks},
                        {"start", real(job.at_start)},
                        {"found", real(job.found)}});
    for (std::uint32_t r = 0; r < count; ++r) {
        model::Host const host = study.placement.mapping_hosts[first + r];
        std::uint32_t const node = nodes.node_of_host[host.value];
        ranks.push_back({{"rank", r},
                         {"node", nodes.nodes[node].name},
                         {"adapter", fabric.network[fabric.network[host].node].name},
                         {"place", report.found().order[r]}});
    }
    Json random = nullptr;
    if (report.random.orders > 0)
        random = {{"orders", report.random.orders},
                  {"least", real(report.random.least)},
                  {"median", real(report.random.median)},
                  {"most", real(report.random.most)},
                  {"not_worse_than_found", report.random.not_worse}};
    Json json = head("tailback-place-1", study.files,
                     network_json(fabric, report.digest, study.placement.aggregation_nodes_are_hosts));
    json.update(Json{{"study",
                      {{"pattern", study.traffic.pattern},
                       {"ranks", count},
                       {"places", report.places},
                       {"together", report.together},
                       {"within", report.within},
                       {"levels", report.levels},
                       {"different_levels", report.different_levels},
                       {"flows", report.flows}}},
                     {"jobs", std::move(jobs)},
                     {"goal", search::name_of(report.goal)},
                     {"hash_draws", report.hash_draws > 0 ? Json(report.hash_draws) : Json(nullptr)},
                     {"unit", report.unit_name()},
                     {"seed", report.seed},
                     {"moves", report.moves},
                     {"interrupted", report.stopped},
                     {"bound", report.best_possible() > 0 ? real(report.best_possible()) : Json(nullptr)},
                     {"improved", report.is_improved()},
                     {"verdict", report.verdict()},
                     {"orders", std::move(orders)},
                     {"orders_left_out", report.without_places},
                     {"random", std::move(random)},
                     {"ranks", std::move(ranks)}});
    if (report.beside) json["beside"] = node_sets_json(*report.beside);
    return json;
}

}  // namespace tailback::report
