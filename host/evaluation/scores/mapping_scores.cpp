#include "host/evaluation/scores/mapping_scores.hpp"

#include "host/study/metrics.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <atomic>
#include <stdexcept>
#include <utility>

namespace tailback::evaluation {

/// Two mappings of the list that are its own, and what evaluates them: one after the other, as executors keep where the
/// ranks of the mapping before are.
struct MappingScores::Worker {
    std::uint64_t mapping, other;
    std::unique_ptr<kernels::Executor> executor;
    std::vector<std::uint32_t> seats;
    std::vector<kernels::MappingTally> tallies;
};

MappingScores::MappingScores(Column const& column, study::Metric metric)
    : column_(column),
      scale_(study::info_of(metric).number->scale(*column.plan)),
      seat_of_host_(column.plan->fabric->endpoints()) {
    std::vector<model::Host> const& hosts = column.plan->study_hosts;
    for (std::size_t seat = 0; seat < hosts.size(); ++seat)
        seat_of_host_[hosts[seat].value] = static_cast<std::uint32_t>(seat);
}

MappingScores::~MappingScores() = default;

std::unique_ptr<MappingScores::Worker> MappingScores::take() const {
    std::lock_guard const lock(taking_);
    if (!idle_.empty()) {
        std::unique_ptr<Worker> worker = std::move(idle_.back());
        idle_.pop_back();
        return worker;
    }
    kernels::PlacementView const& placement = plan().problem.placement;
    if (made_ + 2 > placement.listed_mappings) throw std::logic_error("more threads than mappings are listed");
    auto worker = std::make_unique<Worker>();
    worker->mapping = placement.first_listed + made_++;
    worker->other = placement.first_listed + made_++;
    worker->executor = column_.make_executor ? column_.make_executor(1) : kernels::make_cpu_executor(plan().problem, 1);
    worker->seats.resize(placement.ranks);
    worker->tallies.resize(std::size_t(plan().repeats));
    return worker;
}

std::optional<std::uint64_t> MappingScores::of(std::span<model::Host const> hosts) const {
    static std::atomic<bool> const nobody{false};  // one mapping is soon done: who searches looks at wishes
    kernels::StopWish::Scope const undisturbed(nobody);
    std::unique_ptr<Worker> worker = take();
    for (std::size_t rank = 0; rank < hosts.size(); ++rank) worker->seats[rank] = seat_of_host_[hosts[rank].value];
    std::swap(worker->mapping, worker->other);
    plan().seat_again(worker->mapping, worker->seats);
    worker->executor->evaluate(worker->mapping * plan().repeats, worker->tallies);
    std::optional<std::uint64_t> sum;
    for (kernels::MappingTally const& tally : worker->tallies)
        if (tally.delivered > 0) sum = sum.value_or(0) + kernels::value_of(scale_.integer, tally);
    std::lock_guard const lock(taking_);
    idle_.push_back(std::move(worker));
    return sum;
}

double MappingScores::unit() const { return scale_.unit / scale_.scale / double(plan().repeats); }

}  // namespace tailback::evaluation
