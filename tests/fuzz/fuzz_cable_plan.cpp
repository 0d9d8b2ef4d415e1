// Fuzz target: plans of cables. Whatever comes out must be a sound network, and can be held against itself; written as
// a plan, it is as planned.
#include "host/audit/changes/planned_cables.hpp"
#include "host/formats/plan/cable_plan.hpp"
#include "host/formats/write/cable_plan_writer.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

#include <sstream>

namespace tailback {

/// What is written compares as planned. A device may have no name that a plan takes.
void write_again(Network const& network) {
    std::ostringstream out;
    answer_words([&] { write_cable_plan(out, network); });
    std::string const written = out.str();
    if (written.find('\n') + 1 == written.size()) return;  // no cable but inside directors
    LineReader rows = lines_of_text(written, "written");
    must(compare_plan(network, read_cable_plan(rows)).mistakes.empty());
}

}  // namespace tailback

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
        write_again(network);
    });
    return 0;
}
