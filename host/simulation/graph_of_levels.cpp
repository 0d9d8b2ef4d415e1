// Levels as a graph: one after the other for all ranks (barrier), or for each rank by itself (causal).
#include "host/simulation/graph.hpp"

#include <algorithm>
#include <cmath>

namespace tailback::simulation {
namespace {

class LevelGraph {
public:
    explicit LevelGraph(study::StudyPlan const& plan)
        : plan_(plan),
          compute_(ticks_of(plan, plan.study.measures.timing.compute)),
          is_causal_(plan.study.measures.timing.dependencies == study::Dependencies::causal) {}

    Graph build() {
        std::vector<patterns::Level> const& levels = plan_.flow_list.levels;
        find_last_levels(levels);
        builder_.reserve(plan_.flows_per_mapping + levels.size(), 2 * plan_.flows_per_mapping);
        ended_.assign(plan_.flow_list.ranks, none);
        std::vector<std::size_t> const& jobs = plan_.study.measures.timing.first_level_of_job;
        for (std::uint32_t l = 0; l < levels.size(); ++l) {
            for (std::size_t const first : jobs)  // more than one where a job has no level
                if (first == l) begin_job();
            add_level(levels[l], l, l + 1 == levels.size() || std::find(jobs.begin(), jobs.end(), l + 1) != jobs.end());
        }
        while (builder_.graph.first_of_job.size() < jobs.size()) begin_job();
        return builder_.take();
    }

private:
    /// By rank the last level in which it takes part: nothing waits for that.
    void find_last_levels(std::vector<patterns::Level> const& levels) {
        if (!is_causal_) return;
        last_.assign(plan_.flow_list.ranks, 0);
        for (std::uint32_t l = 0; l < levels.size(); ++l) {
            for (std::size_t f = levels[l].first_flow; f < levels[l].first_flow + levels[l].flow_count; ++f)
                last_[plan_.flow_list.flows[f].source] = last_[plan_.flow_list.flows[f].destination] = l;
            for (std::uint32_t const rank : levels[l].local_ranks) last_[rank] = l;
            for (patterns::RandomFlows const& part : levels[l].random)
                std::fill_n(last_.begin() + part.first_rank, part.ranks, l);
        }
    }
    /// Its levels do not wait for those of the one before.
    void begin_job() {
        builder_.graph.first_of_job.push_back(static_cast<std::uint32_t>(builder_.graph.tasks.size()));
        before_ = none;
    }
    std::uint64_t weight(std::size_t flow) const {
        return plan_.problem.traffic.weights == nullptr ? 1 : plan_.problem.traffic.weights[flow];
    }

    /// What every rank does after the level.
    Ticks computing(patterns::Level const& level) const {
        return level.computing == 1 ? compute_ : static_cast<Ticks>(std::llround(double(compute_) * level.computing));
    }

    void add_level(patterns::Level const& level, std::uint32_t number, bool is_last) {
        std::uint32_t const common =
            is_causal_ || is_last ? none : builder_.add_computation(computing(level), nobody, none, number);
        level_compute_ = computing(level);
        if (!is_causal_ && !is_last && before_ != none) builder_.add_edge(before_, Done::arrived, common);
        met_.clear();
        for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f) {
            auto const [source, destination] = plan_.flow_list.flows[f];
            add_flow(builder_.pair(source, destination), weight(f), number, common);
            if (!plan_.flow_list.classes.empty()) builder_.set_class(plan_.flow_list.classes[f], flow_);
        }
        for (std::size_t i = 0; is_causal_ && i < level.local_ranks.size(); ++i) end_of(level.local_ranks[i], number);
        for (patterns::RandomFlows const& part : level.random) add_drawn(part, number, common);
        if (!is_causal_) before_ = common;
        for (auto const& [rank, task] : met_) ended_[rank] = task;
        in_level_.clear();
    }
    /// One flow from each rank, and one to each: who that is from is known when the mapping is.
    void add_drawn(patterns::RandomFlows const& part, std::uint32_t number, std::uint32_t common) {
        auto const ends = is_causal_ ? static_cast<std::uint32_t>(builder_.graph.drawn_ends.size()) : none;
        for (std::uint32_t i = 0; i < part.ranks; ++i) {
            std::uint32_t const source = part.first_rank + i;
            add_flow(builder_.drawn_pair({source, source, part.stream, part.first_rank, ends}), 1, number, common);
        }
        for (std::uint32_t i = 0; is_causal_ && i < part.ranks; ++i) {
            std::uint32_t const end = end_of(part.first_rank + i, number);
            builder_.graph.drawn_ends.push_back(end);
            if (end != none) ++builder_.graph.tasks[end].waits;
        }
    }
    void add_flow(std::uint32_t pair, std::uint64_t weight, std::uint32_t level, std::uint32_t common) {
        std::uint32_t const source = builder_.graph.pairs[pair].source;
        std::uint32_t const destination = builder_.graph.pairs[pair].destination;
        std::uint32_t const flow = flow_ = builder_.add_flow(pair, source, weight, level);
        if (!is_causal_) {
            if (before_ != none) builder_.add_edge(before_, Done::arrived, flow);
            if (common != none) builder_.add_edge(flow, Done::arrived, common);
            return;
        }
        if (ended_[source] != none) builder_.add_edge(ended_[source], Done::arrived, flow);
        if (std::uint32_t const end = end_of(source, level); end != none) builder_.add_edge(flow, Done::sent, end);
        if (builder_.graph.pairs[pair].drawn != none) return;
        if (std::uint32_t const end = end_of(destination, level); end != none)
            builder_.add_edge(flow, Done::arrived, end);
    }
    /// What stands for the end of the level on this rank, and the computing after it.
    std::uint32_t end_of(std::uint32_t rank, std::uint32_t level) {
        if (last_[rank] <= level) return none;
        if (in_level_.empty()) in_level_.assign(plan_.flow_list.ranks, none);
        if (in_level_[rank] == none) {
            in_level_[rank] = builder_.add_computation(level_compute_, rank, none, level);
            if (ended_[rank] != none) builder_.add_edge(ended_[rank], Done::arrived, in_level_[rank]);
            met_.emplace_back(rank, in_level_[rank]);
        }
        return in_level_[rank];
    }

    study::StudyPlan const& plan_;
    Ticks const compute_;
    bool const is_causal_;
    GraphBuilder builder_;
    std::uint32_t flow_ = none;    ///< that was added last
    Ticks level_compute_ = 0;      ///< after the level
    std::uint32_t before_ = none;  ///< barrier: the end of the level before
    std::vector<std::uint32_t> last_, ended_, in_level_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> met_;  ///< ranks of this level and their ends
};

}  // namespace

Graph graph_of_levels(study::StudyPlan const& plan) { return LevelGraph(plan).build(); }

}  // namespace tailback::simulation
