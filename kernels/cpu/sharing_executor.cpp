// One thread a mapping: the body that GPUs run, too, first for loads and fates, then for rates and times.
#include "kernels/cpu/sharing_executor.hpp"

#include "kernels/cpu/body_executor.hpp"
#include "kernels/sharing/completion.hpp"

namespace tailback::kernels {
namespace {

/// Counter: std::uint32_t, or std::uint64_t for flows with weights.
template <class Routes, class Counter>
class SharingWorker {
public:
    SharingWorker(Problem const& p, Routes const& routes) : sums(p), problem_(p), routes_(routes) {
        memory_ = HugeBuffer(scratch_.lay_out(p, nullptr, true));
        std::memset(memory_.data(), 0, memory_.size());
        scratch_.lay_out(p, memory_.data(), true);
        sharing_memory_ = HugeBuffer(sharing_.lay_out(p, nullptr));
        sharing_.lay_out(p, sharing_memory_.data());
    }
    MappingTally evaluate(std::uint64_t m) {
        CpuTeam team;
        MappingTally tally = evaluate_mapping<false>(team, problem_, routes_, m, scratch_, sums.view());
        share_placed(team, problem_, routes_, scratch_, sharing_, sums.view(), tally);
        return tally;
    }
    Totals sums;

private:
    Problem problem_;
    Routes routes_;
    Scratch<Counter, typename Routes::Kept> scratch_;
    SharingScratch sharing_{};
    HugeBuffer memory_, sharing_memory_;
};

template <class Counter>
std::unique_ptr<Executor> make_with(Problem const& problem, unsigned threads) {
    std::unique_ptr<Executor> executor;
    with_routes(problem, [&]<class Routes>(Routes const& routes) {
        using Worker = SharingWorker<Routes, Counter>;
        executor = std::make_unique<CpuExecutor<Worker>>(threads_to_use(threads), problem, routes);
    });
    return executor;
}

}  // namespace

std::unique_ptr<Executor> make_sharing_executor(Problem const& problem, unsigned threads, CpuVariant) {
    return problem.weights != nullptr ? make_with<std::uint64_t>(problem, threads)
                                      : make_with<std::uint32_t>(problem, threads);
}

}  // namespace tailback::kernels
