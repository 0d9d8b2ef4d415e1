#include "host/evaluation/adaptive/optimal_split.hpp"

#include "host/search/bounds/divided_flows.hpp"

#include <algorithm>

namespace tailback::evaluation {
namespace {

/// The flows to one class of destinations, over the places of the graph of choices that they reach.
struct ClassFlows {
    search::FlowsToOne divided;
    std::vector<std::uint32_t> flows;      ///< numbers of the flows
    std::vector<std::uint32_t> entrances;  ///< by flow: the place where it enters
};

class Solver {
public:
    Solver(SplitPlan const& plan, model::LinkCosts const& costs, std::span<HostFlow const> flows)
        : plan_(plan), graph_(plan.graph()), flows_(flows) {
        std::size_t const links = graph_.forwarding().fabric().network.links().size();
        fixed_.resize(links), scale_.assign(links, 1);
        result_.congestion.resize(flows.size());
        for (std::size_t l = 0; l < costs.cost.size(); ++l) scale_[l] = double(costs.cost[l]) / costs.denominator;
        build();
    }

    OptimalSplit solve(OptimalSplitLimits const& limits) {
        search::DividedFlows divided(scale_, fixed_);
        divided.keep_flows();
        for (ClassFlows& one : classes_) divided.add(std::move(one.divided));
        divided.solve({limits.gap, limits.most_steps});
        result_.lower = divided.lower();
        result_.upper = divided.upper();
        result_.sweeps = divided.sweeps();
        result_.loads = divided.best_load();
        for (std::size_t c = 0; c < classes_.size(); ++c)
            note_congestion(classes_[c], divided.all()[c], divided.best_flow(c));
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
                fixed_[link.value] += double(flows_[f].weight);
            };
            fix(entry.up);
            model::ChoiceGraph::Class const& to = graph_.classes()[c];
            if (to.exit_row != kernels::no_row) fix(graph_.members(to)[graph_.member_of(flows_[f].destination)].exit);
        }
        place_.assign(graph_.rows(), model::ChoiceGraph::none);
        for (std::uint32_t c = 0; c < of_class.size(); ++c)
            if (!of_class[c].empty()) classes_.push_back(build_class(c, std::move(of_class[c])));
    }

    /// With its flows divided equally.
    ClassFlows build_class(std::uint32_t c, std::vector<std::uint32_t> flows) {
        ClassFlows one;
        search::FlowsToOne& divided = one.divided;
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
        for (SplitPlan::Step const& step : steps) {
            divided.demand.push_back(demand[step.row]);
            divided.first_way.push_back(static_cast<std::uint32_t>(divided.ways.size()));
            if (model::ChoiceGraph::is_mark(step.group)) continue;
            auto const options = graph_.options(step.group);
            for (std::size_t i = 0; i < options.size(); ++i) {
                std::uint32_t const target = plan_.targets(step.group)[i];
                std::uint32_t const to =
                    target == plan_.sink() ? static_cast<std::uint32_t>(steps.size()) : place_[target];
                divided.ways.push_back({to, options[i].link.value});
            }
        }
        divided.first_way.push_back(static_cast<std::uint32_t>(divided.ways.size()));
        divided.divide_equally();
        for (std::uint32_t const f : one.flows)
            one.entrances.push_back(place_[graph_.forwarding().entry_of(flows_[f].source).row]);
        return one;
    }

    /// Of its flows, under the loads of the best division met: by its parts that carry anything.
    void note_congestion(ClassFlows const& one, search::FlowsToOne const& divided, std::vector<double> const& flow) {
        // Ports that carry less than this part of a flow of weight 1 are what the iterations have left over.
        constexpr double nothing = 1e-6;
        std::vector<double> from(divided.places() + std::size_t{1});  // by place: the most on the ways from there on
        for (std::uint32_t p = divided.places(); p-- > 0;)
            for (std::uint32_t w = divided.first_way[p]; w < divided.first_way[p + 1]; ++w)
                if (flow[w] > nothing)
                    from[p] = std::max({from[p], congestion(divided.ways[w].link), from[divided.ways[w].to]});
        for (std::size_t i = 0; i < one.flows.size(); ++i) {
            HostFlow const& which = flows_[one.flows[i]];
            double most = from[one.entrances[i]];
            auto const see = [&](model::Link link) {
                if (link.exists()) most = std::max(most, congestion(link.value));
            };
            see(graph_.forwarding().entry_of(which.source).up);
            std::uint32_t const c = graph_.class_of(which.destination);
            if (graph_.classes()[c].exit_row != kernels::no_row)
                see(graph_.members(graph_.classes()[c])[graph_.member_of(which.destination)].exit);
            result_.congestion[one.flows[i]] = most;
        }
    }
    double congestion(std::uint32_t link) const { return result_.loads[link] * scale_[link]; }

    SplitPlan const& plan_;
    model::ChoiceGraph const& graph_;
    std::span<HostFlow const> flows_;
    std::vector<ClassFlows> classes_;
    std::vector<double> fixed_, scale_;  // by link
    std::vector<std::uint32_t> place_;
    OptimalSplit result_;
};

}  // namespace

OptimalSplit find_optimal_split(SplitPlan const& plan, model::LinkCosts const& costs, std::span<HostFlow const> flows,
                                OptimalSplitLimits const& limits) {
    return Solver(plan, costs, flows).solve(limits);
}

}  // namespace tailback::evaluation
