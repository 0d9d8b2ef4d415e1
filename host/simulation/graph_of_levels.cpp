// Levels as a graph: one after the other for all ranks (barrier), or for each rank by itself (causal).
#include "host/base/error.hpp"
#include "host/simulation/graph.hpp"

namespace tailback::simulation {
namespace {

class LevelGraph {
public:
    explicit LevelGraph(study::StudyPlan const& plan)
        : plan_(plan),
          compute_(ticks_of(plan, plan.study.timing.compute, "--compute")),
          is_causal_(plan.study.timing.dependencies == study::Dependencies::causal) {}

    Graph build() {
        std::vector<patterns::Level> const& levels = plan_.flow_list.levels;
        check_draws(levels);
        find_last_levels(levels);
        builder_.reserve(plan_.flows_per_mapping + levels.size(), 2 * plan_.flows_per_mapping);
        ended_.assign(plan_.flow_list.ranks, none);
        for (std::uint32_t l = 0; l < levels.size(); ++l) add_level(levels[l], l, l + 1 == levels.size());
        return builder_.take();
    }

private:
    void check_draws(std::vector<patterns::Level> const& levels) const {
        if (!is_causal_ || levels.size() < 2) return;
        for (patterns::Level const& level : levels)
            if (!level.random.empty())
                throw base::InputError({}, "--dependencies causal does not go with flows that are drawn",
                                       "who waits for them is another in every mapping",
                                       "use --dependencies barrier, or another pattern");
    }
    /// By rank the last level in which it takes part: nothing waits for that.
    void find_last_levels(std::vector<patterns::Level> const& levels) {
        if (!is_causal_) return;
        last_.assign(plan_.flow_list.ranks, 0);
        for (std::uint32_t l = 0; l < levels.size(); ++l)
            for (std::size_t f = levels[l].first_flow; f < levels[l].first_flow + levels[l].flow_count; ++f)
                last_[plan_.flow_list.flows[f].source] = last_[plan_.flow_list.flows[f].destination] = l;
    }
    std::uint64_t weight(std::size_t flow) const {
        return plan_.problem.weights == nullptr ? 1 : plan_.problem.weights[flow];
    }

    void add_level(patterns::Level const& level, std::uint32_t number, bool is_last) {
        builder_.graph.local += level.local;
        std::uint32_t const common =
            is_causal_ || is_last ? none : builder_.add_computation(compute_, nobody, none, number);
        if (!is_causal_ && !is_last && before_ != none) builder_.add_edge(before_, Done::arrived, common);
        met_.clear();
        for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f) {
            auto const [source, destination] = plan_.flow_list.flows[f];
            add_flow(builder_.pair(source, destination), weight(f), number, common);
        }
        for (patterns::RandomFlows const& part : level.random)
            for (std::uint32_t i = 0; i < part.ranks; ++i) {
                std::uint32_t const source = part.first_rank + i;
                add_flow(builder_.drawn_pair({source, source, part.stream, part.first_rank}), 1, number, common);
            }
        if (!is_causal_) before_ = common;
        for (auto const& [rank, task] : met_) ended_[rank] = task;
        in_level_.clear();
    }
    void add_flow(std::uint32_t pair, std::uint64_t weight, std::uint32_t level, std::uint32_t common) {
        auto const [source, destination, drawn, first] = builder_.graph.pairs[pair];
        std::uint32_t const flow = builder_.add_flow(pair, source, weight, level);
        if (!is_causal_) {
            if (before_ != none) builder_.add_edge(before_, Done::arrived, flow);
            if (common != none) builder_.add_edge(flow, Done::arrived, common);
            return;
        }
        if (drawn != none) return;
        if (ended_[source] != none) builder_.add_edge(ended_[source], Done::arrived, flow);
        if (std::uint32_t const end = end_of(source, level); end != none) builder_.add_edge(flow, Done::sent, end);
        if (std::uint32_t const end = end_of(destination, level); end != none)
            builder_.add_edge(flow, Done::arrived, end);
    }
    /// What stands for the end of the level on this rank, and the computing after it.
    std::uint32_t end_of(std::uint32_t rank, std::uint32_t level) {
        if (last_[rank] <= level) return none;
        if (in_level_.empty()) in_level_.assign(plan_.flow_list.ranks, none);
        if (in_level_[rank] == none) {
            in_level_[rank] = builder_.add_computation(compute_, rank, none, level);
            if (ended_[rank] != none) builder_.add_edge(ended_[rank], Done::arrived, in_level_[rank]);
            met_.emplace_back(rank, in_level_[rank]);
        }
        return in_level_[rank];
    }

    study::StudyPlan const& plan_;
    Ticks const compute_;
    bool const is_causal_;
    GraphBuilder builder_;
    std::uint32_t before_ = none;  ///< barrier: the end of the level before
    std::vector<std::uint32_t> last_, ended_, in_level_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> met_;  ///< ranks of this level and their ends
};

}  // namespace

Graph graph_of_levels(study::StudyPlan const& plan) { return LevelGraph(plan).build(); }

}  // namespace tailback::simulation
