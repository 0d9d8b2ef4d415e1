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
    std::vector<double> flow;              ///< by arc
    std::vector<std::uint32_t> flows;      ///< numbers of the flows
    std::vector<std::uint32_t> entrances;  ///< by flow: the place where it enters
    double step = 0.5;                     ///< how far it moved the last time, as a part of the way
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
        double steepness = 0;
        std::uint64_t a_sweep = 1;  // every port for the way and its length, and again for the bound
        for (ClassGraph const& one : classes_) a_sweep += one.arcs.size() * 2;
        std::uint64_t const most = std::max<std::uint64_t>(2, limits.most_steps / a_sweep);
        for (std::uint64_t& sweep = result_.sweeps; sweep < most && !result_.within(limits.gap); ++sweep) {
            // Steep enough that the smoothed maximum is off by a part of what is left to gain.
            double const gap = std::max(limits.gap / 3, std::min(0.5, result_.upper / result_.lower - 1) / 3);
            steepness = std::max(steepness, std::log(double(used_.size()) + 2) / (gap * result_.upper));
            for (ClassGraph& one : classes_) improve(one, steepness, sweep % 4 != 0);
            find_lengths(steepness);
            double bound = 0;
            for (ClassGraph const& one : classes_) {
                find_distances(one);
                for (std::uint32_t p = 0; p < one.places(); ++p) bound += one.demand[p] * distance_[p];
            }
            result_.lower = std::max(result_.lower, bound / length_sum_);
            note_upper();
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
        distance_.resize(most + 1), here_.resize(most + 1);
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

    void note_upper() {
        double worst = fixed_;
        for (std::uint32_t const link : used_) worst = std::max(worst, congestion(link));
        if (result_.upper != 0 && worst >= result_.upper) return;
        result_.upper = worst;
        best_load_ = load_;
    }

    /// Of all links that flows may use, in units of congestion, scaled to 1 for the most congested.
    void find_lengths(double steepness) {
        double worst = 0;
        for (std::uint32_t const link : used_) worst = std::max(worst, congestion(link));
        length_sum_ = 0;
        for (std::uint32_t const link : used_) {
            double const length = std::exp(steepness * (congestion(link) - worst));
            length_sum_ += length;
            length_[link] = length * scale_[link];
        }
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

    /// Moves a part of the flows of a class, as much as is best: all of them towards its shortest ways, or, as that
    /// goes to and fro near the optimum, at every row from the farthest port in use to the nearest one.
    void improve(ClassGraph& one, double steepness, bool exchange) {
        double worst = 0;
        for (ClassGraph::Arc const& arc : one.arcs) worst = std::max(worst, congestion(arc.link));
        for (ClassGraph::Arc const& arc : one.arcs)
            length_[arc.link] = std::exp(steepness * (congestion(arc.link) - worst)) * scale_[arc.link];
        if (exchange) aim_at_exchange(one);
        else aim_at_shortest(one);
        pour(one);
        double const step = one.step = best_step(steepness, std::max(one.step, 1e-6));
        for (std::uint32_t const link : changed_) load_[link] += step * way_[link], way_[link] = 0;
        for (std::size_t a = 0; a < one.arcs.size(); ++a) one.flow[a] += step * moved_[a];
    }

    /// Shares of the ports: all flow of a row to its nearest ports, in equal parts where they are equally near.
    void aim_at_shortest(ClassGraph const& one) {
        find_distances(one);
        share_.assign(one.arcs.size(), 0);
        for (std::uint32_t p = 0; p < one.places(); ++p) {
            std::uint32_t nearest = 0;
            auto const near = [&](ClassGraph::Arc const& arc) {
                return length_[arc.link] + distance_[arc.to] <= distance_[p] * (1 + 1e-9);
            };
            for (std::uint32_t a = one.first_arc[p]; a < one.first_arc[p + 1]; ++a) nearest += near(one.arcs[a]);
            for (std::uint32_t a = one.first_arc[p]; a < one.first_arc[p + 1]; ++a)
                if (near(one.arcs[a])) share_[a] = 1.0 / nearest;
        }
    }
    /// Shares as they are, but for what goes by the farthest port of a row, which goes by its nearest: distances are
    /// those that the flow meets. By the performance difference of policies this is a descent.
    void aim_at_exchange(ClassGraph const& one) {
        share_.assign(one.arcs.size(), 0);
        distance_[one.places()] = 0;
        for (std::uint32_t p = one.places(); p-- > 0;) {
            std::uint32_t const first = one.first_arc[p], end = one.first_arc[p + 1];
            double through = 0, mean = 0;
            for (std::uint32_t a = first; a < end; ++a) through += one.flow[a];
            std::uint32_t nearest = first, farthest = end;
            auto const far = [&](std::uint32_t a) { return length_[one.arcs[a].link] + distance_[one.arcs[a].to]; };
            for (std::uint32_t a = first; a < end; ++a) {
                if (far(a) < far(nearest)) nearest = a;
                if (!(through > 0)) continue;
                share_[a] = one.flow[a] / through;
                mean += share_[a] * far(a);
                if (share_[a] > 1e-12 && (farthest == end || far(a) > far(farthest))) farthest = a;
            }
            if (first < end && farthest == end) share_[nearest] = 1, mean = far(nearest);
            distance_[p] = mean;
            if (farthest == end || nearest == farthest) continue;
            share_[nearest] += share_[farthest];
            share_[farthest] = 0;
        }
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

    /// Where sum exp(steepness x congestion) along `way_` is least, in 0 .. 1: its derivative grows. By Newton's method
    /// between bounds, from where it was the last time: near the optimum steps are small.
    double best_step(double steepness, double guess) {
        if (changed_.empty()) return 0;
        weight_.clear(), rise_.clear();
        for (std::uint32_t const link : changed_) {  // lengths are those of the loads as they are
            rise_.push_back(steepness * way_[link] * scale_[link]);
            weight_.push_back(length_[link] * way_[link]);
        }
        double low = 0, high = 1, step = std::min(1.0, 2 * guess);
        for (int i = 0; i < 7; ++i) {
            double slope = 0, bend = 0;
            for (std::size_t k = 0; k < rise_.size(); ++k) {
                double const part = weight_[k] * std::exp(std::min(step * rise_[k], 600.0));
                slope += part;
                bend += part * rise_[k];
            }
            (slope > 0 ? high : low) = step;
            if (low == 1 || high - low < 1e-3 * high || high < 1e-9) break;
            double const next = bend > 0 ? step - slope / bend : -1;
            if (slope <= 0 && next - step < 0.1 * step) return step;
            step = next > low && next < high ? next
                   : slope <= 0 && high == 1 ? std::min(1.0, 4 * step)
                                             : (low + high) / 2;
        }
        return low;
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
                    if (one.flow[a] > nothing)
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
    std::vector<double> distance_, here_, moved_, share_;
    std::vector<double> weight_, rise_;  // of changed links
    std::vector<std::uint32_t> used_, changed_, place_;
    double fixed_ = 0, length_sum_ = 1;
    OptimalSplit result_;
};

}  // namespace

OptimalSplit find_optimal_split(SplitPlan const& plan, model::LinkCosts const& costs, std::span<HostFlow const> flows,
                                OptimalSplitLimits const& limits) {
    return Solver(plan, costs, flows).solve(limits);
}

}  // namespace tailback::evaluation
