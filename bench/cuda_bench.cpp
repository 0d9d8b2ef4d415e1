// A GPU's mappings per second over network x pattern, beside two witnesses of the same run: the floor at rates the same
// device was measured at (bench/cuda_roofline), and one core of its host. Every case is first checked: its first
// mappings must come to the tallies of the kernel's body on the CPU.
//   of_floor      time that the mapping's permutations, row look-ups, counts and reads alone would take, one after the
//   other, over
//                 the time it takes
//   one_core      times the CPU's rate on one thread, where TAILBACK_BENCH_CPU=1 asks for it
// Without a GPU it says why and measures nothing.
#include "bench/cuda_roofline.hpp"
#include "bench/rooms.hpp"
#include "bench/sized_plans.hpp"
#include "host/evaluation/findings.hpp"
#include "kernels/evaluate/load_bound.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>

namespace tailback::bench {

double roofline_wavefronts() {
    constexpr std::uint32_t warps = 2000, words = 8192;
    double sum = 0;
    for (std::uint32_t warp = 0; warp < warps; ++warp)
        for (std::uint32_t k = 0; k < roofline_words; ++k) {
            std::uint32_t meet[32] = {};
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                ++meet[roofline_block(32 * warp + lane, k / 4).word[k % 4] % words % 32];
            sum += *std::max_element(meet, meet + 32);
        }
    return sum / (double(warps) * roofline_words);
}

namespace {

using Clock = std::chrono::steady_clock;

NetworkCase const networks[] = {
    {"128", {{8, 16}, {1, 8}, 0}, false},
    {"648", {{18, 36}, {1, 18}, 0}, false},
    {"1142", {{12, 12, 8}, {1, 12, 12}, 1142}, false},
    {"11664", {{18, 18, 36}, {1, 18, 18}, 0}, false},
    {"65536", {{32, 32, 64}, {1, 32, 32}, 0}, true},
    {"524288", {{64, 64, 128}, {1, 64, 64}, 0}, true},
};

void verify(StudyPlan const& plan, Executor& executor) {
    std::vector<MappingTally> got(4), expected(4);
    executor.evaluate(1000, got);
    make_cpu_executor(plan.problem, 1, CpuVariant::kernel_body)->evaluate(1000, expected);
    if (got != expected) throw std::logic_error("the device's tallies are wrong");
}

/// Mappings a second, counted over at least so many seconds after one call more.
double rate_of(Executor& executor, WantedNumbers const& wanted, std::uint64_t batch, double least_s) {
    std::uint64_t done = 0;
    executor.evaluate_and_reduce(0, batch, wanted);
    executor.take_reduction();
    auto const start = Clock::now();
    double seconds = 0;
    while (seconds < least_s) {
        executor.evaluate_and_reduce(done, batch, wanted);
        done += executor.take_reduction().mappings;
        seconds = std::chrono::duration<double>(Clock::now() - start).count();
    }
    return double(done) / seconds;
}

/// Seconds of the whole device for what a mapping cannot do without.
double floor_of(StudyPlan const& plan) {
    Problem const& p = plan.problem;
    CudaRoofline const& roof = measure_cuda_roofline();
    double const flows = double(plan.flows_per_mapping), links = flows * plan.mean_counted_links;
    double seconds = measure_cuda_permutation(p.placement.ranks) +
                     (p.traffic.drawn_ranks[0] > 0 ? measure_cuda_permutation(p.traffic.drawn_ranks[0]) : 0);
    std::size_t const row_bytes = p.routes.row_width * (p.routes.form == RouteForm::rows16 ? 2 : 4);
    if (p.routes.sums.source != nullptr) {  // both hosts' groups, and a part of each, from shared memory
        seconds += 2 * flows * 4 / roof.shared_reads;
    } else if (p.routes.rows != nullptr && p.routes.form != RouteForm::tree) {
        std::size_t const table = std::size_t{p.routes.groups} * p.placement.study_hosts * row_bytes;
        seconds += 2 * flows / gathers_from(row_bytes > 8 ? roof.gathers16 : roof.gathers8, table);
    }
    std::size_t const counter_bytes = std::size_t(p.routes.inner) * 4 >> packing_for(load_bound(p));
    bool const shared = counter_bytes < (std::size_t{3} << 20);  // of 16 blocks at most
    return seconds + links * (1 / (shared ? roof.shared_adds : roof.l2_adds) +
                              1 / (shared ? roof.shared_reads : roof.gathers8[1]));
}

/// The plan of the case before is kept for its repetitions: that of 524,288 hosts takes seconds.
StudyPlan const& kept_plan_of(NetworkCase const& network, std::string const& pattern) {
    static std::string kept;
    static std::optional<StudyPlan> plan;
    if (std::string const name = network.name + ("/" + pattern); name != kept) {
        plan.reset();
        plan.emplace(plan_of(network, pattern));
        kept = name;
    }
    return *plan;
}

void evaluate_on_gpu(benchmark::State& state, NetworkCase const& network, std::string const& pattern) {
    StudyPlan const& plan = kept_plan_of(network, pattern);
    WantedNumbers const wanted = wanted_numbers(plan);
    std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem);
    verify(plan, *executor);
    std::uint64_t const batch = executor->good_batch();
    double const warm = rate_of(*executor, wanted, batch, 0.2);
    std::uint64_t done = 0;
    auto const start = Clock::now();
    for (auto _ : state) {
        executor->evaluate_and_reduce(done, batch, wanted);
        done += batch;
    }
    benchmark::DoNotOptimize(executor->take_reduction().mappings);
    double const rate = double(done) / std::chrono::duration<double>(Clock::now() - start).count();
    state.counters["threads"] = executor->threads();
    if (char const* const asked = std::getenv("TAILBACK_BENCH_CPU"); asked == nullptr || std::string(asked) != "1")
        return;
    std::unique_ptr<Executor> const core = make_cpu_executor(plan.problem, 1);
    state.counters["mappings/s"] = rate;
    state.counters["warm_up_mappings/s"] = warm;
    state.counters["hops/s"] = rate * double(plan.flows_per_mapping) * plan.mean_links;
    state.counters["of_floor"] = rate * floor_of(plan);
    state.counters["one_core"] =
        rate / rate_of(*core, wanted, std::max<std::uint64_t>(4, core->good_batch() / 64), 1.0);
}

/// What could be done in two ways: permutations of warps by MATCH.ANY, or by cells that lanes join.
void micro_permutation(benchmark::State& state, std::uint32_t ranks) {
    for (auto _ : state) {
        double const match = measure_cuda_warp_permutation(ranks, false),
                     cells = measure_cuda_warp_permutation(ranks, true);
        state.counters["by_match/s"] = 1 / match;
        state.counters["by_cells/s"] = 1 / cells;
        state.counters["cells_over_match"] = match / cells;
    }
}

/// The rates themselves, as a case of their own.
void roofline(benchmark::State& state) {
    CudaRoofline const& roof = measure_cuda_roofline();
    for (auto _ : state) benchmark::DoNotOptimize(&roof);
    state.counters["wavefronts"] = roofline_wavefronts();
    state.counters["shared_adds/s"] = roof.shared_adds;
    state.counters["shared_adds_apart/s"] = roof.shared_adds_apart;
    state.counters["shared_reads/s"] = roof.shared_reads;
    char const* const places[] = {"l1", "l2", "memory"};
    for (int k = 0; k < 3; ++k) {
        state.counters[std::string("gathers8_") + places[k] + "/s"] = roof.gathers8[k];
        state.counters[std::string("gathers16_") + places[k] + "/s"] = roof.gathers16[k];
    }
    state.counters["l2_adds/s"] = roof.l2_adds;
    state.counters["copied_bytes/s"] = roof.copied_bytes;
    for (std::uint32_t const ranks : {128u, 1142u, 11664u, 65536u, 524288u})
        state.counters["permutations_" + std::to_string(ranks) + "/s"] = 1 / measure_cuda_permutation(ranks);
}

}  // namespace
}  // namespace tailback::bench

int main(int argc, char** argv) {
    using namespace tailback::bench;
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    tailback::CudaDevices const devices = tailback::find_cuda_devices();
    if (devices.names.empty()) {
        std::fprintf(stderr, "nothing measured: no CUDA device (%s)\n", devices.reason.c_str());
        return std::getenv("TAILBACK_REQUIRE_GPU") != nullptr ? 1 : 0;
    }
    for (std::uint32_t const ranks : {128u, 648u, 1142u})
        benchmark::RegisterBenchmark(("gpu/micro/permutation/" + std::to_string(ranks)).c_str(),
                                     [ranks](benchmark::State& state) { micro_permutation(state, ranks); })
            ->Iterations(1);
    benchmark::RegisterBenchmark("gpu/roofline", roofline)->Iterations(1);
    for (NetworkCase const& network : networks)
        for (char const* pattern : {"bisect", "rand", "bruck"}) {
            std::string const name = std::string("gpu/") + network.name + "/" + pattern;
            benchmark::RegisterBenchmark(
                name.c_str(),
                [&network, pattern](benchmark::State& state) { evaluate_on_gpu(state, network, pattern); })
                ->UseRealTime()
                ->Unit(benchmark::kMillisecond);
        }
    benchmark::RunSpecifiedBenchmarks();
}
