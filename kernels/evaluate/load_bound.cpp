#include "kernels/evaluate/load_bound.hpp"

#include "kernels/evaluate/dispatch.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tailback::kernels {
namespace {

/// Flows, or their weights.
class Amounts {
public:
    Amounts(Problem const& p, std::uint64_t const* weights)
        : p_(p), weights_(weights), out_(p.placement.ranks), in_(p.placement.ranks) {}
    std::uint64_t of_level(LevelView const& level) const {
        if (weights_ == nullptr) return level.routes_to_keep;
        return std::accumulate(weights_ + level.first_flow, weights_ + level.first_flow + level.flows,
                               std::uint64_t{level.routes_to_keep - level.flows});
    }
    RankDegrees of_ranks(LevelView const& level) {
        RankDegrees most;
        RankPair const* const flows = p_.traffic.flows + level.first_flow;
        for (std::uint32_t f = 0; f < level.flows; ++f) {
            std::uint64_t const amount = weights_ == nullptr ? 1 : weights_[level.first_flow + f];
            most.out = std::max(most.out, out_[flows[f].source] += amount);
            most.in = std::max(most.in, in_[flows[f].destination] += amount);
        }
        for (std::uint32_t f = 0; f < level.flows; ++f) out_[flows[f].source] = in_[flows[f].destination] = 0;
        for (RandomPart const& part : level.random)  // permutations: each one flow more from and to a rank, at most
            if (part.ranks > 0) ++most.out, ++most.in;
        return most;
    }

private:
    Problem const& p_;
    std::uint64_t const* weights_;         ///< null: flows
    std::vector<std::uint64_t> out_, in_;  ///< zero between levels, which may be many and small
};

/// By slot: seats that send over it, and seats that are sent to.
struct Users {
    std::vector<std::uint32_t> sources, destinations;
};

template <class Routes>
Users users_of(Problem const& p, Routes const& routes) {
    Users users{std::vector<std::uint32_t>(p.routes.inner), std::vector<std::uint32_t>(p.routes.inner)};
    std::vector<std::uint32_t> host_indices_of_group(p.routes.groups), met(p.routes.inner, ~0u);
    for (std::uint32_t host_index = 0; host_index < p.placement.study_hosts; ++host_index)
        ++host_indices_of_group[p.routes.group[host_index]];
    auto meet = [&](std::uint32_t group, std::uint32_t destination, std::uint32_t number, std::uint32_t weight,
                    std::vector<std::uint32_t>& counts) {
        if (host_indices_of_group[group - group % p.routes.lids.most] == 0) return;
        auto const route = routes.find(group, destination);
        if (routes.fate(route) != 0) return;
        routes.each(route, [&](std::uint32_t slot) {
            if (slot >= p.routes.inner || met[slot] == number) return;
            met[slot] = number;
            counts[slot] += weight;
        });
    };
    auto const first_of = [&](std::uint32_t group) { return group - group % p.routes.lids.most; };
    for (std::uint32_t g = 0; g < p.routes.groups; ++g)
        for (std::uint32_t d = 0; d < p.placement.study_hosts; ++d)
            meet(g, d, first_of(g), host_indices_of_group[first_of(g)], users.sources);
    std::fill(met.begin(), met.end(), ~0u);
    for (std::uint32_t d = 0; d < p.placement.study_hosts; ++d)
        for (std::uint32_t g = 0; g < p.routes.groups; ++g) meet(g, d, d, 1, users.destinations);
    return users;
}

/// The most times that a route has one link: flows may be in parts, whose links lie in their rows one after the other.
std::uint32_t most_uses_of_a_route(Problem const& p) {
    bool const in_rows = p.routes.form == RouteForm::rows16 || p.routes.form == RouteForm::rows32;
    if (!in_rows || (p.traffic.weights == nullptr && p.measures.max_congestion <= p.traffic.max_kept)) return 1;
    std::vector<std::uint32_t> uses(p.routes.inner);
    std::uint32_t most = 1;
    with_routes(p, [&]<class Routes>(Routes const& routes) {
        auto const each_link = [&](std::uint32_t group, std::uint32_t destination, auto&& visit) {
            routes.each(routes.find(group, destination), [&](std::uint32_t slot) {
                if (slot < p.routes.inner) visit(uses[slot]);
            });
        };
        for (std::uint32_t g = 0; g < p.routes.groups; ++g)
            for (std::uint32_t d = 0; d < p.placement.study_hosts; ++d) {
                each_link(g, d, [&](std::uint32_t& of_link) { most = std::max(most, ++of_link); });
                each_link(g, d, [](std::uint32_t& of_link) { of_link = 0; });
            }
    });
    return most;
}

/// Trees without tables: most seats that send over a link up, or are sent to over one down, by who chooses the way
/// (TreeFormula).
std::uint32_t users_of_tree(Problem const& p) {
    TreeView const& tree = p.routes.formula.tree;
    std::uint32_t most = 0;
    std::uint64_t below = 1;
    for (std::uint32_t level = 1; level < tree.height; ++level) {
        below *= tree.children[level - 1].by;  // hosts of the subtree that the link leaves
        std::uint64_t const ways = std::uint64_t{tree.twins[level].by} * tree.parents[level].by;
        std::uint64_t const chosen = (p.routes.groups + ways - 1) / ways;  // hosts, of which seats may be any
        bool const either = tree.up_by_source + tree.up_by_destination == 1;
        most = std::max(most, static_cast<std::uint32_t>(std::min<std::uint64_t>(
                                  either ? std::min(below, chosen) : below, p.placement.study_hosts)));
    }
    return most;
}

/// a x b, or `most` where that is less.
std::uint64_t product_up_to(std::uint64_t most, std::uint64_t a, std::uint64_t b) {
    return b != 0 && a > most / b ? most : a * b;
}

/// What of a level a link can carry, by the degrees of ranks alone.
class LinkBound {
public:
    explicit LinkBound(Problem const& p)
        : p_(p), by_rows_(p.routes.form == RouteForm::rows16 || p.routes.form == RouteForm::rows32) {
        if (by_rows_)
            with_routes(p, [&]<class Routes>(Routes const& routes) {
                if constexpr (Routes::pads && Routes::stored) users_ = users_of(p, routes);
            });
        else if (p.routes.form == RouteForm::tree) of_tree_ = users_of_tree(p);
    }
    /// Whether it is known who uses a link.
    static bool exists(Problem const& p) {
        return p.placement.source != MappingSource::listed && p.placement.ranks <= p.placement.study_hosts &&
               (p.routes.form == RouteForm::rows16 || p.routes.form == RouteForm::rows32 ||
                p.routes.form == RouteForm::tree);
    }
    /// No more than `all`.
    std::uint64_t of(RankDegrees const& degrees, std::uint64_t all) const {
        std::uint64_t most = p_.measures.count_host_links ? std::max(degrees.out, degrees.in) : 0;
        // Of a tree, which of the two ends is the few is not told apart here: the larger degree holds for both.
        if (!by_rows_) most = std::max(most, product_up_to(all, of_tree_, std::max(degrees.out, degrees.in)));
        for (std::size_t slot = 0; slot < users_.sources.size(); ++slot)
            most = std::max(most, std::min(product_up_to(all, users_.sources[slot], degrees.out),
                                           product_up_to(all, users_.destinations[slot], degrees.in)));
        return std::min(most, all);
    }

private:
    Problem const& p_;
    bool by_rows_;
    Users users_;
    std::uint32_t of_tree_ = 0;
};

/// Of all levels.
std::uint64_t largest_bound(Problem const& p, Amounts& amounts) {
    LinkBound const links(p);
    RankDegrees known;  // of the level before: most levels are alike
    std::uint64_t inner = 0, bound = 0;
    for (std::uint32_t l = 0; l < p.traffic.level_count; ++l) {
        LevelView const& level = p.traffic.levels[l];
        RankDegrees const degrees = amounts.of_ranks(level);
        std::uint64_t const all = amounts.of_level(level);
        if (degrees.out != known.out || degrees.in != known.in)
            inner = links.of(degrees, ~std::uint64_t{0}), known = degrees;
        bound = std::max(bound, std::min(inner, all));
    }
    return bound;
}

}  // namespace

RankDegrees most_flows_of_a_rank(Problem const& p) {
    RankDegrees most;
    Amounts flows(p, nullptr);
    for (std::uint32_t l = 0; l < p.traffic.level_count; ++l) {
        RankDegrees const level = flows.of_ranks(p.traffic.levels[l]);
        most = {std::max(most.out, level.out), std::max(most.in, level.in)};
    }
    return most;
}

std::uint32_t load_bound(Problem const& p) {
    std::uint64_t const uses = most_uses_of_a_route(p);
    std::uint64_t bound = p.traffic.max_kept;
    Amounts flows(p, nullptr);
    if (bound * uses > 0xFF && LinkBound::exists(p)) bound = largest_bound(p, flows);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(bound * uses, ~0u));
}

std::optional<NarrowWeights> narrow_weights(Problem const& p) {
    std::uint64_t const *const first = p.traffic.weights, *const last = first + p.traffic.flow_count;
    Amounts weights(p, first);
    std::uint64_t const uses = most_uses_of_a_route(p);
    std::uint64_t bound = 0;
    for (std::uint32_t l = 0; l < p.traffic.level_count; ++l)
        bound = std::max(bound, weights.of_level(p.traffic.levels[l]));
    if (bound > 0xFF / uses && LinkBound::exists(p)) bound = largest_bound(p, weights);
    if (bound > ~0u / uses || std::any_of(first, last, [](std::uint64_t weight) { return weight > ~0u; })) return {};
    NarrowWeights narrow{{}, static_cast<std::uint32_t>(bound * uses)};
    narrow.weight.reserve(p.traffic.flow_count);
    for (std::uint64_t const* weight = first; weight != last; ++weight)
        narrow.weight.push_back(static_cast<std::uint32_t>(*weight));
    return narrow;
}

std::vector<ListedFlow> listed_flows(Problem const& p, NarrowWeights const& narrow) {
    TrafficView const& t = p.traffic;
    bool const draws = t.drawn_ranks[0] > 0 || t.drawn_ranks[1] > 0;
    if (draws || std::any_of(t.min_loads, t.min_loads + t.flow_count, [](std::uint64_t load) { return load > ~0u; }))
        return {};
    std::vector<ListedFlow> listed(t.flow_count);
    for (std::uint64_t f = 0; f < t.flow_count; ++f)
        listed[f] = {t.flows[f].source, t.flows[f].destination, narrow.weight[f],
                     static_cast<std::uint32_t>(t.min_loads[f])};
    return listed;
}

bool narrow_delays(Problem const& p, std::uint32_t bound) {
    if (!passes_delays(p)) return true;
    TrafficView const& t = p.traffic;
    std::uint64_t const cost =
        p.routes.cost == nullptr ? 1 : *std::max_element(p.routes.cost, p.routes.cost + p.routes.slots);
    std::uint64_t largest = bound * cost;
    auto const raise = [&](auto const* least) {  // congestions of flows that meet nobody
        if (least != nullptr && t.flow_count > 0)
            largest = std::max<std::uint64_t>(largest, *std::max_element(least, least + t.flow_count));
    };
    if (t.weights != nullptr) raise(t.min_loads);
    else raise(t.min_congestions);
    return largest <= ~0u / std::max(1u, t.level_count);
}

}  // namespace tailback::kernels
