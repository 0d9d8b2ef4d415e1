// Fuzz target: dumps of forwarding tables, on a network of two switches. All routes over what comes out must end.
#include "tests/fuzz/fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    answer([&] {
        LineReader lines = fuzz_lines(data, size);
        recognise(lines.peek());
        Disagreements disagreements;
        Fabric fabric{small_network(), {}, true};
        fabric.tables = read_lft_dump(lines, fabric.network, disagreements);
        check(fabric);
        disagreements.warnings();
    });
    return 0;
}
