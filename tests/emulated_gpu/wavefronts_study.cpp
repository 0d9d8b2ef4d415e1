// Evaluates some mappings of a long study on the emulated GPU, for scripts/gpu-wavefronts.
// usage: counted_study m=12x12x8,w=1x12x12 HOSTS (0: all) PATTERN MAPPINGS tables|arithmetic
#include "host/study/plan/study_plan.hpp"
#include "kernels/executor.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/regular.hpp"

#include <cstdio>
#include <sstream>
#include <string>

using namespace tailback;

namespace {

std::vector<std::uint32_t> numbers(std::string const& words) {
    std::vector<std::uint32_t> all;
    std::istringstream in(words);
    for (std::string word; std::getline(in, word, 'x');) all.push_back(static_cast<std::uint32_t>(std::stoul(word)));
    return all;
}

}  // namespace

int main(int count, char** words) {
    if (count != 6) {
        std::fprintf(stderr, "usage: counted_study m=12x12x8,w=1x12x12 HOSTS PATTERN MAPPINGS tables|arithmetic\n");
        return 2;
    }
    std::string const sizes = words[1];
    std::size_t const comma = sizes.find(',');
    XgftSpec const tree{numbers(sizes.substr(2, comma - 2)), numbers(sizes.substr(comma + 3)),
                        static_cast<std::uint32_t>(std::stoul(words[2]))};
    Fabric const fabric =
        words[5] == std::string("arithmetic") ? fabric_of(make_regular_xgft(tree, "dmodk", "tree")) : make_xgft(tree);
    Study study;
    study.traffic.pattern = words[3];
    study.sample.mappings = 1'000'000'000;  // links that no two flows can share are left out of long studies
    study.measures.metrics = {Metric::hist_acc_band};
    StudyPlan const plan = make_plan(fabric, study);
    std::vector<MappingTally> tallies(std::stoul(words[4]));
    std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem);
    executor->evaluate(0, tallies);
    std::printf("%u ranks, %u threads a mapping\n", plan.problem.placement.ranks, executor->threads());
}
