#include "host/audit/audit.hpp"

#include "host/audit/causes/rules.hpp"
#include "host/audit/causes/swapped_cables.hpp"
#include "host/audit/choices/choices.hpp"
#include "host/audit/findings/cables.hpp"
#include "host/audit/findings/consistency.hpp"
#include "host/audit/findings/failed_pairs.hpp"
#include "host/audit/findings/quality.hpp"
#include "host/audit/loads/usable_links.hpp"
#include "host/io/progress.hpp"
#include "host/model/routes/lags.hpp"
#include "host/search/bisection/bisection_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include <fnmatch.h>

namespace tailback::audit {
namespace {

/// Place of a kind in a report; kinds of one place are ordered by pairs together.
int rank_of(FindingKind kind) {
    switch (kind) {
        case FindingKind::unreachable:
        case FindingKind::loop:
        case FindingKind::misdelivered: return 0;
        case FindingKind::choices:
        case FindingKind::deadlock: return 1;
        case FindingKind::inconsistent: return 2;
        case FindingKind::aggregation: return 3;
        case FindingKind::switch_lids: return 4;
        case FindingKind::updown: return 5;
        case FindingKind::nonminimal: return 6;
        case FindingKind::asymmetric: return 7;
        case FindingKind::groups:
        case FindingKind::virtual_lids:
        case FindingKind::degraded: return 8;
        case FindingKind::unused: return 9;
    }
    return 10;
}

/// But for aggregation nodes.
bool are_all_hosts(model::Network const& network, std::vector<model::Host> const& chosen) {
    std::vector<bool> is_chosen(network.hosts().size());
    for (model::Host const host : chosen) is_chosen[host.value] = true;
    for (std::size_t h = 0; h < is_chosen.size(); ++h)
        if (!is_chosen[h] && network[model::Host{h}].role != model::HostRole::aggregation) return false;
    return true;
}

/// Then switches are not all that decides where packets go.
bool has_hosts_that_route(Audit const& audit) {
    model::Network const& network = audit.network();
    for (std::uint32_t n = 0; n < network.nodes().size(); ++n)
        if (!network.is_switch(model::Node{n}) && audit.fabric.tables.has_table(model::Node{n})) return true;
    return std::any_of(audit.request.hosts.begin(), audit.request.hosts.end(), [&](model::Host host) {
        model::Link const up = network.up_link(host);
        return up.exists() && !network.is_switch(network[up].to);
    });
}
constexpr char const* hosts_route = "some hosts forward packets or choose among links";

/// A verdict for service level 0 decides where every level takes the same lanes. A cycle at level 0 may be none where
/// levels keep its routes apart; where levels have lanes of their own, none at level 0 says nothing of the others,
/// unless there is none with all of them on one lane.
bool is_undecided(Audit const& audit, model::LaneMaps const* maps) {
    DeadlockReport const& verdict = *audit.deadlock;
    bool const lanes_are_told = maps != nullptr && verdict.turns_without_map == 0 && !maps->tell_levels_apart();
    if (!audit.request.levels_are_unknown || lanes_are_told) return false;
    if (!verdict.free || maps == nullptr) return !verdict.free;
    std::vector<model::Host> const& hosts = audit.request.hosts;
    return count_cyclic_components(audit.forwarding, audit.all_pairs.turns, hosts, hosts,
                                   audit.request.execution.threads) > 0;
}

}  // namespace

std::vector<model::Host> AuditRequest::everybody() const {
    std::vector<model::Host> all = hosts;
    all.insert(all.end(), apart.begin(), apart.end());
    return all;
}

PairCounts Audit::fates() const {
    PairCounts pairs = all_pairs.pairs;
    std::uint64_t const dropped = deadlock ? deadlock->dropped_pairs : 0;
    pairs.delivered -= dropped;
    pairs.unreachable += dropped;
    return pairs;
}

std::uint64_t Audit::count(FindingKind kind) const {
    return std::uint64_t(
        std::count_if(findings.begin(), findings.end(), [&](Finding const& f) { return f.has_kind(kind); }));
}

std::uint64_t Audit::pairs(FindingKind kind) const {
    std::uint64_t sum = 0;
    for (Finding const& finding : findings) {
        if (finding.kind == kind) sum += finding.pairs;
        else
            for (Finding const& symptom : finding.symptoms) sum += symptom.kind == kind ? symptom.pairs : 0;
    }
    return sum;
}

void Audit::add(std::vector<Finding> more) {
    findings.insert(findings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void Audit::add_first(std::vector<Finding> more) {
    findings.insert(findings.begin(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void Audit::sort_findings() {
    fold_all({fabric, request.hosts}, findings);
    std::stable_sort(findings.begin(), findings.end(), [](Finding const& a, Finding const& b) {
        int const left = rank_of(a.kind), right = rank_of(b.kind);
        return left != right ? left < right : a.pairs > b.pairs;
    });
}

void audit_routes(Audit& audit) {
    io::Progress const progress("auditing the routes");
    model::Forwarding const& forwarding = audit.forwarding;
    std::vector<model::Host> const& hosts = audit.request.hosts;
    unsigned const threads = audit.request.execution.threads;

    audit.levels = levels_of(audit.network());
    audit.updown = updown_of(forwarding, audit.levels, audit.request.roots);
    audit.all_pairs_request = {hosts, hosts, audit.updown.directions};
    audit.all_pairs = count_all_pairs(forwarding, audit.all_pairs_request, audit.request.execution);
    audit.failing = explain(forwarding, audit.all_pairs_request, audit.all_pairs);
    audit.asymmetry = find_asymmetry(forwarding, hosts, threads);
    if (!are_all_hosts(audit.network(), hosts))
        audit.usable = usable_links(forwarding, hosts, audit.all_pairs.towards, threads);
    audit.balance = balance_of(audit.network(), audit.levels, audit.all_pairs_request, audit.all_pairs, audit.usable);
}

void audit_apart(Audit& audit) {
    audit.switch_lids = find_switch_lids(audit.forwarding);
    if (audit.request.apart.empty()) return;
    for (auto const& [sources, destinations] : {std::pair(audit.request.everybody(), audit.request.apart),
                                                std::pair(audit.request.apart, audit.request.hosts)}) {
        AllPairsRequest const request{.sources = sources, .destinations = destinations, .shortest = false};
        AllPairsResult const all_pairs = count_all_pairs(audit.forwarding, request, audit.request.execution);
        audit.apart_turns |= all_pairs.turns;
        audit.apart_pairs += all_pairs.pairs;
        audit.apart_failing.push_back(explain(audit.forwarding, request, all_pairs));
    }
}

void find_faults(Audit& audit, model::Disagreements const& disagreements) {
    io::Progress const progress("looking for faults");
    model::Fabric const& fabric = audit.fabric;
    model::Forwarding const& forwarding = audit.forwarding;
    std::vector<Finding> wrong_tables = find_wrong_tables(fabric);
    bool const may_be_cables = wrong_tables.empty();  // which such tables look like
    audit.add(std::move(wrong_tables));
    audit.add(find_inconsistencies(fabric, disagreements));
    audit.add(find_odd_cables(fabric));
    audit.add(findings_of(forwarding, audit.failing));
    if (may_be_cables) audit.add_first(find_swapped_cables(fabric, audit.findings));
    audit.add(quality_findings(forwarding, audit.all_pairs_request, audit.all_pairs, audit.asymmetry,
                               audit.request.execution.threads));
    audit.add(find_unused_cables(fabric, audit.balance.unused, !audit.usable.empty()));
    audit.add(findings_of(forwarding, audit.switch_lids.explanation, &of_switch_lids));
    for (Explanation const& failing : audit.apart_failing)
        audit.add(findings_of(forwarding, failing, &of_aggregation_nodes));
}

void audit_deadlock(Audit& audit, model::LaneMaps const* maps, model::ServiceLevels const* levels) {
    io::Progress const progress("looking for deadlocks");
    std::vector<model::Host> const& hosts = audit.request.hosts;
    bool const one_lane = maps == nullptr && levels == nullptr;
    if (!audit.request.circles && one_lane) {
        audit.deadlock.emplace().free =
            is_free_on_one_lane(audit.forwarding, audit.all_pairs.turns, hosts, hosts, audit.request.execution.threads);
        return;
    }
    audit.deadlock =
        one_lane
            ? find_deadlocks(audit.forwarding, audit.all_pairs.turns, hosts, hosts, audit.request.execution.threads)
            : find_deadlocks(audit.forwarding, {hosts, hosts, maps, levels, audit.request.execution.threads});
    audit.deadlock_is_undecided = is_undecided(audit, maps);
    audit.add(findings_of(audit.fabric, *audit.deadlock, audit.deadlock_is_undecided));
    if (audit.request.apart.empty()) return;
    std::vector<model::Host> const everybody = audit.request.everybody();
    if (one_lane) {
        TurnSet turns = audit.all_pairs.turns;
        turns |= audit.apart_turns;
        audit.cyclic_components_with_apart =
            count_cyclic_components(audit.forwarding, turns, everybody, everybody, audit.request.execution.threads);
    } else {
        audit.cyclic_components_with_apart = count_cyclic_components(
            audit.forwarding, {everybody, everybody, maps, levels, audit.request.execution.threads});
    }
}

void audit_bound(Audit& audit, search::BoundRoutes routes) {
    io::Progress const progress("looking for what no tables can beat");
    if (has_hosts_that_route(audit)) {
        audit.no_bound = hosts_route;
        return;
    }
    audit.bound = search::find_fabric_bound(audit.network(), audit.request.hosts, routes);
}

void audit_bisection(Audit& audit) {
    io::Progress const progress("expecting the bisection bandwidth");
    if (has_hosts_that_route(audit)) {
        audit.bisection.emplace().missing = hosts_route;
        return;
    }
    search::SwitchGraph const graph(audit.network(), audit.request.hosts, model::CapacityKind::unit);
    audit.bisection = search::expect_bisection(graph, audit.fabric.tables);
    bool one_lid = audit.fabric.candidates == nullptr && graph.seats().size() >= 2;
    for (search::Seat const& seat : graph.seats()) one_lid = one_lid && audit.network()[seat.host].lmc == 0;
    if (one_lid) audit.most_bisection = search::bisection_bound(graph);
}

void audit_returns(Audit& audit, std::vector<MissingCable> const& cables, topologies::RoutingSpec const& routing) {
    if (has_hosts_that_route(audit))
        throw base::InputError({}, "no cables can be tried here", hosts_route, "leave out --return-cables",
                               "return-cables");
    std::shared_ptr<model::Lags const> const lags = model::lags_of(audit.fabric);
    if (audit.fabric.candidates == nullptr && lags == nullptr)
        audit.returns = try_cables(audit.network(), audit.request.hosts, cables);
    else
        audit.returns = try_divided_cables(audit.network(), lags.get(), audit.request.hosts, cables, routing,
                                           audit.request.execution.threads);
}

void audit_routings(Audit& audit, topologies::Topology const& topology) {
    if (has_hosts_that_route(audit))
        throw base::InputError({}, "no other routings can be tried here", hosts_route, "leave out --try-routings",
                               "try-routings");
    audit.tried =
        try_routings(audit.fabric, topology, audit.request.hosts,
                     audit.request.roots.value_or(std::vector<model::Node>{}), audit.request.execution.threads);
}

void choose_endpoints(model::Network const& network, std::string const& pattern, bool aggregation_nodes_are_hosts,
                      AuditRequest& request) {
    for (std::size_t h = 0; h < network.hosts().size(); ++h) {
        model::HostRecord const& host = network[model::Host{h}];
        if (host.role == model::HostRole::aggregation && !aggregation_nodes_are_hosts) request.apart.emplace_back(h);
        else if (pattern.empty() || ::fnmatch(pattern.c_str(), network[host.node].name.c_str(), 0) == 0)
            request.hosts.emplace_back(h);
    }
}

void require_two_hosts(model::Network const& network, std::string const& pattern, AuditRequest const& request) {
    std::size_t const hosts = request.hosts.size();
    if (hosts >= 2) return;
    if (network.hosts().size() < 2)
        throw base::InputError({}, hosts == 0 ? "the network has no hosts" : "the network has one host alone",
                               "routes between hosts are followed", "give a network with two or more");
    if (!pattern.empty() && hosts == 0)
        throw base::InputError({}, "no host's name fits --hosts \"" + pattern + "\"",
                               "there are " + std::to_string(network.hosts().size()) + " endpoints, the first is " +
                                   network.describe(network.hosts().front().node),
                               "`*` stands for any characters, `?` for one; quote the pattern");
    if (!pattern.empty())
        throw base::InputError({}, "one host alone fits --hosts \"" + pattern + "\"",
                               "it is " + network.describe(network[request.hosts.front()].node) +
                                   ", and routes between hosts are followed",
                               "choose a pattern that fits two or more; `*` stands for any characters, `?` for one");
    throw base::InputError({},
                           hosts == 0 ? "every endpoint of the network is an aggregation node"
                                      : "every endpoint of the network but one is an aggregation node",
                           "they are kept apart from hosts", "--aggregation-nodes hosts counts them");
}

}  // namespace tailback::audit
