// The CPU's executors: OpenMP over mappings, each by one thread, in stages or as the kernel's body has it.
#include "kernels/cpu/all_to_all_executor.hpp"
#include "kernels/cpu/body_executor.hpp"
#include "kernels/cpu/fast/stages.hpp"
#include "kernels/cpu/sharing_executor.hpp"
#include "kernels/cpu/weighted_executor.hpp"

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
    if (problem.measures.sharing.wanted)
        return make_sharing_executor(problem, threads, flow_route_finder(routes), CpuVariant::fastest);
    if (problem.traffic.weights != nullptr || problem.placement.nodes.node != nullptr)
        return make_cpu_executor(problem, threads, flow_route_finder(routes));
    return make_staged_executor(problem, threads,
                                [&]<class HostWord>(HostWord) { return stages::make_found_rows<HostWord>(routes); });
}

std::unique_ptr<Executor> make_cpu_executor(Problem const& problem, unsigned threads, MakeFinder const& make_finder) {
    if (problem.measures.sharing.wanted)
        return make_sharing_executor(problem, threads, make_finder, CpuVariant::fastest);
    return problem.traffic.weights != nullptr ? make_body_executor<std::uint64_t>(problem, threads, make_finder)
                                              : make_body_executor<std::uint32_t>(problem, threads, make_finder);
}

std::unique_ptr<Executor> make_cpu_executor(Problem const& problem, unsigned threads, CpuVariant way) {
    if (problem.traffic.all_to_all) return make_all_to_all_executor(problem, threads);
    if (problem.measures.sharing.wanted)
        return make_sharing_executor(problem, threads, flow_route_finder(problem), way);
    if (problem.routes.lids.are_several()) way = CpuVariant::kernel_body;
    if (problem.traffic.weights != nullptr) return make_weighted_executor(problem, threads, way);
    std::unique_ptr<Executor> executor;
    if (way == CpuVariant::fastest && problem.placement.nodes.node == nullptr)
        executor = make_staged_executor(problem, threads,
                                        [&]<class HostWord>(HostWord) { return stages::make_rows<HostWord>(problem); });
    return executor ? std::move(executor) : make_body_executor<std::uint32_t>(problem, threads);
}

}  // namespace tailback::kernels
