#include "host/report/orders/orders_report.hpp"

#include "host/base/numbers.hpp"
#include "host/study/placement/compute_nodes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tailback::report {
namespace {

char const* words_of(search::OrderGoal goal) {
    switch (goal) {
        case search::OrderGoal::time: return "the time of its levels, one after the other";
        case search::OrderGoal::load: return "the largest load of a link over all levels";
        case search::OrderGoal::hop_bytes: return "bytes x links";
        case search::OrderGoal::leaf_bytes: return "bytes that leave their first switch";
        case search::OrderGoal::rack_bytes: return "bytes that leave their rack";
        case search::OrderGoal::node_bytes: return "bytes that leave their node";
        case search::OrderGoal::rate: return "the least max-min rate of a flow";
        case search::OrderGoal::makespan: return "the time of its levels at max-min rates";
        case search::OrderGoal::completion_time: return "the mean completion time of flows at max-min rates";
        case search::OrderGoal::adaptive: return "the time of its levels, flows divided equally at every switch";
        case search::OrderGoal::hash: return "the time of its levels, flows hashed over routes";
    }
    return "";
}

/// With its unit where it has one of its own.
std::string value_text(OrdersReport const& report, double value) {
    if (search::more_is_better(report.goal)) return base::significant_text(value, 4);
    if (!search::is_distance(report.goal) && report.plan.in_seconds()) return time_text(value);
    if (report.plan.has_bytes() && report.goal != search::OrderGoal::hop_bytes) return bytes_text(value);
    return value == std::floor(value) && value < 1e15 ? base::grouped(static_cast<std::uint64_t>(value))
                                                      : base::significant_text(value, 4);
}

std::string of_bound(OrdersReport const& report, double value) {
    return report.has_strong_bound() ? base::fixed_text(value / report.bound, 3) : "-";
}

Json order_json(OrdersReport const& report, ReportedOrder const& one) {
    return {{"name", one.name},
            {"value", real(one.value)},
            {"of_bound", report.bound > 0 ? real(one.value / report.bound) : Json(nullptr)},
            {"sum_max_cong", real(one.time)},
            {"hist_acc_band", real(one.bandwidth)},
            {"hop_bytes", real(one.hop_bytes)}};
}

}  // namespace

std::string OrdersReport::unit_name() const {
    std::string const bytes = plan.has_bytes() ? "bytes" : "flows";
    switch (goal) {
        case search::OrderGoal::hop_bytes: return bytes + " x links";
        case search::OrderGoal::rate: return "of a link";
        default: return !search::is_distance(goal) && plan.in_seconds() ? "seconds" : bytes;
    }
}

std::string OrdersReport::verdict() const {
    std::string const name = start().name;
    char const* const better = search::more_is_better(goal) ? "more" : "less";
    if (!is_improved()) {
        if (is_at_bound()) return fmt::format("The order {} is already best: no order has {}.", name, better);
        return fmt::format("No order better than {} was found.", name);
    }
    std::string text = fmt::format("The order found has {} of what {} has",
                                   base::fixed_text(100 * found().value / start().value, 1) + " %", name);
    if (is_at_bound()) text += fmt::format(", and no order has {}", better);
    else if (has_strong_bound())
        text +=
            fmt::format("; no order has {} than {}", better, base::fixed_text(100 * bound / start().value, 1) + " %");
    if (random_orders > 0 && random_not_worse == 0)
        text += fmt::format("; it is better than all of {} random orders", base::grouped(random_orders));
    return text + ".";
}

Document document_of(OrdersReport const& report) {
    study::Study const& study = report.plan.study;
    Document document;
    std::string const draws =
        report.hash_draws > 0 ? ", mean of " + base::counted(report.hash_draws, "draw", "draws") : "";
    document.sentence(fmt::format("The order of {} on {}, by {}{}",
                                  base::counted(study.placement.ranks, "rank", "ranks"),
                                  base::counted(report.places, "place", "places"), words_of(report.goal), draws));
    document.sentence(fmt::format(
        "traffic {}, {}, {}", study.traffic.pattern,
        base::counted(report.levels, "level", "levels") +
            (report.levels > 1 ? fmt::format(" ({} different)", base::grouped(report.different_levels)) : ""),
        base::counted(report.flows, "flow", "flows")));
    add_network(document, *report.plan.fabric, report.digest, study.placement.aggregation_nodes_are_hosts);
    document.blank();
    add_orders(document, report);
    return document;
}

void add_orders(Document& document, OrdersReport const& report) {
    Table table{.columns = {name_column("order"),
                            {report.unit_name()},
                            {"x bound"},
                            {"sum_max_cong"},
                            {"hist_acc_band"},
                            {"hop_bytes"}}};
    auto const digits = [](double value) {
        bool const is_whole = value == std::floor(value) && value >= 1000 && value < 1e15;
        return is_whole ? base::grouped(static_cast<std::uint64_t>(value)) : base::significant_text(value, 4);
    };
    for (ReportedOrder const& one : report.orders)
        table.rows.push_back({one.name, value_text(report, one.value), of_bound(report, one.value), digits(one.time),
                              digits(one.bandwidth), digits(one.hop_bytes)});
    auto const row = [&](std::string const& name, double value) {
        table.rows.push_back({name, value_text(report, value), of_bound(report, value), "", "", ""});
    };
    if (report.random_orders > 0) {
        row("random, the best of " + base::grouped(report.random_orders), report.random_least);
        row("random, median", report.random_median);
    }
    if (report.has_strong_bound())
        row(search::more_is_better(report.goal) ? "no order has more than" : "no order has less than", report.bound);
    document.table(std::move(table));
    document.blank();
    document.sentence(report.verdict());
    document.sentence(fmt::format("{} looked at (seed {}){}", base::counted(report.moves, "swap", "swaps"), report.seed,
                                  report.stopped ? "; interrupted: the best so far" : ""));
}

Json value_of(OrdersReport const& report) {
    study::Study const& study = report.plan.study;
    model::Fabric const& fabric = *report.plan.fabric;
    Json orders = Json::array(), ranks = Json::array();
    for (ReportedOrder const& one : report.orders) orders.push_back(order_json(report, one));
    study::ComputeNodes const& nodes = *study.placement.nodes->nodes;
    std::uint32_t const count = study.placement.ranks;
    std::size_t const first = (report.orders.size() - 1) * std::size_t{count};
    for (std::uint32_t r = 0; r < count; ++r) {
        model::Host const host = study.placement.mapping_hosts[first + r];
        std::uint32_t const node = nodes.node_of_host[host.value];
        ranks.push_back({{"rank", r},
                         {"node", nodes.nodes[node].name},
                         {"adapter", fabric.network[fabric.network[host].node].name},
                         {"place", report.found().place_of_rank[r]}});
    }
    Json random = nullptr;
    if (report.random_orders > 0)
        random = {{"orders", report.random_orders},
                  {"least", real(report.random_least)},
                  {"median", real(report.random_median)},
                  {"most", real(report.random_most)},
                  {"not_worse_than_found", report.random_not_worse}};
    Json json = head("tailback-place-1", study.files,
                     network_json(fabric, report.digest, study.placement.aggregation_nodes_are_hosts));
    json.update(Json{{"study",
                      {{"pattern", study.traffic.pattern},
                       {"ranks", count},
                       {"places", report.places},
                       {"levels", report.levels},
                       {"different_levels", report.different_levels},
                       {"flows", report.flows}}},
                     {"goal", search::name_of(report.goal)},
                     {"hash_draws", report.hash_draws > 0 ? Json(report.hash_draws) : Json(nullptr)},
                     {"unit", report.unit_name()},
                     {"seed", report.seed},
                     {"moves", report.moves},
                     {"interrupted", report.stopped},
                     {"bound", report.bound > 0 ? real(report.bound) : Json(nullptr)},
                     {"improved", report.is_improved()},
                     {"verdict", report.verdict()},
                     {"orders", std::move(orders)},
                     {"random", std::move(random)},
                     {"ranks", std::move(ranks)}});
    return json;
}

}  // namespace tailback::report
