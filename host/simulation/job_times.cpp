#include "host/simulation/job_times.hpp"

#include "host/simulation/engine.hpp"
#include "host/simulation/mapping_routes.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <algorithm>

namespace tailback::simulation {
namespace {

/// Keeps the last end of each job.
class LastEnds {
public:
    explicit LastEnds(Graph const& graph) : first_of_job_(graph.first_of_job), ends(graph.first_of_job.size()) {}
    void started(std::uint32_t, FlowFate, Ticks) {}
    void ended(std::uint32_t task, Ticks, Ticks now) { note(task, now); }
    void rate(std::uint32_t, std::uint64_t, std::uint32_t, Ticks) {}
    void computed(std::uint32_t task, Ticks, Ticks to) { note(task, to); }

private:
    void note(std::uint32_t task, Ticks now) {
        auto const after = std::upper_bound(first_of_job_.begin(), first_of_job_.end(), task);
        Ticks& end = ends[static_cast<std::size_t>(after - first_of_job_.begin()) - 1];
        end = std::max(end, now);
    }
    std::vector<std::uint32_t> const& first_of_job_;

public:
    std::vector<Ticks> ends;
};

template <class Routes>
class JobTimesBy final : public JobTimes {
public:
    JobTimesBy(study::StudyPlan const& plan, std::shared_ptr<Graph const> graph, Routes const& routes)
        : graph_(std::move(graph)),
          routes_(plan.problem, routes, *graph_, delays_of(plan).store_and_forward),
          last_(*graph_),
          engine_(*graph_, plan.problem.measures.sharing, delays_of(plan), last_) {
        std::vector<std::uint32_t> const& first = graph_->first_of_job;
        roots_.resize(first.size());
        for (std::size_t j = 0; j < first.size(); ++j) {
            auto const end = j + 1 < first.size() ? first[j + 1] : static_cast<std::uint32_t>(graph_->tasks.size());
            for (std::uint32_t task = first[j]; task < end; ++task)
                if (graph_->tasks[task].waits == 0) roots_[j].push_back(task);
        }
    }
    void place(std::uint64_t mapping) override { links_ = &routes_.find(mapping); }
    void run(std::span<std::uint32_t const> jobs, std::span<Ticks> ends) override {
        start_.clear();
        for (std::uint32_t const job : jobs) start_.insert(start_.end(), roots_[job].begin(), roots_[job].end());
        std::fill(last_.ends.begin(), last_.ends.end(), 0);
        engine_.run(*links_, start_);
        for (std::size_t j = 0; j < jobs.size(); ++j) ends[j] = last_.ends[jobs[j]];
    }

private:
    std::shared_ptr<Graph const> const graph_;
    MappingRoutes<Routes> routes_;
    LastEnds last_;
    Engine<LastEnds> engine_;
    PairLinks const* links_ = nullptr;
    std::vector<std::vector<std::uint32_t>> roots_;  ///< by job: its tasks that wait for nothing
    std::vector<std::uint32_t> start_;
};

}  // namespace

JobTimesMaker::JobTimesMaker(study::StudyPlan const& plan)
    : plan_(plan), graph_(std::make_shared<Graph const>(make_graph(plan))) {}

std::unique_ptr<JobTimes> JobTimesMaker::make() const {
    std::unique_ptr<JobTimes> made;
    kernels::with_routes(plan_.problem, [&]<class Routes>(Routes const& routes) {
        made = std::make_unique<JobTimesBy<Routes>>(plan_, graph_, routes);
    });
    return made;
}

}  // namespace tailback::simulation
