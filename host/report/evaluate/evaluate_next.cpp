// What to do about what a study came to.
#include "host/audit/changes/other_tables.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/report/evaluate/evaluate_report.hpp"
#include "host/result/undelivered.hpp"

namespace tailback::report {
namespace {

/// Below this share of what the links of hosts alone would allow, other tables may be worth a search.
constexpr double good_share = 0.9;
constexpr std::uint64_t most_searched = 50'000;  // hosts

bool is_far_from_ideal(Report const& report) {
    for (study::MetricInfo const* const info : report.metrics()) {
        if (!info->number || report.number(*info).count() == 0) continue;
        std::optional<double> ideal;
        if (info->metric == study::Metric::hist_acc_band) ideal = 1;  // a share of a host's link
        else if (info->number->ideal != nullptr) ideal = info->number->ideal(report.plan);
        if (ideal && report.number(*info).mean() < good_share * *ideal) return true;
    }
    return false;
}

/// The order of ranks was drawn, and makes a difference.
bool order_matters(Report const& report) {
    study::Study const& study = report.study();
    std::optional<study::Metric> const first = study.first_number();
    if (!report.plan.has_bytes() || study.placement.mapping != study::MappingKind::random || !first) return false;
    evaluation::Distribution const& values = report.number(study::info_of(*first));
    return values.count() > 1 && values.min() < values.max();
}

}  // namespace

std::vector<result::NextStep> Report::next_steps() const {
    std::vector<result::NextStep> steps;
    if (failed_flows() > 0) steps.push_back(result::find_out_why(others));
    if (failed_flows() > 0 && audit::others_may_go_round(*plan.fabric))
        steps.push_back({"see which routings go round what fails", others.with("audit", {"--try-routings"})});
    if (nothing_delivered()) return steps;
    model::FabricTraits const traits = model::traits_of(*plan.fabric);
    if (traits.by_load || traits.by_hash)
        steps.push_back({"see what comes of the choices that switches have", others.with("bracket", {})});
    else if (usable_hosts <= most_searched && model::may_have_other_tables(*plan.fabric) && is_far_from_ideal(*this) &&
             audit::gain_at_first_sight(*plan.fabric).value_or(1) >= audit::least_gain)
        steps.push_back({"see whether other tables give more, free of deadlock", others.better_tables()});
    if (order_matters(*this)) steps.push_back({"find the best order of the ranks", others.with("place", {})});
    return steps;
}

}  // namespace tailback::report
