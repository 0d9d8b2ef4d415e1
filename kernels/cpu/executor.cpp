// The CPU's executors: OpenMP over mappings, each by one thread, in stages or as the kernel's body has it.
#include "kernels/cpu/fast/staged_executor.hpp"
#include "kernels/cpu/huge_buffer.hpp"
#include "kernels/cpu/team.hpp"
#include "kernels/evaluate/dispatch.hpp"
#include "kernels/evaluate/evaluate.hpp"

#include <cstring>

namespace tailback {
namespace {

static_assert(Team<CpuTeam>);

/// By the body that GPUs run, too.
template <class Routes, class Counter>
class BodyWorker {
public:
    BodyWorker(Problem const& p, Routes const& routes) : sums(p), problem_(p), routes_(routes), plain_(is_plain(p)) {
        memory_ = HugeBuffer(scratch_.lay_out(p, nullptr, true));
        std::memset(memory_.data(), 0, memory_.size());
        scratch_.lay_out(p, memory_.data(), true);
    }
    MappingTally evaluate(std::uint64_t m) {
        CpuTeam team;
        if (plain_) return evaluate_mapping<true>(team, problem_, routes_, m, scratch_, sums.view());
        return evaluate_mapping<false>(team, problem_, routes_, m, scratch_, sums.view());
    }
    Totals sums;

private:
    Problem problem_;
    Routes routes_;
    bool plain_;
    Scratch<Counter, typename Routes::Kept> scratch_;
    HugeBuffer memory_;
};

}  // namespace

std::unique_ptr<Executor> make_cpu_executor(Problem const& problem, unsigned threads, CpuWay way) {
    threads = threads_to_use(threads);
    std::unique_ptr<Executor> executor;
    if (way == CpuWay::fastest)
        executor = stages::seats_are_wide(problem) ? make_staged_executor<std::uint32_t>(problem, threads)
                                                   : make_staged_executor<std::uint16_t>(problem, threads);
    if (executor) return executor;
    with_routes(problem, [&]<class Routes>(Routes const& routes) {
        if (fits_narrow_counters(problem))
            executor = std::make_unique<CpuExecutor<BodyWorker<Routes, std::uint16_t>>>(threads, problem, routes);
        else executor = std::make_unique<CpuExecutor<BodyWorker<Routes, std::uint32_t>>>(threads, problem, routes);
    });
    return executor;
}

}  // namespace tailback
