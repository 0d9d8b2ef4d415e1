// What of the tables that were found holds: on which lanes, better than the input, with other LIDs of the hosts.
#include "host/api/improve/table_search.hpp"

#include "host/api/improve/judge.hpp"
#include "host/audit/deadlock/deadlock.hpp"
#include "host/base/error.hpp"
#include "host/model/service_levels.hpp"
#include "host/search/bisection/expected_bisection.hpp"
#include "host/search/tables/permutation_trim.hpp"
#include "topologies/routings/lane_layers.hpp"

#include <algorithm>
#include <utility>

namespace tailback::api {

using search::Trees;
using search::TreesRank;

namespace {

unsigned lanes_of(model::RoutingLanes const& routing) {
    unsigned most = 0;
    for (unsigned level = 0; level < 16; ++level) {
        if ((routing.levels.used() >> level & 1) == 0) continue;
        if (!routing.maps) most = std::max(most, level + 1);
        else
            for (model::LaneMap const& map : routing.maps->distinct()) most = std::max(most, map.lane(level) + 1);
    }
    return most;
}

}  // namespace

bool is_free_on_one_lane(model::Fabric const& fabric, std::vector<model::Host> const& hosts, unsigned threads) {
    return audit::is_free_on_one_lane(model::Forwarding(fabric), hosts, hosts, threads);
}

model::Fabric with_trees(model::Fabric const& fabric, Trees const& trees) {
    model::Fabric changed = fabric;
    changed.find_lanes = nullptr;
    changed.candidates = nullptr;
    trees.write(changed.tables);
    return changed;
}

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

/// Of random bisections, by the formula of audits: what collisions stand for. None where these do not count, or links
/// between switches are not alike; nor of large networks, where the formula takes longer than the search.
std::optional<double> TableSearch::bandwidth_of(Trees const& trees) const {
    if (request_.objective != ImproveObjective::collisions || !search::has_like_links(graph_) ||
        search::is_large(trees))
        return std::nullopt;
    if (trees.noted_bandwidth()) return trees.noted_bandwidth();
    model::ForwardingTables tables = before_->tables;
    trees.write(tables);
    search::ExpectedBisection const expected = search::expect_bisection(graph_, tables);
    if (expected.missing.empty()) trees.noted_bandwidth() = expected.mean;
    return trees.noted_bandwidth();
}

/// Better by what counts at the end: bandwidth where that is known of both, else what is made small. Where collisions
/// are far apart these alone tell.
bool TableSearch::is_above(Trees const& trees, TreesRank const& rank, Trees const& other,
                           TreesRank const& of_other) const {
    bool const is_less = is_lower(trees, rank, other, of_other);
    if (rank == of_other || is_far_above(rank, of_other) || is_far_above(of_other, rank)) return is_less;
    std::optional<double> const bandwidth = bandwidth_of(trees), of = bandwidth ? bandwidth_of(other) : std::nullopt;
    return bandwidth && of && *bandwidth != *of ? *bandwidth > *of : is_less;
}

/// Loses more pairs, or has so many more collisions, where these count, that bandwidth need not be asked for.
bool TableSearch::is_far_above(TreesRank const& rank, TreesRank const& other) const {
    return rank.lost > other.lost || (rank.lost == other.lost && request_.objective == ImproveObjective::collisions &&
                                      double(rank.objective) > 1.25 * double(other.objective));
}

/// @param lanes that are found where one does not suffice
bool TableSearch::fits_on_lanes(Trees const& trees, model::FindLanes& lanes) const {
    lanes = nullptr;
    if (is_free(trees)) return true;
    if (request_.lanes > 1) lanes = layers_for(changed_by(trees), request_.lanes);
    return lanes != nullptr;
}

/// The fabric with these trees. Where the input can stand still, its other LIDs may be what waits: they go the way of
/// the base LIDs then.
model::Fabric TableSearch::changed_by(Trees const& trees) const {
    model::Fabric changed = with_trees(*before_, trees);
    if (request_.changes || search::planes_of(graph_) == 1 || input_is_free()) return changed;
    for (search::Seat const& seat : graph_.seats()) {
        model::HostRecord const& host = graph_.network()[seat.host];
        for (std::uint32_t s = 0; s < graph_.switches(); ++s)
            for (std::uint32_t more = 1; more < std::uint32_t{1} << host.lmc; ++more)
                changed.tables.set(graph_.node(s), host.lid + more, changed.tables.port(graph_.node(s), host.lid));
    }
    return changed;
}

/// On one lane; with the entries of endpoints that are left out, too, unless these wait in circles in the input
/// already.
bool TableSearch::is_free(model::Fabric const& changed) const {
    return is_free_on_one_lane(changed, others_are_free() ? everybody_ : hosts_, request_.threads);
}
bool TableSearch::is_free(Trees const& trees) const {
    std::optional<bool> const told = told_by_trees(trees, others_are_free());
    return told ? *told : is_free(changed_by(trees));
}

/// The same from trees, without tables; none where these do not tell: other LIDs have routes of their own, entries are
/// left as they are, or somebody has no way.
std::optional<bool> TableSearch::told_by_trees(Trees const& trees, bool of_everybody) const {
    if (request_.changes || search::planes_of(graph_) > 1) return std::nullopt;
    std::optional<search::FreeTrees>& judge = of_everybody ? free_trees_of_everybody_ : free_trees_;
    if (!judge && !of_everybody) judge.emplace(graph_, before_->tables, input_);
    if (!judge) try {
            search::SwitchGraph const all(before_->network, everybody_, request_.capacities);
            if (search::planes_of(all) > 1) return std::nullopt;
            judge.emplace(all, before_->tables, input_);
        } catch (base::InputError const&) {
            return std::nullopt;  // more than trees hold
        }
    return judge->are_free(trees);
}
std::optional<bool> TableSearch::input_told_by_trees(bool of_everybody) const {
    for (std::uint32_t d = 0; d < input_.targets().size(); ++d)
        if (input_.own_entry_differs(d, before_->tables)) return std::nullopt;  // routes to it are none
    return told_by_trees(input_, of_everybody);
}

bool TableSearch::others_are_free() const {
    if (everybody_.size() == hosts_.size()) return false;  // there are none
    if (!others_are_free_) others_are_free_ = input_told_by_trees(true);
    if (!others_are_free_) others_are_free_ = is_free_on_one_lane(*before_, everybody_, request_.threads);
    return *others_are_free_;
}

/// On so many lanes as are asked for: on one, or on those that its routing brings along.
bool TableSearch::input_is_free() const {
    if (!input_is_free_) input_is_free_ = finds_input_free();
    return *input_is_free_;
}

bool TableSearch::input_fits() const {
    return input_is_free() || (request_.lanes > 1 && layers_for(*before_, request_.lanes) != nullptr);
}

bool TableSearch::finds_input_free() const {
    std::optional<bool> const told = input_told_by_trees(false);
    if (told ? *told : is_free_on_one_lane(*before_, hosts_, request_.threads)) return true;
    if (request_.lanes == 1 || before_->find_lanes == nullptr) return false;
    try {
        std::shared_ptr<model::RoutingLanes const> const lanes = before_->find_lanes(*before_);
        return lanes->left_over.empty() && lanes_of(*lanes) <= request_.lanes;
    } catch (base::InputError const&) {
        return false;  // it has none
    }
}

std::optional<report::BestRouting> TableSearch::best_routing() {
    if (routings_.empty()) starts_of(request_.network, input_, request_.seed, routings_);  // few changes try none
    std::vector<NamedTables const*> in_order;  // those with few collisions first: whether others are free is not asked
    for (NamedTables const& one : routings_)
        if (one.name != "input") in_order.push_back(&one);
    std::ranges::stable_sort(in_order, std::less(), [](NamedTables const* one) { return one->rank; });
    std::optional<Trees> best;
    NamedTables const* chosen = nullptr;
    for (NamedTables const* const one : in_order) {
        if (best && is_far_above(one->rank, chosen->rank)) continue;
        Trees trees = input_;
        trees.take(one->tables);
        model::FindLanes lanes;
        if ((best && !is_above(trees, one->rank, *best, chosen->rank)) || !fits_on_lanes(trees, lanes)) continue;
        chosen = one;
        best = std::move(trees);
    }
    if (!best) return std::nullopt;
    report::BestRouting found;
    found.name = chosen->name;
    if (best->is_by_traffic()) {  // told are all pairs, as of the input and of what was found
        best = all_pairs();
        best->take(chosen->tables);
        found.collisions = best->per_permutation(best->collisions());
    } else {
        found.collisions = best->per_permutation(chosen->rank.objective);
    }
    found.largest_load = largest_load_of(graph_, *best);
    found.bandwidth = bandwidth_of(*best);
    return found;
}

Trees const& TableSearch::all_input() {
    if (!input_.is_by_traffic()) return input_;
    all_input_ = all_pairs();
    all_input_->take(before_->tables);
    return *all_input_;
}

Trees TableSearch::all_found() {
    if (best_ && !best_->is_by_traffic() && best_->lost() == 0) {
        Trees found = std::move(*best_);
        best_.reset();
        std::uint64_t differing = 0;
        for (std::uint32_t d = 0; d < found.targets().size(); ++d)
            differing += found.count_differing(d, after_->tables);
        if (differing == 0) return found;
    }
    Trees found = all_pairs();
    found.take(after_->tables);
    return found;
}

Trees TableSearch::all_pairs() const { return {graph_, search::targets_of_plane(graph_, 0)}; }

std::uint64_t TableSearch::lost_pairs(model::Fabric const& fabric) const {
    Trees trees = all_pairs();
    trees.take(fabric.tables);
    return trees.lost();
}

bool TableSearch::is_better(Trees const& trees, bool is_free) const {
    TreesRank now(trees), before(input_);
    if (input_.is_by_traffic()) {  // whatever counts, no pair is to be lost
        now.lost = lost_pairs(changed_by(trees));
        before.lost = lost_pairs(*before_);
    }
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d)
        if (input_.own_entry_differs(d, before_->tables)) {
            before.lost += input_.sent_to(d);
            if (trees.leaves_own_entry(d)) now.lost += trees.sent_to(d);
        }
    if (now.lost != before.lost) return now.lost < before.lost;
    if (bool const was_free = input_is_free(); is_free != was_free) return is_free;
    if (input_.is_by_traffic())
        return double(now.largest) < double(before.largest) * (1 - 1e-6);  // amounts are rounded
    return is_above(trees, now, input_, before);
}

/// Kept only where it is better, and free on its lanes.
void TableSearch::settle() {
    if (!changes_few_) search::keep_unused(*best_, *ways_, input_);
    if (!fits_on_lanes(*best_, lanes_)) outcome_ = report::ImproveOutcome::refused;
    else if (is_better(*best_, true)) outcome_ = report::ImproveOutcome::improved;
    if (outcome_ != report::ImproveOutcome::improved) best_ = input_;
}

/// The tables, with those of other LIDs where these can be better, too.
void TableSearch::finish() {
    bool const takes_best = outcome_ == report::ImproveOutcome::improved;
    model::Fabric changed = takes_best ? changed_by(*best_) : *before_;
    if (takes_best) changed.find_lanes = lanes_;
    model::ForwardingTables const base_lids = changed.tables;
    bool const spreads = !request_.changes && !input_.is_by_traffic() && outcome_ != report::ImproveOutcome::refused &&
                         spread_planes(changed.tables) > 0;
    if (spreads && changed.find_lanes == nullptr && !is_free(changed)) changed.tables = base_lids;
    else if (spreads) outcome_ = report::ImproveOutcome::improved;
    if (takes_best && lanes_) changed.find_lanes = layers_for(changed, request_.lanes);
    if (outcome_ == report::ImproveOutcome::improved) changed.candidates = nullptr;
    after_ = std::make_shared<model::Fabric>(std::move(changed));
}

/// Other LIDs of the hosts, one after the other: each where those before it have put least. @return entries that
/// changed
std::uint64_t TableSearch::spread_planes(model::ForwardingTables& tables) const {
    std::uint64_t changed = 0;
    for (std::uint32_t plane = 1; plane < search::planes_of(graph_); ++plane) {
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
