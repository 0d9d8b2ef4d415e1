// One thread a mapping, by the body that GPUs run, too: the definition.
#pragma once

#include "kernels/common/huge_buffer.hpp"
#include "kernels/cpu/fast/team.hpp"
#include "kernels/cpu/flow_routes.hpp"
#include "kernels/cpu/machine/workers.hpp"
#include "kernels/evaluate/dispatch.hpp"
#include "kernels/evaluate/evaluate.hpp"

#include <cstring>
#include <optional>
#include <utility>

namespace tailback::kernels {

/// Counter: std::uint32_t, or std::uint64_t for flows with weights.
template <class Routes, class Counter>
class BodyWorker {
public:
    BodyWorker(Problem const& p, Routes const& routes) : sums(p), problem_(p), routes_(routes) {
        memory_ = HugeBuffer(scratch_.lay_out(p, nullptr, true));
        std::memset(memory_.data(), 0, memory_.size());
        scratch_.lay_out(p, memory_.data(), true);
        CpuTeam team;
        scratch_.fill_subset(team, p);
    }
    MappingTally evaluate(std::uint64_t m) {
        CpuTeam team;
        return evaluate_mapping<false>(team, problem_, routes_, m, scratch_, sums.view());
    }
    Totals sums;

private:
    Problem problem_;
    Routes routes_;
    Scratch<Counter, typename Routes::Kept> scratch_;
    HugeBuffer memory_;
};

template <class Counter>
std::unique_ptr<Executor> make_body_executor(Problem const& problem, unsigned threads) {
    std::unique_ptr<Executor> executor;
    with_routes(problem, [&]<class Routes>(Routes const& routes) {
        using Worker = BodyWorker<Routes, Counter>;
        executor = std::make_unique<CpuExecutor<Worker>>(threads_to_use(threads), problem, routes);
    });
    return executor;
}
/// A mapping's ranks, and the routes of its flows as lists of links.
template <class Counter>
class FlowsOfMapping {
public:
    using TeamScratch = Scratch<Counter, RoutesOfFlows::Kept>;

    FlowsOfMapping(Problem const& p, MakeFinder const& make_finder) : finder_(make_finder()) {
        memory_ = HugeBuffer(scratch_.lay_out(p, nullptr, true));
        std::memset(memory_.data(), 0, memory_.size());
        scratch_.lay_out(p, memory_.data(), true);
        CpuTeam team;
        scratch_.fill_subset(team, p);
    }
    void place(CpuTeam& team, Problem const& p, std::uint64_t m) {
        std::uint64_t const mapping = m / p.placement.repeats;
        if (p.placement.repeats > 1 && std::exchange(placed_, mapping) == mapping) return;
        kernel::place_ranks(team, p, mapping, scratch_);
    }
    /// After `place`.
    RoutesOfFlows find(std::uint64_t m, std::span<LevelView const> levels) {
        return levels.empty() ? RoutesOfFlows{} : finder_->find(m, PlacedFlows(scratch_), levels);
    }
    /// FlowRouteFinder::list, after `place`.
    std::optional<MappingTally> list(std::uint64_t m, LevelView const& level, bool with_host_links,
                                     LocalBottlenecks& to) {
        return finder_->list(m, PlacedFlows(scratch_), level, with_host_links, to);
    }
    bool goes_by_level() const { return finder_->goes_by_level(); }
    TeamScratch const& scratch() const { return scratch_; }

private:
    std::unique_ptr<FlowRouteFinder> finder_;
    std::optional<std::uint64_t> placed_;  ///< the mapping that ranks have their hosts of, where it comes again
    TeamScratch scratch_;
    HugeBuffer memory_;
};

/// The body over these.
template <class Counter>
class FlowBodyWorker {
public:
    FlowBodyWorker(Problem const& p, MakeFinder const& make_finder) : sums(p), problem_(p), flows_(p, make_finder) {}
    MappingTally evaluate(std::uint64_t m) {
        CpuTeam team;
        flows_.place(team, problem_, m);
        RoutesOfFlows const routes = flows_.find(m, {problem_.traffic.levels, problem_.traffic.level_count});
        return evaluate_placed<false>(team, problem_, routes, flows_.scratch(), sums.view());
    }
    Totals sums;

private:
    Problem problem_;
    FlowsOfMapping<Counter> flows_;
};

template <class Counter>
std::unique_ptr<Executor> make_body_executor(Problem const& problem, unsigned threads, MakeFinder const& make_finder) {
    return std::make_unique<CpuExecutor<FlowBodyWorker<Counter>>>(threads_to_use(threads), problem, make_finder);
}

}  // namespace tailback::kernels
