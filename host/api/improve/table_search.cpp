#include "host/api/improve/table_search.hpp"

#include "host/api/improve/judge.hpp"
#include "host/base/error.hpp"
#include "host/search/tables/few_changes.hpp"
#include "host/search/tables/permutation_trim.hpp"
#include "host/search/tables/switch_order.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "topologies/routings/any_graph.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <utility>

namespace tailback::api {
namespace {

using search::SwitchGraph;
using search::Trees;
using search::TreesRank;

constexpr double unlimited = 10;  // collisions that a trim may add, as a part: more than it ever does

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

TableSearch::TableSearch(ImproveRequest const& request, std::shared_ptr<model::Fabric const> before,
                         search::SwitchGraph const& graph, std::vector<model::Host> const& hosts, search::Trees input)
    : request_(request),
      before_(std::move(before)),
      graph_(graph),
      hosts_(hosts),
      everybody_(everybody_of(before_->network)),
      input_(std::move(input)) {}

void TableSearch::set_budget() {
    budget_ = search::usual_budget(graph_, is_for_load());
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
        report.stopped_before = request_.stop != nullptr && *request_.stop;  // no budgets repeat that
    } else {
        search_slacks();
    }
    finish();
}

/// By ways of fewest links; where lanes do not suffice for these, by an order of the switches; else the circles of the
/// input are opened first; else the whole search counts, where it changes no more.
void TableSearch::search_few_changes() {
    start = "input";
    change_few(false);
    if (outcome_ != report::ImproveOutcome::refused) return;
    by_order = true;
    for (std::vector<std::uint32_t> const& order : orders_to_try()) {
        ways_.emplace(search::LegalWays::by_order(graph_, order, {}, slack_));
        change_few(false);
        if (outcome_ != report::ImproveOutcome::refused) return;
    }
    by_order = false;
    if (input_is_free()) return;  // it is kept
    ways_.emplace(shortest_ways());
    change_few(true);
    if (outcome_ != report::ImproveOutcome::refused) return;
    changes_few_ = false;
    search_slacks();
    if (outcome_ == report::ImproveOutcome::improved && entries_that_differ(*best_) <= *request_.changes) return;
    outcome_ = report::ImproveOutcome::refused;
    start = "input";
    by_order = false;
    best_ = input_;
}

std::uint64_t TableSearch::entries_that_differ(Trees const& trees) const {
    model::Fabric const changed = changed_by(trees);
    std::uint64_t count = 0;
    for (std::uint32_t s = 0; s < graph_.switches(); ++s)
        for (model::Lid lid = 0; lid < changed.tables.lids(); ++lid)
            count += changed.tables.port(graph_.node(s), lid) != before_->tables.port(graph_.node(s), lid);
    return count;
}

/// From the input, mended first: in several ways, of which the best counts that lanes suffice for.
/// @param frees it is free of deadlock, too, before what is left of the entries is spent
void TableSearch::change_few(bool frees) {
    changes_few_ = true;
    outcome_ = report::ImproveOutcome::best_already;
    Trees mended = all_pairs();
    mended.take(before_->tables);
    std::uint64_t left = *request_.changes - search::mend(mended, before_->tables, *ways_, *request_.changes);
    if (frees && !is_freed_by_few(mended, left)) {
        outcome_ = report::ImproveOutcome::refused;
        best_ = input_;
        return;
    }
    best_ = input_;
    best_->take(mended);
    for (std::uint32_t d = 0; d < mended.targets().size(); ++d)
        if (mended.leaves_own_entry(d)) best_->leave_own_entry(d);
    struct Way {
        Trees trees;
        std::uint64_t trimmed = 0;
    };
    std::vector<Way> found;
    if (frees) found.push_back({*best_});
    if (!is_for_load() && !is_for_permutation())
        for (auto const change : {search::choose_few, search::lower_by_entries})
            found.push_back(
                {until_wished(request_.stop, [&] { return change(*best_, before_->tables, *ways_, left); })});
    found.push_back({*best_});
    found.back().trimmed = trim_few(found.back().trees, left);
    std::ranges::stable_sort(found, [&](Way const& a, Way const& b) {
        return is_lower(a.trees, TreesRank(a.trees), b.trees, TreesRank(b.trees));
    });
    bool best_is_refused = false;
    for (Way& way : found) {
        outcome_ = report::ImproveOutcome::best_already;
        report.trimmed = way.trimmed;
        best_ = std::move(way.trees);
        settle();
        if (outcome_ == report::ImproveOutcome::improved) return;
        if (&way == &found.front()) best_is_refused = outcome_ == report::ImproveOutcome::refused;
    }
    if (best_is_refused) outcome_ = report::ImproveOutcome::refused;
}

/// False, too, where somebody wishes to stop before they are.
bool TableSearch::is_freed_by_few(Trees& trees, std::uint64_t& most_entries) const {
    try {
        return until_wished(request_.stop, [&] { return free_by_few(trees, most_entries); });
    } catch (kernels::Stopped const&) {
        return false;
    }
}

/// Of the hottest links, or of the worst permutation.
std::uint64_t TableSearch::trim_few(Trees& trees, std::uint64_t most_entries) {
    search::MovableTrees movable(trees);
    if (is_for_permutation()) return search::trim_permutation(movable, *ways_, most_entries);
    return search::trim(movable, *ways_,
                        {.target = search::least_possible_load(trees),
                         .most_entries = most_entries,
                         .at_any_price = true,
                         .by_relief = true,
                         .most_collisions = unlimited});
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
                               is_above(*less->best, TreesRank(*less->best), *best_, TreesRank(*best_)));
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
    TreesRank const of_input(input_);  // counted once: copies know it
    for (NamedTrees& one : starts_of(request_.network, input_, request_.seed, routings_)) {
        names.push_back(std::move(one.name));
        trees.push_back(std::move(one.trees));
    }
    if (!search::is_large(input_)) routings_.push_back({"input", before_->tables, of_input});
    // One lane may not take what comes of it, and more end no higher than one: the rest of the time is then for orders.
    bool const is_for_collisions = !is_for_load() && !is_for_permutation();
    bool const may_go_on_by_orders = request_.lanes == 1 || !is_for_collisions;
    std::atomic<bool> const* const wish =
        may_go_on_by_orders && request_.half_over ? request_.half_over : request_.stop;
    std::optional<std::size_t> const spread = spread_for_an_order(trees);
    if (spread) {
        report.start = *spread;
        best_ = std::move(trees[*spread]);
    } else {
        best_ = until_wished(wish, [&] { return search::search_tables(std::move(trees), *ways_, budget_, report); });
    }
    start = names[report.start];
    if (spread || !fits_on_lanes(*best_, lanes_)) return search_by_order();
    if (is_for_collisions) take_better_start();  // others have looked at starts
    std::optional<Trees> by_lanes;
    if (lanes_ && !is_for_collisions) by_lanes = *best_;
    settle();
    if (by_lanes) search_one_lane_too(std::move(*by_lanes));
}

/// More lanes are no help by themselves: what an order of the switches comes to on one lane counts as well.
/// @param found by ways of fewest links
void TableSearch::search_one_lane_too(Trees found) {
    Found by_lanes = take_found();
    start = by_lanes.start;
    report = by_lanes.report;
    best_ = std::move(found);
    search_by_order();
    by_lanes.report.stopped_before |= report.stopped || report.stopped_before;
    bool const is_better = outcome_ == report::ImproveOutcome::improved &&
                           (by_lanes.outcome != report::ImproveOutcome::improved ||
                            is_above(*best_, TreesRank(*best_), *by_lanes.best, TreesRank(*by_lanes.best)));
    if (!is_better) put_back(std::move(by_lanes));
}

/// On one lane a large network, whose best start can stand still as soon as its routes are spread over ways of fewest
/// links: searching among these would be for nothing. @return the start with the fewest collisions, which has a round
/// behind it then; none: another network
std::optional<std::size_t> TableSearch::spread_for_an_order(std::vector<Trees>& starts) const {
    if (request_.lanes != 1 || slack_ > 0 || starts.front().is_by_traffic() || !search::is_large(starts.front()))
        return std::nullopt;
    auto const lowest =
        std::ranges::min_element(starts, std::less(), [](Trees const& trees) { return TreesRank(trees); });
    search::StateWords arcs;
    lowest->write_arcs(arcs);
    search::run_round(*lowest, *ways_, search::Meetings::by_link);
    if (is_free(*lowest)) {
        search::WordReader words(arcs);
        lowest->read_arcs(words, [](std::uint32_t, std::uint32_t, std::uint32_t) { return true; });
        return std::nullopt;
    }
    return static_cast<std::size_t>(lowest - starts.begin());
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
    // One start for all inputs, where all routings are tried; in large networks what has a round behind it.
    if (search::is_large(wished) || routings_.front().name == "input") wished.take(*best_);
    else wished.take(routings_.front().tables);
    std::vector<std::vector<std::uint32_t>> orders = orders_to_try();
    bool is_found = false;
    std::vector<std::uint32_t> place;
    std::vector<search::Valley> joins;
    for (std::vector<std::uint32_t>& order : orders) {
        std::vector<search::Valley> joined = search::find_valleys(graph_, order);
        search::LegalWays const legal = search::LegalWays::by_order(graph_, order, joined);
        Trees trees = wished;
        for (int round = 0; round < 2; ++round) search::run_round(trees, legal, search::Meetings::by_link);
        if (is_found && trees.has_same_arcs(*best_)) continue;
        bool const fits = (joined.empty() && !others_are_free() && search::planes_of(graph_) == 1) || is_free(trees);
        if (!fits || (is_found && !(TreesRank(trees) < TreesRank(*best_)))) continue;
        is_found = true;
        best_ = std::move(trees);
        place = std::move(order);
        joins = std::move(joined);
    }
    if (!is_found) {
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

/// Tables of a routing that are free as they are on the lanes that are there, and better than what was found.
void TableSearch::take_better_start() {
    for (auto const& [name, tables, rank] : routings_) {
        if (is_far_above(rank, TreesRank(*best_))) continue;
        Trees trees = input_;
        trees.take(tables);
        if (!is_above(trees, rank, *best_, TreesRank(*best_))) continue;
        model::FindLanes lanes;
        if (!fits_on_lanes(trees, lanes)) continue;
        if (trees.is_by_traffic() && lost_pairs(changed_by(trees)) > lost_pairs(changed_by(*best_))) continue;
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

}  // namespace tailback::api
