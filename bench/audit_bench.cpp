// The audit of all pairs: seconds, pairs and table bytes per second, and these bytes as a fraction of what
// the machine copies in the same run. Each case is first checked: the loads add up to the links of all routes.
#include "bench/networks.hpp"
#include "bench/roofline.hpp"
#include "bench/rooms.hpp"
#include "host/audit/loads/all_pairs.hpp"
#include "kernels/executor.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <stdexcept>

namespace tailback::bench {
namespace {

NetworkCase const networks[] = {
    {"xgft2-648", {{18, 36}, {1, 18}, 0}},
    {"xgft3-11664", {{18, 18, 36}, {1, 18, 18}, 0}},
    {"xgft3-65536", {{32, 32, 64}, {1, 32, 32}, 0}},
};

enum class Part { fates, everything, asymmetry };

AllPairsRequest request_of(Fabric const& fabric, Part part) {
    AllPairsRequest request;
    for (std::size_t i = 0; i < fabric.network.hosts().size(); ++i) request.sources.emplace_back(i);
    request.destinations = request.sources;
    request.shortest = request.turns = part == Part::everything;
    return request;
}

void verify(AllPairsResult const& result, AllPairsRequest const& request) {
    std::uint64_t links = 0, load = 0;
    for (std::size_t i = 0; i < result.hops.size(); ++i) links += i * result.hops[i];
    for (std::uint64_t const l : result.load) load += l;
    std::uint64_t const hosts = request.sources.size();
    if (links != load || result.pairs.delivered != hosts * (hosts - 1) || result.longer != 0)
        throw std::logic_error("the counts are wrong");
}

void audit(benchmark::State& state, int which, Part part, DeviceChoice device) {
    Fabric const& fabric = fabric_of(networks[which], true);
    Forwarding const forwarding(fabric);
    AllPairsRequest const request = request_of(fabric, part);
    ExecutionOptions const options{device, static_cast<unsigned>(state.range(0))};
    auto const started = std::chrono::steady_clock::now();
    for (auto _ : state) {
        if (part == Part::asymmetry) {
            benchmark::DoNotOptimize(find_asymmetry(forwarding, request.sources, options.threads));
        } else {
            AllPairsResult const result = count_all_pairs(forwarding, request, options);
            state.PauseTiming();
            verify(result, request);
            state.ResumeTiming();
        }
    }
    double const seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() / double(state.iterations());
    double const hosts = double(request.sources.size()), bytes = hosts * double(fabric.network.switches());
    state.counters["pairs/s"] = benchmark::Counter(hosts * (hosts - 1) / seconds);
    state.counters["table_bytes/s"] = benchmark::Counter(bytes / seconds);
    state.counters["ns/entry"] = benchmark::Counter(seconds * 1e9 / bytes);
    state.counters["of_copy"] = benchmark::Counter(bytes / seconds / measure_copy_bandwidth());
}

void add_cases(DeviceChoice device) {
    for (int n = 0; n < int(std::size(networks)); ++n)
        for (auto const& [part, part_name] : {std::pair{Part::fates, "fates_and_loads"},
                                              {Part::everything, "everything"},
                                              {Part::asymmetry, "asymmetry"}}) {
            bool const cuda = device == DeviceChoice::cuda;
            if (cuda && part == Part::asymmetry) continue;
            std::string const name =
                std::string("audit/") + networks[n].name + "/" + part_name + (cuda ? "/cuda" : "/cpu");
            auto* const bench = benchmark::RegisterBenchmark(
                name.c_str(), [n, part = part, device](benchmark::State& state) { audit(state, n, part, device); });
            bench->UseRealTime()->Unit(benchmark::kMillisecond);
            if (cuda) bench->Arg(0);
            else bench->Arg(1)->Arg(2);
        }
}

}  // namespace
}  // namespace tailback::bench

int main(int argc, char** argv) {
    tailback::bench::add_cases(tailback::DeviceChoice::cpu);
    if (!tailback::find_cuda_devices().names.empty()) tailback::bench::add_cases(tailback::DeviceChoice::cuda);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
}
