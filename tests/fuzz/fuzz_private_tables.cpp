// Fuzz target: ibdiagnet2.plft, on a network of two switches.
#include "host/formats/ibdiagnet2/private_tables.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    answer([&] {
        LineReader lines = fuzz_lines(data, size);
        Disagreements disagreements;
        PrivateTables const map = read_private_tables(lines, small_network(), disagreements);
        bool uniform = false;
        for (auto const& [node, ports] : map.table) must(map.followed(Node{node}, uniform) <= 255);
        compare_private_tables(small_network(), map, {{0, {0, 1}}}, "fuzz", disagreements);
        disagreements.warnings();
    });
    return 0;
}
