#include "host/search/orders/distance_search.hpp"

#include "host/base/disjoint_sets.hpp"
#include "host/base/error.hpp"
#include "host/search/orders/annealing.hpp"
#include "host/search/orders/tabu.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace tailback::search {
namespace {

/// Flows and distances of all pairs of ranks and empty places, in rows that a swap reads from end to end.
class DenseFlows {
public:
    DenseFlows(std::vector<PlacedFlow> const& flows, Distances const& distances, Order const& place)
        : n_(place.size()), of_{Rows(n_ * n_), Rows(n_ * n_)}, far_{Rows(n_ * n_), Rows(n_ * n_)} {
        for (PlacedFlow const& flow : flows) {
            auto const weight = static_cast<std::int64_t>(flow.weight);
            of_[0][flow.source * n_ + flow.destination] = of_[1][flow.destination * n_ + flow.source] = weight;
        }
        for (std::size_t a = 0; a < n_; ++a)
            for (std::size_t b = 0; b < n_; ++b)
                far_[0][a * n_ + b] = far_[1][b * n_ + a] = distances(place[a], place[b]);
        sides_ = of_[0] == of_[1] && far_[0] == far_[1] ? 1 : 2;
    }
    static bool pays(std::size_t flows, std::size_t places) {
        return places <= most_places_of_tabu && flows > places * places / 16;
    }
    /// What the swap of ranks a and b changes.
    std::int64_t change(std::size_t a, std::size_t b) const {
        std::int64_t sum = 0;
        for (std::size_t side = 0; side < sides_; ++side) {
            std::int64_t const *const fa = of_[side].data() + a * n_, *const fb = of_[side].data() + b * n_;
            std::int64_t const *const da = far_[side].data() + a * n_, *const db = far_[side].data() + b * n_;
            for (std::size_t k = 0; k < n_; ++k) sum += (fa[k] - fb[k]) * (db[k] - da[k]);
        }
        std::int64_t const ab = of_[0][a * n_ + b], ba = of_[0][b * n_ + a], there = far_[0][a * n_ + b],
                           back = far_[0][b * n_ + a];
        return sum * (sides_ == 1 ? 2 : 1) + 2 * (ab * there + ba * back) + (ab - ba) * (back - there);
    }
    void take(std::size_t a, std::size_t b) {
        for (Rows& rows : far_) {
            std::swap_ranges(rows.begin() + std::ptrdiff_t(a * n_), rows.begin() + std::ptrdiff_t((a + 1) * n_),
                             rows.begin() + std::ptrdiff_t(b * n_));
            for (std::size_t k = 0; k < n_; ++k) std::swap(rows[k * n_ + a], rows[k * n_ + b]);
        }
    }

private:
    using Rows = std::vector<std::int64_t>;
    std::size_t n_, sides_ = 2;  ///< 1: what is sent and got is the same, and so are the distances there and back
    std::array<Rows, 2> of_;     ///< [sent, got][rank][other]
    std::array<Rows, 2> far_;    ///< [there, back][rank][other]: of their places
};

/// What flows of some ranks cost, and what swaps change.
class DistanceCost {
public:
    DistanceCost(PlaceProblem const& problem, std::vector<PlacedFlow> const& flows, Distances const& distances,
                 Order const& start)
        : problem_(problem),
          flows_(flows),
          distances_(distances),
          place_(filled(problem, start)),
          moved_(place_.size()) {
        auto const list = [&](auto end, std::vector<std::uint32_t>& first, std::vector<std::uint32_t>& of) {
            first.assign(place_.size() + 1, 0);
            for (PlacedFlow const& flow : flows) ++first[flow.*end + 1];
            for (std::size_t r = 0; r < place_.size(); ++r) first[r + 1] += first[r];
            of.resize(flows.size());
            std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
            for (std::uint32_t f = 0; f < flows.size(); ++f) of[next[flows[f].*end]++] = f;
        };
        list(&PlacedFlow::source, first_out_, out_);
        list(&PlacedFlow::destination, first_in_, in_);
        to_ = place_;
        if (problem.together == 1 && DenseFlows::pays(flows.size(), place_.size()))
            dense_.emplace(flows, distances, place_);
    }
    double swap(Swap const& swap) {
        swap_ = swap;
        auto const [a, b, together] = swap;
        if (dense_ && together == 1) return double(dense_->change(a, b));
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
        if (dense_)
            for (std::uint32_t k = 0; k < swap_.count; ++k) dense_->take(swap_.a + k, swap_.b + k);
        for (std::uint32_t k = 0; k < swap_.count; ++k) {
            std::swap(place_[swap_.a + k], place_[swap_.b + k]);
            std::swap(to_[swap_.a + k], to_[swap_.b + k]);
        }
    }
    void sharpen(double) {}
    Order const& places() const { return place_; }
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
    std::optional<DenseFlows> dense_;  ///< of few places with many flows
    std::vector<char> moved_;
    std::vector<std::uint32_t> first_out_, out_, first_in_, in_;
    Swap swap_;
};

/// Of few places: annealing, then tabu search from the best of it. Either may be better: annealing where many swaps
/// change nothing, as between places of one group.
class NearPart final : public OrderPart {
public:
    using Annealed = AnnealPart<DistanceCost>;
    struct Tabu {
        std::span<PlacedFlow const> flows;
        Distances const& distances;
        std::span<std::uint32_t const> units;
        PlaceProblem const& problem;
        std::uint64_t moves;  ///< all together
        topologies::Draws draws;
    };
    NearPart(std::unique_ptr<Annealed> annealed, Tabu tabu, SearchClock const& clock)
        : annealed_(std::move(annealed)), tabu_(tabu), clock_(clock) {}

    bool is_over() const override { return is_over_; }
    void step() override {
        if (!annealed_->is_over()) return annealed_->step();
        FoundOrder const first = annealed_->take();
        best_ = search_by_tabu(tabu_.flows, tabu_.distances, tabu_.units, filled(tabu_.problem, first.order),
                               tabu_.problem.ranks, tabu_.moves - first.moves, tabu_.draws, clock_);
        best_.moves += first.moves;
        is_over_ = !best_.stopped;
        has_best_ = true;
    }
    FoundOrder take() override { return has_best_ ? std::move(best_) : annealed_->take(); }
    void write(StateWords& words) const override {
        if (!is_over_) return annealed_->write(words);
        words = {best_.moves};
        words.insert(words.end(), best_.order.begin(), best_.order.end());
    }
    void read(WordReader& words) override {
        if (words.left() != tabu_.problem.ranks + 1) return annealed_->read(words);
        best_.moves = words.next_to(tabu_.moves);
        best_.order = words.next_distinct(tabu_.problem.ranks, tabu_.problem.places());
        best_.cost = cost_of(tabu_.flows, tabu_.distances, best_.order);
        if (!annealed_->may_be(best_.order)) throw UnfitWords("an order in it is none that swaps make");
        is_over_ = has_best_ = true;
    }

private:
    std::unique_ptr<Annealed> annealed_;
    Tabu tabu_;
    SearchClock const& clock_;
    FoundOrder best_;
    bool is_over_ = false, has_best_ = false;
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

Distances distances_by_leaving(Ways const& ways, std::uint32_t without) {
    Distances distances = distances_by_links(ways, without);
    for (std::uint32_t& one : distances.between) one = std::min(one, 1u);
    return distances;
}

Distances distances_by_group(std::vector<std::uint32_t> const& group, std::vector<std::uint32_t> const& node) {
    auto const places = static_cast<std::uint32_t>(group.size());
    Distances distances{places, std::vector<std::uint32_t>(std::size_t{places} * places)};
    for (std::uint32_t a = 0; a < places; ++a)
        for (std::uint32_t b = 0; b < places; ++b)
            distances.between[std::size_t{a} * places + b] = group[a] != group[b] && node[a] != node[b];
    return distances;
}

std::vector<std::uint32_t> groups_apart(Distances const& distances) {
    base::DisjointSets sets(distances.places);
    for (std::uint32_t a = 0; a < distances.places; ++a)
        for (std::uint32_t b = 0; b < distances.places; ++b)
            if (distances(a, b) == 0) sets.join(a, b);
    std::vector<std::uint32_t> group(distances.places);
    for (std::uint32_t a = 0; a < distances.places; ++a) group[a] = static_cast<std::uint32_t>(sets.of(a));
    return group;
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
    bool const is_small = problem.places() <= most_places_of_tabu && problem.together == 1 && problem.zone.empty();
    auto const make = [&](Order const& start) {
        return std::make_unique<DistanceCost>(problem, flows, distances, start);
    };
    return best_of_searches(
        starts.size(), options,
        [&](std::size_t k, std::size_t s, std::uint64_t moves, SearchClock const& clock) -> std::unique_ptr<OrderPart> {
            topologies::Draws const draws(options.seed, topologies::BuildStream::rank_order,
                                          static_cast<std::uint32_t>(k));
            std::uint64_t const annealed = is_small ? moves / 4 : moves;
            auto annealing =
                std::make_unique<NearPart::Annealed>(make, filled(problem, starts[s]), problem.ranks, swaps,
                                                     NearPart::Annealed::How{annealed, draws, 0.25}, clock);
            if (!is_small) return annealing;
            return std::make_unique<NearPart>(
                std::move(annealing), NearPart::Tabu{flows, distances, swaps.units(), problem, moves, draws}, clock);
        });
}

}  // namespace tailback::search
