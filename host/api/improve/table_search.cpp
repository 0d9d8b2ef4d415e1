#include "host/api/improve/table_search.hpp"

#include "host/audit/deadlock/deadlock.hpp"
#include "host/base/error.hpp"
#include "host/search/tables/few_changes.hpp"
#include "host/search/tables/permutation_trim.hpp"
#include "host/search/tables/switch_order.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "topologies/routings/any_graph.hpp"
#include "topologies/routings/lane_layers.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace tailback::api {
namespace {

using search::SwitchGraph;
using search::Trees;
using search::TreesRank;

constexpr double unlimited = 10;  // collisions that a trim may add, as a part: more than it ever does

/// With these trees in its tables, and no lanes.
model::Fabric with_trees(model::Fabric const& fabric, Trees const& trees) {
    model::Fabric changed = fabric;
    changed.find_lanes = nullptr;
    changed.candidates = nullptr;
    trees.write(changed.tables);
    return changed;
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

/// Trials of orders that take some seconds; where hosts sit on the edge alone the order is given by the tree.
std::uint64_t usual_trials(SwitchGraph const& graph) {
    if (!search::sits_everywhere(graph)) return 0;
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

/// Runs a part of the search that ends with its best when that is wished; anything else would throw.
template <class Work>
auto until_wished(std::atomic<bool> const* wish, Work const& work) {
    static std::atomic<bool> const never = false;
    kernels::StopWish::Scope const scope(wish != nullptr ? *wish : never);
    return work();
}

}  // namespace

bool is_free_on_one_lane(model::Fabric const& fabric, std::vector<model::Host> const& hosts, unsigned threads) {
    return audit::is_free_on_one_lane(model::Forwarding(fabric), hosts, hosts, threads);
}

TableSearch::TableSearch(ImproveRequest const& request, std::shared_ptr<model::Fabric const> before,
                         search::SwitchGraph const& graph, std::vector<model::Host> const& hosts, search::Trees input)
    : request_(request), before_(std::move(before)), graph_(graph), hosts_(hosts), input_(std::move(input)) {}

void TableSearch::set_budget() {
    budget_ = search::usual_budget(graph_);
    if (request_.rounds) budget_.rounds = *request_.rounds;
    if (request_.moves) budget_.moves = *request_.moves;
    if (is_for_load()) {
        budget_.most_collisions = unlimited;
        budget_.trims_at_any_price = true;
    }
    budget_.trims_permutation = is_for_permutation();
    if (slack_ > 0 && !request_.moves)  // rounds keep to ways of fewest links
        budget_.moves = std::max<std::uint64_t>(budget_.moves, 1'000'000);
    if (request_.restarts) budget_.descents = *request_.restarts;
    budget_.seed = request_.seed;
    budget_.threads = request_.threads;
    budget_.shared = request_.shared;
}

void TableSearch::run() {
    if (request_.changes) {
        slack_ = request_.slack;
        set_budget();
        ways_.emplace(shortest_ways());
        search_few_changes();
    } else {
        search_slacks();
    }
    finish();
}

/// By ways of fewest links; where lanes do not suffice for these, by an order of the switches.
void TableSearch::search_few_changes() {
    start = "input";
    change_few();
    if (outcome_ != report::ImproveOutcome::refused) return;
    by_order = true;
    for (std::vector<std::uint32_t> const& order : orders_to_try()) {
        ways_.emplace(search::LegalWays::by_order(graph_, order, {}, slack_));
        change_few();
        if (outcome_ != report::ImproveOutcome::refused) return;
    }
}

/// From the input, mended first: entry by entry, for collisions also destination by destination, whichever is better.
void TableSearch::change_few() {
    outcome_ = report::ImproveOutcome::best_already;
    Trees mended = all_pairs();
    mended.take(before_->tables);
    std::uint64_t const left = *request_.changes - search::mend(mended, before_->tables, *ways_, *request_.changes);
    best_ = input_;
    best_->take(mended);
    for (std::uint32_t d = 0; d < mended.targets().size(); ++d)
        if (mended.leaves_own_entry(d)) best_->leave_own_entry(d);
    Trees by_entry = *best_;
    search::MovableTrees movable(by_entry);
    if (is_for_permutation()) {
        report.trimmed = search::trim_permutation(movable, *ways_, left);
        best_ = std::move(by_entry);
        settle();
        return;
    }
    report.trimmed = search::trim(movable, *ways_,
                                  {.target = search::least_possible_load(by_entry),
                                   .most_entries = left,
                                   .at_any_price = true,
                                   .by_relief = true,
                                   .most_collisions = unlimited});
    if (!is_for_load())
        best_ = until_wished(request_.stop, [&] { return search::choose_few(*best_, before_->tables, *ways_, left); });
    if (is_for_load() || TreesRank(by_entry) < TreesRank(*best_)) best_ = std::move(by_entry);
    else report.trimmed = 0;
    settle();
}

TableSearch::Found TableSearch::take_found() {
    Found found{outcome_, start, report, trials, valleys, by_order, std::move(best_), std::move(ways_), lanes_};
    put_back({});
    return found;
}

void TableSearch::put_back(Found found) {
    outcome_ = found.outcome;
    start = std::move(found.start);
    report = found.report;
    trials = found.trials;
    valleys = found.valleys;
    by_order = found.by_order;
    best_ = std::move(found.best);
    ways_ = std::move(found.ways);
    lanes_ = std::move(found.lanes);
}

/// More room is no help by itself: what a smaller slack finds counts as well.
void TableSearch::search_slacks() {
    std::optional<Found> less;
    for (slack_ = 0;; ++slack_) {
        routings_.clear();
        set_budget();
        ways_.emplace(shortest_ways());
        search_all();
        bool const was_stopped = report.stopped || report.stopped_before;
        report.stopped_before = report.stopped_before || (was_stopped && request_.slack > 0);
        bool const is_worse = less && less->outcome == report::ImproveOutcome::improved &&
                              (outcome_ != report::ImproveOutcome::improved ||
                               is_lower(*less->best, TreesRank(*less->best), *best_, TreesRank(*best_)));
        if (is_worse) {
            less->report.stopped_before = report.stopped_before;
            put_back(std::move(*less));
        }
        if (slack_ == request_.slack || was_stopped) return;
        less = take_found();
    }
}

void TableSearch::search_all() {
    std::vector<Trees> trees;
    std::vector<std::string> names;
    for (NamedTrees& one : starts_of(request_.network, input_, request_.seed, routings_)) {
        names.push_back(std::move(one.name));
        trees.push_back(std::move(one.trees));
    }
    // One lane may not take what comes of it: the rest of the time is then for orders.
    std::atomic<bool> const* const wish =
        request_.lanes == 1 && request_.half_over ? request_.half_over : request_.stop;
    best_ = until_wished(wish, [&] { return search::search_tables(std::move(trees), *ways_, budget_, report); });
    start = names[report.start];
    if (!settles_on_lanes()) search_by_order();
    else settle();
}

/// On so many lanes as are there, as few as that takes.
bool TableSearch::settles_on_lanes() {
    model::Fabric const changed = with_trees(*before_, *best_);
    if (is_free_on_one_lane(changed, hosts_, request_.threads)) return true;
    if (request_.lanes > 1) lanes_ = layers_for(changed, request_.lanes);
    return lanes_ != nullptr;
}

std::vector<std::vector<std::uint32_t>> TableSearch::orders_to_try() const {
    std::vector<std::vector<std::uint32_t>> orders;
    if (!search::sits_everywhere(graph_)) orders.push_back(search::order_from_hosts(graph_));
    if (auto order = order_of_roots(graph_)) orders.push_back(std::move(*order));
    if (orders.empty()) orders.push_back(search::order_from_hosts(graph_));
    return orders;
}

/// Where lanes do not suffice for ways of fewest links: those of an order of the switches.
void TableSearch::search_by_order() {
    by_order = true;
    Trees wished = all_pairs();  // an order has to join all, whatever counts
    wished.take(*best_);
    std::vector<std::vector<std::uint32_t>> orders = orders_to_try();
    std::optional<TreesRank> rank;
    std::vector<std::uint32_t> place;
    std::vector<search::Valley> joins;
    for (std::vector<std::uint32_t>& order : orders) {
        std::vector<search::Valley> joined = search::find_valleys(graph_, order);
        search::LegalWays const legal = search::LegalWays::by_order(graph_, order, joined);
        Trees trees = wished;
        for (int round = 0; round < 3; ++round) search::run_round(trees, legal);
        TreesRank const now(trees);
        bool const is_free =
            joined.empty() || is_free_on_one_lane(with_trees(*before_, trees), hosts_, request_.threads);
        if (!is_free || (rank && !(now < *rank))) continue;
        rank = now;
        best_ = std::move(trees);
        place = std::move(order);
        joins = std::move(joined);
    }
    if (!rank) {
        best_ = input_;
        outcome_ = report::ImproveOutcome::refused;
        return;
    }
    if (joins.empty())
        place = until_wished(request_.stop, [&] {
            return search::search_order(*best_, std::move(place),
                                        {.trials = request_.trials.value_or(usual_trials(graph_)),
                                         .descents = request_.restarts.value_or(2),
                                         .seed = request_.seed,
                                         .threads = request_.threads,
                                         .shared = request_.shared},
                                        trials);
        });
    ways_.emplace(search::LegalWays::by_order(graph_, place, joins, slack_));
    valleys = joins.size();
    std::vector<Trees> starts;
    starts.push_back(input_);
    starts.front().take(*best_);
    search::SearchReport const first = std::move(report);
    report = {};
    best_ =
        until_wished(request_.stop, [&] { return search::search_tables(std::move(starts), *ways_, budget_, report); });
    report.start = first.start;
    report.stopped_before = first.stopped;
    take_better_start();
    settle();
}

/// By what is made small; the worst permutation is not in the rank.
bool TableSearch::is_lower(TreesRank const& rank, TreesRank const& than) const {
    if (rank.lost == than.lost && is_for_load() && rank.largest != than.largest) return rank.largest < than.largest;
    return rank < than;
}
bool TableSearch::is_lower(Trees const& trees, TreesRank const& rank, Trees const& than, TreesRank const& other) const {
    if (is_for_permutation() && rank.lost == other.lost)
        if (std::uint32_t const of_trees = search::worst_permutation_of(trees), of = search::worst_permutation_of(than);
            of_trees != of)
            return of_trees < of;
    return is_lower(rank, other);
}

/// Tables of a routing that are free on one lane as they are, and better than what an order gave.
void TableSearch::take_better_start() {
    for (auto const& [name, tables, rank] : routings_) {
        if (!is_for_permutation() && !is_lower(rank, TreesRank(*best_))) continue;
        Trees trees = input_;
        trees.take(tables);
        if (!is_lower(trees, rank, *best_, TreesRank(*best_))) continue;
        model::Fabric const changed = with_trees(*before_, trees);
        if (!is_free_on_one_lane(changed, hosts_, request_.threads)) continue;
        if (trees.is_by_traffic() && lost_pairs(changed) > lost_pairs(with_trees(*before_, *best_))) continue;
        best_ = std::move(trees);
        search::SearchReport of_start;
        of_start.stopped = report.stopped;
        of_start.stopped_before = report.stopped_before;
        report = of_start;
        start = name;
        by_order = false;
        valleys = 0;
    }
}

Trees const& TableSearch::all_input() {
    if (!input_.is_by_traffic()) return input_;
    all_input_ = all_pairs();
    all_input_->take(before_->tables);
    return *all_input_;
}

Trees TableSearch::all_pairs() const { return {graph_, search::targets_of_plane(graph_, 0)}; }

std::uint64_t TableSearch::lost_pairs(model::Fabric const& fabric) const {
    Trees trees = all_pairs();
    trees.take(fabric.tables);
    return trees.lost();
}

bool TableSearch::is_better(Trees const& trees, model::Fabric const& changed, bool is_free) const {
    TreesRank now(trees), before(input_);
    if (input_.is_by_traffic()) {  // whatever counts, no pair is to be lost
        now.lost = lost_pairs(changed);
        before.lost = lost_pairs(*before_);
    }
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d)
        if (input_.own_entry_differs(d, before_->tables)) {
            before.lost += input_.sent_to(d);
            if (trees.leaves_own_entry(d)) now.lost += trees.sent_to(d);
        }
    if (now.lost != before.lost) return now.lost < before.lost;
    bool const was_free = is_free_on_one_lane(*before_, hosts_, request_.threads);
    if (is_free != was_free) return is_free;
    if (input_.is_by_traffic())
        return double(now.largest) < double(before.largest) * (1 - 1e-6);  // amounts are rounded
    return is_lower(trees, now, input_, before);
}

/// Kept only where it is better, and free on its lanes.
void TableSearch::settle() {
    if (!request_.changes) search::keep_unused(*best_, *ways_, input_);
    model::Fabric const changed = with_trees(*before_, *best_);
    bool const is_free = is_free_on_one_lane(changed, hosts_, request_.threads);
    if (!is_free && (request_.lanes == 1 || !(lanes_ = layers_for(changed, request_.lanes))))
        outcome_ = report::ImproveOutcome::refused;
    else if (is_better(*best_, changed, is_free || lanes_ != nullptr)) outcome_ = report::ImproveOutcome::improved;
    if (outcome_ != report::ImproveOutcome::improved) best_ = input_;
}

/// The tables, with those of other LIDs where these can be better, too.
void TableSearch::finish() {
    bool const takes_best = outcome_ == report::ImproveOutcome::improved;
    model::Fabric changed = takes_best ? with_trees(*before_, *best_) : *before_;
    if (takes_best) changed.find_lanes = lanes_;
    model::ForwardingTables const base_lids = changed.tables;
    bool const spreads = !request_.changes && !input_.is_by_traffic() && outcome_ != report::ImproveOutcome::refused &&
                         spread_planes(changed.tables) > 0;
    if (spreads && changed.find_lanes == nullptr && !is_free_on_one_lane(changed, hosts_, request_.threads))
        changed.tables = base_lids;
    else if (spreads) outcome_ = report::ImproveOutcome::improved;
    if (takes_best && lanes_) changed.find_lanes = layers_for(changed, request_.lanes);
    if (outcome_ == report::ImproveOutcome::improved) changed.candidates = nullptr;
    after_ = std::make_shared<model::Fabric>(std::move(changed));
    best_.reset();
}

/// Other LIDs of the hosts, one after the other: each where those before it have put least. @return entries that
/// changed
std::uint64_t TableSearch::spread_planes(model::ForwardingTables& tables) const {
    std::uint64_t changed = 0;
    std::uint8_t lmc = 0;
    for (search::Seat const& seat : graph_.seats()) lmc = std::max(lmc, graph_.network()[seat.host].lmc);
    for (std::uint32_t plane = 1; plane < std::uint32_t{1} << lmc; ++plane) {
        std::vector<search::Target> targets;
        for (std::uint32_t earlier = 0; earlier <= plane; ++earlier)
            for (search::Target target : search::targets_of_plane(graph_, earlier)) {
                target.stays = earlier < plane;
                targets.push_back(target);
            }
        Trees before(graph_, targets);
        before.take(tables);
        Trees after = before;
        for (std::uint64_t round = 0; round < std::min<std::uint64_t>(budget_.rounds, 6); ++round)
            if (search::run_round(after, *ways_) == 0) break;
        search::keep_unused(after, *ways_, before);
        if (TreesRank(after) < TreesRank(before)) changed += after.write(tables);
    }
    return changed;
}

}  // namespace tailback::api
