#include "host/search/orders/find_order.hpp"

#include "host/base/memory.hpp"
#include "host/search/orders/bisection.hpp"
#include "host/search/orders/distance_search.hpp"
#include "host/search/orders/load_search.hpp"
#include "host/search/orders/spectral_bound.hpp"

#include <algorithm>
#include <optional>

namespace tailback::search {
namespace {

constexpr std::uint32_t links_of_hosts = 2;  // of a way: its first and its last

}  // namespace

char const* name_of(OrderGoal goal) {
    switch (goal) {
        case OrderGoal::time: return "time";
        case OrderGoal::load: return "load";
        case OrderGoal::hop_bytes: return "hop-bytes";
        case OrderGoal::leaf_bytes: return "leaf-bytes";
        case OrderGoal::node_bytes: return "node-bytes";
    }
    return "";
}

struct OrderJudge::Parts {
    PlaceProblem const& problem;
    std::optional<PlaceProblem> united;  ///< all levels in one, for the largest load
    std::vector<PlacedFlow> flows;       ///< of all levels, for distances
    std::optional<Distances> distances;
    std::vector<std::uint32_t> group;  ///< by place, where distances are those of groups
    bool is_timed = false;

    PlaceProblem const& timed() const { return united ? *united : problem; }
};

OrderJudge::OrderJudge(PlaceProblem const& problem, OrderGoal goal)
    : parts_(new Parts{problem, {}, {}, {}, {}, false}) {
    parts_->is_timed = goal == OrderGoal::time || goal == OrderGoal::load;
    if (goal == OrderGoal::load && problem.levels.size() > 1) {
        parts_->united = problem;
        parts_->united->levels = {all_in_one(problem.levels)};
    }
    if (parts_->is_timed) return;
    base::require_memory("distances between places", std::uint64_t{4} * problem.places() * problem.places(),
                         "give fewer nodes");
    parts_->flows = all_in_one(problem.levels).flows;
    if (goal == OrderGoal::leaf_bytes) parts_->group = problem.leaf;
    if (goal == OrderGoal::node_bytes) parts_->group = problem.node;
    parts_->distances = goal == OrderGoal::hop_bytes    ? distances_by_links(problem.ways, links_of_hosts)
                        : goal == OrderGoal::leaf_bytes ? distances_by_group(problem.leaf)
                                                        : distances_by_group(problem.node);
}

OrderJudge::~OrderJudge() = default;

std::uint64_t OrderJudge::operator()(Order const& order) const {
    return parts_->is_timed ? time_of(parts_->timed(), order) : cost_of(parts_->flows, *parts_->distances, order);
}

std::uint64_t OrderJudge::bound() const {
    if (parts_->is_timed) return least_time(parts_->timed());
    std::uint64_t const least = least_distance_cost(parts_->problem, *parts_->distances);
    if (parts_->group.empty()) return least;
    return std::max(least, least_cut(parts_->flows, parts_->problem.ranks, parts_->group));
}

FoundOrder OrderJudge::search(std::vector<Order> starts, OrderSearchOptions const& options) const {
    if (!parts_->is_timed) return search_near(parts_->problem, *parts_->distances, starts, options);
    OrderSearchOptions near = options, timed = options;
    near.moves = options.moves / 5;
    near.enough = 0;
    std::size_t best = 0;
    for (std::size_t k = 1; k < starts.size(); ++k)
        if ((*this)(starts[k]) < (*this)(starts[best])) best = k;
    if (std::uint64_t const cost = (*this)(starts[best]); cost <= options.enough) return {starts[best], cost, 0, false};
    FoundOrder const first =
        search_near(parts_->problem, distances_by_links(parts_->problem.ways, links_of_hosts), starts, near);
    timed.moves = options.moves - std::min(options.moves, first.moves);
    if (options.progress) timed.progress = [&](std::uint64_t done) { options.progress(first.moves + done); };
    starts.push_back(first.order);
    FoundOrder found = search_times(parts_->timed(), starts, timed);
    found.moves += first.moves;
    found.stopped = found.stopped || first.stopped;
    return found;
}

}  // namespace tailback::search
