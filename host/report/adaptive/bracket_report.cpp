#include "host/report/adaptive/bracket_report.hpp"

#include "host/base/numbers.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routes/fabric_words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tailback::report {
namespace {

using evaluation::Division;
using study::Metric;
constexpr Division all_divisions[] = {Division::fixed, Division::equal, Division::hashed, Division::optimal};

char const* what(model::Fabric const& fabric, Division division) {
    switch (division) {
        case Division::fixed: return model::words_of(fabric).fixed;
        case Division::equal: return "every switch divides equally";
        case Division::hashed: return "a hash picks a port for every flow";
        case Division::optimal: return "the least largest load that was found";
    }
    return "";
}

bool goes_by_hash(BracketReport const& report) { return model::traits_of(*report.plan.fabric).by_hash; }

}  // namespace

std::vector<NamedColumn> BracketReport::columns() const {
    std::vector<NamedColumn> named;
    for (Division const division : all_divisions) {
        evaluation::StudyColumn const& column = result.of(division);
        named.push_back({evaluation::division_name(division), column, what(*plan.fabric, division),
                         column.result.mappings / result.draws(division)});
        if (division == Division::hashed) named.back().what += draws_text();
        if (division == Division::optimal) named.back().at_least = result.optimum_at_least;
        if (division == Division::optimal && result.optimal_mappings < result.mappings)
            named.back().what +=
                fmt::format(" (the first {})", base::counted(result.optimal_mappings, "mapping", "mappings"));
    }
    return named;
}

std::string BracketReport::draws_text() const {
    std::string const draws = base::counted(result.hash_draws, "draw", "draws");
    if (!result.hash_is_drawn) return ", which draws nothing";
    if (result.one_hash) return fmt::format(", {} of it for all mappings", draws);
    return result.hash_draws == 1 ? ", drawn for each mapping" : fmt::format(", {} of it for each mapping", draws);
}

/// What the interval of the hash's column does not hold; nothing where it holds the luck of draws.
std::string BracketReport::luck_text() const {
    if (!result.hash_is_drawn) return "";
    if (result.one_hash && result.hash_draws == 1)
        return " That is one draw of the hash for all mappings, whose luck no interval holds; without --one-hash each "
               "mapping draws its own.";
    if (result.one_hash)
        return fmt::format(
            " All mappings have the same {} draws of the hash, whose luck no interval holds; without --one-hash each "
            "mapping draws its own.",
            result.hash_draws);
    if (result.mappings * result.hash_draws > 1) return "";
    return " That is one draw of the hash; --mappings N draws one for each of N mappings.";
}

std::string BracketReport::verdict() const {
    return (goes_by_hash(*this) ? verdict_of_hash() : verdict_of_adaptive()) + ends_text();
}

/// Both ends of the bracket, of the columns of all mappings.
std::string BracketReport::ends_text() const {
    Division lowest = Division::fixed, highest = Division::equal;
    NamedColumn const compared[] = {{"static", result.of(Division::fixed)},
                                    {"equal", result.of(Division::equal)},
                                    {"hash", result.of(Division::hashed)}};
    if (!lose_alike(compared)) return "";
    auto const mean = [&](Division division) { return result.of(division).mean(Metric::hist_acc_band); };
    for (Division const division : {Division::equal, Division::hashed, Division::fixed}) {
        if (mean(division) < mean(lowest)) lowest = division;
        if (mean(division) > mean(highest)) highest = division;
    }
    if (!(mean(lowest) > 0) || mean(highest) - mean(lowest) < 0.00005) return "";
    return fmt::format(" The bracket goes from {:.4f} ({}) to {:.4f} ({}).", mean(lowest), what(*plan.fabric, lowest),
                       mean(highest), what(*plan.fabric, highest));
}

std::string BracketReport::verdict_of_adaptive() const {
    double const before = result.of(Division::fixed).mean(Metric::hist_acc_band),
                 after = result.of(Division::equal).mean(Metric::hist_acc_band);
    NamedColumn const compared[] = {{evaluation::division_name(Division::equal), result.of(Division::equal)},
                                    {evaluation::division_name(Division::fixed), result.of(Division::fixed)}};
    if (!lose_alike(compared)) return not_known("What adaptive routing is worth here", compared);
    if (!(before > 0) || !(after > 0)) return no_flow_is_delivered;
    std::string text;
    double const gain = 100 * (after / before - 1);
    if (std::abs(gain) < 0.05)
        text = fmt::format(
            "Adaptive routing is worth nothing here: the mean bandwidth is {:.4f} of a link with it and "
            "by the static entries",
            after);
    else if (!are_told_apart(compared[0].column, compared[1].column, Metric::hist_acc_band))
        text = fmt::format(
            "Whether adaptive routing pays here is {}: the mean bandwidth of a flow is {} where switches "
            "divide equally, {:.4f} by the static entries",
            not_clear(), bandwidth_text(plan, after), before);
    else
        text = fmt::format(
            "Adaptive routing {} here: the mean bandwidth of a flow is {} where switches divide equally, {:.4f} by the "
            "static entries ({:+.1f} %)",
            gain > 0 ? "pays" : "costs", bandwidth_text(plan, after), before, gain);
    return text + optimum_text() + ".";
}

std::string BracketReport::not_clear() const {
    return fmt::format("not clear after {} (the intervals overlap)",
                       base::counted(result.mappings, "mapping", "mappings"));
}

/// What another division could still gain: no more than is proved, of the mappings that it is proved of.
std::string BracketReport::optimum_text() const {
    if (result.optimal_mappings == 0) return "";
    double const equal = result.largest_where_optimal(Division::equal),
                 found = result.largest_where_optimal(Division::optimal), least = result.optimum_at_least;
    if (!(found > 0) || !(equal > 0)) return "";
    std::string const of = result.optimal_mappings == result.mappings
                               ? "the mean largest load"
                               : fmt::format("the mean largest load of the first {}",
                                             base::counted(result.optimal_mappings, "mapping", "mappings"));
    constexpr double rounding = 1e-9;
    if (equal <= least * (1 + rounding)) return "; no other division over the same ports lowers " + of;
    double const lowered = 100 * (1 - found / equal), at_most = std::ceil(1000 * (1 - least / equal)) / 10;
    if (lowered < 0.05)
        return fmt::format("; no other division over the same ports lowers {} by more than {:.1f} %", of, at_most);
    return fmt::format("; another division over the same ports lowers {} by {:.1f} %, none by more than {:.1f} %", of,
                       lowered, std::max(at_most, lowered));
}

std::string BracketReport::verdict_of_hash() const {
    double const hashed = result.of(Division::hashed).mean(Metric::hist_acc_band),
                 equal = result.of(Division::equal).mean(Metric::hist_acc_band);
    NamedColumn const compared[] = {{evaluation::division_name(Division::hashed), result.of(Division::hashed)},
                                    {evaluation::division_name(Division::equal), result.of(Division::equal)}};
    if (compared[0].column.result.delivered + compared[1].column.result.delivered == 0) return no_flow_is_delivered;
    if (compared[0].column.failed() + compared[1].column.failed() > 0)
        return not_known("What the hash costs here", compared);
    bool const costs = hashed < equal * 0.9995;
    if (costs && !are_told_apart(compared[0].column, compared[1].column, Metric::hist_acc_band))
        return fmt::format(
            "Whether the hash costs anything here is {}: the mean bandwidth of a flow is {} with it, "
            "{:.4f} where every switch divides equally.",
            not_clear(), bandwidth_text(plan, hashed), equal);
    return fmt::format(
               "The hash {} here: the mean bandwidth of a flow is {} with it, {:.4f} where every switch divides "
               "equally ({:+.1f} %).",
               costs ? "costs" : "costs nothing", bandwidth_text(plan, hashed), equal, 100 * (hashed / equal - 1)) +
           luck_text();
}

std::vector<result::NextStep> BracketReport::next_steps() const {
    constexpr double much = 0.95;  // of what equal division gives
    double const hashed = result.of(Division::hashed).mean(Metric::hist_acc_band),
                 equal = result.of(Division::equal).mean(Metric::hist_acc_band);
    std::vector<NamedColumn> const named = columns();
    if (auto const cause = cause_of_losses(named, others)) return {*cause};
    if (!goes_by_hash(*this) || !(hashed < much * equal)) return {};
    return {{"see what more queue pairs a flow win back", others.with("multipath", {"--queue-pairs", "1,2,4,8,16"})}};
}

namespace {

/// All divisions over the mappings that the optimum was looked for of.
std::vector<NamedColumn> where_optimal(evaluation::Bracket const& result) {
    std::vector<NamedColumn> columns;
    for (Division const division : all_divisions)
        columns.push_back({.name = evaluation::division_name(division),
                           .column = result.where_optimal[std::size_t(division)],
                           .mappings = result.optimal_mappings});
    return columns;
}

void add_optimum(Document& document, BracketReport const& report) {
    evaluation::Bracket const& result = report.result;
    if (result.optimal_mappings == 0) return;
    std::string const bounds =
        fmt::format("the least possible largest congestion is between {} and {}",
                    congestion_text(report.plan, result.optimum_at_least),
                    congestion_text(report.plan, result.largest_where_optimal(Division::optimal)));
    if (result.optimal_mappings == result.mappings) {
        document.heading("Over all divisions, " + bounds + ".");
        return;
    }
    document.heading(fmt::format(
        "Over the first {} alone, {}:", base::counted(result.optimal_mappings, "mapping", "mappings"), bounds));
    add_columns(document, report.plan, where_optimal(result));
}

/// What is known beside the columns.
void add_measured(Document& document, BracketReport const& report, std::span<NamedColumn const> columns) {
    evaluation::Bracket const& result = report.result;
    add_optimum(document, report);
    if (result.expected_bandwidth)
        document.sentence(fmt::format(
            "hist_acc_band over all draws of a perfect hash, exactly{}: {} (drawn {})",
            result.optimal_mappings < result.mappings
                ? fmt::format(", of the first {}", base::counted(result.optimal_mappings, "mapping", "mappings"))
                : "",
            digits(*result.expected_bandwidth), digits(result.bandwidth_where_optimal(Division::hashed))));
    if (result.hash_draws > 1) {
        evaluation::Distribution const& found = *result.of(Division::hashed).number(Metric::hist_acc_band);
        document.sentence(fmt::format("hist_acc_band of the hash over {} draws a mapping: {} to {}, median {}",
                                      result.hash_draws, digits(found.min()), digits(found.max()),
                                      digits(found.quantile(0.5))));
    }
    add_hottest(document, report.plan, columns);
    document.heading(fmt::format("Loads of equal division are {} (1/{} of a flow)",
                                 result.error == 0 ? "exact" : fmt::format("within {:.3g} flows a level", result.error),
                                 result.unit));
}

}  // namespace

Document document_of(BracketReport const& report) {
    evaluation::Bracket const& result = report.result;
    model::Fabric const& fabric = *report.plan.fabric;
    Document document;
    add_head(document, report.plan, result.mappings, report.digest);
    document.sentence("candidate sets: " + fabric.candidates->words());
    std::vector<NamedColumn> columns = report.columns();
    add_goal(document, report.plan, columns);
    if (result.optimal_mappings < result.mappings) columns.pop_back();  // rows of one table are of the same mappings
    add_columns(document, report.plan, columns);
    std::vector<NamedColumn> meant = report.columns();
    if (result.optimal_mappings == 0) meant.pop_back();
    add_meanings(document, meant);
    if (!nothing_delivered(columns)) add_measured(document, report, columns);
    return document.heading(report.verdict());
}

Json value_of(BracketReport const& report) {
    evaluation::Bracket const& result = report.result;
    study::Study const& study = report.plan.study;
    model::Fabric const& fabric = *report.plan.fabric;
    Json where = Json::object();
    if (result.optimal_mappings > 0)
        for (Division const division : all_divisions)
            where[evaluation::division_name(division)] = finite(result.largest_where_optimal(division));
    Json json = head("tailback-bracket-1", study.files,
                     network_json(fabric, report.digest, study.placement.aggregation_nodes_are_hosts));
    json.update(
        {{"candidate_sets", fabric.candidates->words()},
         {"study", study_of_columns_json(report.plan, result.mappings)},
         {"interrupted", result.interrupted},
         {"until", until_of_columns_json(report.plan, report.columns())},
         {"hash",
          {{"seed", result.hash_seed},
           {"draws", result.hash_draws},
           {"of_each_mapping", result.hash_is_drawn && !result.one_hash},
           {"queue_pairs", result.queue_pairs},
           {"expected_hist_acc_band", result.expected_bandwidth ? finite(*result.expected_bandwidth) : Json(nullptr)},
           {"expected_mappings", result.expected_bandwidth ? result.optimal_mappings : 0}}},
         {"unit", result.unit},
         {"error", result.error},
         {"columns", columns_json(report.plan, report.columns())},
         {"largest_where_optimal", std::move(where)},
         {"columns_where_optimal",
          result.optimal_mappings > 0 ? columns_json(report.plan, where_optimal(result)) : Json(nullptr)},
         {"verdict", report.verdict()}});
    return json;
}

}  // namespace tailback::report
