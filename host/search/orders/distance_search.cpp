#include "host/search/orders/distance_search.hpp"

#include "host/base/error.hpp"
#include "host/search/orders/annealing.hpp"
#include "host/search/orders/tabu.hpp"

#include <algorithm>

namespace tailback::search {
namespace {

/// What flows of some ranks cost, and what swaps change.
class DistanceCost {
public:
    DistanceCost(PlaceProblem const& problem, std::vector<PlacedFlow> const& flows, Distances const& distances,
                 Order const& start)
        : problem_(problem), flows_(flows), distances_(distances), place_(start), moved_(start.size()) {
        auto const list = [&](auto end, std::vector<std::uint32_t>& first, std::vector<std::uint32_t>& of) {
            first.assign(start.size() + 1, 0);
            for (PlacedFlow const& flow : flows) ++first[flow.*end + 1];
            for (std::size_t r = 0; r < start.size(); ++r) first[r + 1] += first[r];
            of.resize(flows.size());
            std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
            for (std::uint32_t f = 0; f < flows.size(); ++f) of[next[flows[f].*end]++] = f;
        };
        list(&PlacedFlow::source, first_out_, out_);
        list(&PlacedFlow::destination, first_in_, in_);
        to_ = place_;
    }
    double swap(std::uint32_t a, std::uint32_t b) {
        a_ = a, b_ = b;
        std::uint32_t const together = problem_.together;
        for (std::uint32_t k = 0; k < together; ++k) {
            to_[a + k] = place_[b + k], to_[b + k] = place_[a + k];
            moved_[a + k] = moved_[b + k] = true;
        }
        std::int64_t delta = 0;
        for (std::uint32_t k = 0; k < together; ++k) delta += change(a + k) + change(b + k);
        for (std::uint32_t k = 0; k < together; ++k) {
            to_[a + k] = place_[a + k], to_[b + k] = place_[b + k];
            moved_[a + k] = moved_[b + k] = false;
        }
        return double(delta);
    }
    void take() {
        for (std::uint32_t k = 0; k < problem_.together; ++k) {
            std::swap(place_[a_ + k], place_[b_ + k]);
            std::swap(to_[a_ + k], to_[b_ + k]);
        }
    }
    void sharpen(double) {}
    Order order() const { return {place_.begin(), place_.begin() + problem_.ranks}; }
    std::uint64_t exact() const { return cost_of(flows_, distances_, place_); }

private:
    std::int64_t change_of(PlacedFlow const& flow) const {
        return static_cast<std::int64_t>(flow.weight) *
               (std::int64_t{distances_(to_[flow.source], to_[flow.destination])} -
                std::int64_t{distances_(place_[flow.source], place_[flow.destination])});
    }
    std::int64_t change(std::uint32_t rank) const {
        std::int64_t delta = 0;
        for (std::uint32_t i = first_out_[rank]; i < first_out_[rank + 1]; ++i) delta += change_of(flows_[out_[i]]);
        for (std::uint32_t i = first_in_[rank]; i < first_in_[rank + 1]; ++i)
            if (!moved_[flows_[in_[i]].source]) delta += change_of(flows_[in_[i]]);
        return delta;
    }

    PlaceProblem const& problem_;
    std::vector<PlacedFlow> const& flows_;
    Distances const& distances_;
    Order place_, to_;
    std::vector<char> moved_;
    std::vector<std::uint32_t> first_out_, out_, first_in_, in_;
    std::uint32_t a_ = 0, b_ = 0;
};

void require_range(std::span<PlacedFlow const> flows, Distances const& distances) {
    std::uint32_t farthest = 0;
    for (std::uint32_t const one : distances.between) farthest = std::max(farthest, one);
    double sum = 0;
    for (PlacedFlow const& flow : flows) sum += double(flow.weight) * farthest;
    if (sum > 0x1p62)
        throw base::InputError({}, "the flows are too heavy to add up", "bytes x links could pass 2^62",
                               "give the traffic in larger units");
}

}  // namespace

Distances distances_by_links(Ways const& ways, std::uint32_t without) {
    Distances distances{ways.places(), std::vector<std::uint32_t>(std::size_t{ways.places()} * ways.places())};
    for (std::uint32_t a = 0; a < ways.places(); ++a)
        for (std::uint32_t b = 0; b < ways.places(); ++b)
            distances.between[std::size_t{a} * ways.places() + b] =
                std::max(without, static_cast<std::uint32_t>(ways.way(a, b).size())) - without;
    return distances;
}

Distances distances_by_group(std::vector<std::uint32_t> const& group) {
    auto const places = static_cast<std::uint32_t>(group.size());
    Distances distances{places, std::vector<std::uint32_t>(std::size_t{places} * places)};
    for (std::uint32_t a = 0; a < places; ++a)
        for (std::uint32_t b = 0; b < places; ++b)
            distances.between[std::size_t{a} * places + b] = group[a] != group[b];
    return distances;
}

std::uint64_t cost_of(std::span<PlacedFlow const> flows, Distances const& distances, Order const& order) {
    std::uint64_t sum = 0;
    for (PlacedFlow const& flow : flows) sum += flow.weight * distances(order[flow.source], order[flow.destination]);
    return sum;
}

FoundOrder search_near(PlaceProblem const& problem, Distances const& distances, std::span<Order const> starts,
                       OrderSearchOptions const& options) {
    std::vector<PlacedFlow> const flows = all_in_one(problem.levels).flows;
    require_range(flows, distances);
    Swaps const swaps(problem);
    bool const is_small = problem.places() <= most_places_of_tabu && problem.together == 1;
    return best_of_searches(starts.size(), options, [&](std::size_t k, std::uint64_t moves, SearchClock const& clock) {
        Order const start = filled(starts[k], problem.places());
        topologies::Draws draws(options.seed, topologies::BuildStream::rank_order, static_cast<std::uint32_t>(k));
        DistanceCost cost(problem, flows, distances, start);
        if (!is_small) return anneal(cost, swaps, moves, draws, 0.25, clock);
        // Either may be better: annealing where many swaps change nothing, as between places of one group.
        FoundOrder const annealed = anneal(cost, swaps, moves / 4, draws, 0.25, clock);
        FoundOrder found = search_by_tabu(flows, distances, swaps.units(), filled(annealed.order, problem.places()),
                                          problem.ranks, moves - annealed.moves, draws, clock);
        found.moves += annealed.moves;
        return found;
    });
}

}  // namespace tailback::search
