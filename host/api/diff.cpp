#include "host/api/diff.hpp"

#include "host/api/study.hpp"
#include "host/base/error.hpp"

namespace tailback::api {
namespace {

AuditChoice choice_of(DiffSide const& side, audit::DiffRequest const& request) {
    AuditChoice choice;
    choice.network = NetworkChoice(side.network);
    choice.network.tables = side.tables;
    choice.aggregation_nodes_are_hosts = request.aggregation_nodes_are_hosts;
    choice.threads = request.threads;
    return choice;
}
std::optional<report::Bandwidth> bandwidth_of(DiffSide const& side, audit::DiffRequest const& request) {
    StudyRequest study;
    study.network = choice_of(side, request).network;
    study.study.aggregation_nodes_are_hosts = request.aggregation_nodes_are_hosts;
    evaluation::Evaluation const found =
        evaluate(PreparedStudy(study), {.device = evaluation::DeviceChoice::cpu, .threads = request.threads});
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

FabricComparison::AuditedSide::AuditedSide(DiffSide const& side, audit::DiffRequest const& request,
                                           TakeSentence const& note)
    : audit(choice_of(side, request), telling(note)),
      report(report::make_audit_report(audit.found(), audit::kinds_that_fail(), 0)),
      compared{report, bandwidth_of(side, request)} {}

FabricComparison::FabricComparison(DiffSide const& before, DiffSide const& after, audit::DiffRequest const& request,
                                   bool strict, Listener const& listener)
    : before_(obtain_files(before.network, before.tables, strict, listener.warn)),
      after_(obtain_files(after.network, after.tables, strict, listener.warn)) {
    if (before_.routed != after_.routed)
        throw base::InputError({before_.routed ? after.network : before.network, 0}, "there are no forwarding tables",
                               "the other fabric has some",
                               before_.routed ? "give them with --new-tables" : "give them with --old-tables");
    diff_ = audit::diff(before_, after_, request);
    if (!before_.routed || diff_.equal() || !both_have_pairs(before_, after_, request)) return;
    old_ = std::make_unique<AuditedSide>(before, request, listener.note);
    new_ = std::make_unique<AuditedSide>(after, request, listener.note);
    comparison_ = report::compare(old_->compared, new_->compared);
}

}  // namespace tailback::api
