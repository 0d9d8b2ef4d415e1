#include "host/search/orders/load_search.hpp"

#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/search/orders/annealing.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tailback::search {
namespace {

/// Exponents of the norm, first and last: where other loads are on the links, many links are about as busy whatever the
/// order is, and hide the busiest one from a blunt norm.
struct Norms {
    unsigned first, last;
    double last_from;  ///< share of the moves
};
constexpr Norms of_quiet_links{6, 16, 0.6}, of_busy_links{24, 48, 0.5};

template <unsigned exponent>
double power(double x) {
    if constexpr (exponent == 1) return x;
    else if constexpr (exponent % 2 == 0) return power<exponent / 2>(x * x);
    else return x * power<exponent / 2>(x * x);
}

double to_power(double x, unsigned exponent) {
    switch (exponent) {
        case of_quiet_links.first: return power<of_quiet_links.first>(x);
        case of_quiet_links.last: return power<of_quiet_links.last>(x);
        case of_busy_links.first: return power<of_busy_links.first>(x);
        default: return power<of_busy_links.last>(x);
    }
}

/// What `to_power` makes x >= 0 of, by Newton's method: the same on every machine. @param near where it begins; 0: far
double root(double x, unsigned exponent, double near) {
    if (x <= 0) return 0;
    double const n = exponent;
    double y = near;
    if (y <= 0) {  // a power of two that is not less
        int two = 0;
        std::frexp(x, &two);
        y = std::ldexp(1.0, static_cast<int>(std::ceil(two / n)));
    }
    for (int i = 0; i < 200; ++i) {
        double const next = y * (n - 1 + x / to_power(y, exponent)) / n;
        bool const is_there = std::abs(next - y) <= 1e-13 * y;
        y = next;
        if (is_there) break;
    }
    return y;
}

/// Loads of links of every level, and what swaps make of them.
class LoadCost {
public:
    LoadCost(PlaceProblem const& problem, Order const& start)
        : problem_(problem),
          links_(problem.cost.size()),
          is_beside_(!problem.background.empty()),
          place_(filled(problem, start)),
          packed_(problem.ways.packed()) {
        to_ = place_;
        moved_.assign(place_.size(), false);
        first_.assign(place_.size() + 1, 0);
        for (PlacedLevel const& level : problem.levels)
            for (PlacedFlow const& flow : level.flows) ++first_[flow.source + 1], ++first_[flow.destination + 1];
        for (std::size_t r = 0; r < place_.size(); ++r) first_[r + 1] += first_[r];
        of_.resize(first_.back());
        std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
        for (std::uint32_t l = 0; l < problem.levels.size(); ++l)
            for (PlacedFlow const& flow : problem.levels[l].flows) {
                of_[next[flow.source]++] = {flow.destination, l, flow.weight, true};
                of_[next[flow.destination]++] = {flow.source, l, flow.weight, false};
            }
        at_.assign(problem.levels.size() * links_, {});
        change_.assign(at_.size(), 0);
        for (std::size_t at = 0; at < at_.size(); ++at) {
            at_[at].cost = problem.cost[at % links_];
            if (is_beside_) at_[at].quiet = static_cast<std::int64_t>(problem.background[at % links_] * at_[at].cost);
        }
        sums_.resize(problem.levels.size());
        roots_.resize(problem.levels.size());
        scales_.resize(problem.levels.size());
        if (problem.levels.size() == 1 && packed_ != nullptr) {
            less_.resize(std::max<std::size_t>(links_, packed_->none + 1));
            if (is_beside_) more_.resize(less_.size());
        }
        add_up();
    }

    double swap(Swap const& swap, double most) {
        swap_ = swap;
        auto const [a, b, together] = swap;
        for (std::uint32_t k = 0; k < together; ++k) {
            to_[a + k] = place_[b + k], to_[b + k] = place_[a + k];
            moved_[a + k] = moved_[b + k] = true;
        }
        moves_.clear();
        for (std::uint32_t k = 0; k < together; ++k) reroute(a + k), reroute(b + k);
        for (std::uint32_t k = 0; k < together; ++k) {
            to_[a + k] = place_[a + k], to_[b + k] = place_[b + k];
            moved_[a + k] = moved_[b + k] = false;
        }
        if (is_above(most)) return std::numeric_limits<double>::infinity();
        touched_levels_.clear();
        changed_.clear();
        move_flows();
        double delta = 0;
        for (std::uint32_t const level : touched_levels_) {
            new_sums_[level] = std::max(changed_sum(level), 0.0);
            if (new_sums_[level] == sums_[level]) continue;
            delta += double(problem_.levels[level].times) / scales_[level] *
                     (root(new_sums_[level], exponent_, roots_[level]) - roots_[level]);
        }
        return delta;
    }
    void take() {
        for (Changed const& link : changed_) {
            at_[link.at].load = link.load;
            at_[link.at].share = link.share;
            find_slope(link.at);
        }
        for (std::uint32_t const level : touched_levels_) {
            sums_[level] = new_sums_[level];
            roots_[level] = root(sums_[level], exponent_, roots_[level]);
        }
        for (std::uint32_t k = 0; k < swap_.count; ++k) {
            std::swap(place_[swap_.a + k], place_[swap_.b + k]);
            std::swap(to_[swap_.a + k], to_[swap_.b + k]);
        }
    }
    void sharpen(double done) {
        Norms const& norms = is_beside_ ? of_busy_links : of_quiet_links;
        exponent_ = done < norms.last_from ? norms.first : norms.last;
        sum_up();
    }
    Order const& places() const { return place_; }
    std::uint64_t exact() const {
        std::uint64_t time = 0;
        for (std::size_t level = 0; level < problem_.levels.size(); ++level) {
            std::int64_t most = 0;
            for (std::size_t at = level * links_; at < (level + 1) * links_; ++at) most = std::max(most, at_[at].all());
            time += problem_.levels[level].times * static_cast<std::uint64_t>(most);
        }
        return time;
    }

private:
    struct End {
        std::uint32_t other, level;
        std::uint64_t weight;
        bool sends;
    };
    /// A flow that goes another way: ways by their numbers.
    struct Move {
        std::size_t was, is;
        std::int64_t weight;
        std::uint32_t level;
    };
    /// A link in a level: what is on it x cost, what is there besides, and its part of the sum.
    struct LinkLoad {
        std::int64_t load = 0, quiet = 0;
        double share = 0;
        std::uint32_t cost = 0;
        /// Where flows use it, with what is there besides.
        std::int64_t all() const { return load > 0 ? load + quiet : 0; }
        double share_of(std::int64_t other_load, double scale, unsigned exponent) const {
            return other_load > 0 ? to_power(double(other_load + quiet) * scale, exponent) : 0;
        }
    };
    /// By the swap looked at.
    struct Changed {
        std::uint32_t at;
        std::int64_t load;
        double share;
    };
    /// Of the shares of a level's links after the swap, whose changes by links are forgotten then.
    double changed_sum(std::uint32_t level) {
        double sum = sums_[level];
        for (std::uint32_t k = 0; k < touches_[level]; ++k) {
            std::uint32_t const at = touched_[level][k];
            std::int64_t const change = std::exchange(change_[at], 0);
            if (change == 0) continue;
            LinkLoad const& link = at_[at];
            std::int64_t const load = link.load + change * link.cost;
            double const share = link.share_of(load, scales_[level], exponent_);
            sum += share - link.share;
            changed_.push_back({at, load, share});
        }
        touches_[level] = 0;
        return sum;
    }

    /// Shares are convex in loads: a swap changes their sum by no less than its changes of loads x slopes, which need
    /// not be added up by links. Is it surely a change of time of that much or more?
    bool is_above(double most) const {
        if (less_.empty()) return false;
        float const* const less = less_.data();
        float const* const more = more_.empty() ? less : more_.data();
        double taken = 0, given = 0;
        for (Move const& move : moves_) {
            taken += double(packed_->sum(move.was, less)) * double(move.weight);
            given += double(packed_->sum(move.is, more)) * double(move.weight);
        }
        constexpr double rounded = 1e-6;  // of the terms
        double const most_root = roots_[0] + most * scales_[0] / double(problem_.levels[0].times);
        return given - taken - rounded * (given + taken) > to_power(most_root, exponent_) - sums_[0] * (1 - rounded);
    }
    /// Where nothing else is on a link it is the derivative. Else a share falls to 0 where the last flow leaves: then
    /// no fall is below `less`, and no rise below `more`.
    void find_slope(std::size_t at) {
        if (less_.empty()) return;
        LinkLoad const& link = at_[at];
        double const alone = link.share * link.cost / double(std::max<std::int64_t>(1, link.load));
        less_[at] = static_cast<float>(exponent_ * alone);
        if (!is_beside_) return;
        double const all = link.share * link.cost / double(std::max<std::int64_t>(1, link.load + link.quiet));
        less_[at] = static_cast<float>(std::max(exponent_ * all, alone));
        more_[at] = static_cast<float>(exponent_ * all);
    }

    template <class Links>
    void add(std::uint32_t level, Links const& links, std::int64_t weight) {
        std::vector<std::uint32_t>& touched = touched_[level];
        std::uint32_t count = touches_[level];
        if (touched.size() <= count + links.size()) touched.resize(2 * (count + links.size()));
        std::size_t const first = level * links_;
        for (auto const link : links) {  // nobody can guess which are met first: no branch
            std::int64_t& change = change_[first + link];
            touched[count] = static_cast<std::uint32_t>(first + link);
            count += change == 0;
            change += weight;
        }
        touches_[level] = count;
    }
    std::size_t number(std::uint32_t from, std::uint32_t to) const {
        return packed_ != nullptr ? packed_->number(from, to) : problem_.ways.number(from, to);
    }
    void reroute(std::uint32_t rank) {
        for (std::uint64_t i = first_[rank]; i < first_[rank + 1]; ++i) {
            End const& end = of_[i];
            if (!end.sends && moved_[end.other]) continue;  // told by the sender
            std::uint32_t const a = end.sends ? rank : end.other, b = end.sends ? end.other : rank;
            moves_.push_back({number(place_[a], place_[b]), number(to_[a], to_[b]),
                              static_cast<std::int64_t>(end.weight), end.level});
            if (packed_ != nullptr) packed_->expect(moves_.back().was), packed_->expect(moves_.back().is);
        }
    }
    template <class Links>
    void move_flow(Move const& move, Links was, Links is) {
        while (!was.empty() && !is.empty() && was.front() == is.front()) was = was.subspan(1), is = is.subspan(1);
        while (!was.empty() && !is.empty() && was.back() == is.back())
            was = was.first(was.size() - 1), is = is.first(is.size() - 1);
        if (was.empty() && is.empty()) return;
        if (touches_[move.level] == 0) touched_levels_.push_back(move.level);
        add(move.level, was, -move.weight);
        add(move.level, is, move.weight);
    }
    void move_flows() {
        for (Move const& move : moves_)
            if (packed_ != nullptr) move_flow(move, packed_->way(move.was), packed_->way(move.is));
            else move_flow(move, problem_.ways.way(move.was), problem_.ways.way(move.is));
    }
    void add_up() {
        touched_.resize(problem_.levels.size());
        touches_.assign(problem_.levels.size(), 0);
        new_sums_.resize(problem_.levels.size());
        for (std::uint32_t l = 0; l < problem_.levels.size(); ++l)
            for (PlacedFlow const& flow : problem_.levels[l].flows)
                for (std::uint32_t const link : problem_.ways.way(place_[flow.source], place_[flow.destination]))
                    at_[std::size_t{l} * links_ + link].load +=
                        static_cast<std::int64_t>(flow.weight * problem_.cost[link]);
        sum_up();
    }
    void sum_up() {
        for (std::size_t level = 0; level < sums_.size(); ++level) {
            std::int64_t most = 1;
            for (std::size_t at = level * links_; at < (level + 1) * links_; ++at) most = std::max(most, at_[at].all());
            scales_[level] = 1 / double(most);
            sums_[level] = 0;
            for (std::size_t at = level * links_; at < (level + 1) * links_; ++at) {
                at_[at].share = at_[at].share_of(at_[at].load, scales_[level], exponent_);
                sums_[level] += at_[at].share;
                find_slope(at);
            }
            roots_[level] = root(sums_[level], exponent_, 0);
        }
    }

    PlaceProblem const& problem_;
    std::size_t links_;
    bool is_beside_;  ///< of other loads
    Order place_, to_;
    std::vector<char> moved_;
    std::vector<std::uint64_t> first_;
    std::vector<End> of_;       ///< of every rank
    PackedWays const* packed_;  ///< null: there are none
    std::vector<LinkLoad> at_;  ///< [level][link]
    std::vector<Move> moves_;   ///< of the swap looked at
    /// By link, of one level in packed ways: what a weight of 1 that leaves takes from the sum at most, and what one
    /// that comes adds at least. `more_` empty: the same.
    std::vector<float> less_, more_;
    std::vector<std::int64_t> change_;  ///< [level][link]: in weights of flows, 0 but while a swap is looked at
    std::vector<Changed> changed_;
    std::vector<std::vector<std::uint32_t>> touched_;  ///< by level: numbers in `at_`, maybe some twice
    std::vector<std::uint32_t> touches_;               ///< by level: how many of them
    std::vector<std::uint32_t> touched_levels_;
    std::vector<double> sums_, new_sums_, scales_, roots_;
    Swap swap_;
    unsigned exponent_ = of_quiet_links.first;
};

/// Small problems are searched anew; of large ones a good start is worth keeping.
double heat_of(PlaceProblem const& problem, std::size_t start) {
    constexpr std::uint32_t small = 160;
    return problem.places() / problem.together <= small ? 0.25 : start % 2 == 0 ? 0.02 : 0.1;
}

}  // namespace

void add_loads(Ways const& ways, std::span<PlacedFlow const> flows, Order const& order,
               std::vector<std::uint64_t>& load) {
    auto const add = [&](auto const& lists) {
        for (PlacedFlow const& flow : flows)
            for (auto const link : lists.way(lists.number(order[flow.source], order[flow.destination])))
                load[link] += flow.weight;
    };
    if (PackedWays const* const packed = ways.packed()) add(*packed);
    else add(ways);
}

std::uint64_t time_of(PlaceProblem const& problem, Order const& order) {
    std::vector<std::uint64_t> load;
    std::uint64_t time = 0;
    for (PlacedLevel const& level : problem.levels) {
        load.assign(problem.cost.size(), 0);
        add_loads(problem.ways, level.flows, order, load);
        std::uint64_t most = 0;
        for (std::size_t link = 0; link < load.size(); ++link) {
            if (load[link] > 0 && !problem.background.empty()) load[link] += problem.background[link];
            most = std::max(most, load[link] * problem.cost[link]);
        }
        time += level.times * most;
    }
    return time;
}

FoundOrder search_times(PlaceProblem const& problem, std::span<Order const> starts, OrderSearchOptions const& options) {
    std::uint64_t most = 0;
    for (std::uint32_t const cost : problem.cost) most = std::max<std::uint64_t>(most, cost);
    double sum = 0, background = 0;
    for (PlacedLevel const& level : problem.levels)
        for (PlacedFlow const& flow : level.flows) sum += double(flow.weight) * double(level.times) * double(most);
    for (std::uint64_t const load : problem.background) background = std::max(background, double(load) * double(most));
    if (sum + background > 0x1p62)
        throw base::InputError({}, "the flows are too heavy to add up", "bytes x costs of links could pass 2^62",
                               "give the traffic in larger units");
    std::uint64_t const loads = std::uint64_t{problem.levels.size()} * problem.cost.size();
    unsigned const threads = std::min<unsigned>(kernels::threads_to_use(options.threads),
                                                static_cast<unsigned>(std::max<std::size_t>(1, starts.size())));
    base::require_memory("loads of links in every level of the search", loads * 48 * threads,
                         "search by another objective, or for fewer levels (--level)");
    if (loads > UINT32_MAX)
        throw base::InputError({}, "levels x links pass 2^32", "every level has loads of its own",
                               "search by another objective, or for fewer levels (--level)");
    AnnealPart<LoadCost>::Make const make = [&](Order const& start) {
        return std::make_unique<LoadCost>(problem, start);
    };
    return best_of_searches(starts.size(), options,
                            [&](std::uint32_t k, std::size_t s, std::uint64_t moves,
                                SearchClock const& clock) -> std::unique_ptr<OrderPart> {
                                AnnealPart<LoadCost>::How const how{moves, draws_of(options, k), heat_of(problem, s)};
                                return std::make_unique<AnnealPart<LoadCost>>(problem, make, starts[s], how, clock);
                            });
}

}  // namespace tailback::search
