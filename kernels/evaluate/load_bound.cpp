#include "kernels/evaluate/load_bound.hpp"

#include "kernels/evaluate/dispatch.hpp"

#include <algorithm>
#include <vector>

namespace tailback::kernels {
namespace {

class DegreeCounter {
public:
    explicit DegreeCounter(Problem const& p) : p_(p), out_(p.placement.ranks), in_(p.placement.ranks) {}
    RankDegrees of(LevelView const& level) {
        RankDegrees most;
        RankPair const* const flows = p_.traffic.flows + level.first_flow;
        for (std::uint32_t f = 0; f < level.flows; ++f) {
            most.out = std::max(most.out, ++out_[flows[f].source]);
            most.in = std::max(most.in, ++in_[flows[f].destination]);
        }
        for (std::uint32_t f = 0; f < level.flows; ++f) out_[flows[f].source] = in_[flows[f].destination] = 0;
        for (RandomPart const& part : level.random)  // permutations: each one flow more from and to a rank, at most
            if (part.ranks > 0) ++most.out, ++most.in;
        return most;
    }

private:
    Problem const& p_;
    std::vector<std::uint32_t> out_, in_;  ///< zero between levels, which may be many and small
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
        if (host_indices_of_group[group] == 0) return;
        auto const route = routes.find(group, destination);
        if (routes.fate(route) != 0) return;
        routes.each(route, [&](std::uint32_t slot) {
            if (slot >= p.routes.inner || met[slot] == number) return;
            met[slot] = number;
            counts[slot] += weight;
        });
    };
    for (std::uint32_t g = 0; g < p.routes.groups; ++g)
        for (std::uint32_t d = 0; d < p.placement.study_hosts; ++d)
            meet(g, d, g, host_indices_of_group[g], users.sources);
    std::fill(met.begin(), met.end(), ~0u);
    for (std::uint32_t d = 0; d < p.placement.study_hosts; ++d)
        for (std::uint32_t g = 0; g < p.routes.groups; ++g) meet(g, d, d, 1, users.destinations);
    return users;
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

}  // namespace

RankDegrees most_flows_of_a_rank(Problem const& p) {
    RankDegrees most;
    DegreeCounter counter(p);
    for (std::uint32_t l = 0; l < p.traffic.level_count; ++l) {
        RankDegrees const level = counter.of(p.traffic.levels[l]);
        most = {std::max(most.out, level.out), std::max(most.in, level.in)};
    }
    return most;
}

std::uint32_t load_bound(Problem const& p) {
    std::uint32_t const all = p.traffic.max_kept;
    if (all <= 0xFF || p.placement.source == MappingSource::listed || p.placement.ranks > p.placement.study_hosts)
        return all;
    bool const by_rows = p.routes.form == RouteForm::rows16 || p.routes.form == RouteForm::rows32;
    if (!by_rows && p.routes.form != RouteForm::tree) return all;
    Users users;
    if (by_rows)
        with_routes(p, [&]<class Routes>(Routes const& routes) {
            if constexpr (Routes::pads && Routes::stored) users = users_of(p, routes);
        });
    DegreeCounter counter(p);
    RankDegrees known;        // of the level before: most levels are alike
    std::uint64_t inner = 0;  // and what it came to
    std::uint32_t bound = 0;
    for (std::uint32_t l = 0; l < p.traffic.level_count; ++l) {
        LevelView const& level = p.traffic.levels[l];
        RankDegrees const degrees = counter.of(level);
        std::uint64_t most = p.measures.count_host_links ? std::max(degrees.out, degrees.in) : 0;
        if (by_rows) {
            if (degrees.out != known.out || degrees.in != known.in) {
                inner = 0;
                known = degrees;
                for (std::uint32_t slot = 0; slot < p.routes.inner; ++slot)
                    inner = std::max(inner, std::min(std::uint64_t{users.sources[slot]} * degrees.out,
                                                     std::uint64_t{users.destinations[slot]} * degrees.in));
            }
            most = std::max(most, inner);
        } else {
            // Which of the two ends is the few is not told apart here: the larger degree holds for both.
            most = std::max(most, std::uint64_t{users_of_tree(p)} * std::max(degrees.out, degrees.in));
        }
        bound = std::max(bound, static_cast<std::uint32_t>(std::min<std::uint64_t>(most, level.routes_to_keep)));
    }
    return bound;
}

}  // namespace tailback::kernels
