#include "host/search/bounds/divided_flows.hpp"

#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace tailback::search {
namespace {

/// e^x to 9 digits, by additions and multiplications alone: the same number on every machine, and quick.
inline double grown(double x) {
    constexpr double to_whole = 6755399441055744.0;  // 1.5 x 2^52: what is added to it is rounded
    x = std::min(std::max(x, -690.0), 600.0);
    double const k = x * 1.4426950408889634 + to_whole, whole = k - to_whole, r = x - whole * 0.6931471805599453;
    double sum = 1.0 / 40320;
    for (double const term : {1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0}) sum = sum * r + term;
    return sum * std::bit_cast<double>((std::bit_cast<std::uint64_t>(k) + 1023) << 52);
}

/// ln x, off by 0.06 at most, likewise.
inline double rough_log(double x) {
    auto const bits = std::bit_cast<std::uint64_t>(x);
    double const mantissa = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFFu) | 0x3FF0000000000000u);
    return (double(std::int64_t(bits >> 52) - 1023) + mantissa - 1) * 0.6931471805599453;
}

}  // namespace

void FlowsToOne::divide_equally() {
    flow.resize(ways.size());
    std::vector<double> here(demand);
    here.push_back(0);
    for (std::uint32_t p = 0; p < places(); ++p)
        for (std::uint32_t w = first_way[p]; w < first_way[p + 1]; ++w) {
            flow[w] = here[p] / double(first_way[p + 1] - first_way[p]);
            here[ways[w].to] += flow[w];
        }
}

DividedFlows::DividedFlows(std::vector<double> scale, std::vector<double> load)
    : load_(std::move(load)), scale_(std::move(scale)) {
    for (auto* const values : {&price_, &way_, &held_}) values->resize(load_.size());
    for (std::uint32_t l = 0; l < load_.size(); ++l) fixed_ = std::max(fixed_, congestion(l));
}

void DividedFlows::add(FlowsToOne flows) {
    for (std::size_t w = 0; w < flows.ways.size(); ++w) load_[flows.ways[w].link] += flows.flow[w];
    std::size_t const most = std::max(distance_.size(), flows.demand.size() + 1);
    for (auto* const values : {&distance_, &slope_, &here_}) values->resize(most);
    all_.push_back(std::move(flows));
}

void DividedFlows::solve(DividedFlowsLimits const& limits) {
    std::vector<bool> is_used(load_.size());
    std::uint64_t a_sweep = 1;  // every way for the flows and its price, and again for the bound
    for (FlowsToOne const& one : all_) {
        for (FlowsToOne::Way const& way : one.ways) is_used[way.link] = true;
        a_sweep += one.ways.size() * 2;
    }
    used_.clear();
    for (std::uint32_t l = 0; l < is_used.size(); ++l)
        if (is_used[l]) used_.push_back(l);
    kernels::StopWish const wish = kernels::StopWish::now();
    lower_ = std::max(lower_, fixed_);
    note_upper();
    if (used_.empty()) return;
    if (steepness_ == 0) steepness_ = 2 * rough_log(double(used_.size()) + 2) / upper_;
    std::uint64_t const most = std::max<std::uint64_t>(2, limits.most_steps / a_sweep);
    for (std::uint64_t end = sweeps_ + most; sweeps_ < end && !within(limits.gap); ++sweeps_) {
        find_prices(steepness_);
        for (FlowsToOne& one : all_) {
            wish.heed();
            improve(one);
        }
        double const bound = bound_of(price_);
        if (bound > lower_) lower_ = bound, best_price_ = price_;
        double const worst = note_upper(), mean = mean_congestion();
        // The smoothed maximum is off by one part of the gap, what is left of its descent by the other.
        if (worst - mean > mean - bound) steepness_ *= 2;
    }
}

/// Of the division as it is: its largest congestion of links that flows may use.
double DividedFlows::note_upper() {
    double most = 0;
    for (std::uint32_t const link : used_) most = std::max(most, congestion(link));
    double const worst = std::max(fixed_, most);
    if (upper_ != 0 && worst >= upper_) return most;
    upper_ = worst;
    best_load_ = load_;
    if (!keeps_flows_) return most;
    best_flow_.resize(all_.size());
    for (std::size_t i = 0; i < all_.size(); ++i) best_flow_[i] = all_[i].flow;
    return most;
}

/// Grows with the congestion that a load makes; 1, in units of congestion, at `reference_`.
double DividedFlows::price_at(std::uint32_t link, double load, double steepness) const {
    return grown(steepness * (load * scale_[link] - reference_)) * scale_[link];
}

/// Of all links that flows may use. They follow the loads from then on.
void DividedFlows::find_prices(double steepness) {
    reference_ = 0;
    for (std::uint32_t const link : used_) reference_ = std::max(reference_, congestion(link));
    for (std::uint32_t const link : used_) price_[link] = price_at(link, load_[link], steepness);
}

/// By duality: whatever the prices are, as long as none is negative.
double DividedFlows::bound_of(std::vector<double> const& price) {
    constexpr double rounding = 1e-10;  // more than sums of up to 2^19 terms lose
    double weighted = 0, sum = 0;
    for (FlowsToOne const& one : all_) {
        find_distances(one, price);
        for (std::uint32_t p = 0; p < one.places(); ++p) weighted += one.demand[p] * distance_[p];
    }
    for (std::uint32_t const link : used_) sum += price[link] / scale_[link];
    return weighted / sum * (1 - rounding);
}

/// Weighted by price: what the bound would be if all flow went by shortest ways.
double DividedFlows::mean_congestion() const {
    double weighted = 0, sum = 0;
    for (std::uint32_t const link : used_) {
        weighted += price_[link] * load_[link];
        sum += price_[link] / scale_[link];
    }
    return weighted / sum;
}

void DividedFlows::find_distances(FlowsToOne const& one, std::vector<double> const& price) {
    distance_[one.places()] = 0;
    for (std::uint32_t p = one.places(); p-- > 0;) {
        double least = one.first_way[p] == one.first_way[p + 1] ? 0 : std::numeric_limits<double>::infinity();
        for (std::uint32_t w = one.first_way[p]; w < one.first_way[p + 1]; ++w)
            least = std::min(least, price[one.ways[w].link] + distance_[one.ways[w].to]);
        distance_[p] = least;
    }
}

/// Moves flows to one destination from farther ways to the nearest one at every place, as a Newton's method would have
/// it, and as much of all that as goes down.
void DividedFlows::improve(FlowsToOne& one) {
    find_through(one);
    find_shares(one);
    pour(one);
    hold_back(one);
    double const step = find_step();
    for (std::size_t k = 0; k < changed_.size(); ++k) {
        std::uint32_t const link = changed_[k];
        if (step > 0) load_[link] += step * way_[link], price_[link] = new_price_[k];
        way_[link] = 0;
    }
    if (step == 0) return;
    for (std::size_t w = 0; w < one.ways.size(); ++w) one.flow[w] = std::max(0.0, one.flow[w] + step * moved_[w]);
}

void DividedFlows::find_through(FlowsToOne const& one) {
    std::copy(one.demand.begin(), one.demand.end(), here_.begin());
    here_[one.places()] = 0;
    for (std::size_t w = 0; w < one.ways.size(); ++w) here_[one.ways[w].to] += one.flow[w];
}

/// Distances are those that the flow meets: by the performance difference of policies this is a descent. What a way
/// gives to the nearest one is the difference of their distances by the sum of their derivatives, up to all that it
/// has.
void DividedFlows::find_shares(FlowsToOne const& one) {
    share_.resize(one.ways.size()), has_.resize(one.ways.size()), nearest_.resize(one.places());
    distance_[one.places()] = slope_[one.places()] = 0;
    for (std::uint32_t p = one.places(); p-- > 0;) {
        std::uint32_t const first = one.first_way[p], end = one.first_way[p + 1];
        distance_[p] = slope_[p] = 0;
        if (first == end) continue;
        std::uint32_t nearest = first;
        for (std::uint32_t w = first + 1; w < end; ++w)
            if (far(one.ways[w]) < far(one.ways[nearest])) nearest = w;
        nearest_[p] = nearest;
        double const least = far(one.ways[nearest]), bend = bends(one.ways[nearest]);
        bool const carries = here_[p] > 1e-12;
        double rest = 1;
        for (std::uint32_t w = first; w < end; ++w) {
            double const has = carries ? one.flow[w] / here_[p] : w == nearest ? 1 : 0, way = far(one.ways[w]);
            double const turns = bends(one.ways[w]);
            has_[w] = has;
            distance_[p] += has * way;
            slope_[p] += has * has * turns;
            if (w == nearest) continue;
            bool const moves = has > 0 && way > least * (1 + 1e-12);
            share_[w] = moves ? has - std::min(has, (way - least) / ((turns + bend) * here_[p])) : has;
            rest -= share_[w];
        }
        share_[nearest] = std::max(0.0, rest);
    }
}

/// What the shares make of the flows: `moved_` by way, `way_` by link.
void DividedFlows::pour(FlowsToOne const& one) {
    std::copy(one.demand.begin(), one.demand.end(), here_.begin());
    here_[one.places()] = 0;
    moved_.resize(one.ways.size());
    changed_.clear();
    for (std::uint32_t p = 0; p < one.places(); ++p)
        for (std::uint32_t w = one.first_way[p]; w < one.first_way[p + 1]; ++w) {
            FlowsToOne::Way const& way = one.ways[w];
            double const flow = here_[p] * share_[w];
            here_[way.to] += flow;
            moved_[w] = flow - one.flow[w];
            if (moved_[w] == 0) continue;
            if (way_[way.link] == 0) changed_.push_back(way.link);
            way_[way.link] += moved_[w];
        }
}

/// Many places give to the same nearest links at once, and none knows of the others: each gives so much less that no
/// link's price grows far beyond the mean distance.
void DividedFlows::hold_back(FlowsToOne const& one) {
    double weighted = 0, sum = 0;
    for (std::uint32_t p = 0; p < one.places(); ++p) weighted += one.demand[p] * distance_[p], sum += one.demand[p];
    double const level = rough_log(weighted / sum);
    bool any = false;
    for (std::uint32_t const link : changed_) {
        double const grows = way_[link] * scale_[link] * steepness_;
        double const room = level - rough_log(price_[link]) + 1;
        held_[link] = grows > std::max(room, 1.0) ? std::max(room, 1.0) / grows : 1;
        any = any || held_[link] < 1;
    }
    if (any) {
        slope_[one.places()] = 1;  // by place: what part of what comes more is welcome
        for (std::uint32_t p = one.places(); p-- > 0;) {
            std::uint32_t const first = one.first_way[p], end = one.first_way[p + 1];
            slope_[p] = 1;
            if (first == end) continue;
            auto const part = [&](FlowsToOne::Way const& way) {
                return std::min(way_[way.link] == 0 ? 1.0 : held_[way.link], slope_[way.to]);
            };
            double const kept = part(one.ways[nearest_[p]]);
            double rest = 1, mean = 0;
            for (std::uint32_t w = first; w < end; ++w) {
                if (w == nearest_[p]) continue;
                share_[w] = has_[w] - (has_[w] - share_[w]) * kept;
                rest -= share_[w];
                mean += share_[w] * part(one.ways[w]);
            }
            share_[nearest_[p]] = std::max(0.0, rest);
            slope_[p] = mean + share_[nearest_[p]] * kept;
        }
    }
    for (std::uint32_t const link : changed_) held_[link] = 1;
    if (!any) return;
    for (std::uint32_t const link : changed_) way_[link] = 0;
    pour(one);
}

/// How far along `way_` sum exp(steepness x congestion) goes down; prices there in `new_price_`. All of it as a rule.
/// Somewhat too far does no harm.
double DividedFlows::find_step() {
    double before = 0;
    for (std::uint32_t const link : changed_) before += way_[link] * price_[link];
    if (!(before < 0)) return 0;
    new_price_.resize(changed_.size());
    // No link goes far beyond the largest congestion: exponentials there say nothing of where the slope ends.
    double const most = reference_ + 2 / steepness_;
    double step = 1;
    for (std::uint32_t const link : changed_)
        if (double const grows = way_[link] * scale_[link]; grows > 0)
            step = std::min(step, std::max(most - congestion(link), 1 / steepness_) / grows);
    for (int i = 0; i < 13; ++i) {
        double slope = 0, bend = 0;
        for (std::size_t k = 0; k < changed_.size(); ++k) {
            std::uint32_t const link = changed_[k];
            double const way = way_[link], price = price_at(link, load_[link] + step * way, steepness_);
            new_price_[k] = price;
            slope += price * way;
            bend += price * way * way * scale_[link] * steepness_;
        }
        if (slope < -0.3 * before) return step;
        double const newton = step - slope / bend, secant = step * before / (before - slope);
        step = std::clamp(std::max(newton, secant), 0.1 * step, 0.9 * step);
    }
    return 0;
}

}  // namespace tailback::search
