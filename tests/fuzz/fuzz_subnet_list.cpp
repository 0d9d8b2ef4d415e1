// Fuzz target: the list of cables (opensm-subnet.lst). Whatever comes out must be a sound network.
#include "tests/fuzz/fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    answer([&] {
        LineReader lines = fuzz_lines(data, size);
        recognise(lines.peek());
        Disagreements disagreements;
        check(read_subnet_list(lines, disagreements));
        disagreements.warnings();
    });
    return 0;
}
