// tailback audit: a network and its tables; out comes what is wrong with them, worst first.

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/audit_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/io/progress.hpp"
#include "host/report/adaptive/expected.hpp"
#include "host/report/audit/audit_report.hpp"
#include "host/report/run_info.hpp"
#include "host/study/fabric_digest.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>

namespace tailback::commands {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void write_audit_run_info(std::ostream& out, AuditOptions const& options, api::FabricAudit const& audit,
                          std::string const& digest, double report_s) {
    std::uint64_t const pairs = audit.found().all_pairs.pairs.total;
    result::Json json = result::head(report::schema_of_runs, options.choice.named_files(),
                                     result::network_json(audit.found().fabric, digest));
    json.update({{"device", audit.device()},
                 {"threads", kernels::threads_to_use(options.choice.threads)},
                 {"read_s", audit.read_s()},
                 {"audit_s", audit.audit_s()},
                 {"worst_case_s", audit.worst_case_s()},
                 {"report_s", report_s},
                 {"pairs_per_s", audit.audit_s() > 0 ? double(pairs) / audit.audit_s() : 0}});
    result::write_json(out, json);
}

api::AuditListener audit_listener() {
    api::AuditListener telling;
    static_cast<api::Listener&>(telling) = listener();
    telling.start_progress = [](std::uint64_t total, char const* unit) -> api::AuditListener::Progress {
        auto const bar = std::make_shared<io::Progress>("worst cases", total, unit);
        return [bar](std::uint64_t done) { bar->show(done); };
    };
    return telling;
}

/// Writes what replays the worst permutation, where that is asked for, and tells how to replay.
void write_replays(OutputFiles& files, AuditOptions const& options, audit::Audit const& audit) {
    if (!options.worst_case.mapping_file.empty()) {
        std::vector<std::string> const words = write_worst_permutation(files, audit.network(), audit.worst_case,
                                                                       options.worst_case, options.network_words);
        if (words.empty()) tell("warning", "there is no worst permutation to write (no pair of hosts is delivered)");
        else tell("note", "the worst permutation is replayed by: tailback " + result::shell_line(words));
    }
    std::vector<std::string> const words = shift_replay(
        audit.network(), audit.worst_case, options.choice.aggregation_nodes_are_hosts, options.network_words);
    if (!words.empty() && audit.worst_case.shifts->worst_load > 1)
        tell("note", "the worst shift is replayed by: tailback " + result::shell_line(words));
}

/// Routes that depend on the source are audited by what to expect of them.
int audit_expected(AuditOptions const& options, model::Fabric const& fabric) {
    if (options.format > report::Form::csv)
        throw base::InputError({}, "routes that depend on the source are reported as text, JSON or CSV", "",
                               "choose --format text, json or csv");
    if (!options.choice.without_cables.empty() || !options.choice.without_switches.empty() ||
        options.choice.criticality || options.choice.try_routings || options.choice.returns_cables() ||
        !options.choice.group_by.empty() || !options.picture.empty() || !options.run_info.empty() ||
        !options.certificate.empty() || options.asks_bounds || !options.worst_case.mapping_file.empty())
        throw base::InputError({}, "an audit of routes that depend on the source has expected loads alone",
                               "routes by " + fabric.routing->text() + " are in no table",
                               "leave out what asks for more, or choose a routing by destination alone");
    auto const started = std::chrono::steady_clock::now();
    audit::AuditRequest request;
    audit::choose_endpoints(fabric.network, options.choice.hosts, options.choice.aggregation_nodes_are_hosts, request);
    audit::require_two_hosts(fabric.network, options.choice.hosts, request);
    audit::ExpectedLoads const found = audit::expect_loads(fabric, request.hosts, options.choice.threads);
    report::ExpectedReport const report{fabric,
                                        found,
                                        request.hosts.size(),
                                        options.choice.aggregation_nodes_are_hosts,
                                        study::digest(fabric),
                                        options.choice.named_files()};
    put_report(options.output, report, options.format);
    tell("done", fmt::format("{} pairs in {}", base::grouped(found.pairs), io::duration_text(seconds_since(started))));
    return found.delivered < found.pairs ? faults_found : success;
}

}  // namespace

int run_audit(std::vector<std::string> const& arguments) {
    AuditOptions const options = parse_audit_options(arguments);
    Threads const threads(options.choice.threads);
    api::AuditedFabric audited(options.choice, api::Wanted::routes, listener());
    if (audited.fabric->routing->depends_on_source()) return audit_expected(options, *audited.fabric);
    api::FabricAudit const audit(options.choice, std::move(audited), audit_listener());

    auto const started = std::chrono::steady_clock::now();
    report::AuditReport report =
        report::make_audit_report(audit.found(), options.fail_on, options.top, options.fail_on_codes);
    report.others = options.others;
    if (!options.certificate.empty() && !audit.found().bound)
        throw base::InputError({}, "there is no bound to write a certificate of", audit.found().no_bound,
                               "leave out --certificate");
    OutputFiles files;
    write_report(files.add(options.output), report, options.format);
    if (io::OutputFile* const picture = files.asked(options.picture))
        report::write_link_picture(picture->stream(), report, report::link_picture_form(options.picture));
    if (io::OutputFile* const run_info = files.asked(options.run_info))
        write_audit_run_info(run_info->stream(), options, audit, report.digest, seconds_since(started));
    if (io::OutputFile* const certificate = files.asked(options.certificate))
        search::write_certificate(certificate->stream(), audit.found().network(), *audit.found().bound, report.digest);
    write_replays(files, options, audit.found());
    files.commit();
    tell("done", fmt::format("{} pairs audited in {} on {}; read in {}, worst cases in {}, reported in {}",
                             base::grouped(audit.found().all_pairs.pairs.total), io::duration_text(audit.audit_s()),
                             base::printable(audit.device()), io::duration_text(audit.read_s()),
                             io::duration_text(audit.worst_case_s()), io::duration_text(seconds_since(started))));
    return report.fails() ? faults_found : success;
}

}  // namespace tailback::commands
