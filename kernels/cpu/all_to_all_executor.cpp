// One thread a mapping, by the body that GPUs run, too.
#include "kernels/cpu/all_to_all_executor.hpp"

#include "kernels/all_to_all/all_to_all.hpp"
#include "kernels/common/huge_buffer.hpp"
#include "kernels/cpu/fast/team.hpp"
#include "kernels/cpu/machine/workers.hpp"
#include "kernels/evaluate/dispatch.hpp"
#include "kernels/evaluate/place_ranks.hpp"

namespace tailback::kernels {
namespace {

template <class Routes>
class AllToAllWorker {
public:
    AllToAllWorker(Problem const& p, Routes const& routes) : sums(p), problem_(p), routes_(routes) {
        places_memory_ = HugeBuffer(places_.lay_out(p, nullptr, places_alone));
        places_.lay_out(p, places_memory_.data(), places_alone);
        CpuTeam team;
        places_.fill_subset(team, p);
        memory_ = HugeBuffer(scratch_.lay_out(p, nullptr));
        scratch_.lay_out(p, memory_.data());
    }
    MappingTally evaluate(std::uint64_t m) {
        CpuTeam team;
        kernel::place_ranks(team, problem_, m, places_);
        return evaluate_all_to_all(team, problem_, routes_, places_.host_index_of_rank, scratch_, sums.view());
    }
    Totals sums;

private:
    static constexpr ScratchLayout places_alone{.counts = false};

    Problem problem_;
    Routes routes_;
    Scratch<std::uint32_t, std::uint32_t> places_;
    AllToAllScratch scratch_{};
    HugeBuffer places_memory_, memory_;
};

}  // namespace

std::unique_ptr<Executor> make_all_to_all_executor(Problem const& problem, unsigned threads) {
    std::unique_ptr<Executor> executor;
    with_routes(problem, [&]<class Routes>(Routes const& routes) {
        executor = std::make_unique<CpuExecutor<AllToAllWorker<Routes>>>(threads_to_use(threads), problem, routes);
    });
    return executor;
}

}  // namespace tailback::kernels
