// Fuzz target: plans of cables. Whatever comes out must be a sound network, and can be held against itself.
#include "host/audit/changes/planned_cables.hpp"
#include "host/formats/plan/cable_plan.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    answer([&] {
        LineReader lines = fuzz_lines(data, size), again = fuzz_lines(data, size);
        CablePlan const plan = read_cable_plan(lines);
        compare_plan(small_network(), plan);
        Disagreements disagreements;
        Network const network = read_planned_network(again, disagreements);
        check(network);
        PlanComparison const found = compare_plan(network, plan);
        put_right(network, plan, found.mistakes);
    });
    return 0;
}
