// Bounds of times: what cannot be avoided at the links of hosts, and where nodes and leaves are left.
#include "host/search/orders/load_search.hpp"
#include "host/search/orders/spectral_bound.hpp"

#include <algorithm>
#include <cmath>

namespace tailback::search {
namespace {

/// Weights of flows out of every rank (into it), ascending.
std::vector<std::vector<std::uint64_t>> weights_of_ranks(PlaceProblem const& problem, PlacedLevel const& level,
                                                         bool sends) {
    std::vector<std::vector<std::uint64_t>> of(problem.ranks);
    for (PlacedFlow const& flow : level.flows) of[sends ? flow.source : flow.destination].push_back(flow.weight);
    for (std::vector<std::uint64_t>& weights : of) std::sort(weights.begin(), weights.end());
    return of;
}

/// All but the heaviest, which may go to so many neighbours.
std::uint64_t sum_without(std::vector<std::uint64_t> const& weights, std::size_t neighbours) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + neighbours < weights.size(); ++i) sum += weights[i];
    return sum;
}

std::size_t largest_group(std::vector<std::uint32_t> const& group) {
    std::vector<std::uint32_t> size(group.empty() ? 0 : *std::max_element(group.begin(), group.end()) + 1);
    std::size_t largest = 1;
    for (std::uint32_t const one : group) largest = std::max<std::size_t>(largest, ++size[one]);
    return largest;
}

/// The links that ways to other nodes begin (end) with: of a place at most so many, the cheapest of all so cheap.
struct Ends {
    std::uint64_t links = 0, cost = UINT64_MAX;
};
Ends ends_of(PlaceProblem const& problem, bool sends) {
    Ends ends;
    std::vector<std::uint32_t> own;
    for (std::uint32_t a = 0; a < problem.places(); ++a) {
        own.clear();
        for (std::uint32_t b = 0; b < problem.places(); ++b) {
            auto const way = sends ? problem.ways.way(a, b) : problem.ways.way(b, a);
            if (way.empty()) continue;
            std::uint32_t const link = sends ? way.front() : way.back();
            ends.cost = std::min<std::uint64_t>(ends.cost, problem.cost[link]);
            if (std::find(own.begin(), own.end(), link) == own.end()) own.push_back(link);
        }
        ends.links = std::max<std::uint64_t>(ends.links, own.size());
    }
    return ends;
}

/// What all links together bear, of which every way from group to group has one: its k-th, from its begin (its end).
/// 0 where a way between groups has none.
double capacity_between(PlaceProblem const& problem, std::vector<std::uint32_t> const& group, std::size_t k,
                        bool from_begin) {
    std::vector<bool> counted(problem.cost.size());
    double sum = 0;
    for (std::uint32_t a = 0; a < problem.places(); ++a)
        for (std::uint32_t b = 0; b < problem.places(); ++b) {
            if (group[a] == group[b]) continue;
            auto const way = problem.ways.way(a, b);
            if (way.size() <= k) return 0;
            std::uint32_t const link = from_begin ? way[k] : way[way.size() - 1 - k];
            if (!counted[link]) sum += 1 / double(problem.cost[link]);
            counted[link] = true;
        }
    return sum;
}

/// Groups of places: what ranks must send from one to another, over the links between them.
class Cut {
public:
    Cut(PlaceProblem const& problem, std::vector<std::uint32_t> const& group, std::size_t link)
        : problem_(problem), group_(group), neighbours_(largest_group(group) - 1) {
        for (bool const from_begin : {true, false}) {
            double const capacity = capacity_between(problem, group, link, from_begin);
            if (capacity > 0 && (capacity_ == 0 || capacity < capacity_)) capacity_ = capacity;
        }
    }
    /// @param thorough by eigenvalues, too
    std::uint64_t least_time(PlacedLevel const& level, bool thorough) const {
        if (capacity_ == 0) return 0;
        std::uint64_t least = thorough ? least_cut(level.flows, problem_.ranks, group_) : 0;
        for (bool const sends : {true, false}) {
            std::uint64_t sum = 0;
            for (auto const& weights : weights_of_ranks(problem_, level, sends))
                sum += sum_without(weights, neighbours_);
            least = std::max(least, sum);
        }
        return static_cast<std::uint64_t>(std::ceil(std::max(0.0, double(least) / capacity_ * (1 - 1e-9) - 1e-6)));
    }

private:
    PlaceProblem const& problem_;
    std::vector<std::uint32_t> const& group_;
    std::size_t neighbours_;
    double capacity_ = 0;
};

}  // namespace

std::uint64_t least_time(PlaceProblem const& problem, BoundBy by) {
    Ends const out = ends_of(problem, true), in = ends_of(problem, false);
    if (out.links == 0) return 0;
    std::size_t const neighbours = largest_group(problem.node) - 1;
    constexpr std::size_t most_thorough = 4;  // levels
    std::vector<Cut> cuts;
    if (by == BoundBy::all_links) {
        cuts.emplace_back(problem, problem.node, 0);
        cuts.emplace_back(problem, problem.leaf, 1);
    }
    std::uint64_t time = 0;
    for (PlacedLevel const& level : problem.levels) {
        std::uint64_t most = 0;
        for (bool const sends : {true, false}) {
            Ends const& ends = sends ? out : in;  // all of it on the cheapest link; or evenly on as many as there are
            for (auto const& weights : weights_of_ranks(problem, level, sends))
                most = std::max(most, (sum_without(weights, neighbours) + ends.links - 1) / ends.links * ends.cost);
        }
        for (Cut const& cut : cuts)
            most = std::max(most, cut.least_time(level, problem.levels.size() <= most_thorough));
        time += level.times * most;
    }
    return time;
}

}  // namespace tailback::search
