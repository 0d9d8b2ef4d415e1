#include "host/search/bisection/expected_bisection.hpp"

#include "host/search/bisection/shared_routes.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <cmath>

namespace tailback::search {
namespace {

constexpr std::uint32_t most_others = 48;  // on one link, that are told apart

/// Of a binomial number of that mean whose 1/n is `inverse`: negative for the negative binomial, 0 for Poisson's.
void fill_binomial(double mean, double inverse, std::vector<double>& chance, std::uint32_t most) {
    chance.assign(most + std::size_t{1}, 0);
    if (mean <= 0) {
        chance[0] = 1;
        return;
    }
    if (mean * inverse >= 1) inverse = 1 / std::ceil(mean);  // no fewer draws than come at the mean
    double const part = mean * inverse;
    if (part >= 1) {
        if (mean <= most) chance[std::size_t(mean)] = 1;
        return;
    }
    bool const poisson = std::abs(inverse) < 1e-9;
    chance[0] = poisson ? std::exp(-mean) : std::exp(std::log1p(-part) / inverse);
    double sum = chance[0];
    for (std::uint32_t y = 0; y < most; ++y) {
        double const ratio = poisson ? mean / (y + 1) : (1 / inverse - y) / (y + 1) * part / (1 - part);
        if (ratio <= 0) break;
        sum += chance[y + 1] = chance[y] * ratio;
    }
    if (inverse > 0 && sum > 0 && 1 / inverse < most)  // a number of draws that is not whole leaves something over
        for (double& one : chance) one /= sum;
}

void add_product(double factor, double const* of, double* sums, std::size_t count) {
    if (factor <= 0) return;
    for (std::size_t i = 0; i < count; ++i) sums[i] += factor * of[i];
}

/// What is known of the others on one link of a route, given the flow.
struct Step {
    double mean = 0;     ///< of all others
    double inverse = 0;  ///< 1/n
    double stays = 0;    ///< part of those on the link before that go on
    double new_mean = 0, new_inverse = 0;
};

class Chain {
public:
    /// P(no link of the route has more than y others), by y.
    std::vector<double> const& run(std::vector<Step> const& steps) {
        double largest = 0;
        for (Step const& step : steps) largest = std::max(largest, step.mean);
        std::uint32_t const most =
            std::min(most_others, static_cast<std::uint32_t>(largest + 6 * std::sqrt(largest) + 7));
        fill_binomial(steps[0].mean, steps[0].inverse, first_, most);
        moves_.resize(std::max(moves_.size(), steps.size()));
        for (std::size_t k = 1; k < steps.size(); ++k) moves_[k].begin(steps[k], most);
        within_.clear();
        for (std::uint32_t y = 0; y <= most; ++y) {
            for (std::size_t k = 1; k < steps.size(); ++k) moves_[k].add_row(steps[k].stays);
            state_.assign(first_.begin(), first_.begin() + y + 1);
            for (std::size_t k = 1; k < steps.size(); ++k) {
                next_.assign(y + std::size_t{1}, 0);
                for (std::uint32_t i = 0; i <= y; ++i) add_product(state_[i], moves_[k].row(i), next_.data(), y + 1);
                state_.swap(next_);
            }
            double sum = 0;
            for (double const one : state_) sum += one;
            within_.push_back(std::min(sum, 1.0));
            if (sum > 1 - 1e-7) break;
        }
        return within_;
    }

private:
    /// [i][j]: the chance of j others on a link, where i are on the one before. Row by row, as far as they are asked
    /// for.
    class Moves {
    public:
        void begin(Step const& step, std::uint32_t most) {
            most_ = most;
            rows_ = 0;
            fill_binomial(step.new_mean, step.new_inverse, newcomers_, most);
            kept_.assign(most + std::size_t{1}, 0);
            kept_[0] = 1;
            chance_.resize(std::max(chance_.size(), kept_.size() * kept_.size()));
        }
        double const* row(std::uint32_t i) const { return chance_.data() + i * (most_ + std::size_t{1}); }
        /// @param stays of those on the link before, each with this chance
        void add_row(double stays) {
            std::uint32_t const i = rows_++;
            double* const chance = chance_.data() + i * (most_ + std::size_t{1});
            std::fill_n(chance, most_ + std::size_t{1}, 0.0);
            for (std::uint32_t stay = 0; stay <= i; ++stay)
                add_product(kept_[stay], newcomers_.data(), chance + stay, most_ + 1 - stay);
            for (std::uint32_t stay = std::min(i + 1, most_); stay > 0; --stay)
                kept_[stay] = kept_[stay] * (1 - stays) + kept_[stay - 1] * stays;
            kept_[0] *= 1 - stays;
        }

    private:
        std::uint32_t most_ = 0, rows_ = 0;
        std::vector<double> chance_, newcomers_, kept_;
    };

    std::vector<double> first_, state_, next_, within_;
    std::vector<Moves> moves_;  // by link of the route
};

class Expectation {
public:
    Expectation(SwitchGraph const& graph, SharedRoutes& routes, ExpectedBisectionLimits const& limits)
        : graph_(graph),
          routes_(routes),
          limits_(limits),
          hosts_(double(graph.seats().size())),
          flows_(std::floor(hosts_ / 2)) {
        find_spread();
    }

    ExpectedBisection find() {
        found_.congestion.assign(2, 0);
        double inside = 0, outside = 0;  // ordered pairs
        for (std::uint32_t s = 0; s < graph_.switches(); ++s) {
            double const here = graph_.hosts_at(s);
            inside += here * (here - 1);
            outside += here * (hosts_ - here);
            if (here > 0) found_.all += graph_.seats().size() - graph_.hosts_at(s);
        }
        found_.congestion[1] = inside;
        double sum = inside;
        stride_ = std::max(1.0, double(found_.all) / double(limits_.most_pairs));
        for (std::uint32_t s = 0; s < graph_.switches(); ++s)
            if (graph_.hosts_at(s) > 0) sum += of_switch(s);
        found_.mean = sum / (inside + outside);
        for (double& one : found_.congestion) one /= inside + outside;
        return std::move(found_);
    }

private:
    /// Of every link, the 1/n of the binomial with the mean and the variance of its flows.
    void find_spread() {
        inverse_.resize(graph_.arcs().size());
        for (std::uint32_t a = 0; a < inverse_.size(); ++a) {
            FlowMoments const of = routes_.moments(a);
            if (of.mean == 0) continue;
            double const less = 1 - of.pairs / (of.mean * of.mean);
            inverse_[a] = less >= 0.5 ? 1 : less / (1 - less);
        }
    }

    /// Sum of the means over its hosts and all their destinations, by those that are followed.
    double of_switch(std::uint32_t s) {
        kernels::StopWish::now().heed();
        routes_.count_from(s);
        double sum = 0, met = 0;
        std::vector<double> law(2);
        std::uint64_t const seats = graph_.seats().size() - graph_.hosts_at(s);
        double next = stride_ == 1 ? 0 : drawn() * stride_, place = 0;
        for (std::uint32_t d = 0; d < graph_.seats().size(); ++d) {
            if (graph_.seats()[d].at == s) continue;
            if (place++ < next) continue;
            next += stride_;
            ++met;
            sum += of_pair(s, d, law);
        }
        if (met == 0) return sum_of_none(s);
        found_.pairs += std::uint64_t(met);
        double const weight = double(graph_.hosts_at(s)) * double(seats) / met;
        if (found_.congestion.size() < law.size()) found_.congestion.resize(law.size());
        for (std::size_t c = 0; c < law.size(); ++c) found_.congestion[c] += law[c] * weight;
        return sum * weight;
    }
    /// A switch of which no destination was followed, as the stride passed over all: the first stands for them.
    double sum_of_none(std::uint32_t s) {
        std::vector<double> law(2);
        std::uint32_t d = 0;
        while (d < graph_.seats().size() && graph_.seats()[d].at == s) ++d;
        if (d == graph_.seats().size()) return 0;
        double const weight = double(graph_.hosts_at(s)) * double(graph_.seats().size() - graph_.hosts_at(s));
        double const one = of_pair(s, d, law);
        ++found_.pairs;
        if (found_.congestion.size() < law.size()) found_.congestion.resize(law.size());
        for (std::size_t c = 0; c < law.size(); ++c) found_.congestion[c] += law[c] * weight;
        return one * weight;
    }

    /// Mean of 1 / congestion of one pair; adds its law.
    double of_pair(std::uint32_t s, std::uint32_t d, std::vector<double>& law) {
        steps_.clear();
        double const n = hosts_, scale = n < 4 ? 0 : (flows_ - 1) / ((n - 2) * (n - 3));
        std::uint32_t before = SwitchGraph::none;
        double others_before = 0;
        for (std::uint32_t at = s; at != graph_.seats()[d].at;) {
            std::uint32_t const arc = routes_.next(at, d);
            double const sent = double(routes_.of_destination(at, d));
            double const others = std::max(0.0, double(routes_.pairs(arc)) - double(routes_.of_source(arc)) - sent + 1);
            Step step;
            step.mean = others * scale;
            step.inverse = inverse_[arc];
            if (before != SwitchGraph::none) {
                double const sent_before = double(routes_.of_destination(graph_[before].from, d));
                double const on =
                    double(routes_.turning(before, arc)) - double(routes_.of_source(before, arc)) - sent_before + 1;
                Step const& last = steps_.back();
                step.stays = others_before <= 0 ? 0 : std::clamp(on / others_before, 0.0, 1.0);
                step.new_mean = std::max(0.0, step.mean - step.stays * last.mean);
                if (step.new_mean > 1e-12) {
                    double const left = step.mean * step.mean * step.inverse -
                                        step.stays * step.stays * last.mean * last.mean * last.inverse;
                    step.new_inverse = std::min(1.0, std::max(0.0, left) / (step.new_mean * step.new_mean));
                }
            }
            steps_.push_back(step);
            before = arc;
            others_before = others;
            at = graph_[arc].to;
        }
        std::vector<double> const& within = chain_.run(steps_);
        double mean = 0, last = 0;
        if (law.size() < within.size() + 1) law.resize(within.size() + 1);
        for (std::size_t y = 0; y < within.size(); ++y) {
            mean += within[y] * (1.0 / double(y + 1) - 1.0 / double(y + 2));
            law[y + 1] += within[y] - last;
            last = within[y];
        }
        law[within.size()] += 1 - last;
        return mean + last / double(within.size() + 1);
    }

    /// In [0, 1); SplitMix64 (Steele, Lea and Flood 2014).
    double drawn() {
        std::uint64_t z = limits_.seed * 0x9E3779B97F4A7C15u + ++draws_ * 0xD1B54A32D192ED03u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
    }

    SwitchGraph const& graph_;
    SharedRoutes& routes_;
    ExpectedBisectionLimits const& limits_;
    double const hosts_, flows_;
    double stride_ = 1;
    std::uint64_t draws_ = 0;
    std::vector<double> inverse_;  // by arc
    std::vector<Step> steps_;
    Chain chain_;
    ExpectedBisection found_;
};

}  // namespace

ExpectedBisection expect_bisection(SwitchGraph const& graph, model::ForwardingTables const& tables,
                                   ExpectedBisectionLimits const& limits) {
    ExpectedBisection none;
    if (graph.seats().size() < 2) {
        none.missing = "there are fewer than two hosts";
        return none;
    }
    if (SharedRoutes::bytes(graph) > limits.most_bytes) {
        none.missing = "counting what routes share would take too much memory";
        return none;
    }
    SharedRoutes routes(graph, tables);
    if (!routes.all_delivered()) {
        none.missing = "some pairs are not delivered";
        return none;
    }
    return Expectation(graph, routes, limits).find();
}

}  // namespace tailback::search
