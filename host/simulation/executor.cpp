#include "host/simulation/executor.hpp"

#include "host/simulation/engine.hpp"
#include "host/simulation/mapping_routes.hpp"
#include "kernels/cpu/machine/workers.hpp"
#include "kernels/evaluate/dispatch.hpp"
#include "kernels/sharing/tell.hpp"

#include <array>

namespace tailback::simulation {
namespace {

/// Adds the times of flows up.
class Sums {
public:
    Sums(study::StudyPlan const& plan, Graph const& graph, Delays const& delays)
        : sharing_(plan.problem.measures.sharing), graph_(graph), delays_(delays) {}

    void begin(PairLinks const& links) {
        links_ = &links;
        tally_ = {};
        ended_ = slowdown_ = 0;
    }
    void started(std::uint32_t task, FlowFate fate, Ticks) {
        switch (fate) {
            case FlowFate::delivered: ++tally_.delivered; break;
            case FlowFate::unreachable: ++tally_.unreachable; break;
            case FlowFate::loop: ++tally_.loop; break;
            case FlowFate::misdelivered: ++tally_.misdelivered; break;
            case FlowFate::within_node: tally_.within_nodes += graph_.tasks[task].amount; break;
            case FlowFate::local: ++tally_.local; break;
        }
    }
    void ended(std::uint32_t task, Ticks began, Ticks now) {
        Ticks const time = now - began, alone = time_alone(graph_.tasks[task]);
        ended_ += time;
        slowdown_ += alone == 0 ? kernels::WideWord{1} << kernels::slowdown_bits
                                : (static_cast<kernels::WideWord>(time) << kernels::slowdown_bits) / alone;
        ++times->at(kernels::weighted_bin(time));
    }
    void rate(std::uint32_t, std::uint64_t, std::uint32_t, Ticks) {}
    void computed(std::uint32_t, Ticks, Ticks) {}

    kernels::MappingTally tally(Ticks makespan) {
        constexpr kernels::WideWord most = ~std::uint64_t{0} >> 1;
        tally_.makespan = makespan;
        tally_.ended_sum = static_cast<std::uint64_t>(ended_ >> sharing_.ended_shift);
        tally_.slowdown_sum = static_cast<std::uint64_t>(std::min(slowdown_, most));
        return tally_;
    }

    std::vector<std::uint64_t>* times = nullptr;  ///< flows by weighted_bin of their time

private:
    Ticks time_alone(Task const& task) const {
        std::uint32_t const length = links_->length(task.subject);
        Ticks alone = delays_.of_route(length);
        if (task.amount == 0) return alone;
        if (!delays_.store_and_forward || length == 0)
            return alone + kernels::time_alone(sharing_, task.amount,
                                               length == 0 ? sharing_.unit : links_->slowest(task.subject));
        for (std::uint32_t const link : links_->links(task.subject))
            alone += kernels::time_alone(sharing_, task.amount, links_->capacities()[link]);
        return alone;
    }

    kernels::SharingView const& sharing_;
    Graph const& graph_;
    Delays const delays_;
    PairLinks const* links_ = nullptr;
    kernels::MappingTally tally_;
    kernels::WideWord ended_ = 0, slowdown_ = 0;
};

template <class Routes>
class Worker {
public:
    Worker(study::StudyPlan const* plan, kernels::Problem const& problem, Graph const* graph, Routes const& routes)
        : sums(problem),
          routes_(problem, routes, *graph, delays_of(*plan).store_and_forward),
          told_(*plan, *graph, delays_of(*plan)),
          engine_(*graph, plan->problem.measures.sharing, delays_of(*plan), told_) {
        told_.times = &sums.times;
    }
    kernels::MappingTally evaluate(std::uint64_t mapping) {
        PairLinks const& links = routes_.find(mapping);
        told_.begin(links);
        return told_.tally(engine_.run(links));
    }
    kernels::Totals sums;

private:
    MappingRoutes<Routes> routes_;
    Sums told_;
    Engine<Sums> engine_;
};

/// Keeps the graph beside the executor that uses it.
class SimulationExecutor final : public kernels::Executor {
public:
    SimulationExecutor(study::StudyPlan const& plan, kernels::Problem const& problem, unsigned threads)
        : graph_(make_graph(plan)) {
        kernels::with_routes(problem, [&]<class Routes>(Routes const& routes) {
            using Workers = kernels::CpuExecutor<Worker<Routes>>;
            workers_ = std::make_unique<Workers>(kernels::threads_to_use(threads), &plan, problem, &graph_, routes);
        });
    }
    void evaluate(std::uint64_t first, std::span<kernels::MappingTally> tallies) override {
        workers_->evaluate(first, tallies);
    }
    void evaluate_and_reduce(std::uint64_t first, std::uint64_t count, kernels::WantedNumbers const& wanted) override {
        workers_->evaluate_and_reduce(first, count, wanted);
    }
    kernels::Reduction take_reduction() override { return workers_->take_reduction(); }
    kernels::Totals totals() override { return workers_->totals(); }
    std::string device() const override { return workers_->device(); }
    unsigned threads() const override { return workers_->threads(); }
    std::uint64_t good_batch() const override { return workers_->good_batch(); }

private:
    Graph const graph_;
    std::unique_ptr<kernels::Executor> workers_;
};

}  // namespace

Delays delays_of(study::StudyPlan const& plan) {
    study::Timing const& timing = plan.study.measures.timing;
    return {.link = ticks_of(plan, timing.link_latency),
            .on_switch = ticks_of(plan, timing.switch_latency),
            .store_and_forward = timing.switching == study::Switching::store_and_forward};
}

std::unique_ptr<kernels::Executor> make_executor(study::StudyPlan const& plan, unsigned threads) {
    return make_executor(plan, plan.problem, threads);
}

std::unique_ptr<kernels::Executor> make_executor(study::StudyPlan const& plan, kernels::Problem const& problem,
                                                 unsigned threads) {
    return std::make_unique<SimulationExecutor>(plan, problem, threads);
}

}  // namespace tailback::simulation
