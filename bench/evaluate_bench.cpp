// Mappings per second over network x pattern x metrics x executor. Every case is first checked: the first mappings must
// come to the same tallies as in the kernel's body on one thread. Beside each result stands the fraction of its floor:
// the time that drawing, reading the routes, counting and reading back would take at this machine's own measured rates.
#include "bench/networks.hpp"
#include "bench/roofline.hpp"
#include "bench/rooms.hpp"
#include "host/evaluation/evaluation.hpp"
#include "host/evaluation/run_sums.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <stdexcept>

namespace tailback::bench {
namespace {

NetworkCase const networks[] = {
    {"xgft2-128", {{8, 16}, {1, 8}, 0}},
    {"xgft2-648", {{18, 36}, {1, 18}, 0}},
    {"xgft3-1142", {{12, 12, 8}, {1, 12, 12}, 1142}},
    {"xgft3-11664", {{18, 18, 36}, {1, 18, 18}, 0}},
};

std::vector<Metric> metrics_of(bool all) {
    if (!all) return {Metric::hist_acc_band};
    std::vector<Metric> every;
    every = metrics_of_all();
    return every;
}

/// The executor under test against the kernel's body on one CPU thread, tally by tally.
void verify(StudyPlan const& plan, Executor& executor) {
    std::vector<MappingTally> got(16), expected(16);
    executor.evaluate(1000, got);
    make_cpu_executor(plan.problem, 1, CpuVariant::kernel_body)->evaluate(1000, expected);
    if (got != expected) throw std::logic_error("the executor's tallies are wrong");
}

void evaluate_mappings(benchmark::State& state, int which, std::string const& pattern, bool all, bool cuda) {
    Study study;
    study.traffic.pattern = pattern;
    study.sample.mappings = 1'000'000'000;  // as a long study is planned
    study.measures.metrics = metrics_of(all);
    StudyPlan const plan = make_plan(fabric_of(networks[which], false), study);
    Problem const& p = plan.problem;
    std::unique_ptr<Executor> const executor =
        cuda ? make_cuda_executor(p) : make_cpu_executor(p, static_cast<unsigned>(state.range(0)));
    verify(plan, *executor);

    // As a run goes about it: the CPU's threads find out their fastest way first, and batches grow until one takes a
    // while.
    WantedNumbers const wanted = wanted_numbers(plan);
    std::uint64_t batch = executor->good_batch();
    using Clock = std::chrono::steady_clock;
    for (auto const begun = Clock::now(); Clock::now() - begun < std::chrono::milliseconds(600);) {
        auto const turn = Clock::now();
        executor->evaluate_and_reduce(0, batch, wanted);
        executor->take_reduction();
        if (Clock::now() - turn < std::chrono::milliseconds(50)) batch *= 2;
    }
    std::uint64_t first = 0;
    auto const started = Clock::now();
    for (auto _ : state) {
        executor->evaluate_and_reduce(first, batch, wanted);
        benchmark::DoNotOptimize(executor->take_reduction());
        first += batch;
    }
    double const seconds = std::chrono::duration<double>(Clock::now() - started).count();
    double const flows = double(plan.flows_per_mapping);
    state.counters["mappings/s"] = benchmark::Counter(double(first), benchmark::Counter::kIsRate);
    state.counters["hops/s"] = benchmark::Counter(double(first) * flows * plan.mean_links, benchmark::Counter::kIsRate);
    if (cuda) return;
    std::size_t const row_bytes = p.routes.row_width * (p.routes.form == RouteForm::rows16 ? 2 : 4);
    Roofline const roof = measure_roofline(std::size_t(p.routes.groups) * p.placement.study_hosts * row_bytes,
                                           p.routes.inner, p.placement.ranks);
    double const inner_links = plan.mean_counted_links;
    double const drawn = double(p.placement.ranks) + p.traffic.drawn_ranks[0] +
                         p.traffic.drawn_ranks[1];  // places of ranks, and what the pattern draws
    double const floor_s =
        drawn * roof.draw_s + flows * (roof.gather_s + inner_links * (roof.increment_s + roof.read_back_s));
    state.counters["of_floor"] = double(first) * floor_s / double(state.range(0)) / seconds;
}

void add_cases(bool cuda) {
    for (int n = 0; n < int(std::size(networks)); ++n)
        for (char const* pattern : {"bisect", "rand", "bruck"})
            for (bool const all : {false, true}) {
                std::string const name = std::string("evaluate/") + networks[n].name + "/" + pattern + "/" +
                                         (all ? "all" : "hist_acc_band") + (cuda ? "/cuda" : "/cpu");
                auto* const bench = benchmark::RegisterBenchmark(
                    name.c_str(), [=](benchmark::State& state) { evaluate_mappings(state, n, pattern, all, cuda); });
                bench->UseRealTime()->Unit(benchmark::kMillisecond);
                if (cuda) bench->Arg(0);
                else bench->Arg(1)->Arg(2);
            }
}

}  // namespace
}  // namespace tailback::bench

int main(int argc, char** argv) {
    tailback::bench::add_cases(false);
    if (!tailback::find_cuda_devices().names.empty()) tailback::bench::add_cases(true);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
}
