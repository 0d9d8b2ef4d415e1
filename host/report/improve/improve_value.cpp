#include "host/report/improve/improve_report.hpp"
#include "host/study/fabric_digest.hpp"

namespace tailback::report {
namespace {

Json side_json(ImprovedSide const& side, model::Fabric const& fabric) {
    Json json;
    json["digest"] = study::digest(fabric);
    json["pairs"] = side.pairs;
    json["pairs_not_delivered"] = side.undelivered;
    json["collisions_per_permutation"] = real(side.collisions);
    json["bandwidth"] = side.bandwidth ? Json{{"mean", real(side.bandwidth->mean)},
                                              {"ci99_half_width", real(side.bandwidth->half_width)}}
                                       : Json(nullptr);
    json["expected_bandwidth"] = real(side.expected);
    json["largest_load"] = amount_json(side.largest_load);
    json["worst_permutation"] = or_null(side.worst_permutation);
    json["worst_shift"] = or_null(side.worst_shift);
    json["mean_links"] = real(side.mean_links);
    json["pairs_on_a_detour"] = side.longer;
    if (side.jobs)
        json["jobs"] = {{"largest_load", real(side.jobs->largest)},
                        {"host_link_load", real(side.jobs->host_link)},
                        {"failed", side.jobs->failed}};
    json["deadlock_free"] = side.deadlock_free;
    json["free_with_endpoints_left_out"] = or_null(side.free_with_others);
    json["lanes"] = side.lanes;
    return json;
}

char const* outcome_name(ImproveOutcome outcome) {
    switch (outcome) {
        case ImproveOutcome::improved: return "improved";
        case ImproveOutcome::refused: return "refused";
        default: return "best_already";
    }
}

char const* rollout_name(search::Rollout rollout) {
    switch (rollout) {
        case search::Rollout::nothing: return "nothing";
        case search::Rollout::any_order: return "any_order";
        case search::Rollout::by_destination: return "by_destination";
        default: return "drain";
    }
}

}  // namespace

Json value_of(ImproveReport const& report) {
    Json json = head("tailback-improve-1", report.files, network_json(report.before, study::digest(report.before)));
    json["outcome"] = outcome_name(report.outcome);
    json["objective"] = report.objective;
    json["before"] = side_json(report.was, report.before);
    json["after"] = side_json(report.is, report.after);
    json["worse"] = worse_keys(report);
    json["load_unit"] = report.by_capacity ? "pairs/capacity" : "pairs";
    json["mappings"] = report.mappings;
    json["best_routing"] = nullptr;
    if (report.best_routing)
        json["best_routing"] = {{"routing", report.best_routing->name},
                                {"collisions_per_permutation", real(report.best_routing->collisions)},
                                {"bandwidth", real(report.best_routing->bandwidth)},
                                {"largest_load", amount_json(report.best_routing->largest_load)}};
    json["most_bandwidth"] = real(report.most_bandwidth);
    if (report.jobs_bound)
        json["jobs_bound"] = {
            {"least", real(report.jobs_bound->least)},
            {"divided", real(report.jobs_bound->divided)},
            {"upper", report.jobs_bound->upper > 0 ? Json(real(report.jobs_bound->upper)) : Json(nullptr)}};
    if (report.load_bound)
        json["load_bound"] = {{"least", amount_json(report.load_bound->least)},
                              {"routes", report.load_bound->of_shortest_routes ? "shortest" : "any"}};
    json["search"] = {{"start", report.start},
                      {"rounds", report.search.rounds},
                      {"moves", report.search.moves},
                      {"trimmed", report.search.trimmed},
                      {"stopped", report.search.stopped || report.search.stopped_before},
                      {"by_order", report.by_order},
                      {"orders", report.trials},
                      {"valleys", report.valleys}};
    json["changes"] = {{"entries", report.entries}, {"blocks", report.blocks}, {"switches", report.switches}};
    json["rollout"] = rollout_name(report.rollout);
    return json;
}

}  // namespace tailback::report
