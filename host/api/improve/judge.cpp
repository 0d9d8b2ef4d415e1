// Both tables judged, by the audit and by what else knows them.
#include "host/api/improve/judge.hpp"
#include "host/api/audit.hpp"
#include "host/api/improve/improve.hpp"
#include "host/api/improve/table_search.hpp"
#include "host/api/study.hpp"
#include "host/audit/audit.hpp"
#include "host/audit/deadlock/deadlock.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/search/bisection/bisection_bound.hpp"
#include "host/search/bisection/expected_bisection.hpp"
#include "host/search/tables/trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace tailback::api {

using search::Trees;

std::vector<model::Host> everybody_of(model::Network const& network) {
    std::vector<model::Host> all;
    for (std::size_t h = 0; h < network.hosts().size(); ++h)
        if (network[model::Host{h}].lid > 0 && network.up_link(model::Host{h}).exists()) all.emplace_back(h);
    return all;
}

std::vector<model::Host> hosts_of(model::Fabric const& fabric, std::string const& pattern) {
    audit::AuditRequest request;
    audit::choose_endpoints(fabric.network, pattern, false, request);
    audit::require_two_hosts(fabric.network, pattern, request);
    return request.hosts;
}

namespace {

JobsRequest jobs_request(ImproveRequest const& request) {
    JobsRequest jobs;
    jobs.network = request.network;
    jobs.jobs = request.jobs;
    jobs.adapters = request.adapters;
    jobs.rail_aligned = request.rail_aligned;
    jobs.seed = request.seed;
    jobs.mappings = 1;
    jobs.mappings_given = true;
    jobs.capacities = request.capacities;
    return jobs;
}

report::JobsLoad load_of_jobs(ImproveRequest const& request, search::SwitchGraph const& graph,
                              std::shared_ptr<model::Fabric const> const& fabric) {
    JobLoads const loads = link_loads(PreparedJobs(jobs_request(request), fabric, {}));
    model::LinkCosts const costs = model::link_costs(fabric->network, request.capacities);
    report::JobsLoad found;
    found.failed = loads.failed;
    for (std::size_t link = 0; link < loads.total.size(); ++link) {
        double const load =
            double(loads.total[link]) * (costs.cost.empty() ? 1.0 : double(costs.cost[link]) / costs.denominator);
        double& largest =
            graph.arc_of(model::Link{link}) == search::SwitchGraph::none ? found.host_link : found.largest;
        largest = std::max(largest, load);
    }
    return found;
}

}  // namespace

model::NamedFiles ImproveRequest::named_files() const { return jobs_request(*this).named_files(); }

JobTraffic traffic_of_jobs(ImproveRequest const& request, search::SwitchGraph const& graph,
                           std::shared_ptr<model::Fabric const> const& fabric, Listener const& listener) {
    std::vector<evaluation::HostFlow> const flows =
        flows_between_hosts(PreparedJobs(jobs_request(request), fabric, listener));
    std::vector<std::uint32_t> seat_of(fabric->network.hosts().size(), search::SwitchGraph::none);
    for (std::uint32_t seat = 0; seat < graph.seats().size(); ++seat) seat_of[graph.seats()[seat].host.value] = seat;
    JobTraffic traffic;
    for (evaluation::HostFlow const& flow : flows) {
        for (model::Host const host : {flow.source, flow.destination})
            if (seat_of[host.value] == search::SwitchGraph::none)
                throw base::InputError({request.network.network, 0},
                                       "the jobs run on " + fabric->network.describe(fabric->network[host].node) +
                                           ", whose routes are not searched for",
                                       "it has no LID, no cable to a switch, or is an aggregation node",
                                       "choose other nodes");
        traffic.flows.push_back({seat_of[flow.source.value], seat_of[flow.destination.value], flow.weight});
    }
    if (traffic.flows.empty())
        throw base::InputError({}, "the jobs send nothing over the network", "no tables can be better for them",
                               "give them several nodes");
    // Amounts in 32 bits: by what all have in common, or else by shares of the most that is sent to a seat.
    std::vector<double> sent(graph.seats().size());
    std::uint64_t common = 0;
    for (search::SeatFlow const& flow : traffic.flows) {
        common = std::gcd(common, flow.amount);
        sent[flow.to] += double(flow.amount);
    }
    constexpr double most = 2147483648.0;
    double const largest = *std::max_element(sent.begin(), sent.end());
    double const unit = std::max(double(common), largest / most);
    traffic.senders.resize(graph.seats().size());
    for (search::SeatFlow const& flow : traffic.flows) {
        auto const amount = static_cast<std::uint32_t>(std::max(1.0, double(flow.amount) / unit + 0.5));
        std::vector<search::Sender>& senders = traffic.senders[flow.to];
        std::uint32_t const at = graph.seats()[flow.from].at;
        auto const same =
            std::find_if(senders.begin(), senders.end(), [&](search::Sender const& sender) { return sender.at == at; });
        if (same != senders.end()) same->amount += amount;
        else senders.push_back({at, amount});
    }
    return traffic;
}

double largest_load_of(search::SwitchGraph const& graph, Trees const& trees) {
    return search::has_like_links(graph) ? double(trees.largest_load())
                                         : double(trees.largest_priced_load()) / graph.denominator();
}

report::JobsBound bound_of_jobs(search::SwitchGraph const& graph, JobTraffic const& traffic) {
    search::Bundles const bundles(graph);
    search::LoadBound const bound =
        search::find_load_bound(bundles, search::Demand::of_flows(graph, traffic.flows), search::BoundRoutes::shortest);
    // A switch sends what it has for a host by one link. Of the k u + 1 largest of these over u links some link has
    // k + 1, which are no less than the k + 1 smallest of them.
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> whole;
    for (search::SeatFlow const& flow : traffic.flows)
        if (std::uint32_t const at = graph.seats()[flow.from].at; at != graph.seats()[flow.to].at)
            whole[{at, flow.to}] += double(flow.amount);
    std::vector<std::vector<double>> of_switch(graph.switches());
    for (auto const& [ends, amount] : whole) of_switch[ends.first].push_back(amount);
    double most = 0;
    for (std::uint32_t s = 0; s < graph.switches(); ++s) {
        std::vector<double>& amounts = of_switch[s];
        std::size_t const links = graph.arcs_of(s).size();
        if (links == 0) continue;
        std::sort(amounts.begin(), amounts.end(), std::greater<>());
        std::uint32_t least_cost = UINT32_MAX;
        for (search::Arc const& arc : graph.arcs_of(s)) least_cost = std::min(least_cost, arc.cost);
        for (std::size_t k = 0; k * links < amounts.size(); ++k) {
            auto const last = amounts.begin() + std::ptrdiff_t(k * links) + 1;
            most = std::max(
                most, std::accumulate(last - std::ptrdiff_t(k) - 1, last, 0.0) * least_cost / graph.denominator());
        }
    }
    return {std::max(bound.bound.value(), most), bound.bound.value(), bound.upper};
}

namespace {

/// Can nobody's packets wait in a circle on one lane? From turns, where the audit followed all of them.
bool are_all_free(audit::Audit const& found, std::vector<model::Host> const& everybody, unsigned threads) {
    if (found.request.everybody().size() != found.network().hosts().size())
        return audit::is_free_on_one_lane(found.forwarding, everybody, everybody, threads);
    audit::TurnSet turns = found.all_pairs.turns;
    turns |= found.apart_turns;
    return audit::is_free_on_one_lane(found.forwarding, turns, everybody, everybody, threads);
}

/// Collisions and the largest load of the pairs that the tables deliver.
void tell_loads(report::ImprovedSide& side, search::SwitchGraph const& graph, Trees const& trees,
                model::ForwardingTables const& tables) {
    auto const tell = [&](Trees const& delivered) {
        side.collisions = delivered.per_permutation(delivered.collisions());
        side.largest_load = largest_load_of(graph, delivered);
    };
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d)
        if (trees.own_entry_differs(d, tables)) {
            Trees delivered = trees;
            delivered.cut_undelivered(tables);
            return tell(delivered);
        }
    tell(trees);
}

}  // namespace

report::ImprovedSide Improvement::judged(ImproveRequest const& request, search::SwitchGraph const& graph,
                                         std::shared_ptr<model::Fabric> const& fabric, Trees const& trees) const {
    report::ImprovedSide side;
    AuditChoice choice;
    choice.network.network = request.network.network;
    choice.hosts = request.hosts;
    choice.no_service_levels = fabric->find_lanes == nullptr;
    choice.bound = std::nullopt;  // of what a report does not tell
    choice.bisection = choice.circles = false;
    if (request.objective == ImproveObjective::permutation)
        choice.worst_case.permutations = audit::WorstCaseChoice::exact;
    choice.device = evaluation::DeviceChoice::cpu;
    choice.threads = request.threads;
    auto const audited =
        std::make_shared<FabricAudit const>(choice, fabric, model::Disagreements(false), AuditListener{});
    audit::Audit const& found = audited->found();
    side.audit = {audited, &found};
    audit::PairCounts const fates = found.fates();
    side.pairs = fates.total;
    side.undelivered_apart = found.apart_pairs.total - found.apart_pairs.delivered;
    side.undelivered = fates.total - fates.delivered;
    std::uint64_t links = 0;
    for (std::size_t hops = 0; hops < found.all_pairs.hops.size(); ++hops) links += found.all_pairs.hops[hops] * hops;
    side.mean_links = fates.delivered == 0 ? 0 : double(links) / double(fates.delivered);
    side.longer = found.all_pairs.longer;
    side.deadlock_free = found.deadlock && found.deadlock->free;
    side.lanes = found.deadlock ? found.deadlock->lanes : 1;
    if (std::vector<model::Host> const all = everybody_of(fabric->network); all.size() != graph.seats().size())
        side.free_with_others =
            side.lanes > 1 ? std::nullopt : std::optional(are_all_free(found, all, request.threads));
    if (found.worst_case.kind && found.worst_case.worst.exists())
        side.worst_permutation = found.worst_case.flows[found.worst_case.worst.value];
    if (found.worst_case.shifts) side.worst_shift = found.worst_case.shifts->worst_load;
    tell_loads(side, graph, trees, fabric->tables);
    if (side.undelivered == 0 && trees.noted_bandwidth()) side.expected = *trees.noted_bandwidth();
    else if (search::has_like_links(graph) && !search::is_large(trees))
        if (search::ExpectedBisection const expected = search::expect_bisection(graph, fabric->tables);
            expected.missing.empty())
            side.expected = expected.mean;

    StudyRequest study;
    study.network = request.network;
    study.study.measures.capacities = request.capacities;
    if (!request.hosts.empty()) {
        study.study.placement.subset = study::SubsetKind::listed;
        study.study.placement.subset_hosts = hosts_of(*fabric, request.hosts);
    }
    evaluation::Evaluation const result =
        evaluate(PreparedStudy(study, fabric, {}, evaluation::DeviceChoice::cpu),
                 {.device = evaluation::DeviceChoice::cpu, .threads = request.threads});
    auto const all = result.numbers_of_all.find(study::Metric::hist_acc_band);
    evaluation::Distribution const& numbers =
        all != result.numbers_of_all.end() ? all->second : result.numbers.at(study::Metric::hist_acc_band);
    if (numbers.count() > 0)
        side.bandwidth = report::Bandwidth{numbers.mean(), (numbers.ci99().second - numbers.ci99().first) / 2};
    if (!request.jobs.empty()) side.jobs = load_of_jobs(request, graph, fabric);
    return side;
}

/// Collisions are not all that counts where links between switches have several rates, and no formula tells bandwidth
/// there: it is sampled, over the same mappings on both sides. More pairs, or no deadlock, are worth it.
bool Improvement::loses_bandwidth() const {
    bool const gains = is_.undelivered < was_.undelivered || (is_.deadlock_free && !was_.deadlock_free);
    return !gains && was_.bandwidth && is_.bandwidth &&
           is_.bandwidth->mean < was_.bandwidth->mean - was_.bandwidth->half_width;
}

void Improvement::keep_input() {
    outcome_ = report::ImproveOutcome::best_already;
    after_ = before_;
    is_ = was_;
    rollout_ = search::Rollout::nothing;
}

void Improvement::judge(ImproveRequest const& request, search::SwitchGraph const& graph, TableSearch& search,
                        Listener const& listener) {
    bool is_alike = search::has_like_links(graph);
    for (search::Seat const& seat : graph.seats()) is_alike = is_alike && graph.network()[seat.host].lmc == 0;
    if (is_alike) most_bandwidth_ = search::bisection_bound(graph);
    was_ = judged(request, graph, before_, search.all_input());
    is_ = was_;
    if (outcome_ == report::ImproveOutcome::improved) {
        Trees const now = search.all_found();
        // Who is left out sends as well while tables change.
        search::SwitchGraph const of_all(before_->network, everybody_of(before_->network), request.capacities);
        rollout_ = search::find_rollout(of_all, before_->tables, after_->tables);
        is_ = judged(request, graph, after_, now);
        if (request.objective == ImproveObjective::collisions && !search::has_like_links(graph) && loses_bandwidth())
            keep_input();
    }
    if (was_.undelivered_apart > 0)
        listener.warn(fmt::format("{} of aggregation nodes are not delivered; entries to these are left as they are",
                                  base::counted(was_.undelivered_apart, "pair", "pairs")));
    for (std::uint32_t s = 0; s < graph.switches(); ++s) {
        std::uint64_t const blocks_before = blocks_;
        std::optional<model::Lid> block;  // the last that differs
        for (model::Lid lid = 1; lid < std::max(before_->tables.lids(), after_->tables.lids()); ++lid)
            if (before_->tables.port(graph.node(s), lid) != after_->tables.port(graph.node(s), lid)) {
                ++entries_;
                blocks_ += block != lid / 64;
                block = lid / 64;
            }
        switches_ += blocks_ > blocks_before;
    }
}

}  // namespace tailback::api
