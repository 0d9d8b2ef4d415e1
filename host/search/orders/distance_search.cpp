#include "host/search/orders/distance_search.hpp"

#include "host/base/disjoint_sets.hpp"
#include "host/base/error.hpp"
#include "host/search/orders/annealing.hpp"
#include "host/search/orders/tabu.hpp"

#include <algorithm>
#include <optional>

namespace tailback::search {
namespace {

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

/// Of few places: annealing, and tabu search from the best of it, again and again, each time with twice the moves.
/// Either may be better: annealing where many swaps change nothing, as between places of one group. More moves go on
/// where fewer end: so they never find what is worse.
class NearPart final : public OrderPart {
public:
    using Annealed = AnnealPart<DistanceCost>;
    struct How {
        PlaceProblem const& problem;
        std::span<PlacedFlow const> flows;
        Distances const& distances;
        Annealed::Make make;
        std::uint64_t moves, seed;  ///< moves: all together
        std::uint32_t number;
    };
    NearPart(How how, Order const& start, SearchClock const& clock)
        : how_(std::move(how)),
          clock_(clock),
          best_{start, cost_of(how_.flows, how_.distances, start), 0, false},
          units_(Swaps(how_.problem, filled(how_.problem, start)).movable()),
          is_over_(units_.empty() || best_.cost <= clock.enough) {
        begin_stage();
    }

    bool is_over() const override { return is_over_; }
    void step() override {
        has_begun_ = true;
        if (!annealed_->is_over()) return annealed_->step();
        FoundOrder const first = annealed_->take();
        std::uint64_t const most = std::min(moves_of_stage() - annealed(), left() - first.moves);
        FoundOrder found = search_by_tabu(how_.flows, how_.distances, units_, filled(how_.problem, first.order),
                                          how_.problem.ranks, most, draws(), clock_);
        found.moves += best_.moves + first.moves;
        if (best_.cost <= found.cost) found.order = best_.order, found.cost = best_.cost;
        (found.stopped ? cut_ : best_) = found;
        if (found.stopped) return;
        ++stage_;
        begin_stage();
    }
    FoundOrder take() override {
        if (cut_.stopped) return cut_;
        FoundOrder now = annealed_->take();
        now.moves += best_.moves;
        if (best_.cost <= now.cost) now.order = best_.order, now.cost = best_.cost;
        return now;
    }
    void write(StateWords& words) const override {
        if (!has_begun_) return;
        StateWords of_annealing;
        annealed_->write(of_annealing);
        words = {is_over_, stage_, best_.moves};
        words.insert(words.end(), best_.order.begin(), best_.order.end());
        words.insert(words.end(), of_annealing.begin(), of_annealing.end());
    }
    void read(WordReader& words) override {
        if (words.is_empty()) return;
        has_begun_ = true;
        bool const is_over = words.next_to(1) != 0;
        stage_ = words.next_to(most_stages);
        best_.moves = words.next_to(how_.moves);
        best_.order = next_order(words, how_.problem, best_.order);
        best_.cost = cost_of(how_.flows, how_.distances, best_.order);
        begin_stage();
        is_over_ = is_over;
        annealed_->read(words);
    }

private:
    static constexpr std::uint64_t first_moves = 1 << 10, most_stages = 40;
    std::uint64_t moves_of_stage() const { return first_moves << stage_; }
    std::uint64_t annealed() const { return moves_of_stage() / 4; }
    std::uint64_t left() const { return how_.moves - best_.moves; }
    topologies::Draws draws() const {
        return {how_.seed, topologies::BuildStream::rank_order,
                how_.number + static_cast<std::uint32_t>(stage_) * 0x100'0000};
    }
    /// Where there are moves for its annealing.
    void begin_stage() {
        is_over_ = is_over_ || left() < annealed() || best_.cost <= clock_.enough;
        annealed_ = std::make_unique<Annealed>(how_.problem, how_.make, best_.order,
                                               Annealed::How{annealed(), draws(), 0.25}, clock_);
    }

    How how_;
    SearchClock const& clock_;
    FoundOrder best_, cut_;  ///< of the stages before; where somebody wished it to end in a tabu search
    std::vector<std::uint32_t> units_;
    std::uint64_t stage_ = 0;
    std::unique_ptr<Annealed> annealed_;  ///< of this stage
    bool is_over_ = false, has_begun_ = false;
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

GroupsApart groups_apart(Distances const& distances) {
    base::DisjointSets sets(distances.places);
    for (std::uint32_t a = 0; a < distances.places; ++a)
        for (std::uint32_t b = 0; b < distances.places; ++b)
            if (distances(a, b) == 0) sets.join(a, b);
    GroupsApart groups;
    for (std::uint32_t a = 0; a < distances.places; ++a)
        groups.of_place.push_back(static_cast<std::uint32_t>(sets.of(a)));
    for (std::uint32_t a = 0; a < distances.places; ++a)
        for (std::uint32_t b = 0; b < distances.places; ++b)
            if (std::uint32_t const d = distances(a, b);
                groups.of_place[a] != groups.of_place[b] && (groups.between == 0 || d < groups.between))
                groups.between = d;
    return groups;
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
    bool const is_small = problem.places() <= most_places_of_tabu && problem.together == 1 && problem.zone.empty();
    NearPart::Annealed::Make const make = [&](Order const& start) {
        return std::make_unique<DistanceCost>(problem, flows, distances, start);
    };
    return best_of_searches(starts.size(), options,
                            [&](std::uint32_t k, std::size_t s, std::uint64_t moves,
                                SearchClock const& clock) -> std::unique_ptr<OrderPart> {
                                if (is_small)
                                    return std::make_unique<NearPart>(
                                        NearPart::How{problem, flows, distances, make, moves, options.seed, k},
                                        starts[s], clock);
                                NearPart::Annealed::How const how{moves, draws_of(options, k), 0.25};
                                return std::make_unique<NearPart::Annealed>(problem, make, starts[s], how, clock);
                            });
}

}  // namespace tailback::search
