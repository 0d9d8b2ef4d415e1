// Where the time of a mapping goes: permutation, route look-up, counting, reading back, each beside its floor at rates
// that the same run measures (bench/roofline). One thread. Counters, in ns a mapping:
//   permutation   drawing and swapping `ranks` places; its floor is the drawing alone, as no faster way to swap is
//   known look_up       rows of all flows of all levels;     floor: a random read of a table of the same size for each,
//   no more than
//                 what is read (rows: the table; sums: two small ones; arithmetic: nothing, so no floor is told)
//   count         an increment a link;                 floor: increments of random counters of that number
//   read_back     a read a link, totals, clearing;     floor: reads of random counters
// Each case is first checked against the kernel's own body.
#include "bench/roofline.hpp"
#include "bench/rooms.hpp"
#include "bench/sized_plans.hpp"
#include "host/evaluation/evaluation.hpp"
#include "kernels/cpu/fast/stages.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <stdexcept>

namespace tailback::bench {
namespace {

using Clock = std::chrono::steady_clock;

NetworkCase const networks[] = {
    {"128", {{8, 16}, {1, 8}, 0}, false},
    {"1142", {{12, 12, 8}, {1, 12, 12}, 1142}, false},
    {"11664", {{18, 18, 36}, {1, 18, 18}, 0}, false},
    {"65536", {{32, 32, 64}, {1, 32, 32}, 0}, true},
    {"524288", {{64, 64, 128}, {1, 64, 64}, 0}, true},
};

/// Against the kernel's body.
template <class Mapping>
void verify(StudyPlan const& plan, Mapping& mapping) {
    std::vector<MappingTally> expected(1);
    make_cpu_executor(plan.problem, 1, CpuVariant::kernel_body)->evaluate(7, expected);
    if (mapping.evaluate(7, TotalsView{}) != expected[0]) throw std::logic_error("the stages' tallies are wrong");
}

struct Nanoseconds {
    double permutation = 0, look_up = 0, count = 0, read_back = 0;
};

template <class Mapping>
Nanoseconds time_stages(benchmark::State& state, Problem const& p, Mapping& mapping) {
    Nanoseconds sum;
    std::uint64_t m = 0;
    auto time = [](double& to, auto&& work) {
        auto const start = Clock::now();
        work();
        to += std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    };
    for (auto _ : state) {
        time(sum.permutation, [&] { mapping.place_ranks(m); });
        ++m;
        for (std::uint32_t l = 0; l < p.traffic.level_count; ++l) {
            LevelView const& level = p.traffic.levels[l];
            time(sum.look_up, [&] { mapping.find_rows(level); });
            time(sum.count, [&] { mapping.count(level); });
            time(sum.read_back, [&] {
                benchmark::DoNotOptimize(mapping.read_back(level, TotalsView{}));
                mapping.note_links(level, TotalsView{});
            });
        }
    }
    return sum;
}

void stages_of(benchmark::State& state, NetworkCase const& network, std::string const& pattern) {
    StudyPlan const plan = plan_of(network, pattern);
    Problem const& p = plan.problem;
    Nanoseconds sum;
    auto const measure = [&]<class HostWord>(HostWord) {
        stages::Mapping<HostWord> mapping(p, stages::make_rows<HostWord>(p));
        verify(plan, mapping);
        sum = time_stages(state, p, mapping);
    };
    if (stages::host_indices_are_wide(p)) measure(std::uint32_t{});
    else measure(std::uint16_t{});
    double const mappings = double(state.iterations()), flows = double(plan.flows_per_mapping);
    double const inner_links = flows * plan.mean_counted_links, ns = 1e9;
    std::size_t const row_bytes = p.routes.row_width * (p.routes.form == RouteForm::rows16 ? 2 : 4);
    std::size_t const table = p.routes.sums.source != nullptr
                                  ? (std::size_t(p.routes.groups) + p.placement.study_hosts) * row_bytes
                                  : std::size_t(p.routes.groups) * p.placement.study_hosts * row_bytes;
    bool const reads_table = p.routes.form == RouteForm::rows16 || p.routes.form == RouteForm::rows32;
    Roofline const roof = measure_roofline(reads_table ? table : 0, p.routes.inner, p.placement.ranks);
    auto report = [&](char const* stage, double total, double floor) {
        state.counters[std::string(stage) + "_ns"] = total / mappings;
        if (floor > 0) state.counters[std::string(stage) + "_of_floor"] = floor / (total / mappings);
    };
    double const drawn = p.placement.ranks * (1.0 + (p.traffic.drawn_ranks[0] > 0 ? 1 : 0));
    report("permutation", sum.permutation, drawn * roof.draw_alone_s * ns);
    report("look_up", sum.look_up, reads_table ? flows * roof.gather_s * ns : 0);
    report("count", sum.count, inner_links * roof.increment_s * ns);
    report("read_back", sum.read_back, inner_links * roof.read_back_s * ns);
    state.counters["mapping_ns"] = (sum.permutation + sum.look_up + sum.count + sum.read_back) / mappings;
    state.counters["flows"] = flows;
    state.counters["links_counted"] = inner_links;
    state.counters["table_bytes"] = reads_table ? double(table) : 0;
    state.counters["counter_bytes"] = 2.0 * p.routes.inner;
}

}  // namespace
}  // namespace tailback::bench

int main(int argc, char** argv) {
    using namespace tailback::bench;
    for (NetworkCase const& network : networks)
        for (char const* pattern : {"bisect", "rand", "bruck"}) {
            std::string const name = std::string("stages/") + network.name + "/" + pattern;
            benchmark::RegisterBenchmark(name.c_str(), [&network, pattern](benchmark::State& state) {
                stages_of(state, network, pattern);
            })->Unit(benchmark::kMicrosecond);
        }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
}
