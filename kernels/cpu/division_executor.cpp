// One thread a mapping whose flows are divided equally, by the body that GPUs run, too: the definition.
#include "kernels/common/huge_buffer.hpp"
#include "kernels/cpu/flow_routes.hpp"
#include "kernels/cpu/machine/workers.hpp"
#include "kernels/division/equal_division.hpp"

#include <cstring>

namespace tailback::kernels {
namespace {

class DivisionWorker {
public:
    DivisionWorker(Problem const* p, DivisionView const* d) : sums(*p), p_(*p), d_(*d) {
        places_memory_ = HugeBuffer(places_.lay_out(p_, nullptr, false));
        places_.lay_out(p_, places_memory_.data(), false);
        memory_ = HugeBuffer(state_.lay_out(p_, d_, 1, 0, nullptr, nullptr));
        std::memset(memory_.data(), 0, memory_.size());
        state_.lay_out(p_, d_, 1, 0, memory_.data(), nullptr);
        CpuTeam team;
        places_.fill_subset(team, p_);
    }
    MappingTally evaluate(std::uint64_t m) {
        CpuTeam team;
        kernel::place_ranks(team, p_, m, places_);
        return divide_placed(team, p_, d_, state_, PlacedFlows(places_), sums.view());
    }
    Totals sums;

private:
    Problem const& p_;
    DivisionView const& d_;
    Scratch<std::uint32_t, std::uint32_t> places_;
    DivisionState<1> state_;
    HugeBuffer places_memory_, memory_;
};

}  // namespace

std::unique_ptr<Executor> make_cpu_executor(Problem const& problem, unsigned threads, DivisionView const& division) {
    return std::make_unique<CpuExecutor<DivisionWorker>>(threads_to_use(threads), &problem, &division);
}

}  // namespace tailback::kernels
