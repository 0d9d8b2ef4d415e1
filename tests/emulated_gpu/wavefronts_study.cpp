// Evaluates some mappings of a case of cuda_bench on the emulated GPU, for scripts/gpu-wavefronts.
// usage: counted_study CASE MAPPINGS
// Prints what the device has counted: atomics, those of 64 bits, operations of whole warps, barriers of blocks; and
// threads, teams and bytes of shared memory a block.
#include "bench/cuda_cases.hpp"
#include "tests/emulated_gpu/emulated_gpu.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

using namespace tailback;

int main(int count, char** words) {
    std::vector<bench::StudyCase> const cases = bench::study_cases();
    auto const one = std::find_if(cases.begin(), cases.end(),
                                  [&](bench::StudyCase const& each) { return count == 3 && each.name == words[1]; });
    if (one == cases.end()) {
        std::fprintf(stderr, "usage: counted_study CASE MAPPINGS\nCASE: as cuda_bench --list says\n");
        return 2;
    }
    bench::PlannedCase const planned(*one, bench::BenchSize::whole);
    std::unique_ptr<Executor> const executor = planned.on_cuda();
    std::vector<MappingTally> tallies(std::stoul(words[2]));
    executor->evaluate(0, tallies);
    emulated_gpu::Counts const counts = emulated_gpu::counts();
    LaunchFacts const facts = executor->launch_facts().value();
    std::printf("%llu %llu %llu %llu %u %u %zu\n", static_cast<unsigned long long>(counts.atomics),
                static_cast<unsigned long long>(counts.wide_atomics),
                static_cast<unsigned long long>(counts.warp_operations),
                static_cast<unsigned long long>(counts.block_barriers), facts.threads,
                facts.blocks > 0 ? facts.teams / facts.blocks : 0, facts.shared_bytes);
}
