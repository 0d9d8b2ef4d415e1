// Fuzz target: pattern files. Whatever comes out has all flows in its levels and all ranks in range.
#include "host/study/flow_file.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    answer([&] {
        LineReader lines = fuzz_lines(data, size);
        FlowList const list = read_flows(lines);
        std::size_t flows = 0;
        for (Level const& level : list.levels) {
            must(level.first_flow == flows);
            flows += level.flow_count;
        }
        must(flows == list.flows.size());
        for (Flow const& flow : list.flows)
            must(flow.source < list.ranks && flow.destination < list.ranks && flow.source != flow.destination);
    });
    return 0;
}
