// tailback audit: a network and its tables; out comes what is wrong with them, worst first.
#include "host/audit/audit.hpp"

#include "host/audit/findings/consistency.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/audit_options.hpp"
#include "host/commands/command.hpp"
#include "host/commands/input.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/lane_files.hpp"
#include "host/formats/read/roots.hpp"
#include "host/io/output_file.hpp"
#include "host/io/progress.hpp"
#include "host/report/audit_report.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/executor.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace tailback {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void write_report(std::ostream& out, AuditFormat format, AuditReport const& report) {
    switch (format) {
        case AuditFormat::text: return write_audit_text(out, report);
        case AuditFormat::json: return write_audit_json(out, report);
        case AuditFormat::csv: return write_audit_csv(out, report);
        case AuditFormat::dot: return write_audit_dot(out, report);
        case AuditFormat::svg: return write_audit_svg(out, report);
    }
}

/// Where the sweep runs: it takes the first CUDA device unless it may not.
std::string device_name(DeviceChoice choice) {
    CudaDevices const devices = choice == DeviceChoice::cpu ? CudaDevices{} : find_cuda_devices();
    return devices.names.empty() ? "cpu" : devices.names.front();
}

void write_audit_run_info(std::ostream& out, AuditOptions const& options, std::uint64_t pairs, double read_s,
                          double audit_s, double worst_case_s, double report_s) {
    nlohmann::ordered_json const json = {{"device", printable(device_name(options.device))},
                                         {"threads", threads_to_use(options.threads)},
                                         {"read_s", read_s},
                                         {"audit_s", audit_s},
                                         {"worst_case_s", worst_case_s},
                                         {"report_s", report_s},
                                         {"pairs_per_s", audit_s > 0 ? double(pairs) / audit_s : 0}};
    out << json.dump(2) << '\n';
}

}  // namespace

int run_audit(std::vector<std::string> const& arguments) {
    auto const started = Clock::now();
    AuditOptions const options = parse_audit_options(arguments);
    if (options.help) return write_standard_output(audit_help()), success;
    check_device(options.device);  // told before anything is read

    Disagreements disagreements(false, kept_disagreements);
    // What is generated, routed anew or failed on purpose has no dumps to hold against each other.
    bool const as_read = !options.input.spec && !options.input.routing && !options.input.failures.any();
    Fabric const fabric = as_read ? read_fabric(options.input.network, options.input.tables, disagreements)
                                  : obtain_fabric(options.input, true, listener());
    if (!fabric.routed)
        throw InputError({options.input.network, 0}, "there are no forwarding tables",
                         "the file holds the network alone", "give them with --tables");
    require_tables(fabric, "an audit");
    if (std::uint64_t const times = disagreements.times(Disagreement::unknown_speed); times > 0)
        tell("warning", Disagreements::count_text(Disagreement::unknown_speed, times));

    std::optional<LaneMaps> maps;
    std::optional<ServiceLevels> levels;
    if (!options.sl2vl.empty()) {
        LineReader lines(open_source(options.sl2vl), options.sl2vl);
        maps = read_lane_maps(lines, fabric.network, disagreements);
    }
    if (!options.path_sl.empty()) {
        LineReader lines(open_source(options.path_sl), options.path_sl);
        levels = read_service_levels(lines, fabric.network, disagreements);
    }
    std::shared_ptr<RoutingLanes const> const lanes =
        fabric.find_lanes && !(maps && levels) ? fabric.find_lanes(fabric) : nullptr;
    if (lanes && !lanes->left_over.empty()) tell("note", lanes->left_over);
    std::vector<Removal> removals;
    for (std::string const& word : options.without_cables) removals.push_back(cable_removal(fabric.network, word));
    for (std::string const& word : options.without_switches) removals.push_back(switch_removal(fabric.network, word));

    Audit audit(fabric);
    choose_endpoints(fabric.network, options.hosts, options.aggregation_nodes_are_hosts, audit.request);
    if (fabric.roots.from == RootsFrom::list) audit.request.roots = fabric.roots.nodes;
    else if (!options.roots.empty()) audit.request.roots = read_roots(options.roots, fabric.network);
    audit.request.execution = {.device = options.device, .threads = options.threads};
    double const read_s = seconds_since(started);

    auto const audited = Clock::now();
    audit_routes(audit, disagreements);
    // What a file says counts more than what the routing brings along.
    audit_deadlock(audit,
                   maps                   ? &*maps
                   : lanes && lanes->maps ? &*lanes->maps
                                          : nullptr,
                   levels  ? &*levels
                   : lanes ? &lanes->levels
                           : nullptr);
    if (!removals.empty())
        audit.removal =
            what_if(audit.forwarding, audit.request.hosts, audit.request.hosts, std::move(removals), options.threads);
    if (options.criticality) audit.cables = criticality(fabric.network, audit.swept.load);
    audit.sort_findings();
    double const audit_s = seconds_since(audited);

    auto const worsening = Clock::now();
    double const mean_links =
        audit.swept.pairs.delivered == 0 ? 0 : double(audit.balance.hops) / double(audit.swept.pairs.delivered);
    audit.worst_case = find_worst_case(audit.forwarding, audit.request.hosts, mean_links,
                                       options.aggregation_nodes_are_hosts, options.worst_case, options.threads);
    double const worst_case_s = seconds_since(worsening);

    auto const reported = Clock::now();
    AuditReport const report = make_audit_report(audit, options.fail_on, options.top);
    OutputFile file(options.output);
    write_report(file.stream(), options.format, report);
    std::vector<OutputFile*> files = {&file};
    std::optional<OutputFile> picture, run_info;
    if (!options.picture.empty()) {
        files.push_back(&picture.emplace(options.picture));
        write_audit_svg(picture->stream(), report);
    }
    if (!options.run_info.empty()) {
        files.push_back(&run_info.emplace(options.run_info));
        write_audit_run_info(run_info->stream(), options, audit.swept.pairs.total, read_s, audit_s, worst_case_s,
                             seconds_since(reported));
    }
    std::list<OutputFile> replay_files;
    if (!options.worst_case.mapping_file.empty()) {
        std::vector<std::string> const words = write_worst_permutation(replay_files, fabric.network, audit.worst_case,
                                                                       options.worst_case, options.network_words);
        if (words.empty()) tell("warning", "there is no worst permutation to write (no pair of hosts is delivered)");
        else tell("note", "the worst permutation is replayed by: tailback " + shell_line(words));
    }
    for (OutputFile& one : replay_files) files.push_back(&one);
    if (std::vector<std::string> const words =
            shift_replay(fabric.network, audit.worst_case, options.aggregation_nodes_are_hosts, options.network_words);
        !words.empty() && audit.worst_case.shifts->worst_load > 1)
        tell("note", "the worst shift is replayed by: tailback " + shell_line(words));
    commit_together(files);
    tell("done",
         fmt::format("{} pairs audited in {} on {}; read in {}, worst cases in {}, reported in {}",
                     grouped(audit.swept.pairs.total), duration_text(audit_s), printable(device_name(options.device)),
                     duration_text(read_s), duration_text(worst_case_s), duration_text(seconds_since(reported))));
    return report.faults > 0 ? faults_found : success;
}

}  // namespace tailback
