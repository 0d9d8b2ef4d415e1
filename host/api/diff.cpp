#include "host/api/diff.hpp"

#include "host/api/study.hpp"
#include "host/audit/findings/consistency.hpp"
#include "host/base/error.hpp"
#include "host/study/fabric_digest.hpp"

namespace tailback::api {
namespace {

/// A fabric of files, read once: what is wrong is warned of, and kept for the audit.
std::shared_ptr<model::Fabric const> read_side(DiffSide const& side, model::Disagreements& disagreements,
                                               Listener const& listener) {
    FabricRequest request{.network = NetworkChoice(side.network), .wanted = Wanted::as_read};
    request.network.tables = side.tables;
    request.disagreements = &disagreements;
    std::shared_ptr<model::Fabric const> fabric = obtain_shared(request, listener);
    for (std::string const& warning : disagreements.warnings()) listener.warn(warning);
    return fabric;
}

AuditChoice choice_of(DiffSide const& side, audit::DiffRequest const& request) {
    AuditChoice choice;
    choice.network = NetworkChoice(side.network);
    choice.network.tables = side.tables;
    choice.aggregation_nodes_are_hosts = request.aggregation_nodes_are_hosts;
    choice.threads = request.threads;
    choice.group_by = request.group_by;
    choice.missing_nodes = audit::MissingNodes::are_left_out;  // they may have gone, or be new
    return choice;
}

std::optional<report::Bandwidth> bandwidth_of(DiffSide const& side, std::shared_ptr<model::Fabric const> const& fabric,
                                              audit::DiffRequest const& request) {
    StudyRequest study;
    study.network = choice_of(side, request).network;
    study.study.placement.aggregation_nodes_are_hosts = request.aggregation_nodes_are_hosts;
    if (fabric->candidates != nullptr) {
        std::optional<audit::SampledBisection> const found = sample_bisection(study, fabric, request.threads);
        if (!found) return std::nullopt;
        return report::Bandwidth{found->equal.mean, found->equal.half_width};
    }
    evaluation::Evaluation const found =
        evaluate(PreparedStudy(study, fabric, {}, evaluation::DeviceChoice::cpu),
                 {.device = evaluation::DeviceChoice::cpu, .threads = request.threads});
    auto const with_undelivered = found.numbers_of_all.find(study::Metric::hist_acc_band);
    evaluation::Distribution const& numbers = with_undelivered != found.numbers_of_all.end()
                                                  ? with_undelivered->second
                                                  : found.numbers.at(study::Metric::hist_acc_band);
    if (numbers.count() == 0) return std::nullopt;
    return report::Bandwidth{numbers.mean(), (numbers.ci99().second - numbers.ci99().first) / 2};
}

/// An audit follows the routes between two hosts or more.
bool both_have_pairs(model::Fabric const& before, model::Fabric const& after, audit::DiffRequest const& request) {
    auto const pairs = [&](model::Fabric const& fabric) {
        audit::AuditRequest hosts;
        audit::choose_endpoints(fabric.network, "", request.aggregation_nodes_are_hosts, hosts);
        return hosts.hosts.size() >= 2 && !fabric.routing->depends_on_source();
    };
    return pairs(before) && pairs(after);
}

AuditListener telling(TakeSentence const& note) {  // what is wrong with the input was told already
    AuditListener hears;
    hears.note = note;
    return hears;
}

}  // namespace

FabricComparison::AuditedSide::AuditedSide(DiffSide const& side, std::shared_ptr<model::Fabric const> const& fabric,
                                           model::Disagreements disagreements, audit::DiffRequest const& request,
                                           TakeSentence const& note)
    : audit(choice_of(side, request), fabric, std::move(disagreements), telling(note)),
      report(report::make_audit_report(audit.found(), audit::kinds_that_fail(), 0)),
      compared{report, bandwidth_of(side, fabric, request)} {}

FabricComparison::FabricComparison(DiffSide const& before, DiffSide const& after, audit::DiffRequest const& request,
                                   bool strict, Listener const& listener) {
    model::Disagreements of_before(strict, audit::kept_disagreements), of_after(strict, audit::kept_disagreements);
    before_ = read_side(before, of_before, listener);
    after_ = read_side(after, of_after, listener);
    if (before_->routed != after_->routed)
        throw base::InputError({before_->routed ? after.network : before.network, 0}, "there are no forwarding tables",
                               "the other fabric has some",
                               before_->routed ? "give them with --new-tables" : "give them with --old-tables");
    diff_ = audit::diff(*before_, *after_, request);
    diff_.notes = audit::note_changes(of_before, before.network, of_after, after.network);
    if (!before_->routed || diff_.equal() || !both_have_pairs(*before_, *after_, request)) return;
    old_ = std::make_unique<AuditedSide>(before, before_, std::move(of_before), request, listener.note);
    new_ = std::make_unique<AuditedSide>(after, after_, std::move(of_after), request, listener.note);
    comparison_ = report::compare(old_->compared, new_->compared);
}

report::Trend find_trend(std::vector<DiffSide> const& sides, audit::DiffRequest const& request, bool strict,
                         Listener const& listener) {
    report::Trend trend;
    std::unique_ptr<FabricComparison::AuditedSide> first, before;
    for (DiffSide const& side : sides) {
        model::Disagreements disagreements(strict, audit::kept_disagreements);
        std::shared_ptr<model::Fabric const> const fabric = read_side(side, disagreements, listener);
        if (!fabric->routed)
            throw base::InputError({side.network, 0}, "there are no forwarding tables", "a trend audits every fabric",
                                   "write NETWORK,TABLES");
        if (!both_have_pairs(*fabric, *fabric, request))
            throw base::InputError({side.network, 0}, "the fabric has no pairs to audit", "it has fewer than two hosts",
                                   "leave it out");
        auto now = std::make_unique<FabricComparison::AuditedSide>(side, fabric, std::move(disagreements), request,
                                                                   listener.note);
        if (FabricComparison::AuditedSide const* const last = before ? before.get() : first.get())
            trend.comparisons.push_back(report::compare(last->compared, now->compared));
        trend.networks.push_back(
            result::network_json(*fabric, study::digest(*fabric), request.aggregation_nodes_are_hosts));
        std::string const number = std::to_string(trend.networks.size());
        trend.files.emplace_back("network_" + number, side.network);
        if (side.tables) trend.files.emplace_back("tables_" + number, *side.tables);
        trend.days.push_back(side.tables ? side.network + "," + *side.tables : side.network);
        (first ? before : first) = std::move(now);
    }
    if (before) trend.whole = report::compare(first->compared, before->compared);
    return trend;
}

}  // namespace tailback::api
