#include "host/api/audit.hpp"

#include "host/api/worst_case.hpp"
#include "host/audit/findings/consistency.hpp"
#include "host/base/error.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/ibdiagnet2/folder.hpp"
#include "host/formats/lane_files.hpp"
#include "host/formats/read/roots.hpp"
#include "host/model/ip_plan.hpp"
#include "kernels/executor.hpp"

#include <chrono>
#include <optional>

namespace tailback::api {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Reads or makes the fabric; disagreements of dumps are findings of the audit.
model::Fabric obtain_audited(AuditChoice const& choice, model::Disagreements& disagreements, Listener const& listener) {
    NetworkChoice const& network = choice.network;
    // What is generated, routed anew or failed on purpose has no dumps to hold against each other.
    bool const as_read = !network.spec && !network.routing && !network.failures.any();
    model::Fabric fabric = as_read ? formats::read_fabric(network.network, network.tables, disagreements)
                                   : obtain_fabric(network, true, listener);
    if (!fabric.routed)
        throw base::InputError({network.network, 0}, "there are no forwarding tables",
                               "the file holds the network alone", "give them with --tables");
    require_tables(fabric, "an audit");
    if (fabric.ip != nullptr)
        for (std::string const& remark : fabric.ip->remarks) listener.note(remark);
    if (std::uint64_t const times = disagreements.times(model::Disagreement::unknown_speed); times > 0)
        listener.warn(model::Disagreements::count_text(model::Disagreement::unknown_speed, times));
    return fabric;
}

/// Virtual lanes: what a file says counts more than what the routing brings along.
struct Lanes {
    std::optional<model::LaneMaps> maps;
    std::optional<model::ServiceLevels> levels;
    std::shared_ptr<model::RoutingLanes const> of_routing;

    model::LaneMaps const* lane_maps() const {
        if (maps) return &*maps;
        return of_routing && of_routing->maps ? &*of_routing->maps : nullptr;
    }
    model::ServiceLevels const* service_levels() const {
        if (levels) return &*levels;
        return of_routing ? &of_routing->levels : nullptr;
    }
};

Lanes obtain_lanes(AuditChoice const& choice, model::Fabric const& fabric, model::Disagreements& disagreements,
                   TakeSentence const& note) {
    Lanes lanes;
    std::string sl2vl = choice.sl2vl;
    if (!choice.network.spec && !choice.network.routing && formats::is_folder(choice.network.network)) {
        formats::FabricFolder const folder = formats::look_into(choice.network.network);
        if (sl2vl.empty() && !folder.lane_maps.empty()) sl2vl = folder.lane_maps.front();
    }
    if (!sl2vl.empty()) {
        io::LineReader lines(io::open_source(sl2vl), sl2vl);
        lanes.maps = formats::read_lane_maps(lines, fabric.network, disagreements);
    }
    if (!choice.path_sl.empty()) {
        io::LineReader lines(io::open_source(choice.path_sl), choice.path_sl);
        lanes.levels = formats::read_service_levels(lines, fabric.network, disagreements);
    }
    bool const asks_routing = fabric.find_lanes && !choice.no_service_levels;
    if (asks_routing && !(lanes.maps && lanes.levels)) lanes.of_routing = fabric.find_lanes(fabric);
    if (lanes.of_routing && !lanes.of_routing->left_over.empty()) note(lanes.of_routing->left_over);
    return lanes;
}

std::vector<audit::Removal> removals_of(AuditChoice const& choice, model::Network const& network) {
    std::vector<audit::Removal> removals;
    for (std::string const& word : choice.without_cables) removals.push_back(audit::cable_removal(network, word));
    for (std::string const& word : choice.without_switches) removals.push_back(audit::switch_removal(network, word));
    return removals;
}

audit::AuditRequest request_of(AuditChoice const& choice, model::Fabric const& fabric) {
    audit::AuditRequest request{.files = choice.named_files()};
    audit::choose_endpoints(fabric.network, choice.hosts, choice.aggregation_nodes_are_hosts, request);
    audit::require_two_hosts(fabric.network, choice.hosts, request);
    if (fabric.roots.from == model::RootsFrom::list) request.roots = fabric.roots.nodes;
    else if (!choice.roots.empty()) request.roots = formats::read_roots(choice.roots, fabric.network);
    // A routing that was computed here brings its levels along, or has none.
    bool const tables_are_read = !choice.network.spec && !choice.network.routing;
    request.levels_are_unknown = tables_are_read && choice.path_sl.empty() && !choice.no_service_levels;
    request.execution = {.device = choice.device, .threads = choice.threads};
    return request;
}

}  // namespace

model::NamedFiles AuditChoice::named_files() const {
    std::string const groups = group_by.starts_with("file:") ? group_by.substr(5) : "";
    return with_named(network.named_files(),
                      {{"roots", roots}, {"sl2vl", sl2vl}, {"path_sl", path_sl}, {"groups", groups}});
}

FabricAudit::FabricAudit(AuditChoice const& choice, AuditListener const& listener) {
    evaluation::check_device(choice.device);  // told before anything is read
    auto const started = Clock::now();
    model::Disagreements disagreements(false, audit::kept_disagreements);
    fabric_ = std::make_shared<model::Fabric const>(obtain_audited(choice, disagreements, listener));
    read_s_ = seconds_since(started);
    audit_fabric(choice, disagreements, listener);
}

FabricAudit::FabricAudit(AuditChoice const& choice, std::shared_ptr<model::Fabric const> fabric,
                         model::Disagreements disagreements, AuditListener const& listener)
    : fabric_(std::move(fabric)) {
    evaluation::check_device(choice.device);
    audit_fabric(choice, disagreements, listener);
}

void FabricAudit::audit_fabric(AuditChoice const& choice, model::Disagreements& disagreements,
                               AuditListener const& listener) {
    auto started = Clock::now();
    Lanes const lanes = obtain_lanes(choice, *fabric_, disagreements, listener.note);
    std::vector<audit::Removal> removals = removals_of(choice, fabric_->network);
    std::optional<audit::NodeGroups> groups;
    if (!choice.group_by.empty())
        groups = audit::group_nodes(fabric_->network, audit::levels_of(fabric_->network), choice.group_by);
    audit_ = std::make_unique<audit::Audit>(*fabric_);
    audit::Audit& audit = *audit_;
    audit.request = request_of(choice, *fabric_);
    bool noted = false;
    audit.request.execution.tell_device = [&](std::string const& device, std::string const& note) {
        device_ = device;
        if (!note.empty() && !noted) listener.note(note);
        noted = true;  // a part of the audit may count pairs again
    };
    read_s_ += seconds_since(started);

    started = Clock::now();
    audit::audit_routes(audit, disagreements);
    audit::audit_deadlock(audit, lanes.lane_maps(), lanes.service_levels());
    audit::audit_choices(audit);
    if (!removals.empty())
        audit.removal = audit::what_if(audit.forwarding, audit.request.hosts, audit.request.hosts, std::move(removals),
                                       choice.threads);
    if (choice.criticality) audit.cables = audit::criticality(fabric_->network, audit.all_pairs.load);
    audit.sort_findings();
    if (groups) audit.groups = audit::sum_groups(audit, *groups);
    audit_s_ = seconds_since(started);

    started = Clock::now();
    audit.worst_case = find_worst_case(audit, choice, listener);
    audit.request.execution.tell_device = nullptr;  // the listener may go
    worst_case_s_ = seconds_since(started);
}

}  // namespace tailback::api
