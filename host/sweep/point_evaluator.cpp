// A network is read or made once, routed once for each routing, and its routes are packed once for the same hosts.
#include "host/sweep/point_evaluator.hpp"

#include "host/api/study.hpp"
#include "host/base/error.hpp"
#include "host/report/adaptive/bracket_report.hpp"
#include "host/report/adaptive/multipath_report.hpp"
#include "host/search/bisection/expected_bandwidth.hpp"
#include "host/study/fabric_digest.hpp"

#include <nlohmann/json.hpp>

#include <sstream>

namespace tailback::sweep {
namespace {

void no_note(std::string const&) {}  // the row says it

}  // namespace

void PointEvaluator::turn_to(CheckedPoint const& point, bool keep_network) {
    if (fabric_number_ == point.fabric && !api::wants_traffic(point.request)) {
        network_.tell_warnings();
        if (!why_broken_.empty()) throw base::InputError({}, why_broken_, "", "");
        return;
    }
    plan_.reset();
    facts_ = {};
    fabric_.reset();
    network_.turn_to(point.network);
    fabric_number_ = point.fabric;
    why_broken_.clear();
    api::ReadNetwork const read = [&](api::FabricRequest const& request, api::TakeSentence const&) {
        std::shared_ptr<api::NetworkInput> input = network_.read(request);
        if (!keep_network) network_.release();
        return input;
    };
    try {
        fabric_ = std::make_shared<model::Fabric const>(api::obtain(request_of(point), {no_note, warn_}, read));
    } catch (base::InputError const& error) {
        why_broken_ = error.what();
        throw;
    }
}

std::string PointEvaluator::report_of(CheckedPoint const& point, evaluation::ExecutionOptions const& execution,
                                      bool keep_network) {
    turn_to(point, keep_network);
    if (point.other != nullptr) return point.other->report_of(fabric_, execution, {no_note, warn_});
    study::StudyPlan plan = api::plan_study(point.request, *fabric_, {no_note, warn_}, plan_ ? &*plan_ : nullptr);
    bool const same_hosts = plan_ && plan_->study_hosts == plan.study_hosts;
    plan_ = std::move(plan);
    if (!same_hosts) {
        facts_.failed = study::failed_pairs(*plan_, report::named_pairs);
        if (facts_.digest.empty()) facts_.digest = study::digest(*fabric_);
    }
    if (!point.request.is_alone()) return report_of_columns(point, execution);
    std::optional<double> expected;
    if (point.request.ebb_by_formula) expected = search::expected_bandwidth(*plan_);
    evaluation::Evaluation const result = evaluation::evaluate(*plan_, execution);
    if (result.interrupted) return "";
    report::Report report = report::make_report(*plan_, result, facts_);
    report.expected_bandwidth = expected;
    result::Json json = report::value_of(report);
    for (auto& [name, metric] : json.at("metrics").items())  // a table of points holds no table of links
        if (metric.contains("links")) metric["links"] = result::Json::array();
    return result::json_text(json);
}

std::string PointEvaluator::report_of_columns(CheckedPoint const& point,
                                              evaluation::ExecutionOptions const& execution) const {
    if (point.request.bracket) {
        evaluation::Bracket const result = evaluation::evaluate_bracket(*plan_, *point.request.bracket, execution);
        if (result.interrupted) return "";
        return result::json_text(report::value_of(report::BracketReport{*plan_, result, facts_.digest}));
    }
    evaluation::QueuePairCounts const& counts = point.request.queue_pairs;
    evaluation::MultipathStudy const study = counts.counts.empty()
                                                 ? evaluation::MultipathStudy(*plan_, point.request.spreads)
                                                 : evaluation::MultipathStudy(*plan_, counts, execution.threads);
    evaluation::Multipath const result = study.conclude(evaluation::evaluate(study.columns().columns(), execution));
    if (result.interrupted) return "";
    return result::json_text(report::value_of(report::MultipathReport{*plan_, result, facts_.digest}));
}

}  // namespace tailback::sweep
