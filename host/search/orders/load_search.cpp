#include "host/search/orders/load_search.hpp"

#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/search/orders/annealing.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>
#include <cmath>

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
        for (std::size_t at = 0; at < at_.size(); ++at) at_[at].cost = problem.cost[at % links_];
        if (!problem.background.empty()) quiet_.resize(at_.size());
        sums_.resize(problem.levels.size());
        roots_.resize(problem.levels.size());
        scales_.resize(problem.levels.size());
        add_up();
    }

    double swap(Swap const& swap) {
        swap_ = swap;
        auto const [a, b, together] = swap;
        forget();
        for (std::uint32_t k = 0; k < together; ++k) {
            to_[a + k] = place_[b + k], to_[b + k] = place_[a + k];
            moved_[a + k] = moved_[b + k] = true;
        }
        moves_.clear();
        for (std::uint32_t k = 0; k < together; ++k) reroute(a + k), reroute(b + k);
        move_flows();
        for (std::uint32_t k = 0; k < together; ++k) {
            to_[a + k] = place_[a + k], to_[b + k] = place_[b + k];
            moved_[a + k] = moved_[b + k] = false;
        }
        double delta = 0;
        for (std::uint32_t const level : touched_levels_) {
            double sum = sums_[level];
            double const scale = scales_[level];
            for (std::uint32_t const at : touched(level)) {
                LinkLoad& link = at_[at];
                if (link.change == 0) continue;
                link.change *= link.cost;
                sum += share(at, link.load + link.change, scale) - link.share;
            }
            new_sums_[level] = std::max(sum, 0.0);
            if (new_sums_[level] == sums_[level]) continue;
            delta += double(problem_.levels[level].times) / scale *
                     (root(new_sums_[level], exponent_, roots_[level]) - roots_[level]);
        }
        return delta;
    }
    void take() {
        for (std::uint32_t const level : touched_levels_) {
            for (std::uint32_t const at : touched(level)) {
                LinkLoad& link = at_[at];
                if (link.change == 0) continue;
                link.load += link.change;
                link.share = share(at, link.load, scales_[level]);
            }
            sums_[level] = new_sums_[level];
            roots_[level] = root(sums_[level], exponent_, roots_[level]);
        }
        for (std::uint32_t k = 0; k < swap_.count; ++k) {
            std::swap(place_[swap_.a + k], place_[swap_.b + k]);
            std::swap(to_[swap_.a + k], to_[swap_.b + k]);
        }
    }
    void sharpen(double done) {
        Norms const& norms = quiet_.empty() ? of_quiet_links : of_busy_links;
        exponent_ = done < norms.last_from ? norms.first : norms.last;
        sum_up();
    }
    Order const& places() const { return place_; }
    std::uint64_t exact() const {
        std::uint64_t time = 0;
        for (std::size_t level = 0; level < problem_.levels.size(); ++level) {
            std::int64_t most = 0;
            for (std::size_t at = level * links_; at < (level + 1) * links_; ++at)
                most = std::max(most, with_quiet(at));
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
    /// A link in a level: what is on it x cost, its part of the sum, and what a swap changes, in weights of flows, once
    /// the swap is judged x cost.
    struct alignas(32) LinkLoad {
        std::int64_t load = 0;
        double share = 0;
        std::int64_t change = 0;
        std::uint32_t swap = 0;  ///< that the change is of
        std::uint32_t cost = 0;
    };
    /// Of a link that flows use, with what is there besides.
    std::int64_t with_quiet(std::size_t at) const {
        std::int64_t const load = at_[at].load;
        return load > 0 && !quiet_.empty() ? load + quiet_[at] : load;
    }
    double share(std::size_t at, std::int64_t load, double scale) const {
        if (load > 0 && !quiet_.empty()) load += quiet_[at];
        return load > 0 ? to_power(double(load) * scale, exponent_) : 0;
    }

    template <class Links>
    void add(std::uint32_t level, Links const& links, std::int64_t weight) {
        LinkLoad* const of_level = at_.data() + std::size_t{level} * links_;
        std::uint32_t* const touched = touched_.data() + level * (links_ + 1);
        std::uint32_t count = touches_[level];
        for (auto const link : links) {  // nobody can guess which are met first: no branch
            LinkLoad& of = of_level[link];
            bool const is_first = of.swap != now_;
            touched[count] = static_cast<std::uint32_t>(&of - at_.data());
            count += is_first;
            of.change = (of.change & (std::int64_t{is_first} - 1)) + weight;
            of.swap = now_;
        }
        touches_[level] = count;
    }
    std::span<std::uint32_t const> touched(std::uint32_t level) const {
        return {touched_.data() + level * (links_ + 1), touches_[level]};
    }
    void reroute(std::uint32_t rank) {
        Ways const& ways = problem_.ways;
        for (std::uint64_t i = first_[rank]; i < first_[rank + 1]; ++i) {
            End const& end = of_[i];
            if (!end.sends && moved_[end.other]) continue;  // told by the sender
            std::uint32_t const a = end.sends ? rank : end.other, b = end.sends ? end.other : rank;
            moves_.push_back({ways.number(place_[a], place_[b]), ways.number(to_[a], to_[b]),
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
    void forget() {
        for (std::uint32_t const level : touched_levels_) touches_[level] = 0;
        touched_levels_.clear();
        if (++now_ == 0) {
            for (LinkLoad& of : at_) of.swap = 0;
            now_ = 1;
        }
    }
    void add_up() {
        touched_.resize(problem_.levels.size() * (links_ + 1));
        touches_.assign(problem_.levels.size(), 0);
        new_sums_.resize(problem_.levels.size());
        for (std::size_t at = 0; at < quiet_.size(); ++at)
            quiet_[at] = static_cast<std::int64_t>(problem_.background[at % links_] * problem_.cost[at % links_]);
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
            for (std::size_t at = level * links_; at < (level + 1) * links_; ++at)
                most = std::max(most, with_quiet(at));
            scales_[level] = 1 / double(most);
            sums_[level] = 0;
            for (std::size_t at = level * links_; at < (level + 1) * links_; ++at)
                sums_[level] += at_[at].share = share(at, at_[at].load, scales_[level]);
            roots_[level] = root(sums_[level], exponent_, 0);
        }
    }

    PlaceProblem const& problem_;
    std::size_t links_;
    Order place_, to_;
    std::vector<char> moved_;
    std::vector<std::uint64_t> first_;
    std::vector<End> of_;              ///< of every rank
    PackedWays const* packed_;         ///< null: there are none
    std::vector<LinkLoad> at_;         ///< [level][link]
    std::vector<std::int64_t> quiet_;  ///< [level][link] x cost: of the background; empty: none
    std::vector<Move> moves_;          ///< of the swap looked at
    std::uint32_t now_ = 0;
    std::vector<std::uint32_t> touched_;  ///< [level][..]: numbers in `at_`, and room for one more
    std::vector<std::uint32_t> touches_;  ///< by level: how many
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
            for (auto const link : lists.way(ways.number(order[flow.source], order[flow.destination])))
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
    base::require_memory("loads of links in every level of the search", loads * 36 * threads,
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
