#include "host/report/adaptive/multipath_report.hpp"

#include "host/base/numbers.hpp"
#include "host/model/routes/candidate_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tailback::report {
namespace {

using evaluation::LidSpread;
char const* what(LidSpread spread) {
    switch (spread) {
        case LidSpread::base: return "by the base LID alone";
        case LidSpread::connection: return "a LID for every pair, drawn once";
        case LidSpread::round_robin: return "a source's messages go round the LIDs";
        case LidSpread::random: return "a LID for every message, drawn";
        case LidSpread::all: return "every message in equal parts over all LIDs";
    }
    return "";
}

char const* draws_text(evaluation::Multipath const& result) {
    if (!result.hash_is_drawn) return ", by a hash that draws nothing";
    return result.one_hash ? ", one draw of the hash for all mappings" : " by a hash drawn for each mapping";
}

}  // namespace

std::vector<NamedColumn> MultipathReport::columns() const {
    std::vector<NamedColumn> named;
    if (!result.queue_pairs.empty()) {
        for (evaluation::StudyColumn const& column : result.columns)
            named.push_back({column.name.c_str(), column,
                             column.name == "equal"
                                 ? "every switch divides equally"
                                 : column.name + (column.name == "1" ? " queue pair" : " queue pairs") +
                                       " a flow, each hashed on its own" + draws_text(result),
                             result.mappings});
        return named;
    }
    for (std::size_t s = 0; s < result.columns.size(); ++s)
        named.push_back(
            {evaluation::spread_name(result.spreads[s]), result.columns[s], what(result.spreads[s]), result.mappings});
    return named;
}

namespace {

/// A number of queue pairs, and what it comes to.
struct QueuePairs {
    std::uint32_t count;
    evaluation::StudyColumn const* column;
    double bandwidth;
};

/// The fewest first.
std::vector<QueuePairs> by_count(evaluation::Multipath const& result) {
    std::vector<QueuePairs> found;
    for (std::size_t q = 0; q < result.queue_pairs.size(); ++q)
        found.push_back(
            {result.queue_pairs[q], &result.columns[q + 1], result.columns[q + 1].mean(study::Metric::hist_acc_band)});
    std::sort(found.begin(), found.end(), [](QueuePairs const& a, QueuePairs const& b) { return a.count < b.count; });
    return found;
}

/// `2 add 41 % of it, 4 add 68 %`: of the bandwidth that the most add to that of the fewest. Those whose difference
/// from the fewest may be chance are told apart.
std::string parts_of_gain(std::vector<QueuePairs> const& found, std::string const& mappings) {
    QueuePairs const &least = found.front(), &most = found.back();
    std::string parts, unsure;
    for (std::size_t q = 1; q + 1 < found.size(); ++q) {
        if (!are_told_apart(*found[q].column, *least.column, study::Metric::hist_acc_band)) {
            unsure += fmt::format("{}{}", unsure.empty() ? "" : ", ", found[q].count);
            continue;
        }
        double const part = 100 * (found[q].bandwidth - least.bandwidth) / (most.bandwidth - least.bandwidth);
        parts += fmt::format("{}{} add {:.0f} %{}", parts.empty() ? "" : ", ", found[q].count, part,
                             parts.empty() ? " of it" : "");
    }
    std::string text;
    if (!parts.empty()) text = fmt::format(" {} add {:.4f}; {}.", most.count, most.bandwidth - least.bandwidth, parts);
    if (!unsure.empty())
        text += fmt::format(" Whether {} add anything to {} is not clear after {}: the intervals overlap.", unsure,
                            least.count, mappings);
    return text;
}

}  // namespace

/// Which part of what the most queue pairs add to the fewest each number adds, and what becomes of the largest load.
std::string MultipathReport::verdict_of_queue_pairs() const {
    if (!lose_alike(columns())) return not_known("What queue pairs are worth", columns());
    std::vector<QueuePairs> const found = by_count(result);
    QueuePairs const &least = found.front(), &most = found.back();
    if (!(least.bandwidth > 0)) return no_flow_is_delivered;
    std::string text =
        fmt::format("With {} the mean bandwidth of a flow is {}",
                    base::counted(least.count, "queue pair", "queue pairs"), bandwidth_text(plan, least.bandwidth));
    if (found.size() > 1) text += fmt::format(", {:.4f} with {}", most.bandwidth, most.count);
    text += fmt::format(", {:.4f} where every switch divides equally.",
                        result.columns[0].mean(study::Metric::hist_acc_band));
    if (found.size() < 2) return text;
    std::string const mappings = base::counted(result.mappings, "mapping", "mappings");
    if (std::abs(most.bandwidth - least.bandwidth) < 0.0005) return text + largest_load_text();
    if (!are_told_apart(*most.column, *least.column, study::Metric::hist_acc_band))
        return text + fmt::format(" Whether {} differ from {} is not clear after {}: the intervals overlap.",
                                  most.count, least.count, mappings);
    if (found.size() > 2 && most.bandwidth > least.bandwidth) text += parts_of_gain(found, mappings);
    return text + largest_load_text();
}

/// What no interval holds.
std::string MultipathReport::luck_text() const {
    if (result.queue_pairs.empty() || !result.hash_is_drawn) return "";
    if (result.one_hash)
        return " All mappings have one draw of the hash, whose luck no interval holds; without --one-hash each "
               "mapping draws its own.";
    return result.mappings > 1 ? "" : " That is one draw of the hash; --mappings N draws one for each of N mappings.";
}

std::string MultipathReport::largest_load_text() const {
    study::Metric const metric = study::Metric::sum_max_cong;
    std::vector<QueuePairs> const found = by_count(result);
    if (!plan.study.wants(metric) || found.front().column->number(metric) == nullptr) return "";
    return largest_congestion(fmt::format("{} with {}, {} with {}, {} where every switch divides equally",
                                          congestion_text(*found.front().column), found.front().count,
                                          congestion_text(*found.back().column), found.back().count,
                                          congestion_text(result.columns[0])));
}

std::string MultipathReport::congestion_text(evaluation::StudyColumn const& column) const {
    double const mean = column.mean(study::Metric::sum_max_cong);
    return plan.in_seconds() ? time_text(mean) : fmt::format("{:.2f}", mean);
}

std::string MultipathReport::largest_congestion(std::string const& numbers) const {
    return fmt::format(" The largest congestion, which the slowest flow of a level waits for, is {}{}.", numbers,
                       plan.problem.traffic.level_count > 1 ? ", summed over the levels" : "");
}

std::vector<result::NextStep> MultipathReport::next_steps() const {
    auto const cause = cause_of_losses(columns(), others);
    return cause ? std::vector{*cause} : std::vector<result::NextStep>{};
}

/// Of the columns beside the base LID's that with the most of a metric, or the least.
std::size_t MultipathReport::spread_with(study::Metric metric, bool most) const {
    auto const better = [&](evaluation::StudyColumn const& one, evaluation::StudyColumn const& other) {
        return most ? one.mean(metric) > other.mean(metric) : one.mean(metric) < other.mean(metric);
    };
    std::size_t best = 1;
    for (std::size_t s = 2; s < result.columns.size(); ++s)
        if (better(result.columns[s], result.columns[best])) best = s;
    return best;
}

/// Where several LIDs lower it, or raise it by whatever spread, by more than chance.
std::string MultipathReport::largest_load_by_lids() const {
    study::Metric const metric = study::Metric::sum_max_cong;
    if (!plan.study.wants(metric) || result.columns[0].number(metric) == nullptr) return "";
    std::size_t const best = spread_with(metric, false);
    if (!are_told_apart(result.columns[best], result.columns[0], metric)) return "";
    return largest_congestion(fmt::format("{} by {}, {} by the base LID", congestion_text(result.columns[best]),
                                          evaluation::spread_name(result.spreads[best]),
                                          congestion_text(result.columns[0])));
}

std::string MultipathReport::verdict() const {
    if (!result.queue_pairs.empty()) return verdict_of_queue_pairs() + luck_text();
    study::Metric const metric = study::Metric::hist_acc_band;
    double const base = result.columns[0].mean(metric);
    if (!lose_alike(columns())) return not_known("Which is best", columns());
    if (!(base > 0)) return no_flow_is_delivered;
    if (result.columns.size() < 2) return fmt::format("The base LID alone gives {}.", bandwidth_text(plan, base));
    std::size_t const best = spread_with(metric, true);
    double const found = result.columns[best].mean(metric);
    std::string const name = evaluation::spread_name(result.spreads[best]);
    std::string text;
    if (!are_told_apart(result.columns[best], result.columns[0], metric))
        text = fmt::format(
            "Several LIDs make no difference to the mean bandwidth of a flow that {} could show: {} by {}, {:.4f} by "
            "the base LID.",
            base::counted(result.mappings, "mapping", "mappings"), bandwidth_text(plan, found), name, base);
    else if (found < base)
        text = fmt::format("Several LIDs lower the mean bandwidth of a flow: {} by {}, {:.4f} by the base LID.",
                           bandwidth_text(plan, found), name, base);
    else
        text = fmt::format("Best is {}: the mean bandwidth of a flow is {}, {:.4f} by the base LID ({:+.1f} %).", name,
                           bandwidth_text(plan, found), base, 100 * (found / base - 1));
    return text + largest_load_by_lids();
}

Document document_of(MultipathReport const& report) {
    Document document;
    add_head(document, report.plan, report.result.mappings, report.digest);
    document.sentence(report.result.queue_pairs.empty()
                          ? fmt::format("up to {} LIDs a host (LMC {})", 1u << report.result.lmc, report.result.lmc)
                          : "queue pairs are hashed over " + report.plan.fabric->candidates->words());
    std::vector<NamedColumn> const columns = report.columns();
    add_goal(document, report.plan, columns);
    add_columns(document, report.plan, columns);
    add_meanings(document, columns);
    add_hottest(document, report.plan, columns);
    return document.heading(report.verdict());
}

Json value_of(MultipathReport const& report) {
    evaluation::Multipath const& result = report.result;
    study::Study const& study = report.plan.study;
    Json json = head("tailback-multipath-1", study.files,
                     network_json(*report.plan.fabric, report.digest, study.placement.aggregation_nodes_are_hosts));
    json.update({{"lmc", result.lmc},
                 {"queue_pairs", result.queue_pairs.empty() ? Json(nullptr) : Json(result.queue_pairs)},
                 {"hash_of_each_mapping",
                  result.queue_pairs.empty() ? Json(nullptr) : Json(result.hash_is_drawn && !result.one_hash)},
                 {"study", study_of_columns_json(report.plan, result.mappings)},
                 {"interrupted", result.interrupted},
                 {"until", until_of_columns_json(report.plan, report.columns())},
                 {"columns", columns_json(report.plan, report.columns())},
                 {"verdict", report.verdict()}});
    return json;
}

}  // namespace tailback::report
