// The CPU's executors: OpenMP over mappings, each by one thread, in stages or as the kernel's body has it.
#include "kernels/cpu/fast/stages.hpp"
#include "kernels/cpu/huge_buffer.hpp"
#include "kernels/cpu/team.hpp"
#include "kernels/cpu/workers.hpp"
#include "kernels/evaluate/dispatch.hpp"
#include "kernels/evaluate/evaluate.hpp"

#include <cstring>

namespace tailback::kernels {
namespace {

static_assert(Team<CpuTeam>);

/// Stage by stage.
template <class HostWord>
class StagedWorker {
public:
    StagedWorker(Problem const& p, stages::Rows<HostWord> const& rows) : sums(p), mapping_(p, rows) {}
    MappingTally evaluate(std::uint64_t m) { return mapping_.evaluate(m, sums.view()); }
    Totals sums;

private:
    stages::Mapping<HostWord> mapping_;
};

/// By the body that GPUs run, too: the definition, for what the stages do not apply to, and for tests.
template <class Routes>
class BodyWorker {
public:
    BodyWorker(Problem const& p, Routes const& routes) : sums(p), problem_(p), routes_(routes) {
        memory_ = HugeBuffer(scratch_.lay_out(p, nullptr, true));
        std::memset(memory_.data(), 0, memory_.size());
        scratch_.lay_out(p, memory_.data(), true);
    }
    MappingTally evaluate(std::uint64_t m) {
        CpuTeam team;
        return evaluate_mapping<false>(team, problem_, routes_, m, scratch_, sums.view());
    }
    Totals sums;

private:
    Problem problem_;
    Routes routes_;
    Scratch<std::uint32_t, typename Routes::Kept> scratch_;
    HugeBuffer memory_;
};

/// By the rows that make_rows(HostWord{}) makes; null where it makes none.
template <class MakeRows>
std::unique_ptr<Executor> make_staged_executor(Problem const& problem, unsigned threads, MakeRows&& make_rows) {
    auto const by = [&]<class HostWord>(HostWord host_index) -> std::unique_ptr<Executor> {
        stages::Rows<HostWord> const rows = make_rows(host_index);
        if (!rows.finder) return nullptr;
        return std::make_unique<CpuExecutor<StagedWorker<HostWord>>>(threads_to_use(threads), problem, rows);
    };
    return stages::host_indices_are_wide(problem) ? by(std::uint32_t{}) : by(std::uint16_t{});
}

}  // namespace

std::unique_ptr<Executor> make_cpu_executor(Problem const& problem, unsigned threads, FoundRoutes const& routes) {
    return make_staged_executor(
        problem, threads, [&]<class HostWord>(HostWord) { return stages::make_found_rows<HostWord>(problem, routes); });
}

std::unique_ptr<Executor> make_cpu_executor(Problem const& problem, unsigned threads, CpuVariant way) {
    std::unique_ptr<Executor> executor;
    if (way == CpuVariant::fastest)
        executor = make_staged_executor(problem, threads,
                                        [&]<class HostWord>(HostWord) { return stages::make_rows<HostWord>(problem); });
    if (executor) return executor;
    with_routes(problem, [&]<class Routes>(Routes const& routes) {
        executor = std::make_unique<CpuExecutor<BodyWorker<Routes>>>(threads_to_use(threads), problem, routes);
    });
    return executor;
}

}  // namespace tailback::kernels
