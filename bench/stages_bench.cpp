// Where the time of a mapping goes: permutation, route look-up, counting, reading back, each beside its floor at rates
// that the same run measures (bench/roofline). One thread. Counters, in ns a mapping:
//   permutation   drawing and swapping `ranks` places; its floor is the drawing alone, as no faster way to swap is
//   known look_up       rows of all flows of all levels;     floor: a random read of a table of the same size for each,
//   no more than
//                 what is read (rows: the table; sums: two small ones; arithmetic: nothing, so no floor is told)
//   count         an increment a link;                 floor: increments of random counters of that number
//   read_back     a read a link, totals, clearing;     floor: reads of random counters
// Each case is first checked in every way there is, against the kernel's own body; then the way that was found the
// fastest is timed and named.
#include "bench/roofline.hpp"
#include "bench/sized_plans.hpp"
#include "host/evaluation/evaluation.hpp"
#include "kernels/cpu/fast/stages.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <stdexcept>

namespace tailback::bench {
namespace {

using Clock = std::chrono::steady_clock;
using stages::Ways;

NetworkCase const networks[] = {
    {"128", {{8, 16}, {1, 8}, 0}, false},
    {"1142", {{12, 12, 8}, {1, 12, 12}, 1142}, false},
    {"11664", {{18, 18, 36}, {1, 18, 18}, 0}, false},
    {"65536", {{32, 32, 64}, {1, 32, 32}, 0}, true},
    {"524288", {{64, 64, 128}, {1, 64, 64}, 0}, true},
};

/// Every way against the kernel's body; then the mapping has found out its fastest.
template <class Mapping>
void verify(StudyPlan const& plan, std::vector<Ways> const& ways, Mapping& mapping) {
    std::vector<MappingTally> expected(1);
    make_cpu_executor(plan.problem, 1, CpuWay::kernel_body)->evaluate(7, expected);
    for (Ways const& way : ways) {
        mapping.set_ways({way});
        if (mapping.evaluate(7, TotalsView{}) != expected[0]) throw std::logic_error("the stages' tallies are wrong");
    }
    mapping.set_ways(ways);
    for (std::uint64_t m = 0; !mapping.is_decided(); ++m) mapping.evaluate(m, TotalsView{});
}

std::string text_of(Ways const& ways) {
    static char const* const rows[] = {"table", "sums", "records"};
    static char const* const read_back[] = {"slots", "gathers", "loads"};
    return std::string(rows[std::size_t(ways.rows)]) + (ways.draws_in_turns ? ", draws in turns" : ", draws apart") +
           (ways.counts_at_once ? ", counted at once" : ", counted later") + ", " +
           read_back[std::size_t(ways.read_back)];
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
        for (std::uint32_t l = 0; l < p.level_count; ++l) {
            LevelView const& level = p.levels[l];
            std::uint32_t local = 0;
            time(sum.look_up, [&] { local = mapping.find_rows(level); });
            time(sum.count, [&] { benchmark::DoNotOptimize(mapping.count(level, mapping.counters())); });
            time(sum.read_back,
                 [&] { benchmark::DoNotOptimize(mapping.look(level, local, mapping.counters(), TotalsView{})); });
        }
    }
    return sum;
}

void stages_of(benchmark::State& state, NetworkCase const& network, std::string const& pattern) {
    StudyPlan const plan = plan_of(network, pattern);
    Problem const& p = plan.problem;
    Nanoseconds sum;
    stages::FinderTables tables;
    stages::with_stages(p, tables, [&]<class Finder, class Seat>(Finder const& finder) {
        stages::Mapping<Finder, Seat> mapping(p, finder);
        verify(plan, mapping.ways_of(p, finder), mapping);
        state.SetLabel(text_of(mapping.ways()));
        sum = time_stages(state, p, mapping);
    });
    double const mappings = double(state.iterations()), flows = double(plan.flows_per_mapping);
    double const inner_links = flows * plan.mean_counted_links, ns = 1e9;
    std::size_t const row_bytes = p.row_width * (p.form == RouteForm::rows16 ? 2 : 4);
    std::size_t const table = p.sums.source != nullptr ? (std::size_t(p.groups) + p.seats) * row_bytes
                                                       : std::size_t(p.groups) * p.seats * row_bytes;
    bool const reads_table = p.form == RouteForm::rows16 || p.form == RouteForm::rows32;
    Roofline const roof = measure_roofline(reads_table ? table : 0, p.inner, p.ranks);
    auto report = [&](char const* stage, double total, double floor) {
        state.counters[std::string(stage) + "_ns"] = total / mappings;
        if (floor > 0) state.counters[std::string(stage) + "_of_floor"] = floor / (total / mappings);
    };
    double const drawn = p.ranks * (1.0 + (p.drawn_ranks[0] > 0 ? 1 : 0));
    report("permutation", sum.permutation, drawn * roof.draw_alone_s * ns);
    report("look_up", sum.look_up, reads_table ? flows * roof.gather_s * ns : 0);
    report("count", sum.count, inner_links * roof.increment_s * ns);
    report("read_back", sum.read_back, inner_links * roof.read_back_s * ns);
    state.counters["mapping_ns"] = (sum.permutation + sum.look_up + sum.count + sum.read_back) / mappings;
    state.counters["flows"] = flows;
    state.counters["links_counted"] = inner_links;
    state.counters["table_bytes"] = reads_table ? double(table) : 0;
    state.counters["counter_bytes"] = 2.0 * p.inner;
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
