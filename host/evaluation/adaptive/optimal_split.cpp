#include "host/evaluation/adaptive/optimal_split.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tailback::evaluation {
namespace {

/// The graph of the choices of one class, as far as its flows reach: rows in the order in which packets meet them.
struct ClassGraph {
    struct Arc {
        std::uint32_t to;  ///< a place in `demand`, or the sink behind the last
        std::uint32_t link;
    };
    std::vector<double> demand;            ///< by place: weight that enters there
    std::vector<std::uint32_t> first_arc;  ///< by place
    std::vector<Arc> arcs;
    std::vector<double> flow, best_flow;   ///< by arc
    std::vector<std::uint32_t> flows;      ///< numbers of the flows
    std::vector<std::uint32_t> entrances;  ///< by flow: the place where it enters
    std::uint32_t places() const { return static_cast<std::uint32_t>(demand.size()); }
};

class Solver {
public:
    Solver(SplitPlan const& plan, model::LinkCosts const& costs, std::span<HostFlow const> flows)
        : plan_(plan), graph_(plan.graph()), flows_(flows) {
        std::size_t const links = graph_.forwarding().fabric().network.links().size();
        load_.resize(links), length_.resize(links), way_.resize(links), scale_.assign(links, 1);
        result_.congestion.resize(flows.size());
        for (std::size_t l = 0; l < costs.cost.size(); ++l) scale_[l] = double(costs.cost[l]) / costs.denominator;
        build();
    }

    OptimalSplit solve(OptimalSplitLimits const& limits) {
        result_.lower = fixed_;
        note_upper();
        steepness_ = 2 * std::log(double(used_.size()) + 2) / result_.upper;
        std::uint64_t a_sweep = 1;  // every port for the flows and its length, and again for the bound
        for (ClassGraph const& one : classes_) a_sweep += one.arcs.size() * 2;
        std::uint64_t const most = std::max<std::uint64_t>(2, limits.most_steps / a_sweep);
        for (std::uint64_t& sweep = result_.sweeps; sweep < most && !result_.within(limits.gap); ++sweep) {
            find_lengths();
            for (ClassGraph& one : classes_) improve(one);
            double const bound = find_bound();
            result_.lower = std::max(result_.lower, bound);
            double const worst = note_upper(), mean = mean_congestion();
            // The smoothed maximum is off by one part of the gap, what is left of its descent by the other.
            if (worst - mean > mean - bound) steepness_ *= 2;
        }
        finish();
        return std::move(result_);
    }

private:
    void build() {
        std::vector<std::vector<std::uint32_t>> of_class(graph_.classes().size());
        for (std::uint32_t f = 0; f < flows_.size(); ++f) {
            std::uint32_t const c = graph_.class_of(flows_[f].destination);
            model::Forwarding::Entry const& entry = graph_.forwarding().entry_of(flows_[f].source);
            if (c == model::ChoiceGraph::none || entry.row == kernels::no_row) continue;
            if (plan_.fates(c, entry.row) != model::ChoiceWalk::bit(model::Fate::delivered)) continue;
            of_class[c].push_back(f);
            auto const fix = [&](model::Link link) {
                if (!link.exists()) return;
                load_[link.value] += double(flows_[f].weight);
                fixed_ = std::max(fixed_, load_[link.value] * scale_[link.value]);
            };
            fix(entry.up);
            model::ChoiceGraph::Class const& to = graph_.classes()[c];
            if (to.exit_row != kernels::no_row) fix(graph_.members(to)[graph_.member_of(flows_[f].destination)].exit);
        }
        place_.assign(graph_.rows(), model::ChoiceGraph::none);
        for (std::uint32_t c = 0; c < of_class.size(); ++c)
            if (!of_class[c].empty()) classes_.push_back(build_class(c, std::move(of_class[c])));
        std::sort(used_.begin(), used_.end());
        used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
        std::size_t most = 0;
        for (ClassGraph const& one : classes_) most = std::max(most, one.demand.size());
        for (auto* const values : {&distance_, &slope_, &here_}) values->resize(most + 1);
    }

    /// With its flows divided equally.
    ClassGraph build_class(std::uint32_t c, std::vector<std::uint32_t> flows) {
        ClassGraph one;
        one.flows = std::move(flows);
        std::vector<double> demand(graph_.rows());
        std::vector<std::uint8_t> reached(graph_.rows() + std::size_t{1});
        for (std::uint32_t const f : one.flows) {
            std::uint32_t const row = graph_.forwarding().entry_of(flows_[f].source).row;
            demand[row] += double(flows_[f].weight);
            reached[row] = 1;
        }
        std::vector<SplitPlan::Step> steps;
        for (SplitPlan::Step const& step : plan_.steps(c)) {
            if (!reached[step.row]) continue;
            place_[step.row] = static_cast<std::uint32_t>(steps.size());
            steps.push_back(step);
            if (model::ChoiceGraph::is_mark(step.group)) continue;
            for (std::size_t i = 0; i < graph_.options(step.group).size(); ++i)
                reached[plan_.targets(step.group)[i]] = 1;
        }
        std::vector<double> here(steps.size() + 1);
        for (std::uint32_t p = 0; p < steps.size(); ++p) {
            one.demand.push_back(demand[steps[p].row]);
            here[p] += demand[steps[p].row];
            one.first_arc.push_back(static_cast<std::uint32_t>(one.arcs.size()));
            if (model::ChoiceGraph::is_mark(steps[p].group)) continue;
            auto const options = graph_.options(steps[p].group);
            for (std::size_t i = 0; i < options.size(); ++i) {
                std::uint32_t const target = plan_.targets(steps[p].group)[i];
                std::uint32_t const to =
                    target == plan_.sink() ? static_cast<std::uint32_t>(steps.size()) : place_[target];
                one.arcs.push_back({to, options[i].link.value});
                one.flow.push_back(here[p] / double(options.size()));
                here[to] += one.flow.back();
                load_[options[i].link.value] += one.flow.back();
                used_.push_back(options[i].link.value);
            }
        }
        one.first_arc.push_back(static_cast<std::uint32_t>(one.arcs.size()));
        for (std::uint32_t const f : one.flows)
            one.entrances.push_back(place_[graph_.forwarding().entry_of(flows_[f].source).row]);
        return one;
    }

    double congestion(std::uint32_t link) const { return load_[link] * scale_[link]; }

    /// Of the division as it is: its largest congestion of links that flows may use.
    double note_upper() {
        double most = 0;
        for (std::uint32_t const link : used_) most = std::max(most, congestion(link));
        double const worst = std::max(fixed_, most);
        if (result_.upper != 0 && worst >= result_.upper) return most;
        result_.upper = worst;
        best_load_ = load_;
        for (ClassGraph& one : classes_) one.best_flow = one.flow;
        return most;
    }

    /// Grows with the congestion that a load makes; 1, in units of congestion, at `reference_`.
    double length_at(std::uint32_t link, double load) const {
        return std::exp(std::min(steepness_ * (load * scale_[link] - reference_), 600.0)) * scale_[link];
    }
    /// Of all links that flows may use. They follow the loads from then on.
    void find_lengths() {
        reference_ = 0;
        for (std::uint32_t const link : used_) reference_ = std::max(reference_, congestion(link));
        for (std::uint32_t const link : used_) length_[link] = length_at(link, load_[link]);
    }
    /// By duality: whatever the lengths are, as long as none is negative.
    double find_bound() {
        constexpr double rounding = 1e-10;  // more than sums of up to 2^19 terms lose
        double weighted = 0, sum = 0;
        for (ClassGraph const& one : classes_) {
            find_distances(one);
            for (std::uint32_t p = 0; p < one.places(); ++p) weighted += one.demand[p] * distance_[p];
        }
        for (std::uint32_t const link : used_) sum += length_[link] / scale_[link];
        return weighted / sum * (1 - rounding);
    }
    /// Weighted by length: what the bound would be if all flow went by shortest ways.
    double mean_congestion() const {
        double weighted = 0, sum = 0;
        for (std::uint32_t const link : used_) {
            weighted += length_[link] * load_[link];
            sum += length_[link] / scale_[link];
        }
        return weighted / sum;
    }

    void find_distances(ClassGraph const& one) {
        distance_[one.places()] = 0;
        for (std::uint32_t p = one.places(); p-- > 0;) {
            double least = one.first_arc[p] == one.first_arc[p + 1] ? 0 : std::numeric_limits<double>::infinity();
            for (std::uint32_t a = one.first_arc[p]; a < one.first_arc[p + 1]; ++a)
                least = std::min(least, length_[one.arcs[a].link] + distance_[one.arcs[a].to]);
            distance_[p] = least;
        }
    }

    /// Moves flows of a class from farther ports to the nearest one at every row, as a Newton's method would have it,
    /// and as much of all that as goes down.
    void improve(ClassGraph& one) {
        find_through(one);
        find_shares(one);
        pour(one);
        double const step = find_step();
        for (std::size_t k = 0; k < changed_.size(); ++k) {
            std::uint32_t const link = changed_[k];
            if (step > 0) load_[link] += step * way_[link], length_[link] = new_length_[k];
            way_[link] = 0;
        }
        if (step == 0) return;
        for (std::size_t a = 0; a < one.arcs.size(); ++a) one.flow[a] = std::max(0.0, one.flow[a] + step * moved_[a]);
    }
    void find_through(ClassGraph const& one) {
        std::copy(one.demand.begin(), one.demand.end(), here_.begin());
        here_[one.places()] = 0;
        for (std::size_t a = 0; a < one.arcs.size(); ++a) here_[one.arcs[a].to] += one.flow[a];
    }
    /// Distances are those that the flow meets: by the performance difference of policies this is a descent. What a
    /// port gives to the nearest one is the difference of their distances by the sum of their derivatives (Bertsekas,
    /// Gafni and Gallager, IEEE Trans. Commun. 1984), up to all that it has.
    void find_shares(ClassGraph const& one) {
        share_.resize(one.arcs.size());
        distance_[one.places()] = slope_[one.places()] = 0;
        for (std::uint32_t p = one.places(); p-- > 0;) {
            std::uint32_t const first = one.first_arc[p], end = one.first_arc[p + 1];
            distance_[p] = slope_[p] = 0;
            if (first == end) continue;
            std::uint32_t nearest = first;
            for (std::uint32_t a = first + 1; a < end; ++a)
                if (far(one.arcs[a]) < far(one.arcs[nearest])) nearest = a;
            double const least = far(one.arcs[nearest]), bend = bends(one.arcs[nearest]);
            bool const carries = here_[p] > 1e-12;
            double rest = 1;
            for (std::uint32_t a = first; a < end; ++a) {
                double const has = carries ? one.flow[a] / here_[p] : a == nearest ? 1 : 0, way = far(one.arcs[a]);
                double const turns = bends(one.arcs[a]);
                distance_[p] += has * way;
                slope_[p] += has * has * turns;
                if (a == nearest) continue;
                bool const moves = has > 0 && way > least * (1 + 1e-12);
                share_[a] = moves ? has - std::min(has, (way - least) / ((turns + bend) * here_[p])) : has;
                rest -= share_[a];
            }
            share_[nearest] = std::max(0.0, rest);
        }
    }
    double far(ClassGraph::Arc const& arc) const { return length_[arc.link] + distance_[arc.to]; }
    /// How fast `far` grows with flow, as far as one port's flow meets itself again.
    double bends(ClassGraph::Arc const& arc) const {
        return steepness_ * scale_[arc.link] * length_[arc.link] + slope_[arc.to];
    }
    /// What the shares make of the flows: `moved_` by arc, `way_` by link.
    void pour(ClassGraph const& one) {
        std::copy(one.demand.begin(), one.demand.end(), here_.begin());
        here_[one.places()] = 0;
        moved_.resize(one.arcs.size());
        changed_.clear();
        for (std::uint32_t p = 0; p < one.places(); ++p)
            for (std::uint32_t a = one.first_arc[p]; a < one.first_arc[p + 1]; ++a) {
                ClassGraph::Arc const& arc = one.arcs[a];
                double const flow = here_[p] * share_[a];
                here_[arc.to] += flow;
                moved_[a] = flow - one.flow[a];
                if (moved_[a] == 0) continue;
                if (way_[arc.link] == 0) changed_.push_back(arc.link);
                way_[arc.link] += moved_[a];
            }
    }

    /// How far along `way_` sum exp(steepness x congestion) goes down; lengths there in `new_length_`. All of it as a
    /// rule. Somewhat too far does no harm.
    double find_step() {
        double before = 0;
        for (std::uint32_t const link : changed_) before += way_[link] * length_[link];
        if (!(before < 0)) return 0;
        new_length_.resize(changed_.size());
        double step = 1;
        for (int i = 0; i < 13; ++i) {
            double slope = 0, bend = 0;
            for (std::size_t k = 0; k < changed_.size(); ++k) {
                std::uint32_t const link = changed_[k];
                double const way = way_[link], length = length_at(link, load_[link] + step * way);
                new_length_[k] = length;
                slope += length * way;
                bend += length * way * way * scale_[link] * steepness_;
            }
            if (slope < -0.3 * before) return step;
            double const newton = step - slope / bend, secant = step * before / (before - slope);
            step = std::clamp(std::max(newton, secant), 0.1 * step, 0.9 * step);
        }
        return 0;
    }

    /// Congestion of the flows under the loads of the best division met: by its parts that carry anything.
    void finish() {
        load_ = best_load_;
        for (ClassGraph const& one : classes_) {
            // Ports that carry less than this part of a flow of weight 1 are what the iterations have left over.
            constexpr double nothing = 1e-6;
            distance_[one.places()] = 0;
            for (std::uint32_t p = one.places(); p-- > 0;) {
                double most = 0;
                for (std::uint32_t a = one.first_arc[p]; a < one.first_arc[p + 1]; ++a)
                    if (one.best_flow[a] > nothing)
                        most = std::max({most, congestion(one.arcs[a].link), distance_[one.arcs[a].to]});
                distance_[p] = most;
            }
            for (std::size_t i = 0; i < one.flows.size(); ++i) {
                HostFlow const& flow = flows_[one.flows[i]];
                double most = distance_[one.entrances[i]];
                auto const see = [&](model::Link link) {
                    if (link.exists()) most = std::max(most, congestion(link.value));
                };
                see(graph_.forwarding().entry_of(flow.source).up);
                std::uint32_t const c = graph_.class_of(flow.destination);
                if (graph_.classes()[c].exit_row != kernels::no_row)
                    see(graph_.members(graph_.classes()[c])[graph_.member_of(flow.destination)].exit);
                result_.congestion[one.flows[i]] = most;
            }
        }
        result_.loads = std::move(load_);
    }

    SplitPlan const& plan_;
    model::ChoiceGraph const& graph_;
    std::span<HostFlow const> flows_;
    std::vector<ClassGraph> classes_;
    std::vector<double> load_, best_load_, length_, way_, scale_;  // by link
    std::vector<double> distance_, slope_, here_;                  // by place
    std::vector<double> moved_, share_;                            // by arc
    std::vector<double> new_length_;                               // of changed links
    std::vector<std::uint32_t> used_, changed_, place_;
    double fixed_ = 0, steepness_ = 0, reference_ = 0;
    OptimalSplit result_;
};

}  // namespace

OptimalSplit find_optimal_split(SplitPlan const& plan, model::LinkCosts const& costs, std::span<HostFlow const> flows,
                                OptimalSplitLimits const& limits) {
    return Solver(plan, costs, flows).solve(limits);
}

}  // namespace tailback::evaluation
