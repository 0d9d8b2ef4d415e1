#include "host/api/audit.hpp"

#include "host/api/study.hpp"
#include "host/api/worst_case.hpp"
#include "host/audit/findings/consistency.hpp"
#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"
#include "host/formats/fabric/folder.hpp"
#include "host/formats/fabric/read_fabric.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/lane_files.hpp"
#include "host/formats/read/roots.hpp"
#include "host/model/locate.hpp"
#include "host/model/routes/ip_plan.hpp"
#include "host/model/routes/lags.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/executor.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

namespace tailback::api {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Those of `gone` that are named, each once. The network before has the same nodes.
std::vector<audit::MissingCable> named_of(std::vector<audit::MissingCable> const& gone, model::Network const& before,
                                          std::vector<std::string> const& names) {
    std::vector<audit::MissingCable> named;
    for (std::string const& word : names) {
        model::LinkRecord const& link = before[model::locate_cable(before, word, "--return-cables")];
        auto const is_it = [&](audit::MissingCable const& cable) {
            return (cable.from == link.from && cable.from_port == link.from_port) ||
                   (cable.to == link.from && cable.to_port == link.from_port);
        };
        auto const found = std::find_if(gone.begin(), gone.end(), is_it);
        if (found == gone.end())
            throw base::InputError({}, "--return-cables \"" + word + "\" names a cable that cannot be returned",
                                   before.is_switch(link.from) && before.is_switch(link.to)
                                       ? "it does not fail"
                                       : "it leads to a host, and cables between switches are tried",
                                   "name one that --fail-cables or --fail-switches takes out", "return-cables");
        if (std::none_of(named.begin(), named.end(), is_it)) named.push_back(*found);
    }
    return named;
}

/// @throws InputError for the name of a cable of the network, which is not missing
void refuse_cable_that_is_there(model::Network const& network, std::string const& word) {
    model::Link cable;
    try {
        cable = model::locate_cable(network, word, "--return-cables");
    } catch (base::InputError const&) {
        return;  // it is not there
    }
    model::LinkRecord const& link = network[cable];
    throw base::InputError({}, "--return-cables " + word + ": this cable is there",
                           audit::port_location(network, link.from, link.from_port) + " to " +
                               audit::port_location(network, link.to, link.to_port),
                           "let it fail first: --fail-cables " + word + " --return-cables failed", "return-cables");
}

/// What makes routes anew where flows divide: what was asked for, with its seed and the audit's list of roots, if it
/// depends on the destination alone. Else sets of all next hops of shortest routes, as a routing protocol of routers
/// makes them.
topologies::RoutingSpec routing_of_returns(AuditChoice const& choice, model::Network const& network,
                                           audit::AuditRequest const& request) {
    if (!choice.network.routing ||
        topologies::depends_on_source(topology_of(choice.network, network), *choice.network.routing))
        return "ar:minimal";
    topologies::RoutingSpec const& routing = *choice.network.routing;
    return request.roots && routing.wants_roots() ? routing.with_roots(*request.roots) : routing;
}

std::vector<audit::MissingCable> cables_to_return(AuditChoice const& choice, model::Fabric const& fabric,
                                                  Listener const& listener) {
    model::Network const& now = fabric.network;
    if (choice.return_cables == "uneven") return audit::cables_of_uneven_bundles(now, model::lags_of(fabric).get());
    bool const is_named = !choice.returned_names.empty();
    NetworkChoice before = choice.returns_failed() ? choice.network : NetworkChoice(choice.return_cables);
    if (choice.returns_failed()) {
        std::string const given = "--return-cables " + (is_named ? choice.returned_names.front() : "failed");
        if (!before.failures.any()) {
            for (std::string const& word : choice.returned_names) refuse_cable_that_is_there(now, word);
            throw base::InputError({}, given + ": no cable fails here", "where a missing one led to is not known",
                                   "let it fail with --fail-cables, or name an older dump that has it",
                                   "return-cables");
        }
        if (before.network == "-")
            throw base::InputError({}, given + " reads the network twice", "standard input can be read once",
                                   "name a file", "return-cables");
        before.failures = {};
        before.tables.reset();
        before.routing.reset();
        before.lmc = 0;  // LIDs do not tell cables apart
    }
    model::Fabric const older = obtain({.network = before, .wanted = Wanted::network}, listener);
    auto gone = audit::cables_gone(older.network, now, model::lags_of(older).get());
    return is_named ? named_of(gone, older.network, choice.returned_names) : gone;
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

/// Of the first file of a folder that has some. A file that is named as one and is damaged is noted; any other that
/// cannot be read is passed over with a sentence.
std::optional<model::LaneMaps> lane_maps_of_folder(std::string const& path, model::Fabric const& fabric,
                                                   model::Disagreements& disagreements, model::NamedFiles& used,
                                                   TakeSentence const& note) {
    for (std::string const& file : formats::look_into(path).lane_maps) {
        std::string const name = std::filesystem::path(file).filename().string();
        try {
            io::LineReader lines(io::open_source(file), file);
            model::Disagreements own(false, audit::kept_disagreements);
            model::LaneMaps maps = formats::read_lane_maps(lines, fabric.network, own);
            disagreements.take(own);
            used.emplace_back("lanes", name);
            return maps;
        } catch (base::InputError const& error) {
            if (name.find(".slvl") == name.npos && !name.starts_with("opensm-sl2vl"))
                note(name + " is passed over: " + error.what());
            else
                disagreements.note(diagnosis::Code::file_unreadable, {file, 0},
                                   std::string("it cannot be read: ") + error.what(), 1, {name, {}, 0, 0});
        }
    }
    return std::nullopt;
}

Lanes obtain_lanes(AuditChoice const& choice, model::Fabric const& fabric, model::Disagreements& disagreements,
                   model::NamedFiles& used, TakeSentence const& note) {
    Lanes lanes;
    std::string sl2vl = choice.sl2vl;
    if (!sl2vl.empty()) {
        io::LineReader lines(io::open_source(sl2vl), sl2vl);
        lanes.maps = formats::read_lane_maps(lines, fabric.network, disagreements);
    } else if (!choice.network.spec && !choice.network.routing && formats::is_folder(choice.network.network)) {
        lanes.maps = lane_maps_of_folder(choice.network.network, fabric, disagreements, used, note);
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
    for (std::string const& word : choice.without_cables) {
        audit::Removal removal = audit::cable_removal(network, word);
        auto const same = [&](audit::Removal const& one) {
            return one.cable == removal.cable || one.cable == network[removal.cable].reverse;
        };
        if (std::any_of(removals.begin(), removals.end(), same))
            throw base::InputError({}, "--without-cable \"" + word + "\" names a cable that is named already",
                                   "it is " + removal.text, "name each cable once");
        removals.push_back(std::move(removal));
    }
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
    request.circles = choice.circles;
    request.execution = {.device = choice.device, .threads = choice.threads};
    return request;
}

}  // namespace

model::NamedFiles AuditChoice::named_files() const {
    return with_named(network.named_files(),
                      {{"roots", roots},
                       {"sl2vl", sl2vl},
                       {"path_sl", path_sl},
                       {"groups", audit::file_of_groups(group_by)},
                       {"older_network", return_cables == "uneven" || returns_failed() ? "" : return_cables}});
}

AuditedFabric::AuditedFabric(AuditChoice const& choice, Wanted wanted, Listener const& listener)
    : disagreements(false, audit::kept_disagreements) {
    evaluation::check_device(choice.device);  // told before anything is read
    auto const started = Clock::now();
    // What is generated, routed anew or failed on purpose has no dumps to hold against each other.
    bool const as_read = !choice.network.spec && !choice.network.routing && !choice.network.failures.any();
    FabricRequest request{.network = choice.network, .wanted = wanted, .user = "an audit", .used = &used};
    request.network.by_static_entries = true;
    request.paths = {choice.hosts, choice.aggregation_nodes_are_hosts};
    if (as_read) request.disagreements = &disagreements;
    fabric = obtain_shared(request, listener);
    if (as_read && fabric->ip != nullptr)
        for (std::string const& remark : fabric->ip->remarks) listener.note(remark);
    if (std::uint64_t const times = disagreements.times(model::Disagreement::unknown_speed); times > 0)
        listener.warn(diagnosis::count_text(model::Disagreement::unknown_speed, times));
    for (model::Disagreement const kind :
         {model::Disagreement::unknown_node_kind, model::Disagreement::unread_attribute})
        if (std::string const line = disagreements.warning(kind); !line.empty()) listener.warn(line);
    read_s = seconds_since(started);
}

FabricAudit::FabricAudit(AuditChoice const& choice, AuditListener const& listener)
    : FabricAudit(choice, AuditedFabric(choice, Wanted::tables, listener), listener) {}

FabricAudit::FabricAudit(AuditChoice const& choice, AuditedFabric audited, AuditListener const& listener)
    : fabric_(std::move(audited.fabric)), read_s_(audited.read_s) {
    audit_fabric(choice, audited.disagreements, listener);
    audit_->request.used.insert(audit_->request.used.begin(), audited.used.begin(), audited.used.end());
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
    model::NamedFiles used;
    Lanes const lanes = obtain_lanes(choice, *fabric_, disagreements, used, listener.note);
    std::vector<audit::Removal> removals = removals_of(choice, fabric_->network);
    note_no_aggregation(fabric_->network, choice.aggregation_nodes_are_hosts, listener.note);
    std::optional<audit::NodeGroups> groups;
    if (!choice.group_by.empty()) groups = audit::group_nodes(fabric_->network, choice.group_by, choice.missing_nodes);
    audit_ = std::make_unique<audit::Audit>(*fabric_);
    audit::Audit& audit = *audit_;
    audit.request = request_of(choice, *fabric_);
    audit.request.used = std::move(used);
    bool noted = false;
    audit.request.execution.tell_device = [&](std::string const& device, std::string const& note) {
        device_ = device;
        if (!note.empty() && !noted) listener.note(note);
        noted = true;  // a part of the audit may count pairs again
    };
    read_s_ += seconds_since(started);

    constexpr std::size_t few_hosts = 128;  // whose pairs are counted before other threads have woken up
    std::optional<kernels::ThreadLimit> alone;
    if (audit.request.hosts.size() <= few_hosts) alone.emplace(1);

    started = Clock::now();
    audit::audit_routes(audit);
    audit::audit_apart(audit);
    audit::find_faults(audit, disagreements);
    audit::audit_deadlock(audit, lanes.lane_maps(), lanes.service_levels());
    audit::audit_choices(audit);
    if (choice.bound) audit::audit_bound(audit, *choice.bound);
    if (choice.bisection && audit.choices && audit.choices->always > 0) {
        StudyRequest study;
        study.network = choice.network;
        study.study.measures.capacities = model::CapacityKind::unit;
        study.study.placement.aggregation_nodes_are_hosts = choice.aggregation_nodes_are_hosts;
        if (!choice.hosts.empty()) {
            study.study.placement.subset = study::SubsetKind::listed;
            study.study.placement.subset_hosts = audit.request.hosts;
        }
        audit.sampled = sample_bisection(study, fabric_, choice.threads);
    } else if (choice.bisection) {
        audit::audit_bisection(audit);
    }
    if (choice.returns_cables())
        audit::audit_returns(audit, cables_to_return(choice, *fabric_, listener),
                             routing_of_returns(choice, fabric_->network, audit.request));
    if (choice.try_routings) {
        topologies::Topology topology = topology_of(choice.network, fabric_->network);
        topology.lags = model::lags_of(*fabric_);
        audit::audit_routings(audit, topology);
    }
    if (!removals.empty())
        audit.removal = audit::what_if(audit.forwarding, audit.request.hosts, audit.request.hosts, std::move(removals),
                                       choice.threads);
    if (choice.criticality) audit.cables = audit::criticality(fabric_->network, audit.load(), audit.balance.unit);
    audit.sort_findings();
    if (groups) audit.groups = audit::sum_groups(audit, *groups);
    audit_s_ = seconds_since(started);

    started = Clock::now();
    audit.worst_case = find_worst_case(audit, choice, listener);
    audit.request.execution.tell_device = nullptr;  // the listener may go
    worst_case_s_ = seconds_since(started);
}

}  // namespace tailback::api
