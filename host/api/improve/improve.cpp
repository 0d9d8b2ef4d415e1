#include "host/api/improve/improve.hpp"

#include "host/api/audit.hpp"
#include "host/api/improve/starts.hpp"
#include "host/api/study.hpp"
#include "host/audit/audit.hpp"
#include "host/audit/deadlock/deadlock.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/io/progress.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/search/tables/few_changes.hpp"
#include "host/search/tables/switch_order.hpp"
#include "kernels/cpu/stop.hpp"
#include "topologies/routings/any_graph.hpp"
#include "topologies/routings/lane_layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tailback::api {
namespace {

using search::SwitchGraph;
using search::Trees;
using search::TreesRank;

constexpr double unlimited = 10;  // collisions that a trim may add, as a part: more than it ever does

std::shared_ptr<model::Fabric> obtain_improved(ImproveRequest const& request, Listener const& listener) {
    NetworkChoice const& choice = request.network;
    auto fabric = std::make_shared<model::Fabric>(
        obtain({.network = choice, .wanted = Wanted::tables, .user = "a search for tables", .for_no_tables = "minhop"},
               listener));
    if (model::FabricTraits const traits = model::traits_of(*fabric); traits.is_ip || traits.by_hash)
        throw base::InputError({choice.network, 0}, "these routes are not forwarding tables by LID",
                               "routers choose by prefixes and hashes", "choose an InfiniBand fabric, or a --routing");
    for (std::size_t n = 0; n < fabric->network.nodes().size(); ++n)
        if (model::Node const node{n}; !fabric->network.is_switch(node) && fabric->tables.has_table(node))
            throw base::InputError({choice.network, 0}, "hosts of this network forward packets themselves",
                                   fabric->network.describe(node) + " has a table",
                                   "choose a network whose switches alone have tables");
    if (fabric->candidates != nullptr)
        listener.warn(
            "switches of this fabric choose among several ports: they follow static entries, which are all "
            "that is improved here, only where that is switched off");
    return fabric;
}

std::vector<model::Host> hosts_of(model::Fabric const& fabric, std::string const& pattern) {
    audit::AuditRequest request;
    audit::choose_endpoints(fabric.network, pattern, false, request);
    audit::require_two_hosts(fabric.network, pattern, request);
    return request.hosts;
}

/// With these trees in its tables, and no lanes.
model::Fabric with_trees(model::Fabric const& fabric, Trees const& trees) {
    model::Fabric changed = fabric;
    changed.find_lanes = nullptr;
    changed.candidates = nullptr;
    trees.write(changed.tables);
    return changed;
}

bool is_free_on_one_lane(model::Fabric const& fabric, std::vector<model::Host> const& hosts, unsigned threads) {
    return audit::find_deadlocks_on_one_lane(model::Forwarding(fabric), hosts, hosts, threads).free;
}

/// Layers for the routes of these tables; null where so many lanes do not suffice.
model::FindLanes layers_for(model::Fabric const& fabric, unsigned lanes) {
    topologies::RoutingSpec const spec("dfsssp:lanes=" + std::to_string(lanes));
    topologies::Topology topology;
    topology.network = fabric.network;
    model::FindLanes const find = topologies::lanes_by_layers(topology, spec.arguments());
    try {
        std::shared_ptr<model::RoutingLanes const> const found = find(fabric);
        return [found](model::Fabric const&) { return found; };
    } catch (base::InputError const&) {
        return nullptr;
    }
}

bool sits_everywhere(SwitchGraph const& graph) {
    std::uint32_t with = 0;
    for (std::uint32_t s = 0; s < graph.switches(); ++s) with += graph.hosts_at(s) > 0;
    return 10 * with >= 9 * graph.switches();
}

/// Trials of orders that take some seconds; where hosts sit on the edge alone the order is given by the tree.
std::uint64_t usual_trials(SwitchGraph const& graph) {
    if (!sits_everywhere(graph)) return 0;
    double const steps = double(graph.seats().size()) * double(graph.arcs().size());
    return static_cast<std::uint64_t>(std::clamp(3000 * 49'152 / std::max(1.0, steps), 20.0, 3000.0));
}

/// The order of the roots that up*/down* would choose; none where it cannot.
std::optional<std::vector<std::uint32_t>> order_of_roots(SwitchGraph const& graph) {
    try {
        topologies::Topology topology;
        topology.network = graph.network();
        model::RoutingRoots const roots =
            topologies::updn_roots(topology, topologies::RoutingSpec("updn").arguments(), {});
        std::vector<std::uint32_t> switches;
        for (model::Node const node : roots.nodes)
            if (graph.switch_of(node) != SwitchGraph::none) switches.push_back(graph.switch_of(node));
        if (switches.empty()) return std::nullopt;
        return search::order_from_roots(graph, switches);
    } catch (base::InputError const&) {
        return std::nullopt;
    }
}

}  // namespace

/// The search of one request: what is tried, in which order, and what of it holds.
struct Improvement::Search {
    Improvement& found;
    ImproveRequest const& request;
    SwitchGraph const& graph;
    std::vector<model::Host> const& hosts;
    Trees input;
    search::SearchBudget budget;
    std::optional<Trees> best = std::nullopt;
    std::optional<search::LegalWays> ways = std::nullopt;
    model::FindLanes lanes = nullptr;

    bool for_load() const { return request.objective == ImproveObjective::max_load; }

    /// Runs a part of the search that ends with its best when that is wished; anything else would throw.
    template <class Work>
    auto until_wished(Work const& work) const {
        static std::atomic<bool> const never = false;
        kernels::StopWish::Scope const scope(request.stop != nullptr ? *request.stop : never);
        return work();
    }

    void set_budget() {
        budget = search::usual_budget(graph);
        if (request.rounds) budget.rounds = *request.rounds;
        if (request.moves) budget.moves = *request.moves;
        if (for_load()) {
            budget.most_collisions = unlimited;
            budget.trims_at_any_price = true;
        }
        budget.seed = request.seed;
        budget.threads = request.threads;
    }

    /// Where lanes do not suffice for ways of fewest links: those of an order of the switches.
    void run() {
        set_budget();
        ways.emplace(search::LegalWays::shortest(graph));
        if (request.changes && for_load()) {  // entry by entry from the input
            best = input;
            search::MovableTrees movable(*best);
            found.search_.trimmed = search::trim(movable, *ways,
                                                 {.target = search::least_possible_load(*best),
                                                  .most_entries = *request.changes,
                                                  .at_any_price = true,
                                                  .by_relief = true,
                                                  .most_collisions = unlimited});
            found.start_ = "input";
            return settle();
        }
        std::vector<Trees> trees;
        std::vector<std::string> names;
        for (NamedTrees& start : starts_of(request.network, input, request.seed)) {
            names.push_back(std::move(start.name));
            trees.push_back(std::move(start.trees));
        }
        best = until_wished([&] { return search::search_tables(std::move(trees), *ways, budget, found.search_); });
        found.start_ = names[found.search_.start];
        if (!settles_on_lanes()) run_by_order();
        else settle();
    }

    /// On so many lanes as are there, as few as that takes.
    bool settles_on_lanes() {
        model::Fabric const changed = with_trees(*found.before_, *best);
        if (is_free_on_one_lane(changed, hosts, request.threads)) return true;
        if (request.lanes > 1) lanes = layers_for(changed, request.lanes);
        return lanes != nullptr;
    }

    void run_by_order() {
        found.by_order_ = true;
        Trees const wished = std::move(*best);
        std::vector<std::vector<std::uint32_t>> orders;
        if (!sits_everywhere(graph)) orders.push_back(search::order_from_hosts(graph));
        if (auto order = order_of_roots(graph)) orders.push_back(std::move(*order));
        if (orders.empty()) orders.push_back(search::order_from_hosts(graph));
        std::optional<TreesRank> rank;
        std::vector<std::uint32_t> place;
        std::vector<search::Valley> valleys;
        for (std::vector<std::uint32_t>& order : orders) {
            std::vector<search::Valley> joined = search::find_valleys(graph, order);
            search::LegalWays const legal = search::LegalWays::by_order(graph, order, joined);
            Trees trees = wished;
            for (int round = 0; round < 3; ++round) search::run_round(trees, legal);
            TreesRank const now(trees);
            bool const is_free =
                joined.empty() || is_free_on_one_lane(with_trees(*found.before_, trees), hosts, request.threads);
            if (!is_free || (rank && !(now < *rank))) continue;
            rank = now;
            best = std::move(trees);
            place = std::move(order);
            valleys = std::move(joined);
        }
        if (!rank) {
            best = input;
            found.outcome_ = report::ImproveOutcome::refused;
            return;
        }
        if (valleys.empty())
            place = until_wished([&] {
                return search::search_order(*best, std::move(place),
                                            {.trials = request.trials.value_or(usual_trials(graph)),
                                             .descents = 2,
                                             .seed = request.seed,
                                             .threads = request.threads},
                                            found.trials_);
            });
        ways.emplace(search::LegalWays::by_order(graph, place, valleys));
        found.valleys_ = valleys.size();
        std::vector<Trees> starts;
        starts.push_back(std::move(*best));
        search::SearchReport report = std::move(found.search_);
        found.search_ = {};
        best = until_wished([&] { return search::search_tables(std::move(starts), *ways, budget, found.search_); });
        found.search_.start = report.start;
        found.search_.stopped = found.search_.stopped || report.stopped;
        settle();
    }

    bool is_better(Trees const& trees, bool is_free) const {
        TreesRank const now(trees), before(input);
        if (now.lost != before.lost) return now.lost < before.lost;
        bool const was_free = is_free_on_one_lane(*found.before_, hosts, request.threads);
        if (is_free != was_free) return is_free;
        if (for_load() && now.largest != before.largest) return now.largest < before.largest;
        return now < before;
    }

    /// Fewer changes, where that is asked for; kept only where it is better, and free on its lanes.
    void settle() {
        search::keep_unused(*best, *ways, input);
        if (request.changes && !for_load()) {
            std::uint64_t entries = 0;
            best = search::take_over(input, *best, *request.changes, entries);
        }
        model::Fabric const changed = with_trees(*found.before_, *best);
        bool const is_free = is_free_on_one_lane(changed, hosts, request.threads);
        if (!is_free && (request.lanes == 1 || !(lanes = layers_for(changed, request.lanes)))) {
            found.outcome_ = report::ImproveOutcome::refused;
            best = input;
        } else if (!is_better(*best, is_free || lanes != nullptr)) {
            best = input;
        } else {
            found.outcome_ = report::ImproveOutcome::improved;
        }
    }

    /// Other LIDs of the hosts, one after the other: each where those before it have put least.
    void spread_planes(model::ForwardingTables& tables) const {
        std::uint8_t lmc = 0;
        for (search::Seat const& seat : graph.seats()) lmc = std::max(lmc, graph.network()[seat.host].lmc);
        for (std::uint32_t plane = 1; plane < std::uint32_t{1} << lmc; ++plane) {
            std::vector<search::Target> targets;
            for (std::uint32_t earlier = 0; earlier <= plane; ++earlier)
                for (search::Target target : search::targets_of_plane(graph, earlier)) {
                    target.stays = earlier < plane;
                    targets.push_back(target);
                }
            Trees before(graph, targets);
            before.take(tables);
            Trees after = before;
            for (std::uint64_t round = 0; round < std::min<std::uint64_t>(budget.rounds, 6); ++round)
                if (search::run_round(after, *ways) == 0) break;
            search::keep_unused(after, *ways, before);
            if (TreesRank(after) < TreesRank(before)) after.write(tables);
        }
    }
};

Improvement::Improvement(ImproveRequest const& request, Listener const& listener)
    : before_(obtain_improved(request, listener)), files_(request.network.named_files()) {
    objective_ = request.objective == ImproveObjective::max_load ? "max-load" : "collisions";
    std::vector<model::Host> const hosts = hosts_of(*before_, request.hosts);
    SwitchGraph const graph(before_->network, hosts, request.capacities);
    Trees input(graph, search::targets_of_plane(graph, 0));
    input.take(before_->tables);
    Search search{*this, request, graph, hosts, std::move(input), {}};
    {
        io::Progress const progress("searching tables");
        search.run();
    }
    after_ = std::make_shared<model::Fabric>(*before_);
    if (outcome_ == report::ImproveOutcome::improved) {
        after_->candidates = nullptr;
        after_->find_lanes = search.lanes;
        search.best->write(after_->tables);
        model::ForwardingTables const base_lids = after_->tables;
        if (!request.changes) search.spread_planes(after_->tables);
        if (!search.lanes && !is_free_on_one_lane(*after_, hosts, request.threads)) after_->tables = base_lids;
        if (search.lanes) after_->find_lanes = layers_for(*after_, request.lanes);
        rollout_ = search::find_rollout(search.input, *search.best);
    }
    judge(request, graph);
}

void Improvement::judge(ImproveRequest const& request, SwitchGraph const& graph) {
    auto const judged = [&](std::shared_ptr<model::Fabric> const& fabric) {
        report::ImprovedSide side;
        AuditChoice choice;
        choice.network.network = request.network.network;
        choice.hosts = request.hosts;
        choice.no_service_levels = fabric->find_lanes == nullptr;
        choice.device = evaluation::DeviceChoice::cpu;
        choice.threads = request.threads;
        FabricAudit const audit(choice, fabric, model::Disagreements(false), {});
        audit::Audit const& found = audit.found();
        audit::PairCounts const fates = found.fates();
        side.pairs = fates.total;
        side.undelivered = fates.total - fates.delivered;
        std::uint64_t links = 0;
        for (std::size_t hops = 0; hops < found.all_pairs.hops.size(); ++hops)
            links += found.all_pairs.hops[hops] * hops;
        side.mean_links = fates.delivered == 0 ? 0 : double(links) / double(fates.delivered);
        side.longer = found.all_pairs.longer;
        side.deadlock_free = found.deadlock && found.deadlock->free;
        side.lanes = found.deadlock ? found.deadlock->lanes : 1;
        if (found.worst_case.kind && found.worst_case.worst.exists())
            side.worst_permutation = found.worst_case.flows[found.worst_case.worst.value];
        if (found.worst_case.shifts) side.worst_shift = found.worst_case.shifts->worst_load;
        Trees trees(graph, search::targets_of_plane(graph, 0));
        trees.take(fabric->tables);
        side.collisions = trees.per_permutation(trees.collisions());
        side.largest_load = trees.largest_load();

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
        return side;
    };
    was_ = judged(before_);
    is_ = outcome_ == report::ImproveOutcome::improved ? judged(after_) : was_;
    std::set<std::pair<std::uint32_t, model::Lid>> blocks;
    std::set<std::uint32_t> switches;
    for (std::uint32_t s = 0; s < graph.switches(); ++s)
        for (model::Lid lid = 1; lid < std::max(before_->tables.lids(), after_->tables.lids()); ++lid)
            if (before_->tables.port(graph.node(s), lid) != after_->tables.port(graph.node(s), lid)) {
                ++entries_;
                blocks.emplace(s, lid / 64);
                switches.insert(s);
            }
    blocks_ = blocks.size();
    switches_ = switches.size();
    // What is proven is of tables that deliver all: mixtures with others lose what these lose.
    if (rollout_ != search::Rollout::nothing && (was_.undelivered > 0 || is_.undelivered > 0))
        rollout_ = search::Rollout::drain;
}

report::ImproveReport Improvement::report() const {
    return {*before_,  *after_,  was_,     is_,     outcome_,  objective_, start_, search_, trials_,
            by_order_, valleys_, entries_, blocks_, switches_, rollout_,   files_, 1000};
}

}  // namespace tailback::api
